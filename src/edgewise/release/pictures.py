"""Pictures without words: what lint says about an image that some reader cannot see."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path
from urllib.parse import unquote

from edgewise.release.notebook import Cell, Notebook, joined
from edgewise.release.rules import Finding

MARKDOWN = re.compile(r"!\[(?P<alt>[^\]]*)\](?:\(\s*<?(?P<to>[^)\s>]*))?")
HTML = re.compile(r"<img\b[^>]*>", re.IGNORECASE)
ALT = re.compile(r"""\balt\s*=\s*(?:"[^"]*\w[^"]*"|'[^']*\w[^']*')""", re.IGNORECASE)
SVG = re.compile(r"<svg\b[^>]*>", re.IGNORECASE)
LABEL = re.compile(r"""\baria-label\s*=\s*(?:"[^"]*\w[^"]*"|'[^']*\w[^']*')""")
CODE = re.compile(r"^(```|~~~).*?^\1[^\n]*$|`[^`\n]+`", re.MULTILINE | re.DOTALL)


def findings(notebook: Notebook, folder: Path) -> list[Finding]:
    """Every image without alt text, and every one whose file is not in `folder`."""
    return [found for cell in notebook.cells for found in (*_written(cell, folder), *_drawn(cell))]


def _written(cell: Cell, folder: Path) -> Iterable[Finding]:
    if cell.kind != "markdown":
        return
    text = CODE.sub(lambda code: re.sub(r"[^\n]", " ", code.group()), cell.source)
    for image in MARKDOWN.finditer(text):
        line, to = text.count("\n", 0, image.start()) + 1, image["to"] or ""
        if not re.search(r"\w", image["alt"]):
            yield Finding(cell, line, f"the image {to!r} has no alt text; say in words what it shows")
        if to and not re.match(r"[a-z]+:|#|/", to) and not (folder / unquote(to)).is_file():
            yield Finding(cell, line, f"the image {to!r} is not there")
    for image in HTML.finditer(text):
        if not ALT.search(image.group()):
            line = text.count("\n", 0, image.start()) + 1
            yield Finding(cell, line, "an <img> has no alt text; say in words what it shows")


def _drawn(cell: Cell) -> Iterable[Finding]:
    for output in cell.outputs:
        data = output.get("data", {})
        html = joined(data.get("text/html", ""))
        if any(not ALT.search(image) for image in HTML.findall(html)):
            yield Finding(cell, None, "an <img> in its output has no alt text; say in words what it shows")
        for svg in SVG.findall(html):
            hidden = re.search(r"""\baria-hidden\s*=\s*["']true""", svg)
            if not hidden and not ('role="img"' in svg and LABEL.search(svg)):
                yield Finding(cell, None, 'an <svg> in its output has no role="img" with an aria-label')
        for kind in ("image/png", "image/jpeg", "image/svg+xml"):
            if kind in data and not html:
                yield Finding(cell, None, f"its output is {kind}, which carries no alt text; give it a _repr_html_")
