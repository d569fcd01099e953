"""What a session's notebooks hold as the course released them: the only source of structure, points and checks."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from types import MappingProxyType
from typing import Any

from edgewise.course import Course, Exercise, Session, shown
from edgewise.release.notebook import joined, stubbed

IMPORTS = re.compile(r"^[ \t]*(from|import)[ \t]+edgewise\b", re.MULTILINE)


class ReleaseError(RuntimeError):
    """The course itself has no notebook to hold submissions against: ours to put right, no student's."""


@dataclass(frozen=True, slots=True)
class Slot:
    """One released cell. `role` is answer, written, check, locked, or free: the student's to change."""

    id: str
    kind: str
    role: str
    source: str
    metadata: Mapping[str, Any]
    exercise: Exercise | None

    @property
    def grade_id(self) -> str:
        """The name nbgrader has for it, empty for a free cell."""
        return str(self.metadata.get("nbgrader", {}).get("grade_id", "")) if self.role != "free" else ""

    @property
    def holds_answer(self) -> bool:
        """Whether the student's text is what counts in it."""
        return self.role in ("answer", "written")

    @property
    def imports_check(self) -> bool:
        """Whether it brings in what the checks need."""
        return self.role == "free" and self.kind == "code" and bool(IMPORTS.search(self.source))


@dataclass(frozen=True, slots=True)
class Released:
    """One notebook as students get it."""

    name: str
    slots: tuple[Slot, ...]
    metadata: Mapping[str, Any]

    @property
    def kernel(self) -> str:
        """The name of its kernel."""
        return str(self.metadata.get("kernelspec", {}).get("name", "python3"))


def released(course: Course, session: Session) -> tuple[Released, ...]:
    """Every notebook of the session: the release where there is one, else made from the source. Raises ReleaseError."""
    return tuple(_notebook(course, session, notebook.name, notebook.exercises) for notebook in session.notebooks)


def _notebook(course: Course, session: Session, name: str, exercises: tuple[Exercise, ...]) -> Released:
    made = course.root / course.layout.release / session.id / f"{name}.ipynb"
    source = course.root / course.layout.source / session.id / f"{name}.ipynb"
    for path, is_release in ((made, True), (source, False)):
        try:
            seen = path.stat()
        except OSError:
            continue
        return _read(path, seen.st_mtime_ns, seen.st_size, name, exercises, is_release)
    raise ReleaseError(f"{shown(source)}: is not there, and there is no release; {session.id!r} cannot be graded")


@lru_cache(maxsize=64)
def _read(
    path: Path, _changed: int, _size: int, name: str, exercises: tuple[Exercise, ...], is_release: bool
) -> Released:
    try:
        raw = json.loads(path.read_bytes().decode("utf-8-sig"))
        if not is_release:
            raw = stubbed(raw)
        slots = tuple(_slot(cell, exercises, is_release) for cell in raw["cells"])
        return Released(name, slots, MappingProxyType(raw["metadata"]))
    except (OSError, ValueError, LookupError, TypeError, AttributeError) as error:
        raise ReleaseError(f"{shown(path)}: is no notebook ({error}); {name!r} cannot be graded") from None


def _slot(cell: Mapping[str, Any], exercises: tuple[Exercise, ...], is_release: bool) -> Slot:
    source, graded = joined(cell["source"]), cell["metadata"].get("nbgrader", {})
    role = _role(graded)
    metadata = cell["metadata"] if is_release or role == "free" else _as_released(cell, source, role)
    id_ = str(graded.get("grade_id", ""))
    exercise = next((one for one in exercises if id_ in (one.id, f"{one.id}-check")), None)
    return Slot(str(cell["id"]), cell["cell_type"], role, source, metadata, exercise if role != "free" else None)


def _role(graded: Mapping[str, Any]) -> str:
    if graded.get("solution"):
        return "written" if graded.get("grade") else "answer"
    if graded.get("grade"):
        return "check"
    return "locked" if graded.get("locked") or graded.get("task") else "free"


def _as_released(cell: Mapping[str, Any], source: str, role: str) -> dict[str, Any]:
    """The metadata that nbgrader's generate_assignment gives the cell."""
    graded = {**cell["metadata"]["nbgrader"], "cell_type": cell["cell_type"]}
    graded.setdefault("task", False)
    graded["checksum"] = checksum(source, cell["cell_type"], graded)
    locks = {"deletable": False} if role in ("answer", "written") else {"deletable": False, "editable": False}
    return {**cell["metadata"], **locks, "nbgrader": graded}


def checksum(source: str, kind: str, graded: Mapping[str, Any]) -> str:
    """Nbgrader's checksum of a cell: it tells an untouched one."""
    solution, grade = bool(graded.get("solution")), bool(graded.get("grade"))
    locked = not solution and (grade or bool(graded.get("locked")))
    parts = [source, kind, str(grade), str(solution), str(locked), str(graded["grade_id"])]
    if grade:
        parts.append(str(float(graded["points"])))
    return hashlib.md5("".join(parts).encode(), usedforsecurity=False).hexdigest()
