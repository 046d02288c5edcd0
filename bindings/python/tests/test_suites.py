"""The suites through Python, one text at a time and as a column, give the bytes of the command."""

from __future__ import annotations

import json
import os
import pathlib
import re
import subprocess

import barelink
import barelink.arrow
import pyarrow as pa
import pytest

ROOT = pathlib.Path(__file__).resolve().parents[3]
SUITES = pathlib.Path(os.environ.get("BARELINK_SUITES", ROOT / "../shared/suites"))
COMMAND = os.environ.get("BARELINK_COMMAND", str(ROOT / "target/release/barelink"))

EXAMPLE = re.compile(r"^`{32} example[^\n]*\n(.*?)\n?^\.\n.*?^`{32}$", re.S | re.M)


def sources() -> list[str]:
    """The Markdown of every case that is to be had."""
    found = []
    for path in sorted((ROOT / "testdata").rglob("*.txt")):
        found += EXAMPLE.findall(path.read_text(encoding="utf-8"))
    assert len(found) > 200
    for path in sorted(SUITES.glob("*.json")):
        cases = json.loads(path.read_text(encoding="utf-8"))
        if isinstance(cases, list) and "markdown" in cases[0]:
            found += [case["markdown"] for case in cases]
    signs = str.maketrans({"→": "\t", "␠": " ", "␍": "\r", "␀": "\0", "␄": ""})
    return [source.translate(signs) for source in found]


def by_command(arguments: list[str], texts: list[str]) -> list[str]:
    lines = "".join(json.dumps(text) + "\n" for text in texts)
    command = [COMMAND, *arguments]
    done = subprocess.run(command, input=lines, capture_output=True, encoding="utf-8", check=True)
    return [json.loads(line) for line in done.stdout.splitlines()]


@pytest.mark.parametrize("preset", barelink.PRESETS)
@pytest.mark.parametrize("unsafe", [False, True])
def test_same_bytes_as_the_command(preset: str, unsafe: bool) -> None:
    texts = sources()
    arguments = ["html", "--jsonl", "--preset", preset]
    expected = by_command(arguments + ["--unsafe"] * unsafe, texts)
    parser = barelink.Parser(preset, unsafe=unsafe)
    assert [barelink.to_html(text, preset, unsafe=unsafe) for text in texts] == expected
    assert [parser.to_html(text) for text in texts] == expected
    for threads in (1, 4):
        column = barelink.arrow.to_html(pa.array(texts), preset, threads=threads, unsafe=unsafe)
        assert pa.array(column).to_pylist() == expected


@pytest.mark.parametrize("preset", barelink.PRESETS)
def test_links_of_columns_are_those_of_texts(preset: str) -> None:
    texts = sources()
    rows = pa.array(barelink.arrow.links(pa.array(texts), preset)).to_pylist()
    for text, row in zip(texts, rows, strict=True):
        found = [
            {"href": it.href, "text": it.text, "kind": it.kind, "start": it.start, "end": it.end}
            for it in barelink.links(text, preset)
        ]
        assert found == row, text


@pytest.mark.parametrize("dialect", barelink.DIALECTS)
def test_bare_links_of_columns_are_those_of_texts(dialect: str) -> None:
    texts = sources()
    rows = pa.array(barelink.arrow.find_links(pa.array(texts), dialect)).to_pylist()
    for text, row in zip(texts, rows, strict=True):
        found = barelink.find_links(text, dialect)
        assert [it.href for it in found] == [it["href"] for it in row], text
        for it in found:
            assert text[it.start : it.end] == it.text
