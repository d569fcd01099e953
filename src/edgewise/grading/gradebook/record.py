"""What is kept of a grade beside nbgrader's rows: what it rests on, what was found, and which folder belongs to it.

A table of our own in nbgrader's gradebook, which nbgrader ignores; written in the transaction of the rows.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from typing import Any

from edgewise.grading.judging.outcome import Outcome

TABLE = """
create table if not exists edgewise_grade (
    submission_id varchar(32) primary key,
    grading varchar(32) not null,
    stamp text not null,
    extension text,
    record text not null
)
"""

FIND = """
select student_id, grading, stamp, record, submitted_assignment.extension is not edgewise_grade.extension
from edgewise_grade join submitted_assignment on submitted_assignment.id = submission_id
join assignment on assignment.id = assignment_id where assignment.name = ?
"""

WHY = {
    "submission": "the submission changed",
    "source": "the released notebooks changed",
    "course": "course.yml changed",
    "checks": "the check changed",
    "engine": "edgewise or Python changed",
}
"""By the parts of a stamp."""


@dataclass(frozen=True, slots=True)
class Stamp:
    """What a grade rests on, each part a hash."""

    submission: str
    source: str
    course: str
    checks: str
    engine: str

    def changed(self, before: Mapping[str, Any]) -> tuple[str, ...]:
        """Why a grade that rested on `before` no longer stands: a sentence's end for each part."""
        return tuple(why for part, why in WHY.items() if getattr(self, part) != before.get(part))


@dataclass(frozen=True, slots=True)
class Record:
    """Everything kept of one grade. `grading` is its id, which its folder holds too; `data` is what was found."""

    grading: str
    stamp: Stamp
    data: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Recorded:
    """A record as the gradebook has it; `is_extended` says that the student's extension has changed since."""

    student: str
    grading: str
    stamp: Mapping[str, Any]
    data: Mapping[str, Any]
    is_extended: bool


def data_of(outcome: Outcome) -> dict[str, Any]:
    """What is kept of an outcome."""
    return {
        "points": outcome.points,
        "max_points": outcome.max_points,
        "repairs": [asdict(repair) for repair in outcome.repairs],
        "problems": [asdict(problem) for problem in outcome.problems],
        "depth": outcome.depth,
        "seed": outcome.seed,
        "reports": [dict(report) for report in outcome.reports],
        "layers": None if outcome.layers is None else [[layer.name, layer.on] for layer in outcome.layers],
        "seconds": dict(outcome.seconds),
    }


def keep(connection: sqlite3.Connection, submission: str, record: Record) -> None:
    """Write the record of the submission with this id, in the transaction that is open."""
    connection.execute(
        "insert or replace into edgewise_grade (submission_id, grading, stamp, record, extension) "
        "select id, ?, ?, ?, extension from submitted_assignment where id = ?",
        (record.grading, json.dumps(asdict(record.stamp)), json.dumps(record.data), submission),
    )


def recorded(connection: sqlite3.Connection, session: str) -> Iterator[Recorded]:
    """The records of a session, by student, one at a time."""
    for row in connection.execute(f"{FIND} order by student_id", (session,)):
        yield _recorded(row)


def recorded_of(connection: sqlite3.Connection, session: str, student: str) -> Recorded | None:
    """One student's record of a session."""
    row = connection.execute(f"{FIND} and student_id = ?", (session, student)).fetchone()
    return None if row is None else _recorded(row)


def _recorded(row: tuple[str, str, str, str, int]) -> Recorded:
    student, grading, stamp, record, is_extended = row
    return Recorded(student, grading, json.loads(stamp), json.loads(record), bool(is_extended))
