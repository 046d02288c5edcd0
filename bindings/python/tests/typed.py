"""What type checkers must accept, and what they must refuse: mypy reads this, nothing runs it."""

from __future__ import annotations

import barelink
import barelink.arrow
import pyarrow as pa
from typing_extensions import Unpack

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


def render(text: str, preset: barelink.Preset = "gfm", **options: Unpack[barelink.Options]) -> str:
    return barelink.to_html(text, preset, on_link=link_hook, **options)


link_hook: barelink.Hook = hook
options: barelink.Options = {"tables": False}
render("x", "github", **options)
found: barelink.FindOptions = {"domains": True}
dialect: barelink.Dialect = "natural"
barelink.find_links("x", dialect, **found)

# Refused: an error that is missing here is one too.
barelink.to_html("x", "latex")  # type: ignore[arg-type]
barelink.to_html(b"x")  # type: ignore[arg-type]
barelink.to_html("x", tables=1)  # type: ignore[arg-type]
barelink.to_html("x", tabels=True)  # type: ignore[call-arg]
render("x", tabels=True)  # type: ignore[call-arg]
options = {"tabels": True}  # type: ignore[typeddict-unknown-key]
barelink.to_html("x", on_link=len)  # type: ignore[arg-type]
barelink.arrow.to_html(["x"])  # type: ignore[arg-type]
barelink.arrow.to_html(pa.array(["x"]), tabels=True)  # type: ignore[call-arg]
barelink.arrow.find_links(pa.array(["x"]), tables=True)  # type: ignore[call-arg]
barelink.arrow.linkify(pa.array(["x"]), html=1)  # type: ignore[arg-type]
