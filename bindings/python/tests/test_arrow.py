"""A column at a time, from every library and in every layout."""

from __future__ import annotations

import doctest

import barelink
import barelink.arrow
import pyarrow as pa
import pytest
from barelink._barelink import run_column

TEXTS = ["*a*", None, "", "see www.b.cd", "é 😀 [x](/y)", "\0", "c " * 1000]
HTML = [None if text is None else barelink.to_html(text) for text in TEXTS]
LINK = pa.struct(
    [
        ("href", pa.string()),
        ("text", pa.string()),
        ("kind", pa.string()),
        ("start", pa.int32()),
        ("end", pa.int32()),
    ]
)


def html(column: object, **options: object) -> list[str | None]:
    return pa.chunked_array(barelink.arrow.to_html(column, **options)).to_pylist()


def test_the_module_shows_what_happens() -> None:
    results = doctest.testmod(barelink.arrow)
    assert results.attempted >= 4
    assert results.failed == 0


@pytest.mark.parametrize("kind", [pa.string(), pa.large_string(), pa.string_view()])
def test_every_layout(kind: pa.DataType) -> None:
    column = pa.array(TEXTS, kind)
    for threads in (None, 1, 3, 2**70):
        assert html(column, threads=threads) == HTML
        assert html(column.slice(2, 3), threads=threads) == HTML[2:5]
        assert html(column.slice(7), threads=threads) == []
    assert html(pa.array([], kind)) == []
    assert html(pa.array([None, None], kind)) == [None, None]
    assert html(pa.chunked_array([column, column.slice(3)])) == HTML + HTML[3:]
    assert html(pa.chunked_array([], kind)) == []


@pytest.mark.parametrize("kind", [pa.string(), pa.large_string(), pa.string_view()])
@pytest.mark.parametrize("keys", [pa.int8(), pa.uint16(), pa.int32(), pa.int64()])
def test_dictionaries(kind: pa.DataType, keys: pa.DataType) -> None:
    numbers = [4, 3, None, 3, 0, 1, 6, 6, 2, 5, 4]
    values = pa.array(["cut off", *TEXTS], kind).slice(1)
    column = pa.DictionaryArray.from_arrays(pa.array(numbers, keys), values)
    expected = [None if n is None else HTML[n] for n in numbers]
    assert html(column) == html(pa.chunked_array([column])) == expected
    assert html(column.slice(1, 6)) == expected[1:7]
    assert html(pa.table({"body": column})) == expected
    whole = pa.array(barelink.arrow.links(column))
    plain = pa.array([None if n is None else TEXTS[n] for n in numbers], pa.string())
    assert whole.to_pylist() == pa.array(barelink.arrow.links(plain)).to_pylist()


def test_rows_in_any_order() -> None:
    texts = [f"*{n}* www.a.bc/{n} " + "é" * (n % 50) if n % 3 else f"[{n}](x)" for n in range(3000)]
    pl = pytest.importorskip("polars")
    for order in (range(2999, -1, -1), [n * 7 % 3000 for n in range(3000)], [5] * 20 + [9, 4] * 20):
        hrefs = [[link.href for link in barelink.links(texts[n])] for n in order]
        # Views into the same buffers, and a dictionary.
        taken = pl.Series(texts).gather(list(order))
        keyed = pa.DictionaryArray.from_arrays(pa.array(order), pa.array(texts))
        for column in (taken, keyed):
            assert html(column) == [barelink.to_html(texts[n]) for n in order]
            rows = pa.chunked_array(barelink.arrow.links(column)).to_pylist()
            assert [[link["href"] for link in row] for row in rows] == hrefs


def test_only_nulls() -> None:
    assert html(pa.nulls(3)) == [None] * 3
    links = pa.array(barelink.arrow.links(pa.nulls(2)))
    assert links.to_pylist() == [None, None]


def test_types_are_those_of_every_engine() -> None:
    column = pa.array(TEXTS, pa.large_string())
    assert pa.array(barelink.arrow.to_html(column)).type == pa.string()
    assert pa.array(barelink.arrow.to_text(column)).type == pa.string()
    for function in (barelink.arrow.links, barelink.arrow.find_links):
        links = pa.array(function(column))
        links.validate(full=True)
        assert links.type == pa.list_(LINK)


def test_links_of_a_column() -> None:
    rows = pa.array(barelink.arrow.links(pa.array(TEXTS))).to_pylist()
    assert rows[0] == [] and rows[1] is None
    assert rows[3] == [
        {"href": "http://www.b.cd", "text": "www.b.cd", "kind": "link", "start": 4, "end": 12}
    ]
    assert rows[4] == [{"href": "/y", "text": "x", "kind": "link", "start": 4, "end": 11}]
    rows = pa.array(barelink.arrow.find_links(pa.array(TEXTS), "natural")).to_pylist()
    assert [len(row or []) for row in rows] == [0, 0, 0, 1, 0, 0, 0]
    hidden = "a&#64;b.cd &commat; *a*"
    (row,) = pa.array(barelink.arrow.links(pa.array([hidden]))).to_pylist()
    assert [it["href"] for it in row] == [it.href for it in barelink.links(hidden)]


@pytest.mark.parametrize("kind", [pa.string(), pa.large_string(), pa.string_view()])
def test_rows_that_are_left_out_have_no_links(kind: pa.DataType) -> None:
    texts = ["http:", "//a.bc", None, "www", ".a.bc", "ww", "w.a.bc", "a", "@b.cd", "x [", "](y)"]
    texts += ["", "www.a.bc", "é", "[a](b)", None, "c@d.ef", "<x:y>", "&#64;", "a&#64;b.cd", "x" * 70]
    for options in ({}, {"preset": "commonmark"}, {"preset": "natural", "domains": True}):
        expected = [text and [it.href for it in barelink.links(text, **options)] for text in texts]
        column = pa.array(texts, kind)
        for start in range(len(texts)):
            rows = pa.array(barelink.arrow.links(column.slice(start), threads=1, **options))
            hrefs = [row and [it["href"] for it in row] for row in rows.to_pylist()]
            assert [it or None for it in hrefs] == [it or None for it in expected[start:]]


def test_several_arrays_become_one() -> None:
    parts = [["a www.b.cd", None], [], ["www.e.fg a@b.cd"], [None, None], ["", "c"]]
    column = pa.chunked_array([pa.array(part, pa.string()) for part in parts])
    for function in (barelink.arrow.links, barelink.arrow.to_html):
        whole = pa.array(function(column))
        whole.validate(full=True)
        assert whole.to_pylist() == pa.chunked_array(function(column)).to_pylist()
        assert [it is None for it in whole.to_pylist()] == [it is None for it in sum(parts, [])]


def test_columns_may_be_kept_and_taken_again() -> None:
    column = barelink.arrow.links(pa.array(["www.a.bc"] * 3))
    first, second = pa.array(column), pa.chunked_array(column)
    links = first.flatten().field("href").slice(2).to_pylist()
    del column, first
    assert links == ["http://www.a.bc"]
    assert second.to_pylist()[2][0]["text"] == "www.a.bc"
    assert "list<struct<href: string," in repr(barelink.arrow.links(pa.array([], pa.string())))


def test_text_and_anchors_of_a_column() -> None:
    column = pa.array(TEXTS)
    text = pa.array(barelink.arrow.to_text(column)).to_pylist()
    assert text == [None if it is None else barelink.to_text(it) for it in TEXTS]
    for flag in (False, True):
        linked = pa.array(barelink.arrow.linkify(column, html=flag)).to_pylist()
        assert linked == [None if it is None else barelink.linkify(it, html=flag) for it in TEXTS]


def test_many_rows_in_many_threads() -> None:
    texts = [f"*{n}* www.a.bc/{n} " + "é" * (n % 50) for n in range(60_000)]
    column = pa.array(texts)
    parser = barelink.Parser()
    expected = [parser.to_html(text) for text in texts]
    result = barelink.arrow.to_html(column, threads=4)
    assert result.num_chunks > 4
    assert len(result) == len(texts)
    assert pa.chunked_array(result).to_pylist() == expected
    # In one piece, it is the same.
    whole = pa.array(result)
    whole.validate(full=True)
    assert whole.to_pylist() == expected
    links = barelink.arrow.links(column, threads=4)
    one = pa.array(barelink.arrow.links(column, threads=1))
    assert pa.array(links).equals(one)
    assert one.to_pylist()[777][0]["href"] == "http://www.a.bc/777"


def test_arrays_that_would_be_too_large_are_cut() -> None:
    texts = ["a" * 50, None, "b" * 60, "c" * 500, "d", None]
    column = run_column("to_html", pa.array(texts), "gfm", (1, 150), {})
    assert column.num_chunks == 2
    result = pa.chunked_array(column).to_pylist()
    assert result == [None if it is None or len(it) == 500 else f"<p>{it}</p>\n" for it in texts]
    texts = [f"www.a.bc/{n} www.d.ef" for n in range(10)] + ["www.a.bc/" + "x" * 200, "www.a.bc"]
    column = run_column("links", pa.array(texts), "gfm", (1, 100), {})
    rows = pa.chunked_array(column).to_pylist()
    assert rows[10] is None
    assert [len(row) for row in rows[:10]] == [2] * 10
    assert rows[11][0]["href"] == "http://www.a.bc"
    assert column.num_chunks > 3


def test_bytes_that_are_not_text_do_not_fail() -> None:
    broken = pa.array([b"a\xffb", b"*ok*", b"\xed\xa0\x80"])
    column = pa.Array.from_buffers(pa.string(), 3, broken.buffers())
    assert html(column) == ["<p>a\ufffdb</p>\n", "<p><em>ok</em></p>\n", "<p>\ufffd\ufffd\ufffd</p>\n"]


def test_rows_that_end_within_a_character() -> None:
    # All of it is UTF-8, but not each of the rows.
    offsets = pa.array([0, 2, 4, 5, 7], pa.int32()).buffers()[1]
    column = pa.Array.from_buffers(pa.string(), 4, [None, offsets, pa.py_buffer("aéb\u00e9c".encode())])
    assert html(column) == [f"<p>{it}</p>\n" for it in ("a\ufffd", "\ufffdb", "\ufffd", "\ufffdc")]


@pytest.mark.parametrize("kind", [pa.string(), pa.large_string()])
def test_one_bad_row_among_many(kind: pa.DataType) -> None:
    good = "*\u00e9* \u65e5\u672c \U0001f642 word".encode()
    for bad in (b"\xff", b"\xc3", b"\xe2\x82", b"\xed\xa0\x80", b"\xf4\x90\x80\x80", b"\xc0\x80"):
        for idx in (0, 1, 40, 98, 99):
            rows = [good] * 100
            rows[idx] = b"x" * idx + bad + b" www.a.bc"
            texts = [row.decode(errors="replace") for row in rows]
            column = pa.array(rows, pa.large_binary() if kind == pa.large_string() else pa.binary())
            column = pa.Array.from_buffers(kind, len(column), column.buffers())
            assert html(column) == [barelink.to_html(text) for text in texts]
            found = pa.array(barelink.arrow.find_links(column)).to_pylist()
            assert [len(row) for row in found] == [n == idx for n in range(100)]


def test_what_is_no_column() -> None:
    for column, words in [
        (["*a*"], "PyCapsule interface, not list"),
        ("*a*", "not str"),
        (pa.array([1]), "not int64"),
        (pa.array([b"x"]), "not binary"),
        (pa.chunked_array([], pa.int32()), "not int32"),
        (pa.array([1]).dictionary_encode(), "not int64"),
        (pa.array([["x"]]), "not list"),
        (pa.array([], pa.timestamp("us", "UTC")), "not timestamp"),
        (pa.array([], pa.decimal128(5)), "not decimal"),
        (pa.table({"a": ["x"], "b": ["y"]}), "not struct"),
    ]:
        with pytest.raises(TypeError, match=words):
            barelink.arrow.to_html(column)
    for threads, error in [(0, ValueError), (-(2**70), ValueError), ("2", TypeError)]:
        with pytest.raises(error, match="threads: "):
            barelink.arrow.to_html(pa.array(["x"]), threads=threads)
    with pytest.raises(TypeError, match="no option `x`"):
        barelink.arrow.to_html(pa.array(["x"]), x=1)
    with pytest.raises(ValueError, match="dialect"):
        barelink.arrow.find_links(pa.array(["x"]), "latex")


def test_a_table_with_one_column() -> None:
    table = pa.table({"body": TEXTS})
    assert html(table) == HTML
    assert html(table.to_batches()[0]) == HTML
    assert html(table.to_batches()[0].slice(3, 2)) == HTML[3:5]
    assert html(pa.table({"body": pa.array(TEXTS).slice(2)})) == HTML[2:]
    nulls = pa.StructArray.from_arrays([pa.array(["x"])], ["body"], mask=pa.array([True]))
    with pytest.raises(TypeError, match="null"):
        html(nulls)


def test_polars() -> None:
    pl = pytest.importorskip("polars")
    series = pl.Series("body", TEXTS)
    assert pl.Series(barelink.arrow.to_html(series)).to_list() == HTML
    assert html(series.slice(2, 3)) == HTML[2:5]
    assert html(series.cast(pl.Categorical)) == HTML
    links = pl.Series(barelink.arrow.links(series))
    assert links.list.len().to_list() == [0, None, 0, 1, 1, 0, 0]


def test_pandas() -> None:
    pd = pytest.importorskip("pandas")
    series = pd.Series(TEXTS, dtype="str")
    assert html(series) == HTML
    assert html(series.astype("category")) == HTML


def test_duckdb() -> None:
    duckdb = pytest.importorskip("duckdb")
    relation = duckdb.sql("select * from (values ('*a*'), (null), ('b')) as t(body)")
    assert html(relation) == ["<p><em>a</em></p>\n", None, "<p>b</p>\n"]
