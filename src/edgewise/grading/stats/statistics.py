"""Item statistics of a session: what its records and nbgrader's rows say, read one student at a time.

Points are those that count: a person's before the judge's, without extra credit and before any penalty.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from typing import Any

from edgewise.checking.engine import load_check
from edgewise.course import Course, Exercise, Notebook, Session
from edgewise.grading.gradebook.database import WAIT_SECONDS, opened, told
from edgewise.grading.gradebook.record import Recorded, recorded
from edgewise.grading.gradebook.standing import StandingError, folder_of, shared, stamp, students
from edgewise.grading.stats.item import Stats
from edgewise.grading.stats.tally import Part, Tally

ROWS = """
select base_cell.name, max(manual_score), max(auto_score), max(auto_comment = 'No response.')
from assignment
cross join submitted_assignment
    on submitted_assignment.assignment_id = assignment.id and submitted_assignment.student_id = ?2
cross join notebook on notebook.assignment_id = assignment.id
cross join submitted_notebook
    on submitted_notebook.notebook_id = notebook.id and submitted_notebook.assignment_id = submitted_assignment.id
cross join base_cell on base_cell.notebook_id = notebook.id
left join grade on grade.cell_id = base_cell.id and grade.notebook_id = submitted_notebook.id
left join comment on comment.cell_id = base_cell.id and comment.notebook_id = submitted_notebook.id
where assignment.name = ?1 group by base_cell.name
"""
"""One student's points and answers by cell; joined in this order, each table is found by its own index."""

Rows = Mapping[str, tuple[float | None, float | None, int | None]]


class NothingGradedError(Exception):
    """No grade of the session is recorded."""


def stats(course: Course, session: Session, *, wait_seconds: float = WAIT_SECONDS) -> Stats:
    """What a session's gradebook holds, exercise by exercise.

    Raises GradebookError, NothingGradedError, and CheckError for a check that cannot be read.
    """
    with _read(course, session, wait_seconds) as marks:
        made = Class(course, session)
        for record, rows in marks:
            made.add(record, rows)
    if not made.graded:
        raise NothingGradedError(
            f"no grade of {session.id!r} is recorded yet; `edgewise grade {session.id}` grades what is handed in"
        )
    return made.stats()


@contextmanager
def _read(course: Course, session: Session, wait_seconds: float) -> Iterator[Iterator[tuple[Recorded, Rows]]]:
    """What each student earned; it fits together, whatever is written meanwhile. Raises GradebookError."""
    if course.layout.has_url:
        from edgewise.grading.gradebook.other_database import connected, marks

        with (
            connected(course.database_url, session.id, wait_seconds=wait_seconds) as engine,
            closing(marks(engine, session.id)) as found,
        ):
            yield found
        return
    with (
        opened(course.root / course.layout.database, session.id, wait_seconds=wait_seconds) as connection,
        told("the gradebook can't be read"),
    ):
        connection.execute("begin")
        yield _marks(connection, session.id)


def _marks(connection: sqlite3.Connection, session: str) -> Iterator[tuple[Recorded, Rows]]:
    """One student after another, or none where no run has made our table yet."""
    if connection.execute("select 1 from sqlite_master where name = 'edgewise_grade'").fetchone():
        for record in recorded(connection, session):
            yield record, {name: values for name, *values in connection.execute(ROWS, (session, record.student))}


class Class:
    """A class as it is counted: no more of it is kept than who has handed in."""

    def __init__(self, course: Course, session: Session) -> None:
        self._course = course
        self._session = session
        self._tallies = {
            one.id: Tally(one, None if one.written else load_check(course.check_path(one))) for one in session.exercises
        }
        self._common = shared(course, session)
        self._handed_in = _handed_in(course, session)
        self.graded = self._out_of_date = self._gone = 0

    def add(self, record: Recorded, rows: Mapping[str, Any]) -> None:
        """Count one student's record and rows."""
        self.graded += 1
        if record.student not in self._handed_in:
            self._gone += 1
        elif self._is_out_of_date(record):
            self._out_of_date += 1
        reports = {report["exercise"]: report for report in record.data["reports"]}
        parts = {one.id: _part(one, rows, reports.get(one.id)) for one in self._session.exercises}
        checked = {one.id: parts[one.id].points for one in self._session.exercises if not one.written}
        for notebook in self._session.notebooks:
            is_there = _is_handed_in(notebook, parts)
            for exercise in notebook.exercises:
                part = parts[exercise.id]
                if is_there or part.by_hand:
                    self._tallies[exercise.id].add(part, _rest(exercise, checked))
                else:
                    self._tallies[exercise.id].left_out()

    def _is_out_of_date(self, record: Recorded) -> bool:
        now = stamp(self._common, folder_of(self._course, self._session, record.student))
        return record.is_extended or bool(now.changed(record.stamp))

    def stats(self) -> Stats:
        """The statistics of all that were counted."""
        return Stats(
            self._session.id,
            self._session.title,
            tuple(tally.item() for tally in self._tallies.values()),
            graded=self.graded,
            ungraded=len(self._handed_in) - (self.graded - self._gone),
            out_of_date=self._out_of_date,
            gone=self._gone,
        )


def _handed_in(course: Course, session: Session) -> frozenset[str]:
    try:
        return frozenset(students(course, session))
    except StandingError:  # submissions may be put away once a session is over
        return frozenset()


def _part(exercise: Exercise, rows: Rows, report: Mapping[str, Any] | None) -> Part:
    """What the rows and the report say of one exercise."""
    nothing = (None, None, None)
    manual, automatic, _ = rows.get(exercise.id if exercise.written else f"{exercise.id}-check", nothing)
    untouched = bool(rows.get(exercise.id, nothing)[2])
    return Part(automatic if manual is None else manual, manual is not None, untouched, report)


def _is_handed_in(notebook: Notebook, parts: Mapping[str, Part]) -> bool:
    """Whether the notebook was handed in: a check said something in it, or a person is awaited.

    One without checks is told by its answers. nbgrader gives what was left out 0 points, and no comment.
    """
    checked = [exercise for exercise in notebook.exercises if not exercise.written]
    mine = [parts[exercise.id] for exercise in checked or notebook.exercises]
    return any(part.report is not None or part.points is None or (part.untouched and not checked) for part in mine)


def _rest(exercise: Exercise, checked: Mapping[str, float | None]) -> float | None:
    """The points of all other exercises that a check gives points for; None where one of them waits.

    Rounded, so that equal points are equal in whatever order they were added.
    """
    rest = [points for name, points in checked.items() if name != exercise.id]
    return round(sum(points for points in rest if points is not None), 9) if None not in rest else None
