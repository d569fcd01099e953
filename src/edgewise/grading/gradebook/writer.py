"""The one writer of a class: autograded folders and gradebook rows that belong together, whenever it is ended.

A submission's files are written aside. Then one transaction writes its rows, and just before it commits, the
folder is renamed into place. Folder and record hold the same id; where they do not, the submission is graded again.
"""

from __future__ import annotations

import errno
import json
import os
import shutil
import stat
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import UTC
from pathlib import Path, PurePosixPath
from uuid import uuid4

from edgewise.grading.gradebook.record import Record, Stamp, data_of
from edgewise.grading.gradebook.rows import Gradebook, Graded
from edgewise.grading.judging.outcome import Outcome
from edgewise.grading.reading.folder import MAX_BYTES, Unread, content

MARK = ".edgewise.json"
"""In each autograded folder: the id of its grading, and the size of each file. nbgrader copies no such file."""

READ_ONLY = 0o444
FOLDER = 0o755
"""What nbgrader gives files and folders."""

SHORTAGES = (errno.ENOSPC, errno.EDQUOT, errno.EROFS, errno.EIO)
"""No other submission can be written either."""


class WriteError(Exception):
    """Nothing can be written any more: no room, or no writing at all."""


class PlaceError(Exception):
    """A submission's place that cannot be written; others can."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where one graded submission stands, and where its files lie before and after."""

    here: Path
    new: Path
    old: Path


class Writer:
    """Writes a session's graded submissions below `home`, the autograded folder, and into the gradebook."""

    def __init__(self, home: Path, session: str, gradebook: Gradebook) -> None:
        self._home = home
        self._session = session
        self._gradebook = gradebook

    def prepare(self) -> None:
        """Make the autograded folder where there is none. Raises WriteError."""
        try:
            self._home.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise WriteError(f"{self._home.name}/ cannot be made ({error.strerror}); make way for it") from None
        if not os.access(self._home, os.W_OK | os.X_OK):
            raise WriteError(f"{self._home.name}/ allows no writing; allow it, then run this again")

    def stands(self, student: str, grading: str | None) -> bool:
        """Whether the folder of that grading is in place and whole; leavings of a broken run are put right first.

        Raises WriteError, PlaceError.
        """
        place = self._place(student)
        with _told(self._named(student)):
            _mend(place, grading)
            return grading is not None and _mark(place.here) == grading

    def write(self, student: str, outcome: Outcome, stamp: Stamp, before: str | None) -> None:
        """Files and rows of one graded submission, all or none; `before` is the id of the grading that it replaces.

        Raises WriteError, PlaceError, GradebookError.
        """
        place = self._place(student)
        record = Record(uuid4().hex, stamp, data_of(outcome))
        with _told(self._named(student)):
            try:
                place.new.parent.mkdir(mode=FOLDER, exist_ok=True)
                _lay_out(place.new, outcome, record.grading)
                with self._gradebook.writing(graded(student, outcome), record):
                    _swap(place)
            except BaseException:
                with suppress(OSError):  # the next run mends what this one cannot
                    _undo(place, record.grading, before)
                raise
            with suppress(OSError):
                _remove(place.old)

    def _place(self, student: str) -> Place:
        """The student's place, where no link leads away from it. Raises PlaceError."""
        folder = self._home / student
        for path, named in ((folder, student), (folder / self._session, f"{student}/{self._session}")):
            try:
                seen = path.lstat()
            except FileNotFoundError:
                break
            except OSError as error:
                raise PlaceError(f"{self._named(student)} cannot be looked at ({error.strerror})") from None
            if not stat.S_ISDIR(seen.st_mode):
                raise PlaceError(f"{self._home.name}/{named} is no folder; move it away")
            if not self._is_ours(seen):
                raise PlaceError(f"{self._home.name}/{named} belongs to another user; move it away")
        new, old = (folder / f".{self._session}-{which}" for which in ("new", "old"))
        return Place(folder / self._session, new, old)

    def _is_ours(self, seen: os.stat_result) -> bool:
        """Whether whoever made a folder may make folders in the autograded one as well."""
        if not hasattr(os, "geteuid"):
            return True
        home = self._home.stat()
        is_shared = bool(home.st_mode & stat.S_IWGRP) and seen.st_gid == home.st_gid
        return is_shared or seen.st_uid in (os.geteuid(), home.st_uid)

    def _named(self, student: str) -> str:
        return f"{self._home.name}/{student}/{self._session}"


def graded(student: str, outcome: Outcome) -> Graded:
    """What the gradebook is told of an outcome."""
    moment = outcome.handed_in
    return Graded(
        student,
        None if moment is None else moment.astimezone(UTC).replace(tzinfo=None),
        {notebook.name: notebook.scores for notebook in outcome.notebooks},
        {notebook.name: notebook.answered for notebook in outcome.notebooks},
    )


def _lay_out(folder: Path, outcome: Outcome, grading: str) -> None:
    """Write every file of a graded submission into `folder`, which is new; the mark comes last."""
    _remove(folder)
    folder.mkdir(mode=FOLDER)
    sizes = {path: _written(folder, path, data) for path, data in _contents(outcome)}
    _written(folder, MARK, json.dumps({"grading": grading, "files": sizes}).encode())


def _contents(outcome: Outcome) -> Iterator[tuple[str, bytes]]:
    """Each file's path and content; of what has gone meanwhile there is none."""
    for notebook in outcome.notebooks:
        if notebook.text is not None:
            yield f"{notebook.name}.ipynb", notebook.text.encode(errors="backslashreplace")  # which JSON reads
    for path, source in dict(outcome.files).items():
        data = content(source.parent, source.name, 2 * MAX_BYTES)
        if not isinstance(data, Unread):
            yield path, data


def _written(folder: Path, path: str, data: bytes) -> int:
    parts = PurePosixPath(path).parts
    if path.startswith("/") or ".." in parts:
        raise PlaceError(f"{path!r} leads out of the submission")
    target = folder.joinpath(*parts)
    for above in (folder.joinpath(*parts[:depth]) for depth in range(1, len(parts))):
        above.mkdir(mode=FOLDER, exist_ok=True)
    target.write_bytes(data)
    target.chmod(READ_ONLY)
    return len(data)


def _swap(place: Place) -> None:
    if place.here.exists():
        place.here.rename(place.old)
    place.new.rename(place.here)


def _undo(place: Place, grading: str, before: str | None) -> None:
    """As it was before that grading was begun."""
    if _mark(place.here) == grading:
        place.here.rename(place.new)
    _mend(place, before)


def _mend(place: Place, grading: str | None) -> None:
    """Remove what a broken run left lying; put back a folder that is the only one, or the one of this grading."""
    if os.path.lexists(place.old):
        is_here = os.path.lexists(place.here)
        if is_here and grading is not None and _mark(place.here) != grading == _mark(place.old):
            _remove(place.here)
            is_here = False
        if is_here:
            _remove(place.old)
        else:
            place.old.rename(place.here)
    _remove(place.new)


def _mark(folder: Path) -> str | None:
    """The id of the grading that made the folder; None where there is none, or a file of it is missing."""
    data = content(folder, MARK)
    try:
        mark = {} if isinstance(data, Unread) else json.loads(data)
        sizes: Mapping[str, int] = mark["files"]
        whole = all(_size(folder / path) == size for path, size in sizes.items())
        return str(mark["grading"]) if whole else None
    except (ValueError, LookupError, TypeError, AttributeError):
        return None


def _size(path: Path) -> int | None:
    try:
        seen = path.lstat()
    except OSError:
        return None
    return seen.st_size if stat.S_ISREG(seen.st_mode) else None


def _remove(path: Path) -> None:
    """Remove a folder with all that is in it, or whatever else is there; nothing is fine as well."""
    if path.is_dir() and not path.is_symlink():
        if os.name == "nt":  # where a read-only file cannot be removed
            for file in path.rglob("*"):
                file.chmod(0o700)
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)


@contextmanager
def _told(what: str) -> Iterator[None]:
    """The system's errors inside as one of ours, which says what is possible."""
    try:
        yield
    except OSError as error:
        reason = error.strerror or type(error).__name__
        if error.errno in SHORTAGES:
            raise WriteError(f"{what} cannot be written ({reason}); make room for it, then run this again") from None
        raise PlaceError(f"{what} cannot be written ({reason})") from None
