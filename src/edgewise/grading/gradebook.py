"""nbgrader's gradebook, written directly: one submission is one transaction, with the rows nbgrader would write.

What a person wrote (manual scores, extra credit, comments) stays as it is. For a database that is not SQLite,
or not of the schema known here, use nbgrader's own API.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any
from uuid import uuid4

SCHEMA = "e43177bfe90b"
"""The version of nbgrader 0.9's database that these rows fit (table alembic_version)."""

WAIT_SECONDS = 30.0
"""How long to wait for somebody else's transaction."""


class GradebookError(Exception):
    """A gradebook that can't be written: not there, of another version, locked, read-only, full."""


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


@contextmanager
def opened(path: Path) -> Iterator[sqlite3.Connection]:
    """A connection to the gradebook in `path`. Raises GradebookError."""
    if not path.is_file():
        raise GradebookError(f"{path.name}: there is no gradebook yet; `nbgrader generate_assignment` makes it")
    connection = sqlite3.connect(path, timeout=WAIT_SECONDS, isolation_level=None)
    try:
        version = connection.execute("select version_num from alembic_version").fetchone()
        if version != (SCHEMA,):
            found = version[0] if version else "none"
            raise GradebookError(
                f"{path.name} is of version {found}, not {SCHEMA}; `nbgrader db upgrade` brings it there"
            )
        connection.execute("pragma foreign_keys = on")
        yield connection
    except sqlite3.Error as error:
        raise GradebookError(f"{path.name} can't be used: {error}") from None
    finally:
        connection.close()


def record(connection: sqlite3.Connection, session: str, graded: Graded, *, late: str) -> None:
    """Write the rows of one submission, all of them or none. `late` is "none" or "zero".

    Raises GradebookError when the gradebook does not know the session, or can't be written.
    """
    try:
        connection.execute("begin immediate")
        try:
            _write(connection, session, graded, late)
        except BaseException:
            connection.execute("rollback")
            raise
        connection.execute("commit")
    except sqlite3.Error as error:
        raise GradebookError(f"the gradebook can't be written: {error}") from None


def _write(connection: sqlite3.Connection, session: str, graded: Graded, late: str) -> None:
    found = connection.execute("select id, duedate from assignment where name = ?", (session,)).fetchone()
    if found is None:
        raise GradebookError(
            f"the gradebook does not know {session!r}; `nbgrader generate_assignment {session}` adds it"
        )
    assignment, due = found
    connection.execute("insert or ignore into student (id) values (?)", (graded.student,))
    submission = _row(
        connection, "submitted_assignment", {"assignment_id": assignment, "student_id": graded.student}, {}
    )
    stamp = None if graded.timestamp is None else graded.timestamp.strftime("%Y-%m-%d %H:%M:%S.%f")
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
        penalty = _score(connection, mine) if is_late and late == "zero" else None
        connection.execute("update submitted_notebook set late_submission_penalty = ? where id = ?", (penalty, mine))


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


def _score(connection: sqlite3.Connection, mine: str) -> float:
    """The notebook's score as nbgrader adds it up: manual before automatic, and extra credit on top."""
    total = connection.execute(
        "select sum(coalesce(manual_score, auto_score, 0) + coalesce(extra_credit, 0)) "
        "from grade where notebook_id = ?",
        (mine,),
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
