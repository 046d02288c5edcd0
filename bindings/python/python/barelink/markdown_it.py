"""Bare links of Barelink's dialects for markdown-it-py, and for what is built on it: MyST,
mdformat, Textual.

>>> from markdown_it import MarkdownIt
>>> from barelink.markdown_it import Linkify
>>> md = MarkdownIt("commonmark", {"linkify": True}).enable("linkify")
>>> md.linkify = Linkify("gfm")
>>> md.render("see www.a.bc/(x).")
'<p>see <a href="http://www.a.bc/(x)">www.a.bc/(x)</a>.</p>\\n'

The package linkify-it-py is not needed then.

markdown-it-py asks twice: at a ``://`` while it reads, with only the text from there on, and
later in what is left. So the rule of the GFM dialects about what stands before a link holds for
``www.`` names and addresses, but not for URLs.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from ._barelink import find_links

if TYPE_CHECKING:
    from ._barelink import BareLink, Dialect

__all__ = ["Linkify", "Match"]

_SIGN = re.compile(r"://|@|www\.", re.IGNORECASE)
_WORD = re.compile(r"\S+")


class Match:
    """A link, with the names that linkify-it-py gives to its parts."""

    __slots__ = ("index", "last_index", "raw", "schema", "text", "url")

    index: int
    last_index: int
    raw: str
    schema: str
    text: str
    url: str

    def __init__(self, link: BareLink) -> None:
        self.index = link.start
        self.last_index = link.end
        self.raw = self.text = link.text
        self.url = link.href
        # With none, markdown-it-py takes the text for a name without a scheme.
        named = link.kind in ("url", "email", "scheme")
        self.schema = link.href[: link.href.index(":") + 1] if named else ""

    def __repr__(self) -> str:
        return f"Match(url={self.url!r}, text={self.text!r}, index={self.index})"


class Linkify:
    """What ``md.linkify`` has to be.

    :param dialect: ``gfm``, ``github``, ``md4c`` or ``natural``.
    :param options: those of :func:`barelink.find_links`.
    """

    dialect: Dialect
    options: dict[str, Any]

    def __init__(self, dialect: Dialect = "gfm", **options: Any) -> None:
        self.dialect = dialect
        self.options = options
        find_links("", dialect, **options)

    def __repr__(self) -> str:
        options = "".join(f", {name}={value!r}" for name, value in self.options.items())
        return f"Linkify({self.dialect!r}{options})"

    def set(self, options: dict[str, Any]) -> Linkify:
        """Options of linkify-it-py: ``fuzzy_link`` switches names without a scheme,
        ``fuzzy_email`` addresses. Others mean nothing here."""
        for name, ours in (("fuzzy_link", "www"), ("fuzzy_email", "email")):
            if name in options:
                self.options[ours] = bool(options[name])
        return self

    def pretest(self, text: str) -> bool:
        """Whether a text could have links."""
        if self.options.get("domains") or self.options.get("schemes"):
            return "." in text or ":" in text
        return _SIGN.search(text) is not None

    def test(self, text: str) -> bool:
        """Whether a text has links."""
        return self.pretest(text) and bool(find_links(text, self.dialect, **self.options))

    def match(self, text: str) -> list[Match] | None:
        """The links of a text, or ``None``."""
        return [Match(link) for link in find_links(text, self.dialect, **self.options)] or None

    def match_at_start(self, text: str) -> Match | None:
        """The link that a text starts with, if it starts with a scheme."""
        # No link goes beyond a space; reading further would make long texts slow.
        word = _WORD.match(text)
        found = find_links(word[0], self.dialect, **self.options) if word else []
        if found and found[0].start == 0 and found[0].kind in ("url", "scheme"):
            return Match(found[0])
        return None
