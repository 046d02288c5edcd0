"""Compares the `github` dialect with cmark-gfm on random paragraphs.

    compare_github.py PROGRAM [N] [SEED]

PROGRAM is the example `links_of_lines`; the package `cmarkgfm` has to be
importable. Inputs in which cmark-gfm sees other Markdown are left out: what
remains after taking the anchors away has to be the input itself.
"""

import html
import json
import random
import re
import subprocess
import sys

from cmarkgfm import cmark

PIECES = (
    ["http://", "https://", "ftp://", "HTTP://", "hTtPs://", "www.", "WWW.", "://", "ssh://"] * 2
    + ["@"] * 8 + ["."] * 6 + ["a", "b", "c", "x", "Z", "w", "1", "0"] * 2
    + ["_", "-", "_", "-", "+", " ", " ", "\n", "\t", ":", "/", "/", "?", "#", "=", "%", "~", "*"]
    + [")", "(", ")", "(", ";", ";", "&amp;", "&x", "&h1;", "&copy", "'", '"', "'", ",", "!", "|"]
    + ["é", "中", "。", "，", "😀", "™", "«", "\u0301", "\u00a0", "\u3000", "\u200b", "\u2028"]
    + ["mailto:", "xmpp:", "MAILTO:", "mailto:", "xmpp:", "[", "]", "[a]", "![", "<", ">", "\\", "`"]
    + ["\x0b", "\x0c", "\x01", "\x7f", "$", "^", "{", "}", "a.b", "b.cd", "a@b.cd", "a.b_c.d"]
    + ["http://a.bc/x", "www.a.bc", "a.b.c.d.e.f.g.h.i.j.k_l", "a.b.c.d.e.f.g.h.i.j_k", "localhost"]
)

GAPS = ["\n\n", "\n \t\n", "\r\n\r\n", "  \n\n\n"]

SAFE = set(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.+!*'(),%#@?=;:/&$~")
ANCHOR = re.compile(r'<a href="([^"]*)">([^<]*)</a>')


def encode(href):
    return "".join(chr(b) if b in SAFE else f"%{b:02X}" for b in href.encode())


def paragraph(text):
    lines = "\n".join(line.strip(" \t") for line in text.split("\n"))
    return lines.strip("\n")


def oracle(text):
    """The links cmark-gfm finds, or None where it finds other Markdown."""
    out = cmark.markdown_to_html_with_extensions(
        text, options=cmark.Options.CMARK_OPT_UNSAFE, extensions=["autolink"])
    if not (out.startswith("<p>") and out.endswith("</p>\n")):
        return None
    inner = out[3:-5]
    links = [[html.unescape(t), html.unescape(h)] for h, t in ANCHOR.findall(inner)]
    bare = ANCHOR.sub(r"\2", inner)
    if "<" in bare or html.unescape(bare) != text:
        return None
    return links


def main():
    program = sys.argv[1]
    n_inputs = int(sys.argv[2]) if len(sys.argv) > 2 else 20_000
    seed = int(sys.argv[3]) if len(sys.argv) > 3 else random.randrange(1 << 32)
    rng = random.Random(seed)
    wanted = []
    while len(wanted) < n_inputs:
        text = paragraph("".join(rng.choice(PIECES) for _ in range(rng.randint(1, 14))))
        if not re.search(r"://|www\.|@", text):
            continue
        links = oracle(text)
        if links is not None:
            wanted.append((text, links))
    # Paragraphs do not know of each other, so some are joined to larger texts.
    while len(wanted) > n_inputs * 3 // 4:
        (one, links), (two, more) = wanted.pop(), wanted.pop(0)
        wanted.insert(rng.randrange(n_inputs // 2), (one + rng.choice(GAPS) + two, links + more))
    given = "".join(json.dumps(text) + "\n" for text, _ in wanted)
    ran = subprocess.run([program, "github"], input=given, capture_output=True, text=True, check=True)
    n_wrong = 0
    for (text, want), line in zip(wanted, ran.stdout.rstrip("\n").split("\n"), strict=True):
        found = [[text, encode(href)] for text, href in json.loads(line)]
        if found != want:
            n_wrong += 1
            if n_wrong <= 20:
                print(f"{text!r}\n  cmark-gfm {want}\n  barelink  {found}")
    n_linked = sum(bool(links) for _, links in wanted)
    print(f"seed {seed}: {len(wanted)} inputs, {n_linked} with links, {n_wrong} differ")
    sys.exit(n_wrong > 0)


main()
