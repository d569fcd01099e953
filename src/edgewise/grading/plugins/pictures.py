"""`as_images`: inline SVG in a text of HTML as `<img>`, in which no script runs and which loads nothing."""

from __future__ import annotations

import re
from base64 import b64encode
from html import escape
from html.parser import HTMLParser

from defusedxml import ElementTree  # type: ignore[import-untyped]
from defusedxml.common import DefusedXmlException  # type: ignore[import-untyped]

SVG = "http://www.w3.org/2000/svg"
UNREAD = ("script", "style")
"""Their text is for no reader."""


def as_images(markup: str) -> str:
    """`markup` with an image for each SVG, named as that one is, and without scripts and style sheets.

    What comes out is as foreign as what came in: it is sanitised next.
    """
    if re.search("<(?:svg|script|style)", markup, re.IGNORECASE) is None:
        return markup
    shown, end = [], 0
    for tag, start, stop in _Found(markup).spans:
        shown += [markup[end:start], _image(markup[start:stop]) if tag == "svg" else ""]
        end = stop
    return "".join((*shown, markup[end:]))


def _image(drawing: str) -> str:
    """An `<img>` of the drawing; a sentence, where it is not well-formed XML."""
    head = drawing[: drawing.find(">")]
    for name, address in (("xmlns", SVG), ("xmlns:xlink", "http://www.w3.org/1999/xlink")):
        if f"{name}=" not in head:
            drawing = re.sub("^<svg", f'<svg {name}="{address}"', drawing, count=1)
    try:
        root = ElementTree.fromstring(drawing)
    except (ElementTree.ParseError, DefusedXmlException, ValueError):
        root = None
    if root is None or root.tag != f"{{{SVG}}}svg":
        return "<em>[a drawing that is not well-formed]</em>"
    title = root.find(f"{{{SVG}}}title")
    words = root.get("aria-label") or (title.text if title is not None else None) or "A drawing without a description"
    data = b64encode(drawing.encode("utf-8", "replace")).decode()
    return f'<img src="data:image/svg+xml;base64,{data}" alt="{escape(words)}" style="max-width: 100%; height: auto">'


class _Found(HTMLParser):
    """Where each outermost `svg`, `script` and `style` stands: `spans` of (tag, start, stop), in order.

    An element that is only written in an attribute or a comment is none.
    """

    def __init__(self, markup: str) -> None:
        super().__init__(convert_charrefs=False)
        self.spans: list[tuple[str, int, int]] = []
        self.markup = markup
        self.lines = [0, *(found.end() for found in re.finditer("\n", markup))]
        self.open: tuple[str, int] | None = None
        self.depth = 0
        self.feed(markup)
        self.close()
        if self.open is not None:
            self.spans.append((*self.open, len(markup)))

    def _here(self) -> int:
        line, column = self.getpos()
        return self.lines[line - 1] + column

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:  # noqa: ARG002
        """Open a span, or go one deeper in it."""
        if self.open is None and tag in ("svg", *UNREAD):
            self.open, self.depth = (tag, self._here()), 0
        if self.open is not None and tag == self.open[0]:
            self.depth += 1

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """In SVG a span of its own; HTML knows no such thing elsewhere, and takes it for a start."""
        if tag != "svg":
            self.handle_starttag(tag, attrs)
        elif self.open is None:
            here = self._here()
            self.spans.append((tag, here, here + len(self.get_starttag_text() or "")))

    def handle_endtag(self, tag: str) -> None:
        """Close the span, where this is its own end."""
        if self.open is None or tag != self.open[0]:
            return
        self.depth -= 1
        if self.depth == 0:
            stop = self.markup.find(">", self._here())
            self.spans.append((*self.open, stop + 1 if stop >= 0 else len(self.markup)))
            self.open = None
