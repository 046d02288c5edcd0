"""The suites through Python, one text at a time and as a column, give the bytes of the command."""

from __future__ import annotations

import functools
import json
import os
import pathlib
import re
import subprocess
from collections.abc import Callable, Iterator

import barelink
import barelink.arrow
import pyarrow as pa
import pytest

ROOT = pathlib.Path(__file__).resolve().parents[3]
SUITES = pathlib.Path(os.environ.get("BARELINK_SUITES", ROOT / "../shared/suites"))
COMMAND = os.environ.get("BARELINK_COMMAND", str(ROOT / "target/release/barelink"))

# What columns have of a link.
ROW = ("href", "text", "kind", "start", "end")
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
    return [json.loads(line) for line in done.stdout.split("\n") if line]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> pathlib.Path:
    """The texts as files, which have their numbers."""
    found = tmp_path_factory.mktemp("texts")
    for n, text in enumerate(sources()):
        (found / f"{n}.md").write_bytes(text.encode())
    return found


def links_by_command(arguments: list[str], texts: list[str], folder: pathlib.Path) -> list[list[dict]]:
    """What the command finds in each text, with places in characters."""
    command = [COMMAND, "links", "--json", *arguments, str(folder)]
    done = subprocess.run(command, capture_output=True, encoding="utf-8", check=True)
    found: list[list[dict]] = [[] for _ in texts]
    for it in map(json.loads, filter(None, done.stdout.split("\n"))):
        # The command also lists tags, and references that lead nowhere.
        if it["kind"] in ("link", "image") and it["form"] != "html":
            n = int(pathlib.Path(it["file"]).stem)
            source = texts[n].encode()
            for end in ("start", "end"):
                it[end] = len(source[: it["span"][end]].decode())
            found[n].append(it)
    return found


def columns(values: list) -> Iterator[tuple[pa.Array | pa.ChunkedArray, list]]:
    """Texts in every layout, and which of the values come from each."""
    some = [None if n % 5 == 2 else value for n, value in enumerate(values)]
    n_rows = len(some)
    for kind in (pa.string(), pa.large_string(), pa.string_view()):
        yield pa.array(values, kind), list(range(n_rows))
        column = pa.array(some, kind)
        which = [None if value is None else n for n, value in enumerate(some)]
        yield column, which
        yield column.slice(7, n_rows - 20), which[7 : n_rows - 13]
        cuts = [0, 1, 1, 100, n_rows // 2, n_rows]
        chunks = [column.slice(start, end - start) for start, end in zip(cuts, cuts[1:])]
        yield pa.chunked_array(chunks, kind), which
        yield pa.chunked_array(chunks, kind).slice(50, 300), which[50:350]


def rows(links: list[list[barelink.Link]] | list[list[barelink.BareLink]]) -> list[list[dict]]:
    return [[{name: getattr(it, name) for name in ROW} for it in found] for found in links]


def check_columns(function: Callable[..., barelink.arrow.Column], texts: list[str], expected: list) -> None:
    for column, which in columns(texts):
        for threads in (1, 4):
            made = pa.chunked_array(function(column, threads=threads)).to_pylist()
            assert made == [None if n is None else expected[n] for n in which], column.type


@pytest.mark.parametrize("preset", barelink.PRESETS)
@pytest.mark.parametrize("unsafe", [False, True])
def test_same_bytes_as_the_command(preset: str, unsafe: bool) -> None:
    texts = sources()
    arguments = ["html", "--jsonl", "--preset", preset]
    expected = by_command(arguments + ["--unsafe"] * unsafe, texts)
    parser = barelink.Parser(preset, unsafe=unsafe)
    assert [barelink.to_html(text, preset, unsafe=unsafe) for text in texts] == expected
    assert [parser.to_html(text) for text in texts] == expected
    function = functools.partial(barelink.arrow.to_html, preset=preset, unsafe=unsafe)
    check_columns(function, texts, expected)


@pytest.mark.parametrize("preset", barelink.PRESETS)
def test_text_of_columns_is_that_of_texts(preset: str) -> None:
    texts = sources()
    expected = [barelink.to_text(text, preset) for text in texts]
    check_columns(functools.partial(barelink.arrow.to_text, preset=preset), texts, expected)


@pytest.mark.parametrize("preset", barelink.PRESETS)
def test_same_links_as_the_command(preset: str, folder: pathlib.Path) -> None:
    texts = sources()
    names = ("text", "title", "kind", "form", "start", "end", "line", "column", "warnings")
    by_text = [barelink.links(text, preset) for text in texts]
    expected = links_by_command(["--preset", preset], texts, folder)
    for text, found, links in zip(texts, by_text, expected, strict=True):
        # The command shows destinations as a reader sees them.
        assert [it.destination for it in found] == [it["href"] for it in links], text
        for name in names:
            assert [getattr(it, name) for it in found] == [it[name] for it in links], text
    check_columns(functools.partial(barelink.arrow.links, preset=preset), texts, rows(by_text))


@pytest.mark.parametrize("dialect", barelink.DIALECTS)
def test_same_bare_links_as_the_command(dialect: str, folder: pathlib.Path) -> None:
    texts = sources()
    by_text = [barelink.find_links(text, dialect) for text in texts]
    expected = links_by_command(["--plain-text", "--dialect", dialect], texts, folder)
    # To the command, its kind is the form of a link.
    links = [[{name: it[name] for name in ROW} | {"kind": it["form"]} for it in row] for row in expected]
    assert rows(by_text) == links
    for text, found in zip(texts, by_text, strict=True):
        for it in found:
            assert text[it.start : it.end] == it.text
    check_columns(functools.partial(barelink.arrow.find_links, dialect=dialect), texts, links)
