"""A submission as it was read, written out as a folder that nbgrader can grade, every repair in a cell of its own."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from edgewise.grading.folder import Unread, content
from edgewise.grading.found import Problem, Repair
from edgewise.grading.outcome import Outcome
from edgewise.grading.submission import Notebook, Submission
from edgewise.grading.timestamp import FILE

NOTE = "how-this-was-read"
"""The id of the cell that names the repairs."""

SIGNS = {sign: f"&#{ord(sign)};" for sign in "&<>*_`[]{}\\#|~$!"}


def stage(submission: Submission, folder: Path) -> tuple[str, ...]:
    """Write the submission into `folder`; the names of its notebooks that are there to be graded.

    One that was not handed in is left away, as long as another was.
    """
    folder.mkdir(parents=True)
    nothing = all(notebook.state == "missing" for notebook in submission.notebooks)
    staged = [notebook for notebook in submission.notebooks if nothing or notebook.state != "missing"]
    for notebook in staged:
        raw = with_note(notebook, submission.repairs_of(notebook.name), submission.problems_of(notebook.name))
        (folder / f"{notebook.name}.ipynb").write_text(json.dumps(raw, indent=1), encoding="utf-8")
    for path in submission.files if submission.handed_in is None else (*submission.files, FILE):
        data = content(submission.folder, path)
        if not isinstance(data, Unread):
            (folder / path).parent.mkdir(parents=True, exist_ok=True)
            (folder / path).write_bytes(data)
    return tuple(notebook.name for notebook in staged)


def stage_graded(outcome: Outcome, folder: Path) -> None:
    """Put the graded notebooks in the place of those that were only read."""
    for notebook in outcome.notebooks:
        if notebook.text is not None:
            (folder / f"{notebook.name}.ipynb").write_text(notebook.text, encoding="utf-8")


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
