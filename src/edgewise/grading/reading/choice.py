"""Which file of a submission is which of the session's notebooks, however it is named and wherever it lies."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from edgewise.grading.reading.cells import Loose, loose
from edgewise.grading.reading.decoding import decode
from edgewise.grading.reading.folder import Entry, Unread, content
from edgewise.grading.reading.found import Found
from edgewise.grading.reading.rebuild import Rebuilt, rebuild
from edgewise.grading.reading.released import Released

SUFFIX = ".ipynb"
MAX_NOTEBOOKS = 20
"""More files than that are not opened in search of a session's notebooks."""


@dataclass(frozen=True, slots=True)
class Opened:
    """A file that could be a notebook: what it holds, or why that cannot be read."""

    entry: Entry
    student: Loose | Unread
    cut: int | None = None

    @property
    def grade_ids(self) -> frozenset[str]:
        """The names that its cells have for nbgrader."""
        if isinstance(self.student, Unread):
            return frozenset()
        return frozenset(cell.grade_id for cell in self.student.cells if cell.grade_id)


@dataclass(frozen=True, slots=True)
class Candidate:
    """A file and what becomes of it as the notebook that it is for; `rebuilt` is None where it can't be read."""

    opened: Opened
    rebuilt: Rebuilt | None

    @property
    def path(self) -> str:
        """Where it lies in the submission."""
        return self.opened.entry.path


def candidates(
    folder: Path, entries: Sequence[Entry], notebooks: Sequence[Released]
) -> tuple[dict[str, tuple[Candidate, ...]], tuple[str, ...]]:
    """For each notebook the files that could be it, the best first; and the files that are none of them."""
    files = [entry for entry in entries if entry.name.lower().endswith(SUFFIX)]
    # by name first, so that a heap of other files hides none of the session's
    files.sort(key=lambda entry: not any(entry.path == f"{notebook.name}{SUFFIX}" for notebook in notebooks))
    opened = [_open(folder, entry, notebooks[0].kernel) for entry in files[:MAX_NOTEBOOKS]]
    homes = {one.entry.path: _home(one, notebooks) for one in opened}
    _last_resort(opened, homes, notebooks)
    chosen = {
        notebook.name: tuple(_ranked((one for one in opened if homes[one.entry.path] == notebook.name), notebook))
        for notebook in notebooks
    }
    homeless = [one.entry.path for one in opened if homes[one.entry.path] is None]
    return chosen, (*homeless, *(entry.path for entry in files[MAX_NOTEBOOKS:]))


def _open(folder: Path, entry: Entry, kernel: str) -> Opened:
    raw = content(folder, entry.path)
    decoded = raw if isinstance(raw, Unread) else decode(raw)
    if isinstance(decoded, Unread):
        return Opened(entry, decoded)
    student = loose(decoded.data, kernel, whole=decoded.cut is None)
    if isinstance(student, str):
        return Opened(entry, Unread("not a notebook", student))
    return Opened(entry, Loose(student.cells, (*decoded.found, *student.found)), decoded.cut)


def _home(opened: Opened, notebooks: Sequence[Released]) -> str | None:
    """The notebook that the file is named after, unless its cells are another's; else the one whose cells it has."""
    held = {notebook.name: _held(opened, notebook) for notebook in notebooks}
    most = max(notebooks, key=lambda notebook: held[notebook.name]).name
    named = _named(opened.entry, notebooks)
    if named is not None and (held[named] or not held[most]):
        return named
    return most if held[most] else None


def _held(opened: Opened, notebook: Released) -> int:
    """How many of the notebook's graded cells the file names."""
    return len(opened.grade_ids & {slot.grade_id for slot in notebook.slots if slot.grade_id})


def _named(entry: Entry, notebooks: Sequence[Released]) -> str | None:
    """The longest name of a notebook in the file's own: "Copy of retry_storms (1).ipynb" is retry-storms."""
    stem = re.sub(r"[\s_-]+", "-", entry.name[: -len(SUFFIX)].lower())
    fitting = [notebook.name for notebook in notebooks if notebook.name in stem]
    return max(fitting, key=len, default=None)


def _last_resort(opened: Sequence[Opened], homes: dict[str, str | None], notebooks: Sequence[Released]) -> None:
    """One notebook without a file and one readable file without a notebook belong together."""
    missing = [notebook.name for notebook in notebooks if notebook.name not in homes.values()]
    homeless = [one for one in opened if homes[one.entry.path] is None and isinstance(one.student, Loose)]
    if len(missing) == len(homeless) == 1:
        homes[homeless[0].entry.path] = missing[0]


def _ranked(opened: Iterator[Opened], notebook: Released) -> list[Candidate]:
    """Read before unread, answered before untouched, whole before damaged, the right name first, the higher up."""
    found = [
        Candidate(one, rebuild(one.student, notebook) if isinstance(one.student, Loose) else None) for one in opened
    ]
    exact = f"{notebook.name}{SUFFIX}"
    return sorted(
        found,
        key=lambda one: (
            one.rebuilt is None,
            one.rebuilt is not None and not one.rebuilt.is_answered,
            one.opened.cut is not None,
            one.path != exact,
            one.path.count("/"),
        ),
    )


def passed_over(notebook: str, chosen: Candidate, others: Sequence[Candidate]) -> Iterator[Found]:
    """What is said about the files that were not taken, and about a taken one with another name."""
    if chosen.path != f"{notebook}{SUFFIX}":
        yield Found("renamed file", None, f"was handed in as {chosen.path!r}; it was read from there")
    for other in others:
        if isinstance(other.opened.student, Unread):
            words = f"{other.path!r} {other.opened.student.words}; it was left out"
        elif other.rebuilt is not None and other.rebuilt.is_answered:
            words = f"{other.path!r} holds answers too; it was left out"
        else:
            words = f"{other.path!r} holds no answer; it was left out"
        yield Found("two files", None, words)
