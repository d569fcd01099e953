"""nbgrader's gradebook, written directly: one submission is one transaction, with the rows nbgrader would write.

What a person wrote (manual scores, extra credit, comments) stays as it is. For a database that is not SQLite there is
`other_database`.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any, Protocol
from uuid import uuid4

from edgewise.course import Session
from edgewise.grading.gradebook.database import GradebookError, told, transaction
from edgewise.grading.gradebook.record import TABLE, Record, Recorded, keep, recorded_of

MOMENT = "%Y-%m-%d %H:%M:%S.%f"

MAX_UNFIT = 5


@dataclass(frozen=True, slots=True)
class Graded:
    """What one submission earned: `scores` and `answered` by notebook and cell id.

    A score of None waits for a person. `answered` says of each solution cell whether it differs from the stub.
    `timestamp` is naive UTC, or None where nobody noted when it came.
    """

    student: str
    timestamp: datetime | None
    scores: Mapping[str, Mapping[str, float | None]]
    answered: Mapping[str, Mapping[str, bool]]


class Gradebook(Protocol):
    """One session's grades, wherever they are kept."""

    def prepare(self) -> None:
        """Hold the gradebook against course.yml, write the due date down and make our table. Raises GradebookError."""

    def recorded(self, student: str) -> Recorded | None:
        """What was recorded last."""

    def writing(self, graded: Graded, record: Record) -> AbstractContextManager[None]:
        """Rows and record, written on entering, kept on leaving; an exception inside undoes both."""


class Sqlite:
    """A Gradebook in nbgrader's SQLite database."""

    def __init__(self, connection: sqlite3.Connection, session: Session, *, late: str) -> None:
        self._connection = connection
        self._session = session
        self._late = late

    def prepare(self) -> None:
        """Hold the gradebook against course.yml, write the due date down and make our table. Raises GradebookError."""
        refuse_unfit(self._session, _cells_of(self._connection, self._session.id))
        due = None if self._session.due is None else self._session.due.astimezone(UTC).strftime(MOMENT)
        with transaction(self._connection):
            self._connection.execute(TABLE)
            self._connection.execute(
                "delete from edgewise_grade where submission_id not in (select id from submitted_assignment)"
            )
            self._connection.execute(
                "update assignment set duedate = ?1 where name = ?2 and duedate is not ?1", (due, self._session.id)
            )

    def recorded(self, student: str) -> Recorded | None:
        """What was recorded last. Raises GradebookError."""
        with told():
            return recorded_of(self._connection, self._session.id, student)

    @contextmanager
    def writing(self, graded: Graded, record: Record) -> Iterator[None]:
        """Rows and record, written on entering, kept on leaving; an exception inside undoes both."""
        with transaction(self._connection):
            keep(self._connection, write(self._connection, self._session.id, graded, late=self._late), record)
            yield


Cells = Mapping[tuple[str, str | None], float | None]
"""Points by notebook and cell; None where a cell has none."""


def _cells_of(connection: sqlite3.Connection, session: str) -> Cells | None:
    """The cells of a session as the gradebook has them; None where it does not know the session."""
    with told("the gradebook can't be read"):
        if not connection.execute("select 1 from assignment where name = ?", (session,)).fetchone():
            return None
        return {
            (notebook, cell): points
            for notebook, cell, points in connection.execute(
                "select notebook.name, base_cell.name, max_score from assignment "
                "join notebook on notebook.assignment_id = assignment.id "
                "left join base_cell on base_cell.notebook_id = notebook.id "
                "left join grade_cells on grade_cells.id = base_cell.id "
                "where assignment.name = ? order by max_score is not null",
                (session,),
            )
        }


def refuse_unfit(session: Session, cells: Cells | None) -> None:
    """Raises GradebookError for what the gradebook lacks of a session as course.yml lists it."""
    found = [f"does not know {session.id!r}"] if cells is None else [*_unfit(session, cells)]
    if found:
        more = f"; and {len(found) - MAX_UNFIT} more" if len(found) > MAX_UNFIT else ""
        said = "; ".join(found[:MAX_UNFIT])
        raise GradebookError(f"the gradebook {said}{more}. `edgewise build {session.id}` puts that right")


def _unfit(session: Session, cells: Cells) -> Iterator[str]:
    known = {notebook for notebook, _ in cells}
    for notebook in session.notebooks:
        if notebook.name not in known:
            yield f"does not know the notebook {notebook.name!r} of {session.id!r}"
            continue
        for exercise in notebook.exercises:
            cell = exercise.id if exercise.written else f"{exercise.id}-check"
            points = cells.get((notebook.name, cell))
            if points is None:
                yield f"has no points for {cell!r} in {notebook.name!r}"
            elif points != exercise.points:
                yield f"gives {points:g} points for {cell!r}, course.yml {exercise.points:g}"


def write(connection: sqlite3.Connection, session: str, graded: Graded, *, late: str) -> str:
    """Write nbgrader's rows of one submission; its id. `late` is "none" or "zero"."""
    found = connection.execute("select id, duedate from assignment where name = ?", (session,)).fetchone()
    if found is None:
        raise GradebookError(f"the gradebook does not know {session!r}; `edgewise build {session}` adds it")
    assignment, due = found
    connection.execute("insert or ignore into student (id) values (?)", (graded.student,))
    submission = _row(
        connection, "submitted_assignment", {"assignment_id": assignment, "student_id": graded.student}, {}
    )
    stamp = None if graded.timestamp is None else graded.timestamp.strftime(MOMENT)
    connection.execute("update submitted_assignment set timestamp = ? where id = ?", (stamp, submission))
    extension = connection.execute("select extension from submitted_assignment where id = ?", (submission,)).fetchone()[
        0
    ]
    is_late = _seconds_late(graded.timestamp, due, extension) > 0
    notebooks = connection.execute("select id, name from notebook where assignment_id = ?", (assignment,)).fetchall()
    for notebook, name in notebooks:
        mine = _row(
            connection,
            "submitted_notebook",
            {"assignment_id": submission, "notebook_id": notebook},
            {"flagged": False},
        )
        _grades(connection, mine, notebook, graded.scores.get(name, {}))
        _comments(connection, mine, notebook, graded.answered.get(name, {}))
        penalty = _score(connection, mine, notebook) if is_late and late == "zero" else None
        connection.execute("update submitted_notebook set late_submission_penalty = ? where id = ?", (penalty, mine))
    return submission


def _row(connection: sqlite3.Connection, table: str, key: dict[str, str], new: dict[str, Any]) -> str:
    """The id of the row with this key, made with `new` where there is none."""
    where = " and ".join(f"{column} = ?" for column in key)
    found = connection.execute(f"select id from {table} where {where}", (*key.values(),)).fetchone()  # noqa: S608
    if found:
        return str(found[0])
    row = {"id": uuid4().hex, **key, **new}
    columns, marks = ", ".join(row), ", ".join("?" * len(row))
    connection.execute(f"insert into {table} ({columns}) values ({marks})", (*row.values(),))  # noqa: S608
    return str(row["id"])


def _cells(connection: sqlite3.Connection, notebook: str, *types: str) -> list[tuple[str, str]]:
    marks = ", ".join("?" * len(types))
    query = f"select id, name from base_cell where notebook_id = ? and type in ({marks})"  # noqa: S608
    return connection.execute(query, (notebook, *types)).fetchall()


def _grades(connection: sqlite3.Connection, mine: str, notebook: str, scores: Mapping[str, float | None]) -> None:
    for cell, name in _cells(connection, notebook, "GradeCell", "TaskCell"):
        row = _row(connection, "grade", {"notebook_id": mine, "cell_id": cell}, {"needs_manual_grade": True})
        if name in scores:
            connection.execute(
                "update grade set auto_score = ?1, needs_manual_grade = (manual_score is not null or ?1 is null) "
                "where id = ?2",
                (scores[name], row),
            )


def _comments(connection: sqlite3.Connection, mine: str, notebook: str, answered: Mapping[str, bool]) -> None:
    for cell, name in _cells(connection, notebook, "SolutionCell", "TaskCell"):
        row = _row(connection, "comment", {"notebook_id": mine, "cell_id": cell}, {})
        if name in answered:
            said = None if answered[name] else "No response."
            connection.execute("update comment set auto_comment = ? where id = ?", (said, row))


def _score(connection: sqlite3.Connection, mine: str, notebook: str) -> float:
    """The notebook's score as nbgrader adds it up: manual before automatic, and extra credit on top."""
    total = connection.execute(
        "select sum(coalesce(manual_score, auto_score, 0) + coalesce(extra_credit, 0)) "
        "from grade where notebook_id = ? and cell_id in (select id from base_cell where notebook_id = ?)",
        (mine, notebook),
    ).fetchone()[0]
    return float(total or 0)


def _seconds_late(timestamp: datetime | None, due: str | None, extension: str | None) -> float:
    """How late a submission is. nbgrader keeps an extension as a date so much after 1970."""
    if timestamp is None or due is None:
        return 0.0
    until = datetime.fromisoformat(due)
    if extension is not None:
        until += datetime.fromisoformat(extension) - datetime(1970, 1, 1)  # naive, as the rest is
    return (timestamp - until) / timedelta(seconds=1)
