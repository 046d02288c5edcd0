"""The examples on Polars and DuckDB, the README and the page about other packages."""

from __future__ import annotations

import collections
import doctest
import pathlib
import subprocess
import sys

import barelink
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

ROOT = pathlib.Path(__file__).resolve().parents[3]

MESSAGES = [
    *("see https://a.bc/x and [this](http://D.ef:80/y?z)", None, "", "a@b.cd", "![i](/j)"),
    *(f"www.h{n % 7}.org/{n} é 😀 *{n}* https://a.bc" for n in range(1000)),
]


def hosts_by_hand() -> list[dict[str, object]]:
    counted: collections.Counter[str] = collections.Counter()
    for message in MESSAGES:
        for link in barelink.links(message or ""):
            scheme, _, rest = link.href.partition("://")
            if rest and scheme.isalpha():
                counted[rest.split("/")[0].split("?")[0]] += 1
    ordered = sorted(counted.items(), key=lambda it: (-it[1], it[0]))
    return [{"host": host, "n": n} for host, n in ordered]


@pytest.mark.parametrize("name", ["polars_links", "duckdb_links"])
def test_examples_count_hosts(name: str, tmp_path: pathlib.Path) -> None:
    source, target = tmp_path / "messages.parquet", tmp_path / "hosts.parquet"
    pq.write_table(pa.table({"id": range(len(MESSAGES)), "body": MESSAGES}), source)
    script = ROOT / "examples" / f"{name}.py"
    subprocess.run([sys.executable, script, source, target], check=True)
    assert pq.read_table(target).to_pylist() == hosts_by_hand()


@pytest.mark.parametrize("page", ["bindings/python/README.md", "docs/replacing-python.md"])
def test_pages_show_what_happens(page: str) -> None:
    results = doctest.testfile(
        str(ROOT / page),
        module_relative=False,
        optionflags=doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS,
        encoding="utf-8",
    )
    assert results.attempted > 10
    assert results.failed == 0
