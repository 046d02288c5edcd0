#!/usr/bin/env python3
"""Makes the seeds of a corpus for each fuzz target from the repository's cases.

They go to fuzz/corpus/<target>, named after their content, and are not checked
in. A script, since a program here would be built with all that the targets need.
"""

import hashlib
import json
import pathlib
import re

# Longer documents are left out: mutating them finds little.
LEN_MAX = 2000

# Numbers of options: presets as they are, trusted, and with all that adds output.
BITS = [0, 1, 2, 3, 4, 2 | 15 << 16, 4 | 0x1FF << 20, 3 | 1 << 7 | 1 << 8 | 1 << 25]

# What the case files write for what cannot be seen.
SIGNS = {"→": "\t", "␠": " ", "␍": "\r", "␀": "\0", "␄\n": "", "␄": ""}


def examples(text):
    """The Markdown of the examples in a case file."""
    fence = "`" * 32
    for part in text.split(f"{fence} example\n")[1:]:
        markdown = part.split("\n.\n")[0] + "\n"
        for sign, meaning in SIGNS.items():
            markdown = markdown.replace(sign, meaning)
        yield markdown


def link_cases(text):
    """Some of the inputs of a file of link cases: thousands of them are alike."""
    cases = json.loads(text)
    if isinstance(cases, dict):
        cases = cases["cases"][::20]
    for case in cases:
        yield case.get("markdown") or case.get("input") or ""


def rows(text):
    """The inputs of a table of links; escapes stay, a seed need not be exact."""
    yield from re.findall(r'^input = "(.*)"$', text, re.MULTILINE)


READERS = {".txt": examples, ".json": link_cases, ".toml": rows}


def seeds(root):
    for folder in ["testdata", "fuzz/seeds"]:
        for path in sorted((root / folder).rglob("*")):
            if path.is_file():
                read = READERS.get(path.suffix)
                if read is None:
                    yield path.read_bytes()
                else:
                    for text in read(path.read_bytes().decode("utf-8")):
                        yield text.encode("utf-8")


def main():
    fuzz = pathlib.Path(__file__).resolve().parent
    found = sorted({seed for seed in seeds(fuzz.parent) if len(seed) <= LEN_MAX})
    for idx, seed in enumerate(found):
        bits = BITS[idx % len(BITS)].to_bytes(4, "little")
        before = {
            "html": bits,
            "events": bits,
            "stream": bits,
            "autolink": bits,
            "changed": bits,
            "hooks": bits,
            "reused": bits,
            "crlf": bits,
            "bridge": bits,
            "explain": bits,
            "fix": bits,
            "linkify": bits,
            "schemes": bits,
            "command": bytes([idx % 8, 4]) + b"a \xff\n",
            "structured": bits,
            "documents": bits,
            "scan": b"\x03\x00\x00\x09",
            "github": b"",
        }
        for target, prefix in before.items():
            folder = fuzz / "corpus" / target
            folder.mkdir(parents=True, exist_ok=True)
            content = prefix + seed
            (folder / hashlib.sha1(content).hexdigest()).write_bytes(content)
    print(f"{len(found)} seeds for each target")


main()
