"""Which files a course has to have, and which it may not: notebooks, check modules, pictures."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from urllib.parse import unquote

from edgewise.course import Course, Session
from edgewise.release.ignored import is_ignored


def misplaced(course: Course) -> list[str]:
    """Every missing and every stray file, one sentence each."""
    found = [sentence for session in course.sessions.values() for sentence in _of_session(course, session)]
    return [*found, *_sessions(course), *_checks(course)]


def stray(course: Course, session: Session) -> list[str]:
    """What lies in the session's folder and is neither a listed notebook nor named in one."""
    folder = course.root / course.layout.source / session.id
    listed = {course.notebook_path(session, notebook) for notebook in session.notebooks}
    texts = [unquote(path.read_text(encoding="utf-8", errors="replace")) for path in listed if path.is_file()]
    found = []
    for path in sorted(folder.rglob("*")):
        inside = path.relative_to(folder)
        if path.is_dir() or path in listed or any(is_ignored(part) for part in inside.parts):
            continue
        if path.suffix == ".ipynb":
            found.append(
                f"{named(course, path)}: course.yml does not list it; list it under {session.id!r}, or move it"
            )
        elif not any(inside.as_posix() in text for text in texts):
            found.append(f"{named(course, path)}: no notebook of {session.id!r} names it; name it, or move it")
    return found


def named(course: Course, path: Path) -> str:
    """The path as every message of a course names it: from course.yml's folder."""
    return path.relative_to(course.root).as_posix()


def _of_session(course: Course, session: Session) -> Iterable[str]:
    for notebook in session.notebooks:
        path = course.notebook_path(session, notebook)
        if not path.is_file():
            yield f"{named(course, path)}: is not there, and course.yml lists it"
    yield from stray(course, session)


def _sessions(course: Course) -> Iterable[str]:
    """Folders and files beside the sessions' own."""
    for path in sorted((course.root / course.layout.source).glob("*")):
        if path.name not in course.sessions and not is_ignored(path.name):
            yield f"{named(course, path)}: course.yml lists no session of that name; list it, or move it"


def _checks(course: Course) -> Iterable[str]:
    expected = {course.check_path(exercise): exercise for exercise in course.exercises if not exercise.written}
    for path, exercise in expected.items():
        if not path.is_file():
            yield f"{named(course, path)}: is not there, and exercise {exercise.id!r} needs it"
    written = {course.check_path(exercise): exercise for exercise in course.exercises if exercise.written}
    for path in sorted((course.root / "checks").glob("*")):
        if path in written:
            yield f"{named(course, path)}: exercise {written[path].id!r} is written, so no check module belongs to it"
        elif path not in expected and path.name != "__init__.py" and not is_ignored(path.name):
            yield f"{named(course, path)}: belongs to no exercise of course.yml; list one, or move it"
