"""Where a student's answers lie: the notebooks of a folder, and in each the cells of every exercise."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import md5
from pathlib import Path
from typing import Any

from edgewise.course import Course, Exercise, Notebook, Session, shown

FOLDER = "my-sessions"
RECORD = ".handed-out.json"
"""Both as `edgewise lab` names them: the folder of a student's copies, and the file that marks it."""

CODE_STUB = "# YOUR CODE HERE"
WORDS_STUB = "YOUR ANSWER HERE"
"""What nbgrader puts in the place of a solution."""


@dataclass(frozen=True, slots=True)
class Cell:
    """One cell; `graded` is what nbgrader wrote into its metadata, empty if nothing."""

    kind: str
    source: str
    graded: Mapping[str, Any]

    @property
    def is_untouched(self) -> bool:
        """Whether it is as it was released, by the checksum that nbgrader left in it."""
        return self.graded.get("checksum") == _checksum(self)

    def checks(self, exercise: Exercise) -> bool:
        """Whether it calls `check` for the exercise."""
        call = rf"""\bcheck\(\s*["']{re.escape(exercise.id)}["']"""
        return self.kind == "code" and bool(re.search(call, self.source))


@dataclass(frozen=True, slots=True)
class Found:
    """A notebook in the folder: its cells, and in `trouble` why there are none to be had."""

    path: Path
    cells: tuple[Cell, ...] = ()
    trouble: str = ""

    def answers(self, exercise: Exercise) -> tuple[Cell, ...]:
        """The answer cells of the exercise: one, unless it was copied or deleted."""
        return tuple(cell for cell in self.cells if cell.graded.get("grade_id") == exercise.id)

    def holds(self, exercise: Exercise) -> bool:
        """Whether it has an answer cell or a check of the exercise."""
        return bool(self.answers(exercise)) or any(cell.checks(exercise) for cell in self.cells)


def nearest_folder(start: Path) -> Path:
    """The folder of the student's copies that is nearest to `start`, upwards; `start` itself if there is none."""
    for folder in (start, *start.parents):
        if folder.name == FOLDER or (folder / RECORD).is_file():
            return folder
        if (folder / FOLDER).is_dir():
            return folder / FOLDER
    return start


def notebooks_in(folder: Path) -> tuple[Found, ...]:
    """Every notebook in `folder` and in the folders right in it, in order of their paths."""
    paths = sorted((*folder.glob("*.ipynb"), *folder.glob("*/*.ipynb")))
    seen = [path for path in paths if not any(part.startswith(".") for part in path.relative_to(folder).parts)]
    return tuple(map(read, seen))


def read(path: Path) -> Found:
    """The notebook in `path`; one that can't be read has no cells, and a reason."""
    try:
        data = json.loads(path.read_bytes().decode("utf-8-sig"))
    except (OSError, ValueError, RecursionError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        return Found(path, trouble=reason)
    cells = data.get("cells") if isinstance(data, dict) else None
    if not isinstance(cells, list):
        return Found(path, trouble="it has no list of cells")
    return Found(path, tuple(_cell(cell) for cell in cells if isinstance(cell, dict)))


@dataclass(frozen=True, slots=True)
class Place:
    """Where the answers to one of the course's notebooks lie, None if nowhere, and what is odd about it."""

    session: Session
    notebook: Notebook
    found: Found | None
    note: str = ""


def places(course: Course, found: tuple[Found, ...], folder: Path) -> tuple[Place, ...]:
    """The place of each notebook of every session that has begun in `folder`, in the course's order.

    Of several copies the one with the course's own name counts, before the one that was saved last.
    """
    begun = []
    for session in course.sessions.values():
        placed = [_place(course, session, notebook, found, folder) for notebook in session.notebooks]
        if any(place.found for place in placed):
            begun += placed
    return tuple(begun)


def _place(course: Course, session: Session, notebook: Notebook, found: tuple[Found, ...], folder: Path) -> Place:
    name = f"{notebook.name}.ipynb"

    def rank(one: Found) -> tuple[bool, bool, int]:
        return one.path.name == name, one.path.parent.name == session.id, _saved(one.path)

    others = set(course.sessions) - {session.id}
    named = [one for one in found if one.path.name == name and one.path.parent.name not in others]
    holding = sorted((one for one in found if any(map(one.holds, notebook.exercises))), key=rank)
    broken = [one for one in named if one.trouble]
    if holding:
        return Place(session, notebook, holding[-1], _renamed(name, named, holding, folder))
    if broken:
        return Place(session, notebook, broken[-1])
    if named:
        return Place(session, notebook, named[-1], f"{inside(folder, named[-1].path)} holds none of its exercises")
    return Place(session, notebook, None, f"{name} is not in {called(folder)}; `edgewise lab` brings it back")


def _renamed(name: str, named: list[Found], holding: list[Found], folder: Path) -> str:
    """Why a notebook of another name counts; empty where none does."""
    if holding[-1].path.name == name:
        return ""
    odd = "is not there"
    if named:
        odd = "cannot be read" if any(one.trouble for one in named) else "holds none of its exercises"
    last = ", the copy saved last" if len(holding) > 1 else ""
    return f"{name} {odd}; its exercises were found in {inside(folder, holding[-1].path)}{last}"


def called(folder: Path) -> str:
    """The folder as a message names it."""
    name = shown(folder)
    return folder.resolve().name or str(folder.resolve()) if name in (".", "") else name


def inside(folder: Path, path: Path) -> str:
    """The path as a reader of the folder names it."""
    return path.relative_to(folder).as_posix()


def _saved(path: Path) -> int:
    """When the file was saved; 0 once it is gone."""
    try:
        return path.stat().st_mtime_ns
    except OSError:
        return 0


def _cell(raw: Mapping[str, Any]) -> Cell:
    source, metadata = raw.get("source", ""), raw.get("metadata")
    graded = metadata.get("nbgrader") if isinstance(metadata, dict) else None
    text = "".join(map(str, source)) if isinstance(source, list) else str(source)
    return Cell(str(raw.get("cell_type")), text, graded if isinstance(graded, dict) else {})


def _checksum(cell: Cell) -> str:
    """The checksum that nbgrader gives a solution cell, over again: nbgrader is not there where students work."""
    grade = bool(cell.graded.get("grade"))
    parts = [cell.source, cell.kind, str(grade), "True", "False", str(cell.graded.get("grade_id"))]
    points = cell.graded.get("points")
    if grade and isinstance(points, int | float):
        parts.append(str(float(points)))
    return md5("".join(parts).encode("utf-8", "replace"), usedforsecurity=False).hexdigest()
