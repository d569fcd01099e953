"""A submission, read whatever it is: a clean notebook for each of the session's, and what was repaired on the way."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from edgewise.course import Course, Session
from edgewise.grading.reading.choice import SUFFIX, Candidate, candidates, passed_over
from edgewise.grading.reading.folder import MAX_BYTES, MAX_ENTRIES, Entry, Listing, Unread, listing
from edgewise.grading.reading.found import Found, Problem, Repair, times
from edgewise.grading.reading.rebuild import Cell, copied, untouched
from edgewise.grading.reading.released import Released, released
from edgewise.grading.reading.timestamp import FILE, timestamp

MAX_SENTENCES = 40
"""Of one notebook; what else was repaired in it is counted."""

MAX_STRANGERS = 5

SHADOWS = (
    *("edgewise", "course", "course.private", "checks", "nbgrader_config", "jupyter_config", "ipython_config"),
    *("sitecustomize", "usercustomize", "ipython", "ipykernel"),
)
"""At the top of a submission these would stand in for the course's files or steer the kernel."""


@dataclass(frozen=True, slots=True)
class Notebook:
    """One of the session's notebooks. `file` is where it was handed in; `state` is read, missing or unread.

    One that is missing or could not be read is as the course released it, so that it can be graded all the same.
    """

    name: str
    file: str | None
    state: str
    cells: tuple[Cell, ...]
    metadata: Mapping[str, Any]

    def as_json(self) -> dict[str, Any]:
        """The notebook in nbformat 4.5."""
        cells = [cell.as_json() for cell in self.cells]
        return {"cells": cells, "metadata": copied(self.metadata), "nbformat": 4, "nbformat_minor": 5}


@dataclass(frozen=True, slots=True)
class Submission:
    """Everything of a submission that grading needs. `files` are the other regular files, by path from the folder."""

    folder: Path
    session: str
    notebooks: tuple[Notebook, ...]
    files: tuple[str, ...]
    handed_in: datetime | None
    repairs: tuple[Repair, ...]
    problems: tuple[Problem, ...]

    def repairs_of(self, notebook: str) -> tuple[Repair, ...]:
        """What was repaired in the notebook, and what concerns all."""
        return tuple(repair for repair in self.repairs if repair.notebook in (notebook, None))

    def problems_of(self, notebook: str) -> tuple[Problem, ...]:
        """What is wrong with the notebook, and with the submission as a whole."""
        return tuple(problem for problem in self.problems if problem.notebook in (notebook, None))


def read(folder: Path, session: Session, course: Course) -> Submission:
    """The submission in `folder`. Whatever it holds, it is read; ReleaseError is raised for a fault of the course."""
    expected = released(course, session)
    found, problems = _listed(folder)
    chosen, strangers = candidates(folder, found.entries, expected)
    notebooks: list[Notebook] = []
    repairs: list[Repair] = []
    for notebook in expected:
        made, sentences, wrong = _notebook(notebook, chosen[notebook.name])
        notebooks.append(made)
        repairs += _bounded(sentences, notebook.name)
        problems += wrong
    if all(notebook.state == "missing" for notebook in notebooks) and not problems:
        words = f"The submission holds no notebook of {session.id}."
        problems.append(Problem("no notebook", None, words, "Nothing could be graded; it earns 0."))
    files, left_out = _others(found.entries)
    strange = _strangers(strangers, session.id)
    moment = timestamp(folder)
    if isinstance(moment, str):
        note = "It counts as handed in on time; look at the time where it was collected."
        problems.append(Problem("timestamp", None, f"{FILE} {moment}; nothing counts as late.", note))
    return Submission(
        folder=folder,
        session=session.id,
        notebooks=tuple(notebooks),
        files=files,
        handed_in=moment if isinstance(moment, datetime) else None,
        repairs=(*repairs, *strange, *left_out),
        problems=tuple(problems),
    )


def _listed(folder: Path) -> tuple[Listing, list[Problem]]:
    try:
        found = listing(folder)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or type(error).__name__
        words = f"The submission's folder cannot be opened ({reason})."
        return Listing((), whole=True), [Problem("unreadable", None, words, "Nothing could be graded; it earns 0.")]
    if found.whole:
        return found, []
    words = f"The submission holds more than {MAX_ENTRIES:,} files; the others were not looked at."
    return found, [Problem("too many files", None, words, "Look whether one of them belongs to an answer.")]


def _notebook(
    notebook: Released, handed_in: Sequence[Candidate]
) -> tuple[Notebook, tuple[Found, ...], tuple[Problem, ...]]:
    if not handed_in:
        return _as_released(notebook, None, "missing"), (), ()
    best, *others = handed_in
    sentences = tuple(passed_over(notebook.name, best, others))
    student = best.opened.student
    if best.rebuilt is None or isinstance(student, Unread):
        wrong = _unread(notebook.name, best.path, student if isinstance(student, Unread) else None)
        return _as_released(notebook, best.path, "unread"), sentences, (wrong,)
    problems = (_cut(notebook.name, best.path, best.opened.cut),) if best.opened.cut is not None else ()
    made = Notebook(notebook.name, best.path, "read", best.rebuilt.cells, notebook.metadata)
    return made, (*sentences, *best.rebuilt.found), problems


def _as_released(notebook: Released, file: str | None, state: str) -> Notebook:
    return Notebook(notebook.name, file, state, untouched(notebook).cells, notebook.metadata)


def _unread(name: str, path: str, why: Unread | None) -> Problem:
    kind, words = (why.kind, why.words) if why else ("unreadable", "cannot be read")
    note = "It earns 0 until a file that can be read is handed in, or it is graded by hand."
    return Problem(kind, name, f"{name}: {path!r} {words}; nothing of it could be graded", note)


def _cut(name: str, path: str, cells: int) -> Problem:
    note = "Ask for the whole file: what could not be read is missing."
    return Problem(
        "damaged", name, f"{name}: {path!r} is damaged; the {times(cells, 'cell')} that could be read went on", note
    )


def _bounded(sentences: Sequence[Found], notebook: str) -> Iterator[Repair]:
    yield from (one.within(notebook) for one in sentences[:MAX_SENTENCES])
    more = len(sentences) - MAX_SENTENCES
    if more > 0:
        yield Repair("more", notebook, None, f"{notebook}: and {times(more, 'more repair')}")


def _strangers(paths: Sequence[str], session: str) -> list[Repair]:
    said = [f"{path!r} is no notebook of {session}; it was left out" for path in paths[:MAX_STRANGERS]]
    if len(paths) > MAX_STRANGERS:
        said.append(f"{times(len(paths) - MAX_STRANGERS, 'more notebook')} beside the session's; left out too")
    return [Repair("extra file", None, None, words) for words in said]


def _others(entries: Sequence[Entry]) -> tuple[tuple[str, ...], list[Repair]]:
    """The other files that may lie beside the notebooks, and a sentence for each thing that may not."""
    files: list[str] = []
    said: dict[str, str] = {}
    room = 2 * MAX_BYTES
    for entry in entries:
        top = entry.path.partition("/")[0]
        if (entry.kind == "folder" and top != entry.path) or entry.path == FILE or entry.name.lower().endswith(SUFFIX):
            continue
        if top.lower().split(".py")[0].removesuffix(".yml") in SHADOWS:
            said.setdefault(top, f"{top!r} would stand in for the course's own; it was left out")
        elif entry.kind == "file" and entry.size <= min(room, MAX_BYTES):
            room -= entry.size
            files.append(entry.path)
        elif entry.kind == "file":
            said[entry.path] = f"{entry.path!r} is too large; it was left out"
        elif entry.kind != "folder":
            said[entry.path] = f"{entry.path!r} is a {entry.kind}, not a file; it was left out"
    return tuple(files), [Repair("left out", None, None, words) for words in list(said.values())[:MAX_SENTENCES]]
