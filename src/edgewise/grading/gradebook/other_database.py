"""nbgrader's gradebook in a database that is not SQLite, by nbgrader's own classes: a submission is one transaction.

The rows are those that nbgrader would write; what a person wrote stays as it is. Imported only where course.yml names
a database by its URL. Tested with PostgreSQL.
"""

from __future__ import annotations

import json
from collections.abc import Generator, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict
from datetime import UTC
from typing import Any
from uuid import uuid4

from nbgrader.api import (
    Assignment,
    BaseCell,
    Comment,
    Grade,
    GradeCell,
    Notebook,
    Student,
    SubmittedAssignment,
    SubmittedNotebook,
)
from nbgrader.plugins import LateSubmissionPlugin
from sqlalchemy import (
    Column,
    Engine,
    Interval,
    MetaData,
    String,
    Table,
    Text,
    create_engine,
    delete,
    insert,
    inspect,
    select,
    text,
    update,
)
from sqlalchemy.exc import ArgumentError, DataError, DBAPIError, NoSuchModuleError, SQLAlchemyError
from sqlalchemy.orm import Session as Transaction

from edgewise.course import Session
from edgewise.grading.gradebook.database import WAIT_SECONDS, GradebookError, hold_to_version
from edgewise.grading.gradebook.record import Record, Recorded
from edgewise.grading.gradebook.rows import Graded, refuse_unfit
from edgewise.grading.gradebook.writer import PlaceError

RECORDS = Table(
    "edgewise_grade",
    MetaData(),
    Column("submission_id", String(32), primary_key=True),
    Column("grading", String(32), nullable=False),
    Column("stamp", Text, nullable=False),
    Column("extension", Interval),
    Column("record", Text, nullable=False),
)
"""The table of edgewise.grading.gradebook.record; `extension` is of the type that nbgrader's is."""

MARKS = text("""
select base_cell.name, max(manual_score), max(auto_score),
       max(case when auto_comment = 'No response.' then 1 when auto_comment is not null then 0 end)
from assignment
join submitted_assignment on submitted_assignment.assignment_id = assignment.id
join notebook on notebook.assignment_id = assignment.id
join submitted_notebook
    on submitted_notebook.notebook_id = notebook.id and submitted_notebook.assignment_id = submitted_assignment.id
join base_cell on base_cell.notebook_id = notebook.id
left join grade on grade.cell_id = base_cell.id and grade.notebook_id = submitted_notebook.id
left join comment on comment.cell_id = base_cell.id and comment.notebook_id = submitted_notebook.id
where assignment.name = :session and submitted_assignment.student_id = :student group by base_cell.name
""")

TIMED = ("psycopg", "psycopg2")
"""Drivers that wait for ever, unless they are given a `connect_timeout`, in seconds."""


@contextmanager
def connected(url: str, session: str, *, wait_seconds: float = WAIT_SECONDS) -> Iterator[Engine]:
    """The database at `url`, for grading a session. Raises GradebookError."""
    engine = _engine(url, wait_seconds)
    name = f"the database {engine.url.database!r}"
    try:
        with _told(f"{name} can't be read"), engine.connect() as connection:
            tables = inspect(connection).get_table_names()
            asked = text("select version_num from alembic_version")
            version = connection.scalar(asked) if "alembic_version" in tables else None
        hold_to_version(tables, version, name, session)
        yield engine
    finally:
        engine.dispose()


def _engine(url: str, wait_seconds: float) -> Engine:
    try:
        engine = create_engine(url, pool_pre_ping=True)
        if engine.driver not in TIMED or "connect_timeout" in engine.url.query:
            return engine
        return create_engine(url, pool_pre_ping=True, connect_args={"connect_timeout": max(1, int(wait_seconds))})
    except NoSuchModuleError:
        kind = url.partition(":")[0]
        raise GradebookError(f"SQLAlchemy has no {kind!r}; a database is named as in postgresql://…") from None
    except ArgumentError:
        raise GradebookError("SQLAlchemy cannot read the URL that is the database of course.yml") from None
    except ModuleNotFoundError as error:
        raise GradebookError(f"the database's driver is not installed; `pip install {error.name}` brings it") from None


class Api:
    """A Gradebook in whatever database nbgrader's classes reach."""

    def __init__(self, engine: Engine, session: Session, *, late: str, wait_seconds: float = WAIT_SECONDS) -> None:
        self._engine = engine
        self._session = session
        self._late = LateSubmissionPlugin(penalty_method=late)
        self._wait_seconds = wait_seconds

    def prepare(self) -> None:
        """Hold the gradebook against course.yml, write the due date down and make our table. Raises GradebookError."""
        due = None if self._session.due is None else self._session.due.astimezone(UTC).replace(tzinfo=None)
        with _told(), self._transaction() as now:
            refuse_unfit(self._session, _cells(now, self._session.id))
            RECORDS.create(now.connection(), checkfirst=True)
            now.execute(delete(RECORDS).where(RECORDS.c.submission_id.not_in(select(SubmittedAssignment.id))))
            unlike = Assignment.duedate.is_distinct_from(due)
            now.execute(update(Assignment).where(Assignment.name == self._session.id, unlike).values(duedate=due))

    def recorded(self, student: str) -> Recorded | None:
        """What was recorded last. Raises GradebookError."""
        with _told("the gradebook can't be read"), self._transaction() as now:
            return next(_recorded(now, self._session.id, student), None)

    @contextmanager
    def writing(self, graded: Graded, record: Record) -> Iterator[None]:
        """Rows and record, written on entering, kept on leaving; an exception inside undoes both."""
        with _told(), self._transaction() as now:
            submission = self._written(now, graded)
            _keep(now, submission, record)
            yield

    @contextmanager
    def _transaction(self) -> Iterator[Transaction]:
        with Transaction(self._engine) as now, now.begin():
            if self._engine.dialect.name == "postgresql":
                now.execute(text(f"set local lock_timeout = '{self._wait_seconds:g}s'"))
            yield now

    def _written(self, now: Transaction, graded: Graded) -> Any:
        """Every row of one submission as nbgrader has it; the submission's own comes back."""
        assignment = now.scalars(select(Assignment).where(Assignment.name == self._session.id)).one()
        if now.get(Student, graded.student) is None:
            now.add(Student(id=graded.student))
            with _told_of(graded.student):
                now.flush()
        submission = _row(now, SubmittedAssignment, assignment_id=assignment.id, student_id=graded.student)
        submission.timestamp = graded.timestamp
        late = 0.0 if assignment.duedate is None else submission.total_seconds_late
        for notebook in now.scalars(select(Notebook).where(Notebook.assignment_id == assignment.id)):
            mine = _row(now, SubmittedNotebook, assignment_id=submission.id, notebook_id=notebook.id)
            _grades(now, mine, graded.scores.get(notebook.name, {}))
            _comments(now, mine, graded.answered.get(notebook.name, {}))
            now.flush()
            mine.late_submission_penalty = self._penalty(now, mine, graded.student, late)
        now.flush()
        return submission

    def _penalty(self, now: Transaction, mine: Any, student: str, late: float) -> float | None:
        """What nbgrader's plugin takes off, no more than there is."""
        if late <= 0:
            return None
        now.refresh(mine, ["score"])
        score = float(mine.score or 0)
        penalty = self._late.late_submission_penalty(student, score, late)
        return None if penalty is None else min(max(float(penalty), 0.0), score)


def marks(engine: Engine, session: str) -> Generator[tuple[Recorded, dict[str, Any]]]:
    """Each record of a session, with the student's manual and automatic points and, for an answer, whether it is none.

    All of one moment, one student at a time; nothing where no run has made our table yet. Raises GradebookError.
    """
    with _told("the gradebook can't be read"), Transaction(engine) as now:
        if not inspect(now.connection(execution_options={"isolation_level": "SERIALIZABLE"})).has_table(RECORDS.name):
            return
        of_it = select(SubmittedAssignment.student_id).join(Assignment).where(Assignment.name == session)
        for student in now.scalars(of_it.order_by(SubmittedAssignment.student_id)).all():
            for record in _recorded(now, session, student):
                rows = now.execute(MARKS, {"session": session, "student": student})
                yield record, {name: values for name, *values in rows}


def _recorded(now: Transaction, session: str, student: str) -> Iterator[Recorded]:
    """The student's record, if there is one."""
    is_extended = RECORDS.c.extension.is_distinct_from(SubmittedAssignment.extension)
    found = now.execute(
        select(RECORDS.c.grading, RECORDS.c.stamp, RECORDS.c.record, is_extended)
        .join(SubmittedAssignment, SubmittedAssignment.id == RECORDS.c.submission_id)
        .join(Assignment, Assignment.id == SubmittedAssignment.assignment_id)
        .where(Assignment.name == session, SubmittedAssignment.student_id == student)
    )
    for grading, stamp, record, extended in found:
        yield Recorded(student, grading, json.loads(stamp), json.loads(record), bool(extended))


def _cells(now: Transaction, session: str) -> dict[tuple[str, str | None], float | None] | None:
    """The points of each notebook's cells, as the gradebook has them; None where it does not know the session."""
    if now.scalar(select(Assignment.id).where(Assignment.name == session)) is None:
        return None
    cells, graded = BaseCell.__table__, GradeCell.__table__
    found = now.execute(
        select(Notebook.name, cells.c.name, graded.c.max_score)
        .join(Assignment, Assignment.id == Notebook.assignment_id)
        .outerjoin(cells, cells.c.notebook_id == Notebook.id)
        .outerjoin(graded, graded.c.id == cells.c.id)
        .where(Assignment.name == session)
        .order_by(graded.c.max_score.is_not(None))
    )
    return {(notebook, cell): points for notebook, cell, points in found}


def _row(now: Transaction, kind: Any, **key: str) -> Any:
    """The row with this key, made where there is none."""
    found = now.scalars(select(kind).filter_by(**key).with_for_update(of=kind)).one_or_none()
    if found is None:
        found = kind(id=uuid4().hex, **key)
        now.add(found)
        now.flush()
    return found


def _rows(now: Transaction, kind: Any, mine: Any, *types: str) -> Iterable[tuple[str, Any]]:
    """Names and rows of a notebook's cells of these types, each made where there is none."""
    there = now.scalars(select(kind).where(kind.notebook_id == mine.id).with_for_update(of=kind))
    found = {row.cell_id: row for row in there}
    cells = BaseCell.__table__
    wanted = select(cells.c.id, cells.c.name).where(cells.c.notebook_id == mine.notebook_id, cells.c.type.in_(types))
    for cell, name in now.execute(wanted):
        if cell not in found:
            found[cell] = kind(id=uuid4().hex, notebook_id=mine.id, cell_id=cell)
            now.add(found[cell])
        yield name, found[cell]


def _grades(now: Transaction, mine: Any, scores: Mapping[str, float | None]) -> None:
    for name, grade in _rows(now, Grade, mine, "GradeCell", "TaskCell"):
        if name in scores:
            grade.auto_score = scores[name]
            grade.needs_manual_grade = grade.manual_score is not None or grade.auto_score is None


def _comments(now: Transaction, mine: Any, answered: Mapping[str, bool]) -> None:
    for name, comment in _rows(now, Comment, mine, "SolutionCell", "TaskCell"):
        if name in answered:
            comment.auto_comment = None if answered[name] else "No response."


def _keep(now: Transaction, submission: Any, record: Record) -> None:
    """Write the record of a submission, in place of the one before."""
    now.execute(delete(RECORDS).where(RECORDS.c.submission_id == submission.id))
    now.execute(
        insert(RECORDS).values(
            submission_id=submission.id,
            grading=record.grading,
            stamp=json.dumps(asdict(record.stamp)),
            extension=submission.extension,
            record=json.dumps(record.data),
        )
    )


@contextmanager
def _told(what: str = "the gradebook can't be written") -> Iterator[None]:
    """SQLAlchemy's errors inside as a GradebookError that begins with `what`."""
    try:
        yield
    except SQLAlchemyError as error:
        raise GradebookError(f"{what}: {_reason(error)}") from None


@contextmanager
def _told_of(student: str) -> Iterator[None]:
    """That a database does not take a name as a PlaceError, which stops no other submission."""
    try:
        yield
    except DataError as error:
        raise PlaceError(f"the gradebook cannot hold the name {student!r}: {_reason(error)}") from None


def _reason(error: SQLAlchemyError) -> str:
    """The first line of what the database or its driver said."""
    said = str(error.orig if isinstance(error, DBAPIError) else error)
    return said.splitlines()[0] if said else type(error).__name__
