"""One text at a time."""

from __future__ import annotations

import copy
import doctest
import inspect
import pickle
import threading

import barelink
import barelink.arrow
import pyarrow
import pytest


@pytest.mark.parametrize("name", barelink.__all__)
def test_docstrings_show_what_happens(name: str) -> None:
    thing = getattr(barelink, name)
    if isinstance(thing, (str, list)):
        return
    assert thing.__doc__, name
    test = doctest.DocTestParser().get_doctest(
        thing.__doc__, {"barelink": barelink}, name, None, None
    )
    results = doctest.DocTestRunner().run(test)
    assert results.failed == 0


def test_the_module_shows_what_happens() -> None:
    results = doctest.testmod(barelink)
    assert results.attempted >= 3
    assert results.failed == 0


def test_options_change_the_output() -> None:
    for options, source, html in [
        ({"tables": False}, "|a|\n|-|", "<p>|a|\n|-|</p>\n"),
        ({"heading_ids": True, "id_prefix": "x-"}, "# a", '<h1 id="x-a">a</h1>\n'),
        ({"dialect": None}, "www.a.bc", "<p>www.a.bc</p>\n"),
        ({"dialect": "none"}, "www.a.bc", "<p>www.a.bc</p>\n"),
        ({"www": False}, "www.a.bc", "<p>www.a.bc</p>\n"),
        ({"urls": ["https"]}, "[a](http://b)", '<p><a href="">a</a></p>\n'),
        ({"urls": ["HTTP://", "x:"]}, "[a](http://b)", '<p><a href="http://b">a</a></p>\n'),
        ({"urls": "any"}, "[a](x:y)", '<p><a href="x:y">a</a></p>\n'),
        ({"raw_html": "drop"}, "a<b>c", "<p>ac</p>\n"),
        ({"soft_breaks": "hard"}, "a\nb", "<p>a<br />\nb</p>\n"),
        ({"front_matter": True}, "---\na: b\n---\nc", "<p>c</p>\n"),
        ({"smart_punctuation": True}, '"a" -- b...', "<p>“a” – b…</p>\n"),
        (
            {"external_rel": "nofollow", "external_target_blank": True, "own_hosts": ("d.ef",)},
            "[a](//b.cd) [c](//d.ef)",
            '<p><a href="//b.cd" rel="nofollow" target="_blank">a</a> <a href="//d.ef">c</a></p>\n',
        ),
        ({"bare_rel": None, "https": True}, "www.a.bc", '<p><a href="https://www.a.bc">www.a.bc</a></p>\n'),
        ({"unsafe": True, "raw_html": "escape"}, "[<b>](x:y)", '<p><a href="x:y">&lt;b&gt;</a></p>\n'),
    ]:
        assert barelink.to_html(source, **options) == html, options
        assert barelink.Parser("gfm", **options).to_html(source) == html, options
        # The options of one call are not those of the next.
        assert barelink.to_html("**b**") == "<p><strong>b</strong></p>\n"


@pytest.mark.parametrize(
    ("error", "words", "options"),
    [
        (ValueError, "preset: unknown preset `latex`", {"preset": "latex"}),
        (ValueError, "dialect: unknown dialect `x`", {"dialect": "x"}),
        (ValueError, "raw_html: .*`x`", {"raw_html": "x"}),
        (ValueError, "urls: `x`", {"urls": "x"}),
        (ValueError, "urls: `9x`", {"urls": ["9x"]}),
        (ValueError, "schemes: `a b`: a scheme is", {"schemes": ["a b"]}),
        (ValueError, "schemes: `javascript`: .* run code", {"schemes": ["javascript"]}),
        (ValueError, "schemes: only the dialect `natural` .* not `gfm`", {"schemes": ["tel"]}),
        (ValueError, "domains: only the dialect `natural` .* not `gfm`", {"domains": True}),
        (
            ValueError,
            "domains: only the dialect `natural` .* not `none`",
            {"preset": "natural", "dialect": None, "domains": True},
        ),
        (ValueError, "own_hosts: `https://a.bc`: expected the name", {"own_hosts": ["https://a.bc"]}),
        (ValueError, "own_hosts: `a.bc:80`", {"own_hosts": ["b.cd", "a.bc:80"]}),
        (ValueError, "own_hosts: `.a.bc`", {"own_hosts": [".a.bc"]}),
        (ValueError, "own_hosts: `a.bc/`", {"own_hosts": ["a.bc/"]}),
        (ValueError, "own_hosts: ``", {"own_hosts": [""]}),
        (TypeError, "tables: expected True or False, not int", {"tables": 1}),
        (TypeError, "unsafe: expected True or False, not str", {"unsafe": "yes"}),
        (TypeError, "id_prefix: expected a string, not int", {"id_prefix": 1}),
        (TypeError, "own_hosts: expected a list of strings, not str", {"own_hosts": "a.bc"}),
        (TypeError, "own_hosts: expected a string, not int", {"own_hosts": [1]}),
        (TypeError, "no option `tabels`; did you mean `tables`. There are alerts,", {"tabels": True}),
        (TypeError, "no option `Footnote`; did you mean `footnotes`", {"Footnote": True}),
        (TypeError, "no option `x`; there are alerts,", {"x": True}),
        (TypeError, "no option `\ufffd`; there are", {"\ud800": True}),
        (TypeError, "preset: expected a string, not int", {"preset": 1}),
        (ValueError, "preset: unknown preset `\ufffd`", {"preset": "\udfff"}),
    ],
)
def test_wrong_values_name_the_option(error: type, words: str, options: dict) -> None:
    for function in (barelink.to_html, barelink.links, barelink.explain, barelink.linkify):
        with pytest.raises(error, match=words):
            function("x", **options)
    with pytest.raises(error, match=words):
        barelink.Parser(**options)


def test_functions_are_like_any_other() -> None:
    for function in (barelink.to_html, barelink.to_text, barelink.links, barelink.find_links):
        assert pickle.loads(pickle.dumps(function)) is function
        assert next(iter(inspect.signature(function).parameters)) == "text"
        assert function(text="x") == function("x") == function("x", "gfm")
        with pytest.raises(TypeError, match="text"):
            function()
        with pytest.raises(TypeError):
            function("x", "gfm", "x")
        with pytest.raises(TypeError, match="text"):
            function("x", text="x")


def test_options_are_those_of_the_call() -> None:
    for _ in range(3):
        assert barelink.to_html("~a~", "gfm", strikethrough=False) == "<p>~a~</p>\n"
        assert barelink.to_html("~a~", "github", strikethrough=False) == "<p>~a~</p>\n"
        assert barelink.to_html("~a~", "gfm", strikethrough=True) == "<p><del>a</del></p>\n"
        with pytest.raises(TypeError, match="strikethrough"):
            barelink.to_html("~a~", "gfm", strikethrough=1)
        assert barelink.to_html("~a~") == "<p><del>a</del></p>\n"
    hosts = ["a.bc"]
    for host in ("a.bc", "d.ef"):
        hosts[0] = host
        html = barelink.to_html("[x](//a.bc)", own_hosts=hosts, external_rel="nofollow")
        assert ("nofollow" in html) == (host != "a.bc")


def test_schemes_of_your_own_make_links() -> None:
    text, link = "call app://x or tel:1", '<a href="app://x">app://x</a>'
    assert link in barelink.to_html(text, "natural", schemes=["App://"])
    assert link in barelink.to_html(text, "natural", schemes=("app", "tel"), urls=["https"])
    assert link not in barelink.to_html(text, "natural")
    column = barelink.arrow.links(pyarrow.array([text]), "natural", schemes=["app"])
    assert [it["href"] for it in pyarrow.array(column)[0].as_py()] == ["app://x"]


def test_strings_of_every_width_come_back() -> None:
    for piece in ("", "a", "é", "漢", "😂", "0123456789abcdef", "0123456789abcdé", "漢é a 0123456789 😂"):
        for before in ("", "x", "xyz", "é", "漢字", "0123456789abcde"):
            for n_times in range(12):
                text = before + piece * n_times + "."
                assert barelink.to_html(text) == f"<p>{text}</p>\n"
                assert barelink.linkify(text) == text


def test_only_strings_are_text() -> None:
    parser = barelink.Parser()
    functions = [barelink.to_html, barelink.to_text, barelink.links, barelink.explain]
    functions += [barelink.find_links, barelink.linkify]
    functions += [parser.to_html, parser.to_text, parser.links, parser.explain]
    for function in functions:
        for text in (b"x", None, 1):
            # Not only in a note, which Python 3.10 does not have.
            with pytest.raises(TypeError) as error:
                function(text)
            assert str(error.value) == f"text: expected a string, not {type(text).__name__}"
    with pytest.raises(TypeError, match="no option `tables`"):
        barelink.find_links("x", tables=True)
    with pytest.raises(TypeError, match="no option `emial`; did you mean `email`"):
        barelink.find_links("x", emial=True)
    with pytest.raises(ValueError, match="dialect"):
        barelink.find_links("x", "latex")
    with pytest.raises(TypeError, match="on_link: expected a function"):
        barelink.to_html("x", on_link=1)


def test_every_option_is_listed_and_taken() -> None:
    assert list(barelink.OPTIONS) == sorted(barelink.OPTIONS)
    for name in barelink.OPTIONS:
        with pytest.raises((TypeError, ValueError), match=name):
            barelink.to_html("x", **{name: object()})


def test_lone_surrogates_and_nul_are_replaced() -> None:
    assert barelink.to_html("a\ud800b\0") == "<p>a\ufffdb\ufffd</p>\n"
    text = "\udfff\ud83d é😀 www.a.bc"
    (link,) = barelink.links(text)
    assert text[link.start : link.end] == "www.a.bc"
    assert barelink.linkify("\ud800www") == "\ufffdwww"


def test_offsets_count_characters() -> None:
    text = "é\n😀 [ü ![i](/j)](/k) www.例え.jp/x " + "é " * 1000 + "a@b.cd"
    links = barelink.links(text, "natural")
    assert [text[it.start : it.end] for it in links] == [
        "[ü ![i](/j)](/k)",
        "![i](/j)",
        "www.例え.jp/x",
        "a@b.cd",
    ]
    assert [(it.line, it.column) for it in links[:2]] == [(2, 3), (2, 6)]
    assert [it.kind for it in links] == ["link", "image", "link", "link"]
    assert links[2].href == "http://www.xn--r8jz45g.jp/x"
    assert links[2].host == "www.xn--r8jz45g.jp"
    for it in barelink.find_links(text, "natural"):
        assert text[it.start : it.end] == it.text
    for it in barelink.explain(text, "natural"):
        assert text[it.start : it.end] == it.text


def test_links_have_what_a_program_needs() -> None:
    (link,) = barelink.links('[https://bank.example](https://evil.example/%20 "t")')
    assert (link.form, link.title, link.external) == ("inline", "t", True)
    assert link.warnings == ["other-host"]
    assert link == barelink.links('[https://bank.example](https://evil.example/%20 "t")')[0]
    assert hash(link) == hash(link)
    assert repr(link).startswith("Link(href='https://evil.example/%20', text=")
    (link,) = barelink.links("[x](javascript:y)")
    assert (link.href, link.destination) == ("", "javascript:y")


def test_objects_go_through_pickle() -> None:
    text = '[bank.example](https://evil.example/é "t") ![i](/x) <http://c.de> www.a.bc a@b.cd'
    things = [*barelink.links(text), *barelink.find_links(text, "natural", domains=True)]
    things += [barelink.Action.KEEP, barelink.Action.PLAIN, barelink.Action.DROP]
    names = ("destination", "title", "form", "host", "external", "line", "column", "warnings")
    for thing in things:
        for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
            same = pickle.loads(pickle.dumps(thing, protocol))
            assert same == thing and hash(same) == hash(thing)
            assert repr(same) == repr(thing)
            for name in names:
                assert getattr(same, name, None) == getattr(thing, name, None)
        assert copy.deepcopy(thing) == thing


def test_parsers_go_through_pickle() -> None:
    hosts = ["a.bc"]
    parser = barelink.Parser("natural", own_hosts=hosts, external_rel="x", schemes=iter(["tel"]))
    hosts.clear()
    assert repr(parser) == (
        "Parser('natural', own_hosts=('a.bc',), external_rel='x', schemes=('tel',))"
    )
    same = pickle.loads(pickle.dumps(parser))
    text = "[a](//a.bc) [b](//b.cd) [c](tel:1)"
    assert repr(same) == repr(copy.copy(parser)) == repr(parser)
    assert same.to_html(text) == parser.to_html(text)
    assert parser.to_html(text).count('rel="x"') == 1
    assert repr(barelink.Parser()) == "Parser('gfm')"


def test_decisions_tell_why() -> None:
    first, second, third = barelink.explain('"www.a.bc" `a@b.cd` (http://a.bc).')
    assert (first.verdict, first.rule, first.at) == ("refused", "before", 0)
    assert first.reason and first.section
    assert (second.verdict, second.rule) == ("elsewhere", "code-span")
    assert (third.verdict, third.linked, third.text) == ("linked", True, "http://a.bc")
    assert [trim.text for trim in third.trims] == [".", ")"]


def test_hooks_decide() -> None:
    source = "[a](/a) www.b.cd ![c](/c) <http://d.ef>"

    def rendered(answer: object) -> str:
        return barelink.to_html(source, on_link=lambda link: answer)

    plain = barelink.to_html(source)
    assert rendered(None) == rendered(True) == rendered(barelink.Action.KEEP) == plain
    assert rendered(False) == rendered(barelink.Action.PLAIN)
    assert rendered(False) == "<p>a www.b.cd c http://d.ef</p>\n"
    assert rendered(barelink.Action.DROP) == "<p>   </p>\n"
    assert rendered("/x").count('"/x"') == 4
    assert rendered({"class": 'q"', "href": "javascript:x"}).count('class="q&quot;"') == 4
    assert "javascript" not in rendered({"href": "javascript:x"})
    # As in texts.
    assert rendered("/\ud800").count('"/%EF%BF%BD"') == 4
    assert rendered({"rel": "\udfff"}).count('rel="\ufffd"') == 4
    for answer in (1, {1: "x"}, {"rel": 1}, ["x"]):
        with pytest.raises(TypeError, match="on_link"):
            rendered(answer)
    for name in ("", "@click", "a b", 'x"', "\ud800"):
        with pytest.raises(ValueError, match=f"on_link: `{name}`: the name of".replace("\ud800", "\ufffd")):
            rendered({name: "x"})
        assert rendered({name: None}) == plain


def test_errors_of_hooks_come_through() -> None:
    def hook(link: barelink.Link) -> None:
        raise KeyError(link.text)

    for function in (barelink.to_html, barelink.linkify, barelink.Parser().to_html):
        with pytest.raises(KeyError, match="www.a.bc"):
            function("www.a.bc www.b.cd", on_link=hook)
        assert function("www.a.bc").count("<a ") == 1


def test_hooks_may_call_what_called_them() -> None:
    parser = barelink.Parser()

    def hook(link: barelink.Link) -> dict[str, str | None]:
        inner = parser.to_html("*x*") + barelink.to_html("*y*")
        return {"title": inner}

    for function in (barelink.to_html, parser.to_html):
        assert "&lt;em&gt;x&lt;/em&gt;" in function("www.a.bc", on_link=hook)


def test_html_is_linkified_where_it_is_text() -> None:
    html = (
        '<p title="www.a.bc">http://a.bc/?b&amp;c <a href="x">www.d.ef</a>'
        "<!-- www.g.hi --><script>'www.j.kl'</script><textarea>www.m.no</textarea></p>"
    )
    linked = barelink.linkify(html, html=True)
    assert linked == html.replace(
        "http://a.bc/?b&amp;c",
        '<a href="http://a.bc/?b&amp;c">http://a.bc/?b&amp;c</a>',
    )
    assert barelink.linkify(html, html=True, on_link=lambda link: False) == html
    spans = []
    barelink.linkify("é 😀 www.a.bc", on_link=lambda link: spans.append((link.start, link.end)))
    assert spans == [(4, 12)]


def test_threads_share_a_parser() -> None:
    parser = barelink.Parser("github")
    source = "# *a* www.b.cd\n\n" * 500
    expected = barelink.to_html(source, "github")
    wrong = []

    def work() -> None:
        for _ in range(20):
            if parser.to_html(source) != expected or barelink.to_html(source, "github") != expected:
                wrong.append(1)

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


def test_other_threads_run_meanwhile() -> None:
    source = "*a* www.b.cd\n\n" * 400_000
    ticks = 0
    done = threading.Event()

    def work() -> None:
        barelink.to_html(source)
        done.set()

    thread = threading.Thread(target=work)
    thread.start()
    while not done.is_set():
        ticks += 1
        done.wait(0.001)
    thread.join()
    assert ticks > 3
