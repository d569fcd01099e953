"""Every odd submission of the table: what is said about it, what comes out of it."""

from __future__ import annotations

import json
import warnings

import nbformat
import pytest

import tests.submissions.cells
import tests.submissions.code
import tests.submissions.files
import tests.submissions.metadata
import tests.submissions.notebooks
import tests.submissions.places  # noqa: F401  (each lists its rows)
from edgewise.grading.reading.submission import Submission
from tests.submissions.conftest import Handed
from tests.submissions.kit import ANSWERS, answers
from tests.submissions.table import ROWS, Odd

every = pytest.mark.parametrize("row", ROWS, ids=[f"{row.kind}: {row.name}" for row in ROWS])


def locked(submission: Submission) -> list[object]:
    """The course's cells that no student may change, as they stand."""
    return [
        (cell["id"], cell["cell_type"], cell["source"], cell["metadata"])
        for notebook in submission.notebooks
        for cell in notebook.as_json()["cells"]
        if "nbgrader" in cell["metadata"] and not cell["metadata"]["nbgrader"]["solution"]
    ]


@every
def test_an_odd_submission_is_read_and_every_repair_is_named(row: Odd, handed: Handed) -> None:
    row.make(handed)
    submission = handed.read()

    assert (
        tuple(repair.sentence for repair in submission.repairs),
        tuple(problem.sentence for problem in submission.problems),
        answers(submission) == ANSWERS,
    ) == (row.repairs, row.problems, row.survive)


@every
def test_what_comes_out_is_a_clean_notebook_with_the_courses_cells(row: Odd, handed: Handed) -> None:
    asked = locked(handed.read())
    row.make(handed)
    submission = handed.read()
    with warnings.catch_warnings(action="error"):
        for notebook in submission.notebooks:
            nbformat.validate(json.loads(json.dumps(notebook.as_json()).encode()))

    assert ([notebook.name for notebook in submission.notebooks], locked(submission)) == (["graph", "storm"], asked)


@pytest.mark.parametrize("row", [row for row in ROWS if row.kind == "Code"], ids=lambda row: row.name)
def test_code_comes_out_as_it_was_written(row: Odd, handed: Handed) -> None:
    row.make(handed)

    assert answers(handed.read())["ch08-e3"] == "".join(handed.cell("step")["source"])


def test_every_problem_has_a_note_for_the_instructor(handed: Handed) -> None:
    notes = {}
    for row in ROWS:
        if row.problems:
            spoiled = Handed(handed.folder.parent / row.name, handed.course, handed.honest)
            row.make(spoiled)
            notes |= {problem.kind: problem.note for problem in spoiled.read().problems}
    unread = "It earns 0 until a file that can be read is handed in, or it is graded by hand."
    nothing = "Nothing could be graded; it earns 0."

    assert notes == {
        **dict.fromkeys(("empty", "not JSON", "not a notebook", "too deep", "too large", "not a file"), unread),
        "damaged": "Ask for the whole file: what could not be read is missing.",
        "no notebook": nothing,
        "unreadable": nothing,
        "too many files": "Look whether one of them belongs to an answer.",
        "timestamp": "It counts as handed in on time; look at the time where it was collected.",
    }
