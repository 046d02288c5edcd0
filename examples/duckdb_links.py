"""Every link in the column `body` of a Parquet file, counted by host, with DuckDB.

python examples/duckdb_links.py messages.parquet hosts.parquet
"""

import sys

import barelink.arrow
import duckdb
import pyarrow as pa

source, target = sys.argv[1:3]
connection = duckdb.connect()
bodies = connection.read_parquet(source).select("body")
links = pa.table({"found": pa.chunked_array(barelink.arrow.links(bodies))})
hosts = connection.sql(r"""
    select regexp_extract(href, '^[a-z]+://([^/?#]+)', 1) as host, count(*) as n
    from (select unnest(found, recursive := true) from links)
    where host <> '' group by host order by n desc, host
""")
hosts.write_parquet(target)
