"""Honest submissions, whatever the student's id; and what may not be opened."""

from __future__ import annotations

import os
from datetime import UTC, datetime
from pathlib import Path

import pytest

from edgewise.grading.reading.submission import read
from tests.submissions import kit
from tests.submissions.conftest import Handed


def test_an_honest_submission_comes_out_as_it_went_in(handed: Handed) -> None:
    submission = handed.read()

    assert ({one.name: one.as_json() for one in submission.notebooks}, submission.repairs, submission.problems) == (
        handed.honest,
        (),
        (),
    )


STUDENTS = ("ada lovelace", "o'hara", 'the "boss"', "a+b", "ada@home", "ada[1]", "a,b", "a\nb", "a" * 120, "Ада", "-x")


@pytest.mark.parametrize("student", STUDENTS)
def test_a_students_id_may_be_anything(handed: Handed, student: str) -> None:
    handed.folder.parent.rename(handed.folder.parent.parent / student)
    submission = read(handed.folder.parent.parent / student / "ch08", kit.session(handed.course), handed.course)

    assert (kit.answers(submission), submission.repairs, submission.problems) == (kit.ANSWERS, (), ())


@pytest.mark.parametrize(
    "text",
    [
        "2026-09-30 22:00:00.000000 UTC",
        "2026-09-30 22:00:00",
        "2026-09-30T22:00Z",
        "2026-10-01 00:00:00 +0200",
        "2026-10-01 00:00:00 +02:00\n",
        "2026-10-01 00:00:00 Europe/Zurich",
    ],
)
def test_the_moment_of_handing_in_is_read_with_its_offset(handed: Handed, text: str) -> None:
    (handed.folder / "timestamp.txt").write_text(text, encoding="utf-8")

    assert handed.read().handed_in == datetime(2026, 9, 30, 22, tzinfo=UTC)


def test_a_file_that_may_not_be_opened_is_named(handed: Handed, monkeypatch: pytest.MonkeyPatch) -> None:
    opened = os.open

    def refuses(path: Path, flags: int) -> int:
        if Path(path).name == "graph.ipynb":
            raise PermissionError(13, "Permission denied")
        return opened(path, flags)

    monkeypatch.setattr(os, "open", refuses)

    assert [problem.sentence for problem in handed.read().problems] == [
        "graph: 'graph.ipynb' cannot be opened (Permission denied); nothing of it could be graded"
    ]


def test_other_files_go_along_and_nothing_that_steers_the_grader(handed: Handed) -> None:
    (handed.folder / "data").mkdir()
    for name in ("helper.py", "data/plan.csv", "course.yml", "timestamp.txt", ".hidden", "edgewise.py"):
        (handed.folder / name).write_text("2026-09-30 22:00:00", encoding="utf-8")

    assert handed.read().files == ("helper.py", "data/plan.csv")


def test_what_concerns_all_notebooks_is_said_with_each(handed: Handed) -> None:
    (handed.folder / "timestamp.txt").touch()
    (handed.folder / "notes.ipynb").touch()
    handed.change(lambda handed: handed.cells.remove(handed.cell("step-check")))
    submission = handed.read()

    assert (
        [len(submission.repairs_of(name)) for name in ("graph", "storm")],
        [len(submission.problems_of(name)) for name in ("graph", "storm")],
    ) == ([2, 1], [1, 1])
