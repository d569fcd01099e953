"""The cell on top of a notebook that names what could not be read and what was repaired."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from edgewise.grading.reading.found import Problem, Repair
from edgewise.grading.reading.submission import Notebook

NOTE = "how-this-was-read"
"""The id of the cell that names the repairs."""

SIGNS = {sign: f"&#{ord(sign)};" for sign in "&<>*_`[]{}\\#|~$!"}


def with_note(notebook: Notebook, repairs: Sequence[Repair], problems: Sequence[Problem]) -> dict[str, Any]:
    """The notebook's JSON; what was found in it stands in a cell on top."""
    raw = notebook.as_json()
    if repairs or problems:
        note = {"cell_type": "markdown", "id": _new_id(raw), "metadata": {}, "source": _note(repairs, problems)}
        raw["cells"].insert(0, note)
    return raw


def _note(repairs: Sequence[Repair], problems: Sequence[Problem]) -> str:
    parts = []
    if problems:
        parts.append("**What could not be read**\n\n" + "\n".join(f"- {plain(one.sentence)}" for one in problems))
    if repairs:
        parts.append(
            "**What was repaired before grading**\n\n" + "\n".join(f"- {plain(one.sentence)}" for one in repairs)
        )
    return "\n\n".join(parts)


def plain(sentence: str) -> str:
    """The sentence as Markdown that shows it and nothing else: names in it come from students."""
    return "".join(SIGNS.get(sign, sign) for sign in sentence)


def _new_id(raw: dict[str, Any]) -> str:
    given = {cell["id"] for cell in raw["cells"]}
    id_ = NOTE
    while id_ in given:
        id_ += "-"
    return id_
