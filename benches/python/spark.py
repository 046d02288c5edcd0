"""What Barelink adds to a Spark job, by the CPU time of the Java machine and all Python workers.

    bindings/python/build
    python -m venv target/venvs/spark
    target/venvs/spark/bin/pip install target/wheels/barelink-*.whl pyspark==4.3.0 pyarrow==26.0.1 pandas==3.1.1
    target/venvs/spark/bin/python benches/python/spark.py > benches/python/spark.md

It takes Java 17. The messages of the other benchmark, over and over, are read from Parquet in four
partitions of 16 MB of text, by `local[2]`, and written nowhere. Jobs take turns, after some rounds
that only warm up, and each has Python workers of its own: what one job does to the memory of a
worker would count for the others, too. What we add is measured in three ways, each as a share of the
whole job, and of each the median of the rounds, so that it means something on a busy machine, too:

- in our functions: what workers spend from getting a batch to having the new one, by their own
  clocks of CPU time.
- beyond as wide: the job, less one that does nothing but adds as large a column of strings, which
  lies in a file and costs nothing to make. What is left is ours.
- beyond nothing: the job, less `mapInArrow` that hands its batches on. That also counts what
  Spark takes to carry the wider rows, whoever makes them.

What we add to a job is its CPU time less that of the same job whose `mapInArrow` does nothing, and is
to be at most 15% of the whole: beyond nothing for links, which take the place of the text; beyond as
wide for HTML and text, since a job that adds a column is the same only as one that hands on as much.
`--quick` takes fewer rounds.
"""

from __future__ import annotations

import json
import os
import pathlib
import statistics
import sys
import tempfile
import time
import uuid
from collections.abc import Callable, Iterator
from typing import NamedTuple

import barelink
import barelink.spark
import pyarrow as pa
import pyarrow.parquet as pq
import pyspark
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql.types import StringType, StructField, StructType

ROOT = pathlib.Path(__file__).resolve().parents[2]
CORPORA = pathlib.Path(os.environ.get("BARELINK_CORPORA", ROOT / "../shared/corpora"))
ROUNDS = 6 if "--quick" in sys.argv else 24
# So long the Java machine gets faster by compiling.
N_WARM = 2 if "--quick" in sys.argv else 8
N_PARTITIONS = 4
PARTITION_BYTES = 16_000_000
# Spark's own setting.
BATCH_ROWS = 10_000

NOTHING = "nothing"
# Jobs that do nothing and are as wide as another.
WIDE = {"with_html": "nothing, and as wide as HTML", "with_text": "nothing, and as wide as text"}

Batches = Iterator[pa.RecordBatch]


class Result(NamedTuple):
    """Of one run."""

    cpu: float
    clock: float
    # The share of our functions.
    ours: float


Rounds = dict[str, list[Result]]


def messages() -> list[str]:
    lines = (CORPORA / "chat.jsonl").read_text(encoding="utf-8").splitlines()
    values = [json.loads(line) for line in lines]
    return [it if isinstance(it, str) else next(v for v in it.values() if isinstance(v, str)) for it in values]


def write(folder: pathlib.Path, texts: list[str]) -> int:
    """One file for each partition. How many bytes of text there are."""
    n_bytes = sum(len(text.encode()) for text in texts)
    n_times = -(-PARTITION_BYTES // n_bytes)
    bodies = pa.array(texts * n_times)
    for idx in range(N_PARTITIONS):
        ids = pa.array(range(idx * len(bodies), (idx + 1) * len(bodies)))
        table = pa.table({"id": ids, "body": bodies})
        # A dictionary would hold each message only once.
        pq.write_table(table, folder / f"{idx}.parquet", use_dictionary=False, row_group_size=len(bodies))
    return n_bytes * n_times * N_PARTITIONS


def session() -> SparkSession:
    os.environ["SPARK_HOME"] = os.path.dirname(pyspark.__file__)
    os.environ["PYSPARK_PYTHON"] = sys.executable
    spark = (
        SparkSession.builder.master("local[2]")
        .appName("bench")
        .config("spark.driver.host", "127.0.0.1")
        .config("spark.driver.bindAddress", "127.0.0.1")
        .config("spark.driver.memory", "3g")
        .config("spark.ui.enabled", "false")
        .config("spark.ui.showConsoleProgress", "false")
        # A partition for each file.
        .config("spark.sql.files.minPartitionNum", N_PARTITIONS)
        .config("spark.sql.files.openCostInBytes", "32m")
        .config("spark.sql.files.maxPartitionBytes", "32m")
        .getOrCreate()
    )
    spark.sparkContext.setLogLevel("OFF")
    return spark


def nothing(batches: Batches) -> Batches:
    yield from batches


def wider(path: str) -> Callable[[Batches], Batches]:
    """Adds a column that lies in a file, which costs nothing to make."""

    def rows(batches: Batches) -> Batches:
        with pa.memory_map(path) as source:
            column = pa.ipc.open_file(source).get_batch(0).column(0)
            for batch in batches:
                columns = [*batch.columns, column.slice(0, batch.num_rows)]
                yield pa.RecordBatch.from_arrays(columns, names=[*batch.schema.names, "added"])

    return rows


def write_column(path: pathlib.Path, texts: list[str]) -> str:
    """These texts, over and over, as many as the largest batch has."""
    column = pa.array((texts * (BATCH_ROWS // len(texts) + 1))[:BATCH_ROWS])
    batch = pa.RecordBatch.from_arrays([column], names=["added"])
    with pa.OSFile(str(path), "wb") as sink, pa.ipc.new_file(sink, batch.schema) as writer:
        writer.write_batch(batch)
    return str(path)


def cpu_seconds() -> float:
    """What all processes that this one has started have used so far."""
    children: dict[int, list[tuple[int, float]]] = {}
    for path in pathlib.Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = path.read_text().rpartition(")")[2].split()
        except OSError:
            continue
        # Those it has waited for.
        used = (int(fields[13]) + int(fields[14])) / os.sysconf("SC_CLK_TCK")
        children.setdefault(int(fields[1]), []).append((int(path.parent.name), used))

    def total(pid: int) -> float:
        return sum(used + own(child) + total(child) for child, used in children.get(pid, []))

    def own(pid: int) -> float:
        try:
            # The number that Linux gives to the clock of a process: no ticks, but nanoseconds.
            return time.clock_gettime(~pid << 3 | 2)
        except OSError:
            return 0

    return total(os.getpid())


def timed(rows: Callable[[Batches], Batches], folder: str) -> Callable[[Batches], Batches]:
    """The same, and a file with the CPU time that it took without that of Spark."""

    def outer(batches: Batches) -> Batches:
        spent = start = 0.0

        def source() -> Batches:
            nonlocal spent, start
            for batch in batches:
                start = time.process_time()
                yield batch
                spent += time.process_time() - start

        for batch in rows(source()):
            spent += time.process_time() - start
            yield batch
            start = time.process_time()
        pathlib.Path(folder, uuid.uuid4().hex).write_text(str(spent))

    return outer


def measure(jobs: dict[str, Callable[[], DataFrame]], folder: pathlib.Path) -> Rounds:
    results: Rounds = {name: [] for name in jobs}
    for round_idx in range(N_WARM + ROUNDS):
        for name, job in jobs.items():
            # Workers that have the same environment do the work of several jobs.
            session().sparkContext.environment["BENCH_JOB"] = name
            df = job()
            cpu, clock = cpu_seconds(), time.perf_counter()
            df.write.format("noop").mode("overwrite").save()
            clock = time.perf_counter() - clock
            cpu = cpu_seconds() - cpu
            ours = 0.0
            for path in folder.iterdir():
                ours += float(path.read_text())
                path.unlink()
            if round_idx >= N_WARM:
                results[name].append(Result(cpu, clock, ours / cpu))
            print(f"{name}: {cpu:.2f} s, {ours / cpu:.1%} of it ours", file=sys.stderr)
    return results


def beyond(results: Rounds, name: str, other: str) -> str:
    """How much more a job takes than another, as a share of the whole."""
    pairs = zip(results[name], results[other])
    return f"{statistics.median(1 - less.cpu / whole.cpu for whole, less in pairs):.0%}"


def table(results: Rounds) -> None:
    names = ["job", "CPU seconds", "by the clock", "what we add"]
    names += ["in our functions", "beyond as wide", "beyond nothing"]
    print("\n| " + " | ".join(names) + " |")
    print("|---|" + "--:|" * (len(names) - 1))
    for name, rounds in results.items():
        cpu, clock = min(it.cpu for it in rounds), min(it.clock for it in rounds)
        as_wide = beyond(results, name, WIDE[name]) if name in WIDE else ""
        nothing = beyond(results, name, NOTHING) if name != NOTHING else ""
        added = "" if name in [NOTHING, *WIDE.values()] else as_wide or nothing
        ours = f"{statistics.median(it.ours for it in rounds):.1%}"
        cells = [name, f"{cpu:.2f}", f"{clock:.2f}", added, ours, as_wide, nothing]
        print("| " + " | ".join(cells) + " |")


def main() -> None:
    texts = messages()
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        html = write_column(folder / "html.arrow", [barelink.to_html(it) for it in texts])
        text = write_column(folder / "text.arrow", [barelink.to_text(it) for it in texts])
        (folder / "in").mkdir()
        n_bytes = write(folder / "in", texts)
        df = session().read.parquet(str(folder / "in"))
        assert df.rdd.getNumPartitions() == N_PARTITIONS
        wide = StructType([*df.schema.fields, StructField("added", StringType())])
        times = folder / "times"
        times.mkdir()
        map_in_arrow = type(df).mapInArrow
        type(df).mapInArrow = lambda self, rows, schema: map_in_arrow(
            self, timed(rows, str(times)), schema
        )
        jobs: dict[str, Callable[[], DataFrame]] = {
            NOTHING: lambda: df.mapInArrow(nothing, df.schema),
            WIDE["with_html"]: lambda: df.mapInArrow(wider(html), wide),
            WIDE["with_text"]: lambda: df.mapInArrow(wider(text), wide),
            "with_html": lambda: barelink.spark.with_html(df, "body"),
            "with_text": lambda: barelink.spark.with_text(df, "body"),
            "links": lambda: barelink.spark.links(df, "body"),
            "find_links": lambda: barelink.spark.find_links(df, "body"),
        }
        print(f"# Benchmark on Spark, {time.strftime('%Y-%m-%d', time.gmtime())}\n")
        print(f"CPython {sys.version.split()[0]}, PySpark {pyspark.__version__}, pyarrow {pa.__version__}, `local[2]`:")
        print(f"{df.count():,} messages, {n_bytes / 1e6:.0f} MB of text in {N_PARTITIONS} partitions. CPU time of all")
        print(f"processes and the clock, jobs taking turns, the best of {ROUNDS} rounds; of shares of the whole")
        print("the median:")
        table(measure(jobs, times))
        print("\nWhat we add: the job less the same job whose `mapInArrow` does nothing, which is beyond nothing")
        print("for links, and beyond as wide for a column that is added. In our functions: what workers spend")
        print("between getting a batch and having the new one. Beyond as wide: the job less one that adds as")
        print("large a column and does nothing. Beyond nothing: the job less `mapInArrow` that hands its batches")
        print("on, so with what Spark takes to carry the column, whoever makes it. Links take the place of the")
        print("text, so that Spark has less to carry.")


if __name__ == "__main__":
    main()
