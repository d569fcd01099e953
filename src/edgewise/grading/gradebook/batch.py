"""A class graded in one run: what is missing or changed is handed to jobs, what comes back to the one writer."""

from __future__ import annotations

import signal
import sqlite3
import threading
from collections import deque
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, closing, contextmanager
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain, islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from edgewise.course import Course, Session, load_course
from edgewise.grading.gradebook.database import WAIT_SECONDS, GradebookError, opened
from edgewise.grading.gradebook.jobs import Done, Grader, JobError, Jobs, Judging, Task, usable
from edgewise.grading.gradebook.record import Recorded, Stamp, data_of
from edgewise.grading.gradebook.rows import Gradebook, Sqlite
from edgewise.grading.gradebook.standing import StandingError, folder_of, shared, stamp, students
from edgewise.grading.gradebook.summary import Row, Summary
from edgewise.grading.gradebook.writer import PlaceError, WriteError, Writer
from edgewise.grading.reading.found import times

if TYPE_CHECKING:
    from edgewise.grading.gradebook.cluster import Cluster

if TYPE_CHECKING:
    from edgewise.grading.workers.pool import Workers

LOCK = ".grading.lock"

NEW = "new"
ASKED = "--force"
MOVED = "not the folder that was recorded"
EXTENDED = "the extension changed"

NOT_GRADED = "Nothing was recorded: grade it by hand, or run this again."
NOT_WRITTEN = "Nothing was recorded: put that right, and run this again."
NO_TEXT = "The name of this folder is no text, so that no gradebook can hold it."


class LockError(Exception):
    """Another run is at work in this course, or there is no place for the lock."""


REFUSALS = (GradebookError, JobError, LockError, StandingError, WriteError)
"""Why a class cannot be graded; the words are for people."""

Telling = Callable[[int, int], object]
"""Is told how many submissions are done, and of how many."""


class Due(NamedTuple):
    """A submission that is to be graded: what its grade will rest on, and which grading it replaces."""

    student: str
    stamp: Stamp
    before: str | None
    why: str


@dataclass(frozen=True, slots=True)
class Asked:
    """What a run is asked for: which `students` (all if none are named), at most how many `jobs`, all by `force`.

    With the address of a Dask `scheduler` its workers grade, and no jobs here.
    """

    students: Sequence[str] = ()
    jobs: int | None = None
    force: bool = False
    scheduler: str | None = None


def grade(
    course: Course,
    session: Session,
    asked: Asked,
    *,
    judging: Callable[[bool], Judging] | None = None,
    workers: Workers | None = None,
    tell: Telling = lambda _done, _total: None,
    wait_seconds: float = WAIT_SECONDS,
) -> Summary:
    """Grade what is missing or changed. What was recorded stays recorded, however the run ends.

    `judging(many)` is what opens a judge. Refusals and Ctrl-C are in the summary.
    """
    rows: list[Row] = []
    error: str | None = None
    try:
        with _ending_in_order(), _opened(course, session, wait_seconds) as (gradebook, writer):
            batch = Batch(course, session, asked, gradebook, writer)
            total = len(batch.students)
            opens = judging or partial(judges, course.path, session.id, workers=workers)
            made = batch.rows(opens, lambda: tell(len(rows), total))
            with closing(made):
                for row in made:
                    rows.append(row)
                    tell(len(rows), total)
    except REFUSALS as refusal:
        error = str(refusal)
    except KeyboardInterrupt:
        error = f"stopped: {times(len(rows), 'submission')} looked at, and the next run goes on from there"
    return Summary(session.id, tuple(sorted(rows, key=lambda row: row.student)), error)


class Batch:
    """One run over the submissions of a session."""

    def __init__(self, course: Course, session: Session, asked: Asked, gradebook: Gradebook, writer: Writer) -> None:
        self.students = students(course, session, asked.students)
        self._course = course
        self._session = session
        self._asked = asked
        self._gradebook = gradebook
        self._writer = writer
        self._common = shared(course, session)
        self._max_points = sum(exercise.points for exercise in session.exercises)

    def rows(self, judging: Callable[[bool], Judging], tick: Callable[[], object]) -> Generator[Row]:
        """A row for each submission, as it turns out that it is up to date, or is graded and written."""
        settled: deque[Row] = deque()
        due = self._due(settled)
        most = self._asked.jobs or usable()
        first = list(islice(due, most + 1))
        with self._jobs(judging, most, many=len(first) > most) as jobs:
            for done in jobs.over(chain(first, due), tick):
                yield self._written(done)
                while settled:
                    yield settled.popleft()
        yield from settled

    def _jobs(self, judging: Callable[[bool], Judging], most: int, *, many: bool) -> Jobs | Cluster:
        """Who grades. Raises JobError."""
        if self._asked.scheduler is None:
            return Jobs(judging(many), most)
        if self._asked.jobs is not None:
            raise JobError("--jobs counts processes here, with --scheduler none grade here; use one of them")
        try:
            from edgewise.grading.gradebook.bench import View
            from edgewise.grading.gradebook.cluster import Cluster
        except ModuleNotFoundError as error:
            raise JobError("Dask is not installed; `pip install 'edgewise[cluster]'` brings it") from error
        view = View(self._course.path, self._session.id, self._common)
        return Cluster(self._asked.scheduler, judging(True), view)

    def _due(self, settled: deque[Row]) -> Iterator[Task]:
        """What is to be graded; rows of all else go to `settled`."""
        for student in self.students:
            folder = folder_of(self._course, self._session, student)
            if not _is_text(student):
                settled.append(self._not_graded(student, NO_TEXT, "Rename it, and run this again."))
                continue
            recorded = self._gradebook.recorded(student)
            now = stamp(self._common, folder)
            try:
                why = self._why(student, now, recorded)
            except PlaceError as error:
                settled.append(self._not_graded(student, f"{error}.", NOT_WRITTEN))
                continue
            if why or recorded is None:
                yield Task(folder, Due(student, now, recorded.grading if recorded else None, why))
            else:
                settled.append(_row(student, recorded.data))

    def _why(self, student: str, now: Stamp, recorded: Recorded | None) -> str:
        """Why a submission has to be graded; empty where it is up to date. Raises PlaceError, WriteError."""
        stands = self._writer.stands(student, recorded.grading if recorded else None)
        if recorded is None:
            return NEW
        if self._asked.force:
            return ASKED
        changed = (*now.changed(recorded.stamp), *([EXTENDED] if recorded.is_extended else []))
        return " and ".join(changed) or ("" if stands else MOVED)

    def _written(self, done: Done) -> Row:
        """The row of a submission that came back, after its outcome was written."""
        due: Due = done.task.about
        if done.outcome is None:
            return self._not_graded(due.student, f"It could not be graded: {done.why_not}.", NOT_GRADED)
        outcome = done.outcome
        try:
            self._writer.write(due.student, outcome, due.stamp, due.before)
        except PlaceError as error:
            return self._not_graded(due.student, f"{error}.", NOT_WRITTEN)
        return replace(_row(due.student, data_of(outcome)), why=due.why)

    def _not_graded(self, student: str, sentence: str, note: str) -> Row:
        return Row(student, None, self._max_points, problems=((sentence, note),))


@dataclass(frozen=True)
class Opens:
    """Opens the session's judge; in a process that was not forked, without the workers that stand ready here."""

    course: Path
    session: str
    many: bool
    workers: Workers | None = None

    def __call__(self) -> AbstractContextManager[Grader]:
        """The judge, to be entered."""
        from edgewise.grading.judging.judge import Judge

        course = load_course(self.course)
        return Judge(course, course.session(self.session), many=self.many, workers=self.workers)

    def __reduce__(self) -> tuple[type[Opens], tuple[Path, str, bool]]:
        return Opens, (self.course, self.session, self.many)


def judges(course: Path, session: str, many: bool, workers: Workers | None = None) -> Judging:
    """What opens the session's judge in a job; `course` is its course.yml."""
    return Opens(course, session, many, workers)


@contextmanager
def _ending_in_order() -> Iterator[None]:
    """To be asked to end, or to lose the terminal, is as good as Ctrl-C; what nohup ignores stays ignored."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    ends = [getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name)]
    before = {end: handler for end in ends if (handler := signal.getsignal(end)) is not signal.SIG_IGN}
    try:
        for end in before:
            signal.signal(end, signal.default_int_handler)
        yield
    finally:
        for end, handler in before.items():
            signal.signal(end, handler)


@contextmanager
def _opened(course: Course, session: Session, wait_seconds: float) -> Iterator[tuple[Gradebook, Writer]]:
    """The gradebook and the writer, for this run alone."""
    with _gradebook(course, session, wait_seconds) as gradebook, _alone(course.beside):
        gradebook.prepare()
        writer = Writer(course.root / course.layout.autograded, session.id, gradebook)
        writer.prepare()
        yield gradebook, writer


@contextmanager
def _gradebook(course: Course, session: Session, wait_seconds: float) -> Iterator[Gradebook]:
    """The gradebook, in the file or the database that course.yml names. Raises GradebookError."""
    if not course.layout.has_url:
        with opened(course.root / course.layout.database, session.id, wait_seconds=wait_seconds) as connection:
            yield Sqlite(connection, session, late=course.late)
        return
    try:
        from edgewise.grading.gradebook.other_database import Api, connected
    except ModuleNotFoundError as error:
        raise GradebookError("nbgrader is not installed; `pip install 'edgewise[instructor]'` brings it") from error
    with connected(course.database_url, session.id, wait_seconds=wait_seconds) as engine:
        yield Api(engine, session, late=course.late, wait_seconds=wait_seconds)


@contextmanager
def _alone(folder: Path) -> Iterator[None]:
    """No second run in the course: a lock that ends with this process, however that ends."""
    connection: sqlite3.Connection | None = None
    try:
        connection = sqlite3.connect(folder / LOCK, timeout=0, isolation_level=None)
        connection.execute("begin exclusive")
    except sqlite3.Error as error:
        if connection is not None:
            connection.close()
        if error.sqlite_errorcode == sqlite3.SQLITE_BUSY:
            raise LockError("another `edgewise grade` is at work in this course; wait until it is done") from None
        raise LockError(f"{folder.name}/{LOCK} can't be locked ({error}); allow writing there") from None
    try:
        yield
    finally:
        connection.close()


def _is_text(name: str) -> bool:
    """Whether a folder's name can be written down: one of bytes that are no UTF-8 cannot."""
    try:
        name.encode()
    except UnicodeEncodeError:
        return False
    return True


def _row(student: str, data: Mapping[str, Any]) -> Row:
    """The row of a submission, from what is kept of its outcome."""
    return Row(
        student,
        data["points"],
        data["max_points"],
        tuple(repair["sentence"] for repair in data["repairs"]),
        tuple((problem["sentence"], problem["note"]) for problem in data["problems"]),
        None if data["layers"] is None else dict(data["layers"]),
    )
