"""Spark, on a cluster of two workers on this machine. An executor is killed in the middle."""

from __future__ import annotations

import collections
import hashlib
import importlib.util
import os
import pathlib
import signal
import sys
import threading
import time
from collections.abc import Iterator

import barelink
import barelink.spark
import pyarrow as pa
import pyarrow.parquet as pq
import pyspark
import pytest
from pyspark.sql import SparkSession

ROOT = pathlib.Path(__file__).resolve().parents[3]

N_ROWS = 64_000
N_TASKS = 32


def body(n: int) -> str | None:
    if n % 1000 == 3:
        return None
    return f"# *{n}*\n\nsee www.h{n % 7}.org/{n}, [é 😀](/x?{n}) " + "words " * (n % 60)


@pytest.fixture(scope="module")
def messages(tmp_path_factory: pytest.TempPathFactory) -> str:
    path = tmp_path_factory.mktemp("messages") / "messages.parquet"
    table = pa.table({"id": range(N_ROWS), "body": [body(n) for n in range(N_ROWS)]})
    pq.write_table(table, path, row_group_size=N_ROWS // N_TASKS)
    return str(path)


@pytest.fixture(scope="module")
def spark() -> Iterator[SparkSession]:
    os.environ["SPARK_HOME"] = os.path.dirname(pyspark.__file__)
    os.environ["PYSPARK_PYTHON"] = sys.executable
    session = (
        SparkSession.builder.master("local-cluster[2,1,1024]")
        .appName("barelink")
        .config("spark.driver.host", "127.0.0.1")
        .config("spark.driver.bindAddress", "127.0.0.1")
        .config("spark.executorEnv.PYSPARK_PYTHON", sys.executable)
        .config("spark.ui.enabled", "false")
        .config("spark.ui.showConsoleProgress", "false")
        .config("spark.executor.memory", "1g")
        .getOrCreate()
    )
    session.sparkContext.setLogLevel("OFF")
    yield session
    session.stop()


def digest(rows: object) -> str:
    """A hash of ids and links, whatever their order."""
    hashed = hashlib.sha256()
    for row in sorted(rows):  # type: ignore[call-overload]
        hashed.update(repr(tuple(row)).encode())
    return hashed.hexdigest()


def expected_links() -> Iterator[tuple[int, str, str, str, int, int]]:
    for n in range(N_ROWS):
        for it in barelink.links(body(n) or ""):
            yield (n, it.href, it.text, it.kind, it.start, it.end)


def executors(session: SparkSession) -> list[int]:
    """The processes of the executors of this session."""
    app = session.sparkContext.applicationId
    found = []
    for path in pathlib.Path("/proc").glob("[0-9]*/cmdline"):
        try:
            words = path.read_bytes().split(b"\0")
        except OSError:
            continue
        if b"--executor-id" in words and app.encode() in words:
            found.append(int(path.parent.name))
    return found


def test_wrong_arguments_fail_before_the_job(spark: SparkSession, messages: str) -> None:
    df = spark.read.parquet(messages)
    with pytest.raises(ValueError, match="there is no text"):
        barelink.spark.links(df, "text")
    with pytest.raises(TypeError, match="id must hold strings"):
        barelink.spark.links(df, "id")
    with pytest.raises(ValueError, match="column id already"):
        barelink.spark.with_html(df, "body", "id")
    with pytest.raises(TypeError, match="no option `x`"):
        barelink.spark.with_html(df, "body", x=1)
    with pytest.raises(TypeError, match="own_hosts: expected a list of strings, not int"):
        barelink.spark.with_html(df, "body", own_hosts=1)
    with pytest.raises(ValueError, match="column: there are 2 of the name body"):
        barelink.spark.links(df.join(df.select("id", "body"), "id"), "body")


def test_html_and_text(spark: SparkSession, messages: str) -> None:
    df = spark.read.parquet(messages).where("id < 2000")
    df = barelink.spark.with_html(df, "body", heading_ids=True)
    df = barelink.spark.with_text(df, "body")
    rows = df.orderBy("id").collect()
    assert len(rows) == 2000
    for row in rows:
        text = body(row.id)
        assert row.body == text
        assert row.html == (None if text is None else barelink.to_html(text, heading_ids=True))
        assert row.text == (None if text is None else barelink.to_text(text))


def test_bare_links_and_bad_rows(spark: SparkSession) -> None:
    broken = spark.sql("select cast(x'61ff207777772e612e6263' as string) as body, 1 as n")
    (row,) = barelink.spark.find_links(broken, "body").collect()
    assert (row.n, row.href) == (1, "http://www.a.bc")


def test_names_and_options_may_be_any(spark: SparkSession) -> None:
    df = spark.sql("select 1 as `a.b`, 'tel:1 www.a.bc' as `c d.e`, 2 as `_1`")
    html = barelink.spark.with_html(df, "c d.e", "f.g", "natural", schemes=iter(["tel"]))
    assert html.columns == ["a.b", "c d.e", "_1", "f.g"]
    assert html.collect()[0][3] == barelink.to_html("tel:1 www.a.bc", "natural", schemes=["tel"])
    links = barelink.spark.links(df, "c d.e", "natural", schemes=iter(["tel"]))
    assert links.columns == ["a.b", "_1", "href", "text", "kind", "start", "end"]
    assert [row[:3] for row in links.collect()] == [(1, 2, "tel:1"), (1, 2, "http://www.a.bc")]


def test_every_row_once_though_an_executor_is_killed(spark: SparkSession, messages: str) -> None:
    df = spark.read.parquet(messages).repartition(N_TASKS, "id")
    links = barelink.spark.links(df, "body")
    assert links.columns == ["id", "href", "text", "kind", "start", "end"]
    spark.sparkContext.setJobGroup("links", "links")
    rows: list[object] = []
    job = threading.Thread(target=lambda: rows.extend(links.collect()))
    job.start()
    victims = executors(spark)
    assert len(victims) == 2
    n_done = 0
    tracker = spark.sparkContext.statusTracker()
    # The first tasks pay for the workers' start.
    deadline = time.monotonic() + 240
    while n_done < 4 and job.is_alive() and time.monotonic() < deadline:
        stages = [tracker.getStageInfo(it) for it in tracker.getActiveStageIds()]
        n_done = max((it.numCompletedTasks for it in stages if it and it.numTasks == N_TASKS), default=0)
        time.sleep(0.01)
    assert 4 <= n_done < N_TASKS, "the job was over before anybody could be killed"
    os.kill(victims[0], signal.SIGKILL)
    job.join()
    assert digest(rows) == digest(expected_links())
    assert victims[0] not in executors(spark)


def test_the_example_counts_hosts(
    spark: SparkSession, messages: str, tmp_path: pathlib.Path
) -> None:
    path = ROOT / "examples/spark_links.py"
    spec = importlib.util.spec_from_file_location("spark_links", path)
    assert spec and spec.loader
    example = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(example)
    example.count_hosts(spark, messages, str(tmp_path / "hosts"))
    hosts = {row.host: row.n for row in spark.read.parquet(str(tmp_path / "hosts")).collect()}
    names = [it[1].split("/")[2] for it in expected_links() if it[1].startswith("http")]
    assert hosts == collections.Counter(names)
