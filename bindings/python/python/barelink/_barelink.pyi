"""The types of the engine. What each function does is in its docstring."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final, Literal, Protocol, TypeAlias, TypedDict, final

from typing_extensions import Unpack

Preset: TypeAlias = Literal["commonmark", "gfm", "github", "md4c", "natural"]
Dialect: TypeAlias = Literal["gfm", "github", "md4c", "natural"]

__version__: Final[str]
PRESETS: Final[list[str]]
DIALECTS: Final[list[str]]
OPTIONS: Final[list[str]]

# `unsafe` and the others, by the names of the library's options.
Options = TypedDict(
    "Options",
    {
        "alerts": bool,
        "bare_rel": str | None,
        "bare_target_blank": bool,
        "cjk_friendly_emphasis": bool,
        "definition_lists": bool,
        "dialect": Dialect | Literal["none"] | None,
        "domains": bool,
        "email": bool,
        "emoji": bool,
        "external_rel": str | None,
        "external_target_blank": bool,
        "footnotes": bool,
        "front_matter": bool,
        "heading_attributes": bool,
        "heading_ids": bool,
        "https": bool,
        "id_prefix": str,
        "mark": bool,
        "markup": Literal["github", "md4c"],
        "math": bool,
        "own_hosts": Iterable[str],
        "raw_html": Literal["escape", "drop", "pass"],
        "reading": Literal["specification", "cmark-gfm"],
        "schemes": Iterable[str],
        "single_tilde": bool,
        "smart_punctuation": bool,
        "soft_breaks": Literal["newline", "space", "hard"],
        "source_positions": bool,
        "strikethrough": bool,
        "subscript": bool,
        "superscript": bool,
        "tables": bool,
        "tag_filter": bool,
        "task_lists": bool,
        "unsafe": bool,
        "url": bool,
        "urls": Literal["safe", "any"] | Iterable[str],
        "wiki_links": bool,
        "www": bool,
    },
    total=False,
)

class FindOptions(TypedDict, total=False):
    url: bool
    www: bool
    email: bool
    domains: bool
    schemes: Iterable[str]

@final
class Action:
    KEEP: Final[Action]
    PLAIN: Final[Action]
    DROP: Final[Action]
    def __int__(self) -> int: ...
    def __hash__(self) -> int: ...

@final
class Link:
    @property
    def href(self) -> str: ...
    @property
    def destination(self) -> str: ...
    @property
    def text(self) -> str: ...
    @property
    def title(self) -> str: ...
    @property
    def kind(self) -> Literal["link", "image"]: ...
    @property
    def form(
        self,
    ) -> Literal[
        "inline", "full", "collapsed", "shortcut", "angle", "wiki", "url", "www", "email"
    ]: ...
    @property
    def host(self) -> str | None: ...
    @property
    def external(self) -> bool: ...
    @property
    def start(self) -> int: ...
    @property
    def end(self) -> int: ...
    @property
    def line(self) -> int: ...
    @property
    def column(self) -> int: ...
    @property
    def warnings(self) -> list[str]: ...
    def __hash__(self) -> int: ...

@final
class BareLink:
    @property
    def href(self) -> str: ...
    @property
    def text(self) -> str: ...
    @property
    def kind(self) -> Literal["url", "www", "email", "domain", "scheme"]: ...
    @property
    def start(self) -> int: ...
    @property
    def end(self) -> int: ...
    def __hash__(self) -> int: ...

@final
class Trim:
    @property
    def text(self) -> str: ...
    @property
    def start(self) -> int: ...
    @property
    def end(self) -> int: ...
    @property
    def rule(self) -> str: ...
    @property
    def reason(self) -> str: ...
    @property
    def section(self) -> str: ...

@final
class Decision:
    @property
    def kind(self) -> str: ...
    @property
    def verdict(self) -> Literal["linked", "refused", "elsewhere"]: ...
    @property
    def linked(self) -> bool: ...
    @property
    def text(self) -> str: ...
    @property
    def start(self) -> int: ...
    @property
    def end(self) -> int: ...
    @property
    def line(self) -> int: ...
    @property
    def column(self) -> int: ...
    @property
    def rule(self) -> str | None: ...
    @property
    def reason(self) -> str | None: ...
    @property
    def section(self) -> str | None: ...
    @property
    def at(self) -> int | None: ...
    @property
    def trims(self) -> list[Trim]: ...

# A dict of strings is none of strings or None to type checkers, since it could be changed.
Answer: TypeAlias = (
    None | bool | str | dict[str, str] | dict[str, None] | dict[str, str | None] | Action
)
Hook: TypeAlias = Callable[[Link], Answer]

def to_html(
    text: str,
    preset: Preset = "gfm",
    *,
    on_link: Hook | None = None,
    **options: Unpack[Options],
) -> str: ...
def to_text(text: str, preset: Preset = "gfm", **options: Unpack[Options]) -> str: ...
def links(text: str, preset: Preset = "gfm", **options: Unpack[Options]) -> list[Link]: ...
def explain(text: str, preset: Preset = "gfm", **options: Unpack[Options]) -> list[Decision]: ...
def find_links(
    text: str, dialect: Dialect = "gfm", **options: Unpack[FindOptions]
) -> list[BareLink]: ...
def linkify(
    text: str,
    preset: Preset = "gfm",
    *,
    html: bool = False,
    on_link: Hook | None = None,
    **options: Unpack[Options],
) -> str: ...
@final
class Parser:
    def __new__(cls, preset: Preset = "gfm", **options: Unpack[Options]) -> Parser: ...
    def to_html(self, text: str, *, on_link: Hook | None = None) -> str: ...
    def to_text(self, text: str) -> str: ...
    def links(self, text: str) -> list[Link]: ...
    def explain(self, text: str) -> list[Decision]: ...

@final
class Block:
    @property
    def id(self) -> int: ...
    @property
    def kind(self) -> str: ...
    @property
    def keep(self) -> int: ...
    @property
    def html(self) -> str: ...
    @property
    def state(self) -> Literal["open", "closed", "settled"]: ...
    @property
    def pending(self) -> str | None: ...

@final
class Update:
    @property
    def revised(self) -> list[Block]: ...
    @property
    def blocks(self) -> list[Block]: ...
    @property
    def is_end(self) -> bool: ...

@final
class Stream:
    def __new__(
        cls,
        preset: Preset = "gfm",
        *,
        optimistic: bool = False,
        definitions: Literal["revise", "settled"] = "revise",
        **options: Unpack[Options],
    ) -> Stream: ...
    def push(self, piece: str) -> None: ...
    def push_bytes(self, piece: bytes | bytearray | memoryview) -> None: ...
    def update(self) -> Update: ...
    def finish(self) -> Update: ...
    @property
    def source(self) -> str: ...

class _ArrowArray(Protocol):
    def __arrow_c_array__(self, requested_schema: Any = None) -> tuple[object, object]: ...

class _ArrowStream(Protocol):
    def __arrow_c_stream__(self, requested_schema: Any = None) -> object: ...

ArrowColumn: TypeAlias = _ArrowArray | _ArrowStream

@final
class Column:
    def __arrow_c_schema__(self) -> object: ...
    def __arrow_c_array__(self, requested_schema: Any = None) -> tuple[object, object]: ...
    def __arrow_c_stream__(self, requested_schema: Any = None) -> object: ...
    def __len__(self) -> int: ...
    @property
    def num_chunks(self) -> int: ...

def run_column(
    what: str,
    column: ArrowColumn,
    preset: str | None,
    limits: tuple[int | None, int | None],
    options: Mapping[str, object],
) -> Column: ...
