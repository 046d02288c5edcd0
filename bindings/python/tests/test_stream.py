"""A text in pieces: the page is that of the whole text, whatever the pieces are."""

from __future__ import annotations

import barelink
import pytest

TEXT = "# *é* 😀\n\nsee [a], www.b.cd\n\n- x\n- y\n\n[a]: /u\n\n|a|\n|-|\n|ü|\n"


class Page:
    def __init__(self) -> None:
        self.blocks: dict[int, str] = {}

    def apply(self, update: barelink.Update) -> None:
        for block in update.revised + update.blocks:
            self.blocks[block.id] = self.blocks.get(block.id, "")[: block.keep] + block.html

    def html(self) -> str:
        return "".join(html for _, html in sorted(self.blocks.items()))


@pytest.mark.parametrize("optimistic", [False, True])
@pytest.mark.parametrize("n", [1, 2, 3, 7, 100])
@pytest.mark.parametrize("preset", barelink.PRESETS)
def test_pieces_make_the_whole(n: int, preset: str, optimistic: bool) -> None:
    page = Page()
    stream = barelink.Stream(preset, optimistic=optimistic)
    for start in range(0, len(TEXT), n):
        stream.push(TEXT[start : start + n])
        page.apply(stream.update())
    end = stream.finish()
    page.apply(end)
    assert end.is_end
    assert stream.source == TEXT
    assert page.html() == barelink.to_html(TEXT, preset)


def test_bytes_may_end_within_a_character() -> None:
    page = Page()
    stream = barelink.Stream()
    for byte in TEXT.encode():
        stream.push_bytes(bytes([byte]))
        page.apply(stream.update())
    page.apply(stream.finish())
    assert page.html() == barelink.to_html(TEXT)


def test_what_is_settled_may_stay() -> None:
    pages = {}
    for definitions in ("revise", "settled"):
        page, stream = Page(), barelink.Stream(definitions=definitions)
        for piece in ("see [a]\n\nb\n\n", "[a]: /u\n"):
            stream.push(piece)
            update = stream.update()
            assert definitions == "revise" or not update.revised
            page.apply(update)
        page.apply(stream.finish())
        pages[definitions] = page.html()
    assert pages["revise"] == '<p>see <a href="/u">a</a></p>\n<p>b</p>\n'
    assert pages["settled"] == "<p>see [a]</p>\n<p>b</p>\n"


def test_wrong_arguments() -> None:
    with pytest.raises(TypeError, match="no option `x`"):
        barelink.Stream(x=1)
    with pytest.raises(TypeError, match="optimistic"):
        barelink.Stream(optimistic="yes")
    with pytest.raises(ValueError, match="definitions: `x` is neither"):
        barelink.Stream(definitions="x")
    with pytest.raises(TypeError, match="definitions: expected a string, not bool"):
        barelink.Stream(definitions=True)
    with pytest.raises(TypeError, match="piece: expected a string, not bytes"):
        barelink.Stream().push(b"x")
    with pytest.raises(TypeError, match="piece: expected bytes, not str"):
        barelink.Stream().push_bytes("x")


def test_what_is_shown() -> None:
    stream = barelink.Stream("github")
    for piece in (b"*a", bytearray(b"* "), memoryview(b"\xc3\xa9!")[:2]):
        stream.push_bytes(piece)
    assert stream.source == "*a* é"
    assert repr(stream) == "<barelink.Stream 'github' of 5 characters>"
    assert repr(stream.finish()).startswith("Update(revised=[], blocks=[Block(id=0, kind='paragraph'")
