"""linkify on HTML beside bleach.linkify: the same links, or a difference that has a name here."""

from __future__ import annotations

import html
import re
import urllib.parse

import barelink
import bleach

# A link, and where it stands.
LINKS = [
    "http://example.org", "https://example.org/a?b=1&amp;c=2", "www.example.org", "example.org",
    "http://example.org/(x)", "(http://example.org)", "https://example.org/a_b.",
    "http://example.org,", "https://EXAMPLE.org/A", "http://a.b-c.de/", "ftp://ftp.example.org/x",
    "https://example.org:8080/x", "https://user@example.org/", "me@example.org",
    "mailto:x@example.org", "http://1.2.3.4/", "http://localhost/x", "https://example.org/#frag",
    "https://example.org/a'b", 'https://example.org/a"b', "https://example.org/&lt;x",
    "https://example.org?q=a+b%20c;d", "//example.org", "http://", "https://example.org/\xe9",
    "https://m\xfcnchen.de/x", "https://example.org/x\u2026", "http://example.org/x\xa0y",
    "javascript:alert(1)",
]  # fmt: skip
PLACES = [
    "{}", "<p>{}</p>", "<b>x {} y", "{}<br>z", "<p>see {}, and</p>", "<b>{}</b>z", "{}<b>z</b>",
    "</p>{}", '<a href="/x">{}</a>', "<A HREF=/x>{}</A> {}", "<a>{}</a>",
    "<a href='#'><b>{}</b></a> {}", "<code>{}</code>", "<pre>{}</pre>", "<!-- {} --> {}",
    '<img alt="{}">', "<img src=x title='{}'> {}", "<script>{}</script>", "<style>{}</style> {}",
    "<textarea>{}</textarea>", '<p title="<b>">{}', "<b {}>x</b>", "<p {}", "<{}>",
    "<div\n class=x\n>{}</div>", "<x-y>{}</x-y>", "<svg><text>{}</text></svg>", "&lt;{}&gt;",
    "&quot;{}&quot;", "'{}'", "[{}]", "{}&nbsp;z", "{}&amp;z", "x{}", "<i>http://</i>{}",
    "<table><td>{}</table>", "<title>{}</title>", "<![CDATA[{}]]>", "<?php {} ?>", "<p>{}\n{}</p>",
    "<li>{}<li>{}", "< {} >", "a < b {} c > d", "<b>{}</i></b>", "<noscript>{}</noscript>",
    "<button>{}</button>", "<select><option>{}</select>", "<iframe>{}</iframe>", "<plaintext>{}",
]  # fmt: skip

# What differs, and the pattern of the sources that have it.
KNOWN = {
    "browsers show no markup there, or nothing at all": r"<(title|noscript|iframe|plaintext|p [^>]*$)",
    "a tag, which bleach shows as text": r"<(?!b )[a-z]+[:.@]",
    "a scheme of another name, or part of a longer name": r"x(http|https|ftp|www|example|me@|mailto)",
    "bleach has no links to numbers, or to names without a period": r"1\.2\.3\.4|localhost",
    "a user name could pass for a host; bleach makes an address of it": r"https://user@",
    "an address in quotation marks, the first of which bleach takes for a part of it": r"'me@",
    "a path, whose host bleach takes for a name": r"(?<!:)//example",
}


def hrefs(linkified: str, source: str) -> list[str]:
    """Where the links lead that were not there before."""
    found = [html.unescape(it) for it in re.findall(r'<a href="([^"]*)"', linkified, re.IGNORECASE)]
    there = re.findall(r"<a href=[\"']?([^\"'>]*)", source, re.IGNORECASE)
    return [it for it in found if it not in there]


def encoded(href: str) -> str:
    """As browsers send it; bleach leaves that to them."""
    scheme, host, rest = re.fullmatch(r"(\w+:/*)([^/?#]*)(.*)", href, re.DOTALL).groups()
    kept = "/?#&=%+;,:@'()!$*~_-."
    return scheme + host.encode("idna").decode() + urllib.parse.quote(rest, safe=kept)


def is_alike(theirs: str, ours: str) -> bool:
    """Whether they differ only behind a quotation mark, a bracket, an ellipsis or a space: there
    bleach goes on, but for a quotation mark between letters, which is part of ours."""
    cuts = [it.start() for it in re.finditer("[.,]?['\"<>\\]\u2026\u00a0]|$", theirs)]
    return any(ours == encoded(theirs[:cut]) for cut in cuts) or ours.startswith(
        f"{encoded(theirs)}%22b"
    )


def test_links_are_those_of_bleach_or_the_difference_is_known() -> None:
    n_same, seen = 0, set()
    for place in PLACES:
        for link in LINKS:
            source = place.replace("{}", link)
            skipped = ["pre", "code", "script", "style", "textarea"]
            theirs = bleach.linkify(source, callbacks=[], skip_tags=skipped, parse_email=True)
            made = barelink.linkify(source, "natural", html=True, domains=True)
            theirs, ours = hrefs(theirs, source), hrefs(made, source)
            if [encoded(it) for it in theirs] == ours:
                n_same += 1
                continue
            if len(theirs) == len(ours) and all(map(is_alike, theirs, ours)):
                continue
            whys = [why for why, pattern in KNOWN.items() if re.search(pattern, source)]
            assert whys, (source, theirs, ours)
            seen.update(whys)
            # Nothing but links is added.
            tags = re.compile(r'<a href="[^"]*">|</a>')
            assert tags.sub("", made) == tags.sub("", source)
    assert n_same > 900, n_same
    assert seen == set(KNOWN)
