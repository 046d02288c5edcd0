"""The Python package against its peers: per call and per column, in one run, by CPU time.

    bindings/python/build
    python -m venv target/venvs/bench
    target/venvs/bench/bin/pip install target/wheels/barelink-*.whl -r benches/python/requirements.txt
    cargo build --release --manifest-path benches/python/Cargo.toml --target-dir target/benches
    target/venvs/bench/bin/python benches/python/bench.py > benches/python/table.md

The documents are those of the other benchmark: see benches/README.md. The engines take turns, each
does its work once before it is timed, and the best of the rounds counts. All are told to make bare
links, but for Markdown, which has none. One that is far behind is timed once, on a part of the text.
The engine's own time is that of a loop in Rust, which the line with cargo builds. `--quick` takes
fewer rounds.
"""

from __future__ import annotations

import importlib.metadata
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable

import barelink
import barelink.arrow
import bleach
import cmarkgfm
import comrak
import linkify_it
import markdown
import markdown_it
import md4c
import mistune
import polars as pl
import pyarrow as pa
import urlextract

ROOT = pathlib.Path(__file__).resolve().parents[2]
CORPORA = pathlib.Path(os.environ.get("BARELINK_CORPORA", ROOT / "../shared/corpora"))
NATIVE = ROOT / "target/benches/release/rows"
DOCUMENTS = ["awesome", "barelinks", "book", "progit", "tables", "zh"]
ROUNDS = 3 if "--quick" in sys.argv else 9
# An engine that is far behind is not run on more than this, and never again after a round.
SLOW_BYTES = 60_000

Work = Callable[[list[str]], object]
# Does its work, and gives the bytes it has read and the seconds it took.
Task = Callable[[], tuple[int, float]]
REGEX = re.compile(r"(?:https?://|www\.)[^\s<>]+|[\w.+-]+@[\w-]+\.[\w.-]+")


def each(function: Callable[[str], object]) -> Work:
    def work(texts: list[str]) -> None:
        for text in texts:
            function(text)

    return work


MD4C = md4c.HTMLRenderer(
    md4c.MD_FLAG_PERMISSIVEAUTOLINKS
    | md4c.MD_FLAG_TABLES
    | md4c.MD_FLAG_STRIKETHROUGH
    | md4c.MD_FLAG_TASKLISTS
)
EXTENSIONS = comrak.ExtensionOptions()
EXTENSIONS.autolink = EXTENSIONS.table = EXTENSIONS.strikethrough = EXTENSIONS.tasklist = True
MISTUNE = mistune.create_markdown(plugins=["strikethrough", "table", "url", "task_lists"])
MARKDOWN_IT = markdown_it.MarkdownIt("gfm-like")
LINKIFY_IT = linkify_it.LinkifyIt()
URLEXTRACT = urlextract.URLExtract()

HTML: dict[str, Work] = {
    "barelink": each(barelink.to_html),
    "Parser": each(barelink.Parser().to_html),
    "pymd4c": each(MD4C.parse),
    "cmarkgfm": each(cmarkgfm.github_flavored_markdown_to_html),
    "comrak": each(lambda text: comrak.render_markdown(text, extension_options=EXTENSIONS)),
    "mistune": each(MISTUNE),
    "markdown-it-py": each(MARKDOWN_IT.render),
    "Markdown": each(markdown.markdown),
}
LINKS: dict[str, Work] = {
    "barelink": each(barelink.find_links),
    "links": each(barelink.links),
    "re.findall": each(REGEX.findall),
    "linkify-it-py": each(LINKIFY_IT.match),
    "urlextract": each(URLEXTRACT.find_urls),
}
LINKIFY: dict[str, Work] = {
    "barelink": each(lambda text: barelink.linkify(text, html=True)),
    "bleach": each(bleach.linkify),
}
SLOW = {"mistune", "markdown-it-py", "Markdown", "linkify-it-py", "urlextract", "bleach"}
PATTERNS = [r"https?://[^\s<>]+", r"www\.[^\s<>]+", r"[\w.+-]+@[\w-]+\.[\w.-]+"]

Column = Callable[[pa.Array, pl.Series], object]
COLUMN_HTML: dict[str, Column] = {
    "column": lambda array, _: barelink.arrow.to_html(array, threads=1),
    "loop over Parser": lambda array, _: [PARSER.to_html(it) for it in array.to_pylist()],
}
COLUMN_TEXT: dict[str, Column] = {
    "column": lambda array, _: barelink.arrow.to_text(array, threads=1),
    "loop over Parser": lambda array, _: [PARSER.to_text(it) for it in array.to_pylist()],
}
COLUMN_LINKS: dict[str, Column] = {
    "find_links": lambda array, _: barelink.arrow.find_links(array, threads=1),
    "links": lambda array, _: barelink.arrow.links(array, threads=1),
    "3 regular expressions in Polars": lambda _, series: [
        series.str.extract_all(pattern) for pattern in PATTERNS
    ],
    "re.findall": lambda array, _: [REGEX.findall(it) for it in array.to_pylist()],
}
PARSER = barelink.Parser()


def timed(work: Callable[[], object], n_bytes: int) -> tuple[int, float]:
    start = time.process_time()
    work()
    return n_bytes, time.process_time() - start


def measure(tasks: dict[str, Task]) -> dict[str, float]:
    """MB/s of each task: the best of all rounds."""
    best: dict[str, float] = {}
    for round_idx in range(ROUNDS):
        for name, task in tasks.items():
            if name in SLOW:
                if round_idx > 0:
                    continue
            else:
                # The one before it left its own memory behind.
                task()
            n_bytes, seconds = task()
            best[name] = max(best.get(name, 0), n_bytes / max(seconds, 1e-9) / 1e6)
    return best


def size(texts: list[str]) -> int:
    return sum(len(text.encode()) for text in texts)


def part(texts: list[str]) -> list[str]:
    """The first texts, or the start of one, for engines that would take minutes."""
    if len(texts) == 1:
        return [texts[0][:SLOW_BYTES]]
    return texts[: max(1, len(texts) * SLOW_BYTES // size(texts))]


def of_texts(works: dict[str, Work], texts: list[str]) -> dict[str, Task]:
    def task(name: str, work: Work) -> Task:
        mine = part(texts) if name in SLOW else texts
        n_bytes = size(mine)
        # Short work is done until the clock can see it.
        n_times = max(1, 2_000_000 // n_bytes) if name not in SLOW else 1
        return lambda: timed(lambda: [work(mine) for _ in range(n_times)], n_bytes * n_times)

    return {name: task(name, work) for name, work in works.items()}


def of_columns(works: dict[str, Column], texts: list[str]) -> dict[str, Task]:
    array, series, n_bytes = pa.array(texts), pl.Series(texts), size(texts)

    def task(work: Column) -> Task:
        return lambda: timed(lambda: work(array, series), n_bytes)

    return {name: task(work) for name, work in works.items()}


def native(what: str, texts: list[str]) -> Task:
    """A loop in Rust over the same texts, in a process of its own."""
    with tempfile.NamedTemporaryFile("w", encoding="utf-8", newline="") as file:
        file.write("\0".join(texts))
        file.flush()
        pipe = subprocess.PIPE
        process = subprocess.Popen([NATIVE, file.name], stdin=pipe, stdout=pipe, text=True, bufsize=1)
        assert process.stdin and process.stdout
        n_bytes, ask, answers = size(texts), process.stdin, process.stdout

        # The number that Linux gives to the clock of a process.
        clock = ~process.pid << 3 | 2

        def task() -> tuple[int, float]:
            start = time.clock_gettime(clock)
            ask.write(f"{what}\n")
            answers.readline()
            return n_bytes, time.clock_gettime(clock) - start

        # After the first answer, the file was read.
        task()
    return task


def table(title: str, names: list[str], rows: dict[str, dict[str, float]]) -> None:
    print(f"\n## {title}\n")
    for what, cell in [
        ("MB/s", lambda row, name: f"{row[name]:.0f}" if row[name] >= 10 else f"{row[name]:.1f}"),
        (f"{names[0]} is faster by", lambda row, name: f"{row[names[0]] / row[name]:.2f}"),
    ]:
        shown = names if what == "MB/s" else names[1:]
        print(f"| {what} | " + " | ".join(shown) + " |")
        print("|---|" + "--:|" * len(shown))
        for label, row in rows.items():
            print(f"| {label} | " + " | ".join(cell(row, name) for name in shown) + " |")
        print()


def main() -> None:
    packages = ["pymd4c", "cmarkgfm", "comrak", "mistune", "markdown-it-py", "Markdown", "linkify-it-py"]
    packages += ["urlextract", "bleach", "polars", "pyarrow"]
    versions = [f"{it} {importlib.metadata.version(it)}" for it in packages]
    print(f"# Benchmark of the Python package, {time.strftime('%Y-%m-%d', time.gmtime())}\n")
    print(f"CPython {sys.version.split()[0]}, barelink {barelink.__version__}, {', '.join(versions)}.")
    print("CPU time, one thread, engines taking turns; the best of the rounds.")
    documents = {it: [(CORPORA / f"{it}.md").read_text(encoding="utf-8")] for it in DOCUMENTS}
    lines = (CORPORA / "chat.jsonl").read_text(encoding="utf-8").splitlines()
    chat = [json.loads(line) for line in lines]
    chat = [it if isinstance(it, str) else next(v for v in it.values() if isinstance(v, str)) for it in chat]
    texts = {**documents, "chat": chat}
    rows = {name: measure(of_texts(HTML, it)) for name, it in texts.items()}
    table("HTML, one text at a time", list(HTML), rows)
    rows = {name: measure(of_texts(LINKS, it)) for name, it in texts.items()}
    table("Links of plain text, one text at a time", list(LINKS), rows)
    pages = {name: [PARSER.to_html(text) for text in it] for name, it in texts.items()}
    rows = {name: measure(of_texts(LINKIFY, it)) for name, it in pages.items()}
    table("Links in HTML, one text at a time", list(LINKIFY), rows)
    for title, what, works in [("HTML", "html", COLUMN_HTML), ("Text", "text", COLUMN_TEXT)]:
        tasks = of_columns(works, chat)
        if NATIVE.exists():
            tasks["the engine alone"] = native(what, chat)
        table(f"{title} of a column", list(tasks), {"chat": measure(tasks)})
    rows = {"chat": measure(of_columns(COLUMN_LINKS, chat))}
    table("Links of a column", list(COLUMN_LINKS), rows)


if __name__ == "__main__":
    main()
