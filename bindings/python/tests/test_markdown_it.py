"""Bare links in markdown-it-py."""

from __future__ import annotations

import asyncio
import doctest

import barelink.markdown_it
import pytest
from barelink.markdown_it import Linkify
from markdown_it import MarkdownIt


def render(text: str, linkify: Linkify) -> str:
    md = MarkdownIt("commonmark", {"linkify": True}).enable("linkify")
    md.linkify = linkify
    return md.render(text)


def test_the_module_shows_what_happens() -> None:
    results = doctest.testmod(barelink.markdown_it)
    assert results.attempted >= 5
    assert results.failed == 0


@pytest.mark.parametrize("dialect", barelink.DIALECTS)
def test_links_are_ours(dialect: str) -> None:
    for text in [
        "see www.a.bc/x_y_z, or http://a.bc/d(e).",
        "a@b.cd *www.e.fg* `www.h.ij` [www.k.lm](/n)",
        "no link: a.bc, http:/x, www",
        "é 😀 https://a.bc/é?x&y www.a.bc",
    ]:
        ours = barelink.to_html(text, "commonmark", dialect=dialect)
        assert render(text, Linkify(dialect)) == ours, text


def test_a_url_is_no_emphasis() -> None:
    text = "http://a.bc/_d_x"
    for dialect in ("gfm", "natural"):
        assert render(text, Linkify(dialect)) == barelink.to_html(text, dialect)


def test_options() -> None:
    assert "<a" not in render("www.a.bc", Linkify(www=False))
    assert "<a" in render("see example.com", Linkify("natural", domains=True))
    assert "<a" in render("tel:+1-555-0100", Linkify("natural", schemes=["tel"]))
    assert "<a" not in render("www.a.bc a@b.cd", Linkify().set({"fuzzy_link": False, "fuzzy_email": False}))
    with pytest.raises(ValueError, match="dialect"):
        Linkify("latex")


def test_the_interface_of_linkify_it() -> None:
    linkify = Linkify()
    assert linkify.pretest("a://b") and not linkify.pretest("ab")
    assert linkify.test("www.a.bc") and not linkify.test("www")
    assert linkify.match("nothing") is None
    (match,) = linkify.match("see a@b.cd") or []
    assert (match.schema, match.index, match.last_index) == ("mailto:", 4, 10)
    assert match.url == "mailto:a@b.cd"
    (match,) = linkify.match("www.a.bc") or []
    assert (match.schema, match.url, match.raw) == ("", "http://www.a.bc", "www.a.bc")
    assert linkify.match_at_start("x http://a.bc") is None
    assert linkify.match_at_start("") is None
    found = linkify.match_at_start("http://a.bc/x, " + "http://d.ef " * 10_000)
    assert found is not None and found.text == "http://a.bc/x"


def test_myst() -> None:
    from markdown_it.renderer import RendererHTML
    from myst_parser.config.main import MdParserConfig
    from myst_parser.parsers.mdit import create_md_parser

    md = create_md_parser(MdParserConfig(enable_extensions={"linkify"}), RendererHTML)
    md.linkify = Linkify("natural")
    link = '<a href="http://www.example.jp">www.example.jp</a>'
    assert md.render("見て：www.example.jp。") == f"<p>見て：{link}。</p>\n"


def test_mdformat() -> None:
    from mdformat.renderer import MDRenderer

    md = MarkdownIt("commonmark", {"linkify": True}, renderer_cls=MDRenderer).enable("linkify")
    md.options.update({"mdformat": {}, "parser_extension": [], "codeformatters": {}})
    md.linkify = Linkify("gfm")
    # It puts angle brackets around what is a link.
    assert md.render("see https://a.bc/(x).") == "see <https://a.bc/(x)>.\n"


def test_textual() -> None:
    from textual.app import App, ComposeResult
    from textual.widgets import Markdown

    def parser() -> MarkdownIt:
        md = MarkdownIt("gfm-like")
        md.linkify = Linkify("natural")
        return md

    class Reader(App[None]):
        def compose(self) -> ComposeResult:
            yield Markdown("見て：www.example.jp。", parser_factory=parser)

    async def shown() -> str:
        async with Reader().run_test() as pilot:
            await pilot.pause()
            return repr([block.render() for block in pilot.app.query("MarkdownParagraph")])

    assert "link('http://www.example.jp')" in asyncio.run(shown())
