"""Every link in the column `body` of a Parquet file, counted by host, with Polars.

python examples/polars_links.py messages.parquet hosts.parquet
"""

import sys

import barelink.arrow
import polars as pl

source, target = sys.argv[1:3]
bodies = pl.read_parquet(source, columns=["body"])["body"]
links = pl.Series("link", barelink.arrow.links(bodies)).explode().drop_nulls().struct.unnest()
host = pl.col("href").str.extract(r"^[a-z]+://([^/?#]+)").alias("host")
hosts = links.select(host).drop_nulls().group_by("host").len("n").sort("n", "host", descending=[True, False])
hosts.write_parquet(target)
