"""`harmless`: HTML that a student wrote or printed, as HTML that is only read.

What remains runs no script, loads nothing, sends nothing, and stays within its own box on the page. Imported by
nbgrader's processes alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from html import escape, unescape
from typing import Any

from bleach.sanitizer import Cleaner  # type: ignore[import-untyped]

from edgewise.grading.plugins.allowed import PICTURE, TAGS, Style, attribute, own
from edgewise.grading.plugins.pictures import as_images

MACROS = re.compile(r"\\(?=(?:href|style|class|cssId|require|unicode|bbox|mmlToken)(?![a-zA-Z]))")
"""Where a formula reaches beyond itself. MathJax's `Safe` mode, which nbgrader's pages ask for, allows some of it."""

BOX = '<div style="contain: layout paint; overflow: auto">{}</div>'
"""Nothing in it is painted outside of it, whatever its size."""

MOST_CHARACTERS = 100_000
MOST_TAGS = 5_000
LONGEST_TAG = 20_000
"""Pictures aside. A table of pandas has half of it; bleach and Markdown take a time that grows with the square."""


def harmless(markup: str) -> str:
    """`markup` with its pictures as images, and without all else that acts, in a box of its own.

    One that is too large to be read in a second or so, or that can't be read at all, is shown as it is written.
    """
    try:
        drawn = as_images(markup) if _moderate(markup) else None
        cleaned = _clean(drawn) if drawn is not None and _moderate(drawn) else None
    except Exception:  # the student's text, and three parsers that were not written for malice
        cleaned = None
    return verbatim(markup) if cleaned is None else BOX.format(cleaned)


def verbatim(text: str) -> str:
    """`text` as it is written, in a box; only its beginning, if it is longer than anyone reads."""
    rest = len(text) - MOST_CHARACTERS
    note = f"\n[… {rest} more characters]" if rest > 0 else ""
    return BOX.format(f"<pre>{escape(readable(text[:MOST_CHARACTERS]))}{note}</pre>")


def _moderate(markup: str) -> bool:
    rest = PICTURE.sub("", markup)
    few = len(rest) <= MOST_CHARACTERS and rest.count("<") <= MOST_TAGS
    return few and re.search(f"<[^<]{{{LONGEST_TAG},}}", rest) is None


def _clean(markup: str) -> str:
    cleaner = Cleaner(
        tags=TAGS,
        attributes=attribute,
        protocols={"http", "https", "mailto", "data"},
        strip=True,
        filters=[_Finished],
        css_sanitizer=Style(),
    )
    cleaned: str = cleaner.clean(readable(markup).replace("\x1b", ""))
    return cleaned


def readable(text: str) -> str:
    """`text` without control characters; tabs, line ends and a terminal's colours stay."""
    return re.sub(r"\x1b(?!\[[\d;]*m)|[\x00-\x08\x0b\x0c\x0e-\x1a\x1c-\x1f\x7f-\x9f]", "", text)


class _Finished:
    """The last word on bleach's tokens: names of their own, words for what is gone, formulas that only show."""

    def __init__(self, source: Iterable[dict[str, Any]]) -> None:
        self.source = source
        self.verbatim = 0  # in how many `code` and `pre`: MathJax leaves those alone, and so do we

    def __iter__(self) -> Iterator[dict[str, Any]]:
        text = ""
        for token in self.source:
            if token["type"] in ("Characters", "SpaceCharacters"):
                text += token["data"]
            elif token["type"] == "Entity":
                text += unescape(f"&{token['name']};")
            elif isinstance(words := _words(token), str):
                text += words
            else:
                yield from self._text(text)
                yield self._tag(token)
                text = ""
        yield from self._text(text)

    def _text(self, text: str) -> Iterator[dict[str, Any]]:
        """The text as one token: a macro could stand in two of bleach's, or be written with character references."""
        if text:
            shown = text if self.verbatim else MACROS.sub("\\\\\N{WORD JOINER}", text)
            yield {"type": "Characters", "data": shown}

    def _tag(self, token: dict[str, Any]) -> dict[str, Any]:
        name = token["name"]
        if name in ("code", "pre"):
            self.verbatim += {"StartTag": 1, "EndTag": -1}.get(token["type"], 0)
        if token["type"] != "EndTag":
            attributes = {key: value for key, old in token["data"].items() if (value := own(key[1], old))}
            if name == "a" and (None, "href") in attributes:
                attributes[(None, "rel")] = "noopener noreferrer"
            token["data"] = attributes
        return token


def _words(token: dict[str, Any]) -> str | None:
    """What stands for an element that is not shown as one: the box of a task list, a picture that is elsewhere."""
    attributes = token.get("data") or {}
    if token["name"] == "input":
        return "☑ " if (None, "checked") in attributes else "☐ "
    if token["name"] == "img" and (None, "src") not in attributes:
        words = unescape(attributes.get((None, "alt"), "")) or "it has no description"
        return f"[a picture that is not shown: {words}]"
    return None
