"""Every link in the column `body` of Parquet files, counted by host, with Spark.

On this machine:

    python examples/spark_links.py messages.parquet hosts.parquet

On a cluster, with the packages that the executors need in an archive:

    python -m venv env && env/bin/pip install barelink[spark] venv-pack
    env/bin/venv-pack -o env.tar.gz
    PYSPARK_PYTHON=./env/bin/python spark-submit --master yarn --deploy-mode cluster \\
        --archives env.tar.gz#env examples/spark_links.py hdfs:///messages hdfs:///hosts
"""

import sys

import barelink.spark
from pyspark.sql import SparkSession
from pyspark.sql import functions as F


def count_hosts(spark: SparkSession, source: str, target: str) -> None:
    messages = spark.read.parquet(source).select("body")
    links = barelink.spark.links(messages, "body")
    host = F.regexp_extract("href", r"^[a-z]+://([^/?#]+)", 1).alias("host")
    hosts = links.select(host).where("host <> ''").groupBy("host").agg(F.count("*").alias("n"))
    hosts.orderBy(F.desc("n"), "host").write.mode("overwrite").parquet(target)


if __name__ == "__main__":
    session = SparkSession.builder.appName("links").getOrCreate()
    # Partitions of 2 MB of text cost four times as much as those of 16 MB.
    session.conf.set("spark.sql.files.maxPartitionBytes", "64m")
    count_hosts(session, sys.argv[1], sys.argv[2])
    session.stop()
