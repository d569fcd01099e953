"""What a student wrote, as formgrader and `nbgrader generate_feedback` show it: nothing of it runs, loads or covers.

Both hand a notebook to nbconvert's HTMLExporter. `Harmless` is its last preprocessor: it leaves in the notebook only
what nbgrader's templates are to print, in forms they print through one of the filters below. The file itself stays
as it is. Named in edgewise.release.config, and imported by nbgrader's processes alone.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from html import escape
from typing import Any

from jinja2 import pass_context
from jinja2.runtime import Context
from nbconvert.filters.markdown_mistune import IPythonRenderer, MarkdownWithMath
from nbconvert.preprocessors import Preprocessor
from nbformat import NotebookNode

from edgewise.grading.plugins.allowed import PICTURE
from edgewise.grading.plugins.markup import harmless, readable, verbatim

WORD = re.compile(r"[\w.+-]{1,128}", re.ASCII)
"""A cell's id for nbgrader, or a language's name: nbgrader's templates print both as they are."""

MOST_MARKDOWN = 30_000
"""Characters of one cell: longer ones are shown as they are written, for some take minutes to read as Markdown."""

FLAGS = ("grade", "solution", "locked", "task")
NAMES = ("student", "first_name", "last_name", "notebook_path", "assignment_id", "notebook_id", "submission_id")
PICTURES = ("image/png", "image/jpeg")


class Harmless(Preprocessor):
    """Keeps of a notebook what is shown of it: sources, outputs in their best form, nbgrader's marks."""

    def preprocess(self, nb: Any, resources: Any) -> tuple[Any, Any]:
        """The notebook with nothing unexpected in it, and names that may stand in HTML and in a script's string."""
        language = nb.metadata.get("language_info") or {}
        kept = {key: language[key] for key in ("name", "pygments_lexer") if _is_word(language.get(key))}
        nb.metadata = _node({"language_info": {"name": "python"} | kept})
        nb.cells = [_cell(cell) for cell in nb.cells]
        for name in NAMES:
            if isinstance(resources.get(name), str):
                resources[name] = inert(resources[name])
        return nb, resources


def inert(text: str) -> str:
    """`text` for where nbgrader's templates print a name: in HTML, in an attribute, in a string of a script.

    `&` and `'` end none of the three, and stay: a page asks for a student by the same string.
    """
    return text.translate(_INERT)


_INERT = str.maketrans(
    {"<": "&lt;", ">": "&gt;", '"': "&quot;", "\\": "&#92;"} | dict.fromkeys("\n\r\u2028\u2029", " ")
)


def _cell(cell: Any) -> Any:
    """The cell without what only a page's script, or a crafted page, would read."""
    marks = cell.metadata.get("nbgrader")
    magics = cell.metadata.get("magics_language")
    kept = {"nbgrader": _marks(marks)} if isinstance(marks, Mapping) and _is_word(marks.get("grade_id")) else {}
    cell.metadata = _node(kept | ({"magics_language": magics} if _is_word(magics) else {}))
    if "attachments" in cell:
        cell.attachments = _node({name: _pictures(found) for name, found in cell.attachments.items()})
    if cell.cell_type == "code":
        cell.outputs = [_output(output) for output in cell.outputs]
    elif cell.cell_type == "raw":
        cell.source = f"<pre>{escape(cell.source)}</pre>"  # printed by way of clean_html
    return cell


def _marks(marks: Mapping[str, Any]) -> dict[str, Any]:
    """Which cell, of what kind, for how many points. Scores and comments are read from the gradebook."""
    points = marks.get("points")
    number = {"points": points} if isinstance(points, int | float) else {}
    return {"grade_id": marks["grade_id"], **{flag: marks.get(flag) is True for flag in FLAGS}, **number}


def _is_word(value: object) -> bool:
    return isinstance(value, str) and WORD.fullmatch(value) is not None


def _pictures(attachment: Mapping[str, Any]) -> dict[str, str]:
    """The forms of one attachment that are pictures; none is left of another file."""
    found = {kind: "".join(_text(data).split()) for kind, data in attachment.items()}
    return {kind: data for kind, data in found.items() if PICTURE.fullmatch(f"data:{kind};base64,{data}")}


def _output(output: Any) -> Any:
    kind = output.output_type
    if kind == "stream":
        return _node({"output_type": kind, "name": output.name, "text": readable(_text(output.text))})
    if kind == "error":
        lines = [readable(_text(line)) for line in output.traceback]
        return _node({"output_type": kind, "ename": output.ename, "evalue": output.evalue, "traceback": lines})
    shown, data = _best(output.data)
    metadata = {shown: _size(output.metadata.get(shown))} if shown in PICTURES else {}
    count = {"execution_count": output.get("execution_count")} if kind == "execute_result" else {}
    return _node({"output_type": kind, "data": {shown: data}, "metadata": metadata, **count})


def _best(data: Mapping[str, Any]) -> tuple[str, str]:
    """The form that a page shows best, as HTML (printed by way of clean_html), as a picture or as text."""
    for kind, shown_as, made in FORMS:
        if kind in data:
            return shown_as, made(_text(data[kind]))
    return "text/plain", f"[not shown here: {', '.join(sorted(data)) or 'an empty output'}]"


def _as_html(text: str) -> str:
    return f"<div>{escape(text)}</div>"


def rendered(source: str, attachments: dict[str, dict[str, str]]) -> str:
    """Markdown as nbconvert's HTML, not yet harmless. Raises what that does, such as for a missing attachment."""
    renderer = _Renderer(escape=False, attachments=attachments)
    return MarkdownWithMath(renderer=renderer).render(source)


class _Renderer(IPythonRenderer):
    def block_mermaidjs(self, code: str) -> str:
        """A diagram's text: neither page draws it, and nbconvert's own way leaves `<` in it to the browser."""
        return f"<pre><code>{escape(code)}</code></pre>\n"


def _markdown_or_text(source: str) -> str:
    """Markdown as HTML; as it is written where it can't be read."""
    html = _read(source, {})
    return f"<pre>{escape(source)}</pre>" if html is None else html


def _read(source: str, attachments: dict[str, dict[str, str]]) -> str | None:
    if len(source) > MOST_MARKDOWN:
        return None
    try:
        return rendered(source, attachments)
    except Exception:  # the student's text, such as one with a picture that is not attached
        return None


FORMS: tuple[tuple[str, str, Callable[[str], str]], ...] = (
    ("text/html", "text/html", str),
    ("text/markdown", "text/html", _markdown_or_text),
    ("image/svg+xml", "text/html", str),
    ("text/latex", "text/html", _as_html),
    ("image/png", "image/png", str),
    ("image/jpeg", "image/jpeg", str),
    ("text/plain", "text/plain", readable),
    ("text/vnd.mermaid", "text/plain", readable),
)
"""What an output may be, the best first in nbconvert's order, and what is made of it."""


def _text(value: object) -> str:
    """A value of the notebook as one text; nbformat also allows its lines."""
    return "".join(map(str, value)) if isinstance(value, Iterable) and not isinstance(value, str) else str(value)


def _size(metadata: object) -> dict[str, Any]:
    """A picture's size. The templates print it without quotes, so that anything else could be an attribute."""
    found = metadata if isinstance(metadata, Mapping) else {}
    sizes = {name: found[name] for name in ("width", "height") if type(found.get(name)) in (int, float)}
    return sizes | ({"alt": found["alt"]} if isinstance(found.get("alt"), str) else {})


def _node(values: dict[str, Any]) -> Any:
    return NotebookNode(values)  # type: ignore[no-untyped-call]


@pass_context
def markdown2html(context: Context, source: str) -> str:
    """The filter for Markdown cells and comments, in place of nbconvert's: rendered, then made harmless."""
    cell = context.get("cell") or {}
    html = _read(source, cell.get("attachments") or {})
    return verbatim(source) if html is None else harmless(html)


def clean_html(element: str | bytes) -> str:
    """The filter for HTML outputs and raw cells, in place of nbconvert's, which takes tables and drawings away."""
    return harmless(element.decode("utf-8", "replace") if isinstance(element, bytes) else str(element))


def strip_files_prefix(text: str) -> str:
    """`text`, as it is. nbconvert's filter turns the harmless address `files/javascript:…` into the other one."""
    return text
