"""Spark: HTML and links of a column of a DataFrame, by ``mapInArrow``.

>>> from pyspark.sql import SparkSession                                   # doctest: +SKIP
>>> import barelink.spark                                                  # doctest: +SKIP
>>> spark = SparkSession.builder.getOrCreate()                             # doctest: +SKIP
>>> df = spark.read.parquet("messages.parquet")                            # doctest: +SKIP
>>> barelink.spark.links(df, "body").groupBy("href").count().show()        # doctest: +SKIP

Every executor needs the packages that ``pip install barelink[spark]`` installs. A row never fails a job: a null gives no
link and no HTML, and what is not UTF-8 is read as U+FFFD.

Cut partitions to 16 MB of text or more: starting a task and a Python worker costs as much as
reading some megabytes, and 2 MB partitions cost four times as much in all.
``spark.sql.files.maxPartitionBytes`` sets that for Parquet, by compressed bytes.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pyarrow as pa
    from pyspark.sql import DataFrame
    from typing_extensions import Unpack

    from ._barelink import Dialect, FindOptions, Options, Preset

__all__ = ["find_links", "links", "with_html", "with_text"]


def with_html(
    df: DataFrame,
    column: str,
    output: str = "html",
    preset: Preset = "gfm",
    **options: Unpack[Options],
) -> DataFrame:
    """The DataFrame with one more column: the HTML of ``column``.

    Options are those of :func:`barelink.to_html`.
    """
    return _with_column(df, column, output, "to_html", preset, options)


def with_text(
    df: DataFrame,
    column: str,
    output: str = "text",
    preset: Preset = "gfm",
    **options: Unpack[Options],
) -> DataFrame:
    """The DataFrame with one more column: ``column`` without its markup."""
    return _with_column(df, column, output, "to_text", preset, options)


def links(
    df: DataFrame, column: str, preset: Preset = "gfm", **options: Unpack[Options]
) -> DataFrame:
    """One row for each link or image in ``column``.

    It has the other columns of the DataFrame, and ``href``, ``text``, ``kind``, ``start`` and
    ``end`` of the link, both in characters. Options are those of :func:`barelink.links`.
    """
    return _links(df, column, "links", preset, options)


def find_links(
    df: DataFrame, column: str, dialect: Dialect = "gfm", **options: Unpack[FindOptions]
) -> DataFrame:
    """One row for each bare link in ``column``, which is plain text. See :func:`links`."""
    return _links(df, column, "find_links", dialect, options)


def _check(df: DataFrame, column: str, added: list[str]) -> None:
    from pyspark.sql.types import StringType

    if column not in df.columns:
        raise ValueError(f"column: there is no {column}; there are {', '.join(df.columns)}")
    if df.columns.count(column) > 1:
        raise ValueError(f"column: there are {df.columns.count(column)} of the name {column}")
    if not isinstance(df.schema[column].dataType, StringType):
        found = df.schema[column].dataType.simpleString()
        raise TypeError(f"column: {column} must hold strings, not {found}")
    for name in added:
        if name in df.columns:
            raise ValueError(f"there is a column {name} already: rename or drop it first")


def _tried(what: str, preset: str, options: Mapping[str, object]) -> dict[str, object]:
    """The options, of which wrong ones fail here and not in the workers."""
    import pyarrow as pa

    from ._barelink import run_column

    # Every worker reads them again, and some can be gone through only once.
    lasting = {
        name: tuple(value) if isinstance(value, Iterable) and not isinstance(value, str) else value
        for name, value in options.items()
    }
    run_column(what, pa.array([], pa.string()), preset, (1, None), lasting)
    return lasting


def _numbered(df: DataFrame) -> DataFrame:
    """With other names: Spark takes a period in one for a field of a structure."""
    return df.toDF(*(f"_{idx}" for idx in range(len(df.columns))))


def _with_column(
    df: DataFrame, column: str, output: str, what: str, preset: str, options: Mapping[str, object]
) -> DataFrame:
    from pyspark.sql.types import StringType, StructField, StructType

    _check(df, column, [output])
    lasting = _tried(what, preset, options)
    idx = df.columns.index(column)
    schema = StructType([*df.schema.fields, StructField(output, StringType())])
    names = schema.fieldNames()

    def rows(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        import pyarrow as pa

        from ._barelink import run_column

        for batch in batches:
            made = run_column(what, batch.column(idx), preset, (1, None), lasting)
            arrays = [*batch.columns, pa.array(made)]
            yield pa.RecordBatch.from_arrays(arrays, names=names)

    return _numbered(df).mapInArrow(rows, schema)


def _links(
    df: DataFrame, column: str, what: str, preset: str, options: Mapping[str, object]
) -> DataFrame:
    from pyspark.sql.types import IntegerType, StringType, StructField, StructType

    added = [
        StructField("href", StringType()),
        StructField("text", StringType()),
        StructField("kind", StringType()),
        StructField("start", IntegerType()),
        StructField("end", IntegerType()),
    ]
    # The text itself is not kept, so it may have any name.
    _check(df, column, [it.name for it in added if it.name != column])
    lasting = _tried(what, preset, options)
    idx = df.columns.index(column)
    kept = [field for field in df.schema.fields if field.name != column]
    schema = StructType([*kept, *added])
    names = schema.fieldNames()

    def rows(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        import pyarrow as pa
        import pyarrow.compute as pc

        from ._barelink import run_column

        for batch in batches:
            texts, *others = batch.columns
            found = pa.array(run_column(what, texts, preset, (1, None), lasting))
            parents = pc.list_parent_indices(found)
            arrays = [other.take(parents) for other in others]
            arrays += pc.list_flatten(found).flatten()
            yield pa.RecordBatch.from_arrays(arrays, names=names)

    numbered = _numbered(df)
    others = [name for name in numbered.columns if name != numbered.columns[idx]]
    return numbered.select(numbered.columns[idx], *others).mapInArrow(rows, schema)
