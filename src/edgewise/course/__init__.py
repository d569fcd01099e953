"""The course as course.yml lists it: sessions, their notebooks, exercises, points, dates and limits.

`load_course()` reads the nearest course.yml; every problem in it comes at once, each with its line. Importing
this module is cheap: what reads YAML (`lines`) and what judges it (`form`) is imported by the first load.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date, datetime
from functools import lru_cache
from pathlib import Path

from edgewise.course.database import is_url

FILE = "course.yml"


@dataclass(frozen=True, slots=True)
class Exercise:
    """One exercise: `objects` are the names `check` is handed, in this order; a written one has none."""

    id: str
    title: str
    points: float
    objects: tuple[str, ...]
    written: bool
    session: str
    notebook: str


@dataclass(frozen=True, slots=True)
class Notebook:
    """One notebook of a session and its exercises, in the order of course.yml."""

    name: str
    title: str
    exercises: tuple[Exercise, ...]


@dataclass(frozen=True, slots=True)
class Session:
    """One session: nbgrader's assignment. `due` knows its offset from UTC; without it nothing is late."""

    id: str
    number: int
    title: str
    date: date
    due: datetime | None
    notebooks: tuple[Notebook, ...]

    @property
    def exercises(self) -> tuple[Exercise, ...]:
        """Every exercise of the session."""
        return tuple(exercise for notebook in self.notebooks for exercise in notebook.exercises)


@dataclass(frozen=True, slots=True)
class Layout:
    """Where nbgrader reads and writes: paths below course.yml's folder; `database` may be a URL as well."""

    source: str
    release: str
    submitted: str
    autograded: str
    feedback: str
    solution: str
    database: str
    exchange: str

    @property
    def has_url(self) -> bool:
        """Whether the grades are in a database with a URL, and not in a file below course.yml's folder."""
        return is_url(self.database)


@dataclass(frozen=True, slots=True)
class Limits:
    """How long and how large a student's code may get."""

    cell_seconds: int
    check_seconds: int
    file_seconds: int
    memory_megabytes: int


@dataclass(frozen=True, slots=True)
class Course:
    """Everything course.yml says."""

    path: Path
    course: str
    title: str
    layout: Layout
    limits: Limits
    late: str
    sessions: Mapping[str, Session]

    @property
    def root(self) -> Path:
        """The folder that course.yml's paths start from."""
        return self.path.parent

    @property
    def database_url(self) -> str:
        """Where the grades are, as nbgrader wants to be told."""
        return self.layout.database if self.layout.has_url else f"sqlite:///{self.root / self.layout.database}"

    @property
    def beside(self) -> Path:
        """The folder of what is kept beside the grades: the gradebook's own, or with a URL that of the outputs."""
        layout = self.layout
        return (self.root / (layout.autograded if layout.has_url else layout.database)).parent

    @property
    def exercises(self) -> tuple[Exercise, ...]:
        """Every exercise, in the order of course.yml."""
        return tuple(exercise for session in self.sessions.values() for exercise in session.exercises)

    def exercise(self, id: str) -> Exercise:  # noqa: A002  (the field's own word)
        """The exercise with this id. Raises UnknownExerciseError."""
        for exercise in self.exercises:
            if exercise.id == id:
                return exercise
        raise UnknownExerciseError(id, tuple(exercise.id for exercise in self.exercises))

    def session(self, id: str) -> Session:  # noqa: A002
        """The session with this id. Raises UnknownSessionError."""
        if id in self.sessions:
            return self.sessions[id]
        raise UnknownSessionError(id, tuple(self.sessions))

    def check_path(self, exercise: Exercise) -> Path:
        """Where the exercise's check module stands: checks/ch08_e3.py."""
        return self.root / "checks" / f"{exercise.id.replace('-', '_')}.py"

    def notebook_path(self, session: Session, notebook: Notebook) -> Path:
        """Where the instructor's notebook stands: notebooks/ch08/five-state-machine.ipynb."""
        return self.root / self.layout.source / session.id / f"{notebook.name}.ipynb"


class CourseError(ValueError):
    """A course.yml that cannot be used; `problems` holds every sentence about it, in the file's order."""

    def __init__(self, problems: tuple[str, ...]) -> None:
        super().__init__("\n".join(problems))
        self.problems = problems


class UnknownNameError(LookupError):
    """A name that course.yml does not list; `possible` holds those it does."""

    kind = "name"

    def __init__(self, name: object, possible: tuple[str, ...]) -> None:
        super().__init__(f"{name!r} is not {self.kind} of this course; {suggest(str(name), possible)}")
        self.name = name
        self.possible = possible


class UnknownExerciseError(UnknownNameError):
    """An exercise id that course.yml does not list."""

    kind = "an exercise"


class UnknownSessionError(UnknownNameError):
    """A session id that course.yml does not list."""

    kind = "a session"


def suggest(name: str, possible: Iterable[str]) -> str:
    """What is possible instead of `name`, the closest first: "did you mean 'a'? possible: 'a', 'b'"."""
    names = tuple(possible)
    close = difflib.get_close_matches(name, names, n=1)
    meant = f"did you mean {close[0]!r}? " if close else ""
    return f"{meant}possible: {', '.join(map(repr, names)) or 'nothing'}"


def find_course(start: Path | None = None) -> Path:
    """The nearest course.yml from `start` (the working folder if left out) upwards, else the package's own."""
    folder = (Path.cwd() if start is None else Path(start)).resolve()
    for candidate in (folder, *folder.parents):
        if (candidate / FILE).is_file():
            return candidate / FILE
    package = Path(__file__).resolve().parent.parent
    carried = package / "_course" / FILE
    return carried if carried.is_file() else package.parent.parent / FILE


def own_course() -> Course:
    """The course that the working folder lies in, for what writes into it. Raises CourseError where there is none."""
    path = find_course()
    if not Path.cwd().resolve().is_relative_to(path.parent):
        raise CourseError(("there is no course.yml here or above; run this in the folder of the course",))
    return load_course(path)


def load_course(path: Path | None = None) -> Course:
    """The course in `path`, or in the file `find_course` finds. Raises CourseError with every problem at once.

    Read again only when the file has changed.
    """
    file = find_course() if path is None else Path(path).resolve()
    try:
        found = file.stat()
    except OSError as error:
        raise CourseError((f"{shown(file)}: cannot be read ({error.strerror or error})",)) from None
    return _load(file, found.st_mtime_ns, found.st_size)


def shown(path: Path) -> str:
    """The path as a message names it: from the working folder if it lies below it, else its name alone."""
    try:
        return path.resolve().relative_to(Path.cwd()).as_posix()
    except (ValueError, OSError):
        return path.name


@lru_cache(maxsize=8)
def _load(path: Path, _changed: int, _size: int) -> Course:
    from edgewise.course import form, lines

    try:
        text = path.read_bytes().decode("utf-8-sig")
    except OSError as error:
        raise CourseError((f"{shown(path)}: cannot be read ({error.strerror or error})",)) from None
    except UnicodeDecodeError as error:
        line = error.object[: error.start].count(b"\n") + 1
        byte = error.object[error.start]
        raise CourseError((f"{shown(path)}:{line}: byte 0x{byte:02x} is not UTF-8; save the file as UTF-8",)) from None
    data, places, unread = lines.read(text)
    course, unfit = (None, []) if data is None else form.course(data, path, places)
    problems = sorted([*unread, *unfit], key=lambda problem: problem.line)
    if course is None or problems:
        raise CourseError(tuple(f"{shown(path)}:{problem.line}: {problem.sentence}" for problem in problems))
    return course
