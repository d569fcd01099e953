"""The rows written directly are those that nbgrader's own API writes."""

from __future__ import annotations

import shutil
import sqlite3
from contextlib import closing
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from edgewise.course import Session
from edgewise.grading.gradebook.database import GradebookError, opened, transaction
from edgewise.grading.gradebook.record import Record, Stamp, recorded
from edgewise.grading.gradebook.rows import Graded, Sqlite, write
from tests.grading.conftest import DUE
from tests.grading.fake import Class

WHEN = datetime(2026, 9, 24, 12, 0)

GRADED = Graded(
    "ada",
    WHEN,
    scores={"graph": {"ch08-e3-check": 2.5, "ch08-w1": None}},
    answered={"graph": {"ch08-e3": True, "ch08-w1": False}},
)
STAMP = Stamp("submission", "source", "course", "checks", "engine")
RECORD = Record("id", STAMP, {"points": 2.5})

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


def record(connection: sqlite3.Connection, graded: Graded, *, late: str) -> None:
    with transaction(connection):
        write(connection, "ch08", graded, late=late)


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

    with opened(path, "ch08") as connection:
        record(connection, GRADED, late=late)

    assert rows(path) == rows(theirs)


def test_recording_twice_changes_nothing(path: Path):
    with opened(path, "ch08") as connection:
        record(connection, GRADED, late="none")
        once = rows(path)
        record(connection, GRADED, late="none")

    assert rows(path) == once


def test_what_a_person_wrote_stays(path: Path):
    with opened(path, "ch08") as connection:
        record(connection, GRADED, late="none")
        connection.execute("update grade set manual_score = 4, extra_credit = 1 where auto_score = 2.5")
        connection.execute("update comment set manual_comment = 'well done'")

        record(connection, GRADED, late="zero")

    assert [row[4:] for row in rows(path) if row[5] in ("ch08-e3-check", "ch08-e3")] == [
        (5.0, "ch08-e3", "SolutionCell", None, None, None, None, None, "well done"),
        (5.0, "ch08-e3-check", "GradeCell", 2.5, 4.0, 1.0, 1, None, None),
    ]


def test_an_extension_moves_the_due_date(path: Path):
    with opened(path, "ch08") as connection:
        record(connection, GRADED, late="zero")
        connection.execute("update submitted_assignment set extension = '1970-01-01 02:00:00.000000'")

        record(connection, GRADED, late="zero")

    assert {row[4] for row in rows(path)} == {None}


def test_what_came_in_time_or_at_no_known_time_is_not_late(path: Path):
    in_time = Graded("ben", DUE - timedelta(seconds=1), GRADED.scores, GRADED.answered)
    unknown = Graded("chloe", None, GRADED.scores, GRADED.answered)
    with opened(path, "ch08") as connection:
        record(connection, in_time, late="zero")
        record(connection, unknown, late="zero")

    assert {(row[0], row[4]) for row in rows(path)} == {("ben", None), ("chloe", None)}


def test_a_notebook_that_was_not_graded_still_has_its_rows(path: Path):
    with opened(path, "ch08") as connection:
        record(connection, Graded("dana", None, {}, {}), late="none")

    assert [row[5:11] for row in rows(path) if row[6] == "GradeCell"] == [
        ("ch08-e3-check", "GradeCell", None, None, None, 1),
        ("ch08-w1", "GradeCell", None, None, None, 1),
    ]


def test_a_submission_that_fails_half_way_leaves_no_row(path: Path):
    broken = Graded("emil", WHEN, {"graph": {"ch08-e3-check": object()}}, {})  # type: ignore[dict-item]

    with opened(path, "ch08") as connection, pytest.raises(GradebookError):
        record(connection, broken, late="none")

    assert rows(path) == []


def test_a_session_that_was_never_released_has_no_rows(path: Path):
    with opened(path, "ch09") as connection, pytest.raises(GradebookError) as raised:
        write(connection, "ch09", GRADED, late="none")

    assert str(raised.value) == "the gradebook does not know 'ch09'; `edgewise build ch09` adds it"


@pytest.fixture
def session(school: Class) -> Session:
    return school.session


def test_a_record_is_read_back_with_what_it_rests_on(path: Path, session: Session):
    with opened(path, "ch08") as connection:
        gradebook = Sqlite(connection, session, late="none")
        gradebook.prepare()
        with gradebook.writing(GRADED, RECORD):
            pass
        found = gradebook.recorded("ada")

        assert (found, list(recorded(connection, "ch08")), gradebook.recorded("ben")) == (found, [found], None)
        assert found is not None
        assert (found.student, found.grading, found.stamp, found.data, found.is_extended) == (
            "ada",
            "id",
            {
                "submission": "submission",
                "source": "source",
                "course": "course",
                "checks": "checks",
                "engine": "engine",
            },
            {"points": 2.5},
            False,
        )


def test_neither_rows_nor_record_are_there_after_an_exception(path: Path, session: Session):
    with opened(path, "ch08") as connection:
        gradebook = Sqlite(connection, session, late="none")
        gradebook.prepare()
        with pytest.raises(ZeroDivisionError), gradebook.writing(GRADED, RECORD):
            raise ZeroDivisionError

        assert (rows(path), gradebook.recorded("ada")) == ([], None)


def test_an_extension_that_is_granted_later_is_noticed(path: Path, session: Session):
    with opened(path, "ch08") as connection:
        gradebook = Sqlite(connection, session, late="zero")
        gradebook.prepare()
        with gradebook.writing(GRADED, RECORD):
            pass
        connection.execute("update submitted_assignment set extension = '1970-01-01 02:00:00.000000'")
        found = gradebook.recorded("ada")

        assert found is not None and found.is_extended


def test_the_record_of_a_submission_that_nbgrader_removed_goes_too(path: Path, session: Session):
    with opened(path, "ch08") as connection:
        gradebook = Sqlite(connection, session, late="none")
        gradebook.prepare()
        with gradebook.writing(GRADED, RECORD):
            pass
        connection.execute("pragma foreign_keys = off")
        connection.execute("delete from submitted_assignment")
        gradebook.prepare()

        assert connection.execute("select count(*) from edgewise_grade").fetchone() == (0,)


@pytest.mark.parametrize(
    ("due", "written"),
    [(None, None), (datetime(2026, 9, 30, 22, tzinfo=UTC), "2026-09-30 22:00:00.000000")],
)
def test_the_due_date_is_the_one_of_course_yml(path: Path, session: Session, due: datetime | None, written: str | None):
    with opened(path, "ch08") as connection:
        Sqlite(connection, replace(session, due=due), late="none").prepare()

        assert connection.execute("select duedate from assignment").fetchone() == (written,)


def renamed(session: Session, **changes: object) -> Session:
    return replace(session, notebooks=tuple(replace(notebook, **changes) for notebook in session.notebooks))  # type: ignore[arg-type]


def pointed(session: Session, **changes: object) -> Session:
    exercises = [replace(one, **changes) for one in session.exercises]  # type: ignore[arg-type]
    return renamed(session, exercises=tuple(exercises))


NO_STORM = "does not know the notebook 'storm' of 'ch08'"
UNFIT = {
    "session": (
        lambda session: replace(session, id="ch09"),
        "the gradebook does not know 'ch09'. `edgewise build ch09` puts that right",
    ),
    "notebook": (
        lambda session: renamed(session, name="storm"),
        f"the gradebook {NO_STORM}. `edgewise build ch08` puts that right",
    ),
    "cell": (
        lambda session: pointed(session, id="ch08-e9"),
        "the gradebook has no points for 'ch08-e9-check' in 'graph'; has no points for 'ch08-e9' in 'graph'. "
        "`edgewise build ch08` puts that right",
    ),
    "points": (
        lambda session: pointed(session, points=12.5),
        "the gradebook gives 10 points for 'ch08-e3-check', course.yml 12.5; "
        "gives 3 points for 'ch08-w1', course.yml 12.5. `edgewise build ch08` puts that right",
    ),
    "many": (
        lambda session: replace(
            session, notebooks=session.notebooks * 3 + renamed(session, name="storm").notebooks * 7
        ),
        f"the gradebook {'; '.join(5 * [NO_STORM])}; and 2 more. `edgewise build ch08` puts that right",
    ),
}


@pytest.mark.parametrize("what", UNFIT)
def test_a_gradebook_that_does_not_fit_course_yml_is_named_with_the_command_to_run(path: Path, session: Session, what):
    change, said = UNFIT[what]
    with opened(path, "ch08") as connection, pytest.raises(GradebookError) as raised:
        Sqlite(connection, change(session), late="none").prepare()

    assert str(raised.value) == said


@pytest.mark.filterwarnings("ignore::sqlalchemy.exc.SAWarning")  # nbgrader's own
def test_nbgrader_goes_on_with_a_gradebook_that_has_our_table(path: Path, session: Session):
    with opened(path, "ch08") as connection:
        gradebook = Sqlite(connection, session, late="none")
        gradebook.prepare()
        with gradebook.writing(GRADED, RECORD):
            pass
    by_api(path, replace(GRADED, scores={"graph": {"ch08-e3-check": 4, "ch08-w1": None}}), None)
    with opened(path, "ch08") as connection:
        found = Sqlite(connection, session, late="none").recorded("ada")

    assert (found is not None, [row[7] for row in rows(path) if row[6] == "GradeCell"]) == (True, [4.0, None])
