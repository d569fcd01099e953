"""The rows written directly are those that nbgrader's own API writes."""

from __future__ import annotations

import os
import shutil
import sqlite3
import sys
from contextlib import closing
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from edgewise.grading.gradebook import GradebookError, Graded, opened, record

WHEN = datetime(2026, 9, 24, 12, 0)
DUE = datetime(2026, 9, 24, 11, 0)

GRADED = Graded(
    "ada",
    WHEN,
    scores={"graph": {"e1-check": 2.5, "w1": None}},
    answered={"graph": {"e1": True, "w1": False}},
)


@pytest.fixture(scope="module")
def empty(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A gradebook as nbgrader makes it: a session, a notebook, a check cell, an answer, a written answer."""
    path = tmp_path_factory.mktemp("gradebook") / "gradebook.db"
    scripts = str(Path(sys.executable).parent)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PATH", scripts, prepend=os.pathsep)  # nbgrader calls `alembic` by its name
        _fill(path)
    return path


def _fill(path: Path) -> None:
    from nbgrader.api import Gradebook

    with Gradebook(f"sqlite:///{path}", "small") as gradebook:
        gradebook.add_assignment("ch08", duedate=DUE.isoformat())
        gradebook.add_notebook("graph", "ch08")
        gradebook.add_grade_cell("e1-check", "graph", "ch08", max_score=4, cell_type="code")
        gradebook.add_solution_cell("e1", "graph", "ch08")
        gradebook.add_grade_cell("w1", "graph", "ch08", max_score=3, cell_type="markdown")
        gradebook.add_solution_cell("w1", "graph", "ch08")


@pytest.fixture
def path(empty: Path, tmp_path: Path) -> Path:
    return Path(shutil.copy(empty, tmp_path / "gradebook.db"))


ROWS = """
select s.id, sa.timestamp, n.name, sn.flagged, sn.late_submission_penalty, b.name, b.type,
       g.auto_score, g.manual_score, g.extra_credit, g.needs_manual_grade, c.auto_comment, c.manual_comment
from student s join submitted_assignment sa on sa.student_id = s.id
join submitted_notebook sn on sn.assignment_id = sa.id join notebook n on n.id = sn.notebook_id
join base_cell b on b.notebook_id = n.id
left join grade g on g.notebook_id = sn.id and g.cell_id = b.id
left join comment c on c.notebook_id = sn.id and c.cell_id = b.id
order by s.id, n.name, b.name, b.type
"""


def rows(path: Path) -> list[tuple]:
    with closing(sqlite3.connect(path)) as connection:
        return connection.execute(ROWS).fetchall()


def by_api(path: Path, graded: Graded, penalty: float | None) -> None:
    """The same submission, recorded through nbgrader's own classes."""
    from nbgrader.api import Gradebook

    with Gradebook(f"sqlite:///{path}", "small") as gradebook:
        gradebook.update_or_create_student(graded.student)
        stamp = {} if graded.timestamp is None else {"timestamp": graded.timestamp.isoformat()}
        submission = gradebook.update_or_create_submission("ch08", graded.student, **stamp)
        for notebook in submission.notebooks:
            for grade in notebook.grades:
                grade.auto_score = graded.scores[notebook.name][grade.name]
                grade.needs_manual_grade = grade.manual_score is not None or grade.auto_score is None
            for comment in notebook.comments:
                comment.auto_comment = None if graded.answered[notebook.name][comment.name] else "No response."
            notebook.late_submission_penalty = penalty
        gradebook.db.commit()


@pytest.mark.filterwarnings("ignore::sqlalchemy.exc.SAWarning")  # nbgrader's own
@pytest.mark.parametrize(("late", "penalty"), [("none", None), ("zero", 2.5)])
def test_a_new_submission_has_the_rows_that_nbgrader_writes(path: Path, tmp_path: Path, late: str, penalty):
    theirs = Path(shutil.copy(path, tmp_path / "theirs.db"))
    by_api(theirs, GRADED, penalty)

    with opened(path) as connection:
        record(connection, "ch08", GRADED, late=late)

    assert rows(path) == rows(theirs)


def test_recording_twice_changes_nothing(path: Path):
    with opened(path) as connection:
        record(connection, "ch08", GRADED, late="none")
        once = rows(path)
        record(connection, "ch08", GRADED, late="none")

    assert rows(path) == once


def test_what_a_person_wrote_stays(path: Path):
    with opened(path) as connection:
        record(connection, "ch08", GRADED, late="none")
        connection.execute("update grade set manual_score = 4, extra_credit = 1 where auto_score = 2.5")
        connection.execute("update comment set manual_comment = 'well done'")

        record(connection, "ch08", GRADED, late="zero")

    assert [row[4:] for row in rows(path) if row[5] in ("e1-check", "e1")] == [
        (5.0, "e1", "SolutionCell", None, None, None, None, None, "well done"),
        (5.0, "e1-check", "GradeCell", 2.5, 4.0, 1.0, 1, None, None),
    ]


def test_an_extension_moves_the_due_date(path: Path):
    with opened(path) as connection:
        record(connection, "ch08", GRADED, late="zero")
        connection.execute("update submitted_assignment set extension = '1970-01-01 02:00:00.000000'")

        record(connection, "ch08", GRADED, late="zero")

    assert {row[4] for row in rows(path)} == {None}


def test_what_came_in_time_or_at_no_known_time_is_not_late(path: Path):
    in_time = Graded("ben", DUE - timedelta(seconds=1), GRADED.scores, GRADED.answered)
    unknown = Graded("chloe", None, GRADED.scores, GRADED.answered)
    with opened(path) as connection:
        record(connection, "ch08", in_time, late="zero")
        record(connection, "ch08", unknown, late="zero")

    assert {(row[0], row[4]) for row in rows(path)} == {("ben", None), ("chloe", None)}


def test_a_notebook_that_was_not_graded_still_has_its_rows(path: Path):
    with opened(path) as connection:
        record(connection, "ch08", Graded("dana", None, {}, {}), late="none")

    assert [row[5:11] for row in rows(path) if row[6] == "GradeCell"] == [
        ("e1-check", "GradeCell", None, None, None, 1),
        ("w1", "GradeCell", None, None, None, 1),
    ]


def test_a_submission_that_fails_half_way_leaves_no_row(path: Path):
    broken = Graded("emil", WHEN, {"graph": {"e1-check": object()}}, {})  # type: ignore[dict-item]

    with opened(path) as connection, pytest.raises(GradebookError):
        record(connection, "ch08", broken, late="none")

    assert rows(path) == []


def test_a_session_that_was_never_released_is_named(path: Path):
    with opened(path) as connection, pytest.raises(GradebookError) as raised:
        record(connection, "ch09", GRADED, late="none")

    assert str(raised.value) == "the gradebook does not know 'ch09'; `nbgrader generate_assignment ch09` adds it"


def test_a_gradebook_that_is_not_there_is_named(tmp_path: Path):
    with pytest.raises(GradebookError) as raised, opened(tmp_path / "gradebook.db"):
        pass

    assert str(raised.value) == "gradebook.db: there is no gradebook yet; `nbgrader generate_assignment` makes it"


def test_a_gradebook_of_another_version_is_not_touched(path: Path):
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("update alembic_version set version_num = 'older'")

    with pytest.raises(GradebookError) as raised, opened(path):
        pass

    assert str(raised.value) == (
        "gradebook.db is of version older, not e43177bfe90b; `nbgrader db upgrade` brings it there"
    )


def test_a_file_that_is_no_database_is_named(tmp_path: Path):
    (tmp_path / "gradebook.db").write_bytes(b"half made" * 200)

    with pytest.raises(GradebookError) as raised, opened(tmp_path / "gradebook.db"):
        pass

    assert str(raised.value) == "gradebook.db can't be used: file is not a database"


def test_a_gradebook_that_is_read_only_is_named(path: Path):
    with opened(path) as connection:
        connection.execute("pragma query_only = on")

        with pytest.raises(GradebookError) as raised:
            record(connection, "ch08", GRADED, late="none")

    assert str(raised.value) == "the gradebook can't be written: attempt to write a readonly database"
