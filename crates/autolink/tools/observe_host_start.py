"""Asks cmark-gfm which characters cannot begin a host, and prints the table
`src/generated/host_start.rs`. The package `cmarkgfm` has to be importable.
"""

from cmarkgfm import cmark

HEAD = """\
//! Characters outside ASCII that cannot begin a host in `github`.
//!
//! Observed, not derived: every code point `c` above U+007F for which
//! cmark-gfm 0.29.0.gfm.13 does not link `http://c.to`. They are Unicode's
//! spaces and most of its general category P as it stood years ago, so no
//! newer table can take their place. Made by `tools/observe_host_start.py`.

/// First and last code point of each range, in order.
#[rustfmt::skip]
pub(crate) const NOT_HOST_START: [(u32, u32); {}] = ["""

BATCH = 2000


def refused(codes):
    """Those of the code points that begin no host."""
    text = "\n\n".join(f"http://{chr(code)}.to x" for code in codes)
    html = cmark.markdown_to_html_with_extensions(text, extensions=["autolink"])
    paragraphs = html.split("<p>")[1:]
    return [c for c, p in zip(codes, paragraphs, strict=True) if "<a" not in p]


def main():
    codes = [code for code in range(0x80, 0x110000) if not 0xD800 <= code <= 0xDFFF]
    ranges = []
    for at in range(0, len(codes), BATCH):
        for code in refused(codes[at:at + BATCH]):
            if ranges and ranges[-1][1] == code - 1:
                ranges[-1][1] = code
            else:
                ranges.append([code, code])
    pairs = [f"(0x{first:04X}, 0x{last:04X})" for first, last in ranges]
    print(HEAD.format(len(pairs)))
    for at in range(0, len(pairs), 4):
        print("    " + ", ".join(pairs[at:at + 4]) + ",")
    print("];")


main()
