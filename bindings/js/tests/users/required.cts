// The types of `require`.
import barelink = require("barelink");

const html: string = barelink.toHtml("a");
console.log(html);
