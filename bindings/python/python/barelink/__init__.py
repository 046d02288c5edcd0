"""Markdown to HTML, and every link in it.

>>> import barelink
>>> barelink.to_html("Visit www.commonmark.org/help.")
'<p>Visit <a href="http://www.commonmark.org/help">www.commonmark.org/help</a>.</p>\\n'
>>> [link.href for link in barelink.links("see [docs](/docs) or a@b.cd")]
['/docs', 'mailto:a@b.cd']

One text at a time: ``to_html``, ``to_text``, ``links``, ``explain``, ``find_links``, ``linkify``
and ``Parser``; ``Stream`` for a text that is still being written. Columns of Arrow, Polars, pandas
or DuckDB: ``barelink.arrow``. Spark: ``barelink.spark``. Bare links for markdown-it-py:
``barelink.markdown_it``.
"""

from typing import TYPE_CHECKING

from ._barelink import (
    DIALECTS,
    OPTIONS,
    PRESETS,
    Action,
    BareLink,
    Block,
    Decision,
    Link,
    Parser,
    Stream,
    Trim,
    Update,
    __version__,
    explain,
    find_links,
    linkify,
    links,
    to_html,
    to_text,
)

if TYPE_CHECKING:
    # For annotations: when a program runs, they are not there.
    from ._barelink import Dialect as Dialect
    from ._barelink import FindOptions as FindOptions
    from ._barelink import Hook as Hook
    from ._barelink import Options as Options
    from ._barelink import Preset as Preset

__all__ = [
    "DIALECTS",
    "OPTIONS",
    "PRESETS",
    "Action",
    "BareLink",
    "Block",
    "Decision",
    "Link",
    "Parser",
    "Stream",
    "Trim",
    "Update",
    "__version__",
    "explain",
    "find_links",
    "linkify",
    "links",
    "to_html",
    "to_text",
]
