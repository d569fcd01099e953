"""A student's own copies of a session's notebooks. What is theirs is never touched."""

from __future__ import annotations

import json
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path

from edgewise.course import Course, Session

FOLDER = "my-sessions"
RECORD = ".handed-out.json"
"""What has been handed out, by content: it tells a student's edit from a new version."""


def newest(course: Course) -> Session:
    """The session with the latest date."""
    return max(course.sessions.values(), key=lambda session: (session.date, session.number))


def has_sources(course: Course, session: Session) -> bool:
    """Whether the session's notebooks lie beside course.yml, as in a checkout (a wheel carries none)."""
    return all(course.notebook_path(session, notebook).is_file() for notebook in session.notebooks)


def needs_build(course: Course, session: Session) -> bool:
    """Whether a released notebook is missing, or older than what it is made from."""
    sources = [course.notebook_path(session, notebook) for notebook in session.notebooks]
    released = [release_folder(course, session) / source.name for source in sources]
    if not all(path.is_file() for path in released):
        return True
    newest_source = max(path.stat().st_mtime_ns for path in [course.path, *sources])
    return min(path.stat().st_mtime_ns for path in released) < newest_source


def release_folder(course: Course, session: Session) -> Path:
    """Where nbgrader puts the students' version of a session."""
    return course.root / course.layout.release / session.id


def hand_out(release: Path, folder: Path) -> tuple[str, ...]:
    """Copies `release` into `folder`; returns one sentence for each file that was written, in order.

    A file that exists stays as it is, byte for byte. When the release holds a version that was never handed
    out, that version lands beside it under a name of its own. A file the student deleted comes back fresh.
    """
    given = _read(folder / RECORD)
    told = tuple(_hand_out_files(release, folder, given))
    folder.mkdir(parents=True, exist_ok=True)
    (folder / RECORD).write_text(json.dumps(given, indent=1, sort_keys=True) + "\n", encoding="utf-8")
    return told


def _hand_out_files(release: Path, folder: Path, given: dict[str, list[str]]) -> Iterator[str]:
    for source in sorted(path for path in release.rglob("*") if path.is_file()):
        inner = source.relative_to(release)
        if any(part.startswith(".") for part in inner.parts):
            continue
        name = (Path(release.name) / inner).as_posix()
        content = source.read_bytes()
        version = sha256(content).hexdigest()
        target = folder / name
        if _write_new(target, content):
            yield f"{name} is ready"
        elif version not in given.get(name, []) and target.read_bytes() != content:
            beside = _write_beside(target, content)
            yield f"{name} is yours and stays as it is; its new version is {beside.name}"
        if version not in given.setdefault(name, []):
            given[name].append(version)


def _write_beside(target: Path, content: bytes) -> Path:
    """Writes to the first free name of `x.new.ipynb`, `x.new-2.ipynb`, …, and returns it."""
    number = 1
    while True:
        label = "new" if number == 1 else f"new-{number}"
        beside = target.with_name(f"{target.stem}.{label}{target.suffix}")
        if _write_new(beside, content):
            return beside
        number += 1


def _write_new(target: Path, content: bytes) -> bool:
    """Writes a file that is not there yet; False, and nothing written, when something of that name is."""
    target.parent.mkdir(parents=True, exist_ok=True)
    try:
        with target.open("xb") as file:
            file.write(content)
    except FileExistsError:
        return False
    return True


def _read(record: Path) -> dict[str, list[str]]:
    """The versions handed out so far, by file name; none when the record is missing or unreadable."""
    try:
        data = json.loads(record.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    if not isinstance(data, dict):
        return {}
    return {name: versions for name, versions in data.items() if isinstance(versions, list)}
