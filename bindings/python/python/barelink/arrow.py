"""A column at a time, for Arrow, Polars, pandas, DuckDB and all else that speaks the Arrow
PyCapsule interface. None of them is needed by this package.

A column is whatever has ``__arrow_c_array__`` or ``__arrow_c_stream__`` and holds ``string``,
``large_string`` or ``string_view``, or a dictionary of them, in one piece or in chunks; a table
with one such column will do. It is read in place, by several threads. The result is a :class:`Column`, which the
same libraries take without a copy:

>>> import pyarrow as pa
>>> import barelink.arrow
>>> column = pa.array(["*hi*", None, "see www.a.bc"])
>>> pa.array(barelink.arrow.to_html(column)).to_pylist()[0]
'<p><em>hi</em></p>\\n'
>>> [[link["href"] for link in row or []]
...  for row in pa.array(barelink.arrow.links(column)).to_pylist()]
[[], [], ['http://www.a.bc']]

Types are those that every engine has: ``string`` with 32-bit offsets, and for links
``list<struct<href: string, text: string, kind: string, start: int32, end: int32>>``, where
``start`` and ``end`` count characters. A null stays null. A row never fails: what is not UTF-8
is read as U+FFFD, and a row whose result has 2 GiB or more is null.

``threads`` is the number of threads; as many as there are cores, if it is not given.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ._barelink import Column, run_column

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ._barelink import ArrowColumn, Dialect, FindOptions, Options, Preset

__all__ = ["Column", "find_links", "linkify", "links", "to_html", "to_text"]


def to_html(
    column: ArrowColumn,
    preset: Preset = "gfm",
    *,
    threads: int | None = None,
    **options: Unpack[Options],
) -> Column:
    """The HTML of every row. See :func:`barelink.to_html`."""
    return run_column("to_html", column, preset, (threads, None), options)


def to_text(
    column: ArrowColumn,
    preset: Preset = "gfm",
    *,
    threads: int | None = None,
    **options: Unpack[Options],
) -> Column:
    """Every row without its markup. See :func:`barelink.to_text`."""
    return run_column("to_text", column, preset, (threads, None), options)


def links(
    column: ArrowColumn,
    preset: Preset = "gfm",
    *,
    threads: int | None = None,
    **options: Unpack[Options],
) -> Column:
    """The links and images of every row, as a list. See :func:`barelink.links`."""
    return run_column("links", column, preset, (threads, None), options)


def find_links(
    column: ArrowColumn,
    dialect: Dialect = "gfm",
    *,
    threads: int | None = None,
    **options: Unpack[FindOptions],
) -> Column:
    """The bare links of every row of plain text, as a list. See :func:`barelink.find_links`."""
    return run_column("find_links", column, dialect, (threads, None), options)


def linkify(
    column: ArrowColumn,
    preset: Preset = "gfm",
    *,
    html: bool = False,
    threads: int | None = None,
    **options: Unpack[Options],
) -> Column:
    """Every row of plain text as HTML with links in it. See :func:`barelink.linkify`."""
    what = "linkify_html" if html else "linkify"
    return run_column(what, column, preset, (threads, None), options)
