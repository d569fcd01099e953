"""Which submissions a session has, and what a grade of each would rest on: hashes that no clock has a part in."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import replace
from difflib import get_close_matches
from pathlib import Path

from edgewise.course import Course, Session
from edgewise.grading.gradebook.record import Stamp
from edgewise.grading.judging.private import FILE as PRIVATE
from edgewise.grading.reading.folder import MAX_BYTES, Listing, content, listing
from edgewise.grading.reading.hashes import engine, hashed, named

MOST_HASHED = 256 * 2**20
"""Of one submission's bytes; of what is beyond, the size counts alone."""


class StandingError(Exception):
    """Submissions that are not there, or a student whom nobody knows."""


def students(course: Course, session: Session, wanted: Sequence[str] = ()) -> tuple[str, ...]:
    """Who has handed in the session, in order; of them those that are `wanted`, or all. Raises StandingError."""
    home = course.root / course.layout.submitted
    found = tuple(sorted(_handed_in(home, session.id)))
    if not found:
        raise StandingError(
            f"nobody has handed in {session.id!r}; submissions lie in {course.layout.submitted}/<student>/{session.id}"
        )
    unknown = [student for student in wanted if student not in found]
    if unknown:
        raise StandingError("; ".join(_unknown(student, session.id, found) for student in unknown))
    return tuple(student for student in found if not wanted or student in wanted)


def folder_of(course: Course, session: Session, student: str) -> Path:
    """Where the student's submission lies."""
    return course.root / course.layout.submitted / student / session.id


def shared(course: Course, session: Session) -> Stamp:
    """What the grades of all students rest on; the submission's own part is empty."""
    return Stamp("", _source(course, session), _course(course, session), _checks(course, session), engine())


def stamp(common: Stamp, folder: Path) -> Stamp:
    """What a grade of the submission in `folder` would rest on."""
    return replace(common, submission=_submission(folder))


def _handed_in(home: Path, session: str) -> Iterator[str]:
    try:
        with os.scandir(home) as entries:
            for entry in entries:
                if not entry.name.startswith(".") and entry.is_dir() and _is_there(home / entry.name / session):
                    yield entry.name
    except FileNotFoundError:
        return
    except OSError as error:
        raise StandingError(f"{home.name}/ cannot be listed ({error.strerror})") from None


def _is_there(path: Path) -> bool:
    """Whether something has that name, be it a link that leads nowhere or in a folder that cannot be read."""
    try:
        path.lstat()
    except (FileNotFoundError, NotADirectoryError):
        return False
    except OSError:
        return True
    return True


def _unknown(student: str, session: str, found: tuple[str, ...]) -> str:
    close = get_close_matches(student, found, n=3)
    meant = f"did you mean {' or '.join(map(repr, close))}?" if close else f"{len(found)} others have"
    return f"{student!r} has not handed in {session!r}; {meant}"


def _submission(folder: Path) -> str:
    """Over every regular file by content, and over everything else by name and kind."""
    try:
        found = listing(folder)
    except (OSError, ValueError) as error:
        return hashed([b"unreadable", str(getattr(error, "errno", None)).encode()])
    return hashed(_listed(folder, found))


def _listed(folder: Path, found: Listing) -> Iterator[bytes]:
    left = MOST_HASHED
    for entry in found.entries:
        yield os.fsencode(entry.path)
        yield entry.kind.encode()
        if entry.kind == "file":
            left -= entry.size
            data = content(folder, entry.path, 2 * MAX_BYTES) if left >= 0 else None
            yield data if isinstance(data, bytes) else f"{entry.size} {data}".encode()
    if not found.whole:
        yield b"and more"


def _source(course: Course, session: Session) -> str:
    """The notebooks as released, or the instructor's where there is no release, and what lies beside these."""
    source = course.root / course.layout.source / session.id
    release = course.root / course.layout.release / session.id
    notebooks = [f"{notebook.name}.ipynb" for notebook in session.notebooks]
    parts = [part for name in notebooks for part in named(name, release / name, source / name)]
    try:
        beside = [entry.path for entry in listing(source.resolve()).entries if entry.kind == "file"]
    except OSError:
        beside = []
    others = [path for path in beside if not path.endswith(".ipynb")]
    return hashed([*parts, *(part for path in others for part in named(path, source / path))])


def _course(course: Course, session: Session) -> str:
    """What course.yml says of the session, and the class's own settings."""
    said = repr((course.course, course.limits, course.late, session))
    return hashed([said.encode(), *named(PRIVATE, course.root / PRIVATE)])


def _checks(course: Course, session: Session) -> str:
    paths = [course.check_path(exercise) for exercise in session.exercises if not exercise.written]
    return hashed(part for path in paths for part in named(path.name, path))
