"""What type checkers must accept, and what they must refuse: mypy reads this, nothing runs it."""

from __future__ import annotations

import barelink
import barelink.arrow
import pyarrow as pa

html: str = barelink.to_html("x", "github", heading_ids=True, own_hosts=["a.bc"], unsafe=True)
parser = barelink.Parser("natural", domains=True, urls=["https"])
hrefs: list[str] = [link.href for link in parser.links("x") if link.host is not None]
kinds: list[str] = [link.kind for link in barelink.find_links("x", "natural", schemes=["tel"])]
column: barelink.arrow.Column = barelink.arrow.links(pa.array(["x"]), threads=2)


def hook(link: barelink.Link) -> str | None:
    return "/out?to=" + link.href if link.external else None


def attributes(link: barelink.Link) -> dict[str, str]:
    return {"rel": "nofollow", "title": link.text}


barelink.linkify("x", html=True, on_link=hook)
barelink.to_html("x", on_link=attributes)
column = barelink.arrow.to_text(pa.array(["x"]), "github", math=False)
column = barelink.arrow.find_links(pa.array(["x"]), "natural", domains=True)

# Refused: an error that is missing here is one too.
barelink.to_html("x", "latex")  # type: ignore[arg-type]
barelink.to_html(b"x")  # type: ignore[arg-type]
barelink.to_html("x", tables=1)  # type: ignore[arg-type]
barelink.to_html("x", tabels=True)  # type: ignore[call-arg]
barelink.to_html("x", on_link=len)  # type: ignore[arg-type]
barelink.arrow.to_html(["x"])  # type: ignore[arg-type]
barelink.arrow.to_html(pa.array(["x"]), tabels=True)  # type: ignore[call-arg]
barelink.arrow.find_links(pa.array(["x"]), tables=True)  # type: ignore[call-arg]
barelink.arrow.linkify(pa.array(["x"]), html=1)  # type: ignore[arg-type]
