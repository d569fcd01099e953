"""Which elements, attributes and styles stay in a student's HTML: those that only change how it reads."""

from __future__ import annotations

import re
from html import unescape
from typing import Any

import tinycss2  # type: ignore[import-untyped]
from pygments.token import STANDARD_TYPES  # type: ignore[import-untyped]

TAGS = frozenset(
    re.findall(
        r"\w+",
        """
        a abbr b blockquote br caption cite code col colgroup dd del details dfn div dl dt em figcaption figure
        h1 h2 h3 h4 h5 h6 hr i img input ins kbd li mark ol p pre q s samp small span strike strong sub summary sup
        table tbody td tfoot th thead tr tt u ul var
        """,
    )
)
"""Not `wbr`: MathJax joins what stands on both its sides, and so a forbidden macro could be cut in two."""

CLASSES = frozenset({"highlight", "anchor-link", "dataframe"} | set(STANDARD_TYPES.values()) - {""})
"""Colours of code. Others would be the page's own: a bar that covers it, a field that its script reads."""

PICTURE = re.compile(r"(?i)data:image/(?:png|jpeg|gif|webp|svg\+xml);base64,[a-z0-9+/=\s]*")
NUMBER = re.compile(r"\d{1,4}%?")
VALUES = {
    "href": re.compile(r"(?i)(https?://|mailto:|#).*", re.DOTALL),
    "src": PICTURE,
    "role": re.compile(r"group|img|note"),
    "scope": re.compile(r"row|col|rowgroup|colgroup"),
    "align": re.compile(r"left|right|center"),
    "id": re.compile(r"\S+"),
    **dict.fromkeys(("width", "height", "colspan", "rowspan", "start"), NUMBER),
    **dict.fromkeys(("title", "alt", "lang", "dir", "aria-label", "class", "style"), re.compile(r".*", re.DOTALL)),
}
ONLY_ON = {"href": "a", "src": "img", "start": "ol"}

PROPERTIES = frozenset(
    re.findall(
        r"[\w-]+",
        """
        background background-color border border-bottom border-collapse border-color border-left border-radius
        border-right border-spacing border-style border-top border-width color font font-family font-size font-style
        font-variant font-weight height letter-spacing line-height list-style-type margin margin-bottom margin-left
        margin-right margin-top max-height max-width min-width overflow-wrap padding padding-bottom padding-left
        padding-right padding-top text-align text-decoration vertical-align white-space width word-break word-wrap
        """,
    )
)
TOKENS = frozenset({"ident", "number", "dimension", "percentage", "hash", "whitespace"})
FUNCTIONS = frozenset({"var", "rgb", "rgba", "hsl", "hsla"})


def attribute(tag: str, name: str, value: str) -> bool:
    """Whether an attribute stays. Character references still stand in its value: what matches is what is written."""
    if tag == "input":
        return name == "checked"
    allowed = VALUES.get(name)
    return allowed is not None and ONLY_ON.get(name, tag) == tag and allowed.fullmatch(value) is not None


class Style:
    """What bleach asks about a style attribute. Its own class looks at names alone, so `url(…)` could load."""

    def sanitize_css(self, style: str) -> str:
        """The declarations that change how a box looks inside."""
        found = tinycss2.parse_declaration_list(unescape(style), skip_comments=True, skip_whitespace=True)
        return "; ".join(
            f"{one.lower_name}: {tinycss2.serialize(one.value).strip()}"
            for one in found
            if one.type == "declaration" and one.lower_name in PROPERTIES and all(map(_plain, one.value))
        )


def _plain(token: Any) -> bool:
    if token.type == "function":
        return token.lower_name in FUNCTIONS and all(map(_plain, token.arguments))
    if token.type == "string":
        return re.fullmatch(r"[\w ,.-]*", token.value) is not None
    if token.type == "literal":
        return token.value in (",", "/")
    return token.type in TOKENS and not (token.type in ("number", "dimension", "percentage") and token.value < 0)


def own(name: str, value: str) -> str:
    """An attribute's value, which names nothing of the page around it."""
    if name == "class":
        return " ".join(one for one in value.split() if one in CLASSES)
    if name == "id":
        return f"student-{value}"
    if name == "href" and value.startswith("#"):
        return f"#student-{value[1:]}"
    return value or " " * (name == "alt")
