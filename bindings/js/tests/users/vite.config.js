// The polyfill would ask for more of a browser than the test has.
export default { build: { modulePreload: { polyfill: false } } };
