"""A submission as it was read, written out as a folder that nbgrader can grade, every repair in a cell of its own."""

from __future__ import annotations

import json
from pathlib import Path

from edgewise.grading.judging.outcome import Outcome
from edgewise.grading.reading.folder import Unread, content
from edgewise.grading.reading.note import with_note
from edgewise.grading.reading.submission import Submission
from edgewise.grading.reading.timestamp import FILE


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
