"""How far a student is: which exercises are done and which is next, worked out from the notebooks themselves.

Each answer is checked as `edgewise check` checks a file, in a process of its own. A cell that is as it was
released is not run.
"""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from edgewise.checking.answer_cells import (
    CODE_STUB,
    WORDS_STUB,
    Cell,
    Found,
    Place,
    called,
    inside,
    nearest_folder,
    notebooks_in,
    places,
)
from edgewise.checking.engine import CheckError
from edgewise.checking.limited import check_file
from edgewise.course import Course, CourseError, Exercise, find_course, load_course

Word = Literal["done", "begun", "not begun", "not known"]

SIGNS: dict[Word, str] = {"done": "✔", "begun": "◐", "not begun": "○", "not known": "?"}
AS_SAVED = "Worked out from the notebooks as they were saved last."


@dataclass(frozen=True, slots=True)
class Standing:
    """How far one exercise is; `where` is its notebook's path in the folder, `points` are None where none count."""

    exercise: Exercise
    word: Word
    where: str
    points: float | None = None
    note: str = ""

    @property
    def said(self) -> str:
        """The standing in words."""
        if self.word != "begun":
            return self.word
        if self.exercise.written:
            return "begun (a person reads it)"
        return f"begun ({self.points or 0:g} of {self.exercise.points:g} points)"

    @property
    def is_open(self) -> bool:
        """Whether it can be the next one: a written answer is left to its reader once it has begun."""
        return self.word == "not begun" or (self.word == "begun" and not self.exercise.written)


@dataclass(frozen=True, slots=True)
class Progress:
    """The standing of every exercise in `folder`, in the course's order; `notes` say what was odd on the way."""

    folder: str
    standings: tuple[Standing, ...]
    notes: tuple[str, ...] = ()

    @property
    def is_known(self) -> bool:
        """Whether it could be worked out for every exercise."""
        return bool(self.standings) and all(standing.word != "not known" for standing in self.standings)

    @property
    def next(self) -> Standing | None:
        """The first exercise that is left to do."""
        return next((standing for standing in self.standings if standing.is_open), None)

    @property
    def done(self) -> str:
        """How many are done: "2 of 9 done"."""
        count = sum(standing.word == "done" for standing in self.standings)
        return f"{count} of {len(self.standings)} done"

    @property
    def next_said(self) -> str:
        """The line about what is next."""
        if self.next:
            return f"next: {self.next.exercise.id} · {self.next.exercise.title}, in {self.next.where}"
        if not self.is_known:
            return "next: not known"
        written = any(standing.exercise.written for standing in self.standings)
        return f"next: nothing; every exercise is done{', every written answer begun' if written else ''}"

    @property
    def text(self) -> str:
        """A strip a session, a line an exercise, what is next, and the notes."""
        if not self.standings:
            return "\n".join(self.notes)
        wide = max(len(standing.exercise.id) for standing in self.standings)
        lines = [
            f"{SIGNS[one.word]} {one.exercise.id:<{wide}}  {one.said}  ·  {one.exercise.title}"
            for one in self.standings
        ]
        return "\n".join([*self._strips(), "", *lines, "", self.next_said, *self.notes, AS_SAVED])

    def __repr__(self) -> str:
        return self.text

    def _repr_html_(self) -> str:
        from edgewise.checking.strip import page

        return page(self)

    def sessions(self) -> dict[str, list[Standing]]:
        """The standings of each session."""
        parted: dict[str, list[Standing]] = {}
        for standing in self.standings:
            parted.setdefault(standing.exercise.session, []).append(standing)
        return parted

    def as_json(self) -> dict[str, Any]:
        """The same as data, in the form that `edgewise progress --json` prints."""
        return {
            "folder": self.folder,
            "exercises": [
                {
                    "exercise": standing.exercise.id,
                    "title": standing.exercise.title,
                    "notebook": standing.where,
                    "standing": standing.word,
                    "points": standing.points,
                    "max_points": standing.exercise.points,
                }
                for standing in self.standings
            ],
            "next": self.next.exercise.id if self.next else None,
            "notes": list(self.notes),
        }

    def _strips(self) -> list[str]:
        strips = [
            f"{session}  " + "  ".join(f"{SIGNS[one.word]} {short(one.exercise)}" for one in standings)
            for session, standings in self.sessions().items()
        ]
        return [*strips[:-1], f"{strips[-1]}    {self.done}"]


def short(exercise: Exercise) -> str:
    """The id without its session: e3."""
    return exercise.id.removeprefix(f"{exercise.session}-")


def progress(folder: str | Path | None = None) -> Progress:
    """How far you are: in a notebook a strip, one mark an exercise; `print(progress())` says it in words.

    Looks at the notebooks in `folder` as they were saved last; if left out, in the nearest my-sessions, else in the
    working folder. Raises CheckError when course.yml can't be used.
    """
    start = Path.cwd() if folder is None else Path(folder)
    try:
        course = load_course(find_course(start))
    except CourseError as error:
        raise CheckError(str(error)) from None
    return work_out(course, nearest_folder(start) if folder is None else start)


def work_out(course: Course, folder: Path) -> Progress:
    """The progress in `folder`: what is missing, renamed or broken there is said in a note."""
    name = called(folder)
    if not folder.is_dir():
        return Progress(name, (), (f"{name}: there is no such folder",))
    found = notebooks_in(folder)
    placed = places(course, found, folder)
    troubles = [
        f"{inside(folder, one.path)} cannot be read as a notebook: {one.trouble}" for one in found if one.trouble
    ]
    if not placed:
        return Progress(
            name, (), (*troubles, f"{name} holds no notebook of this course; `edgewise lab` hands them out")
        )
    asked = [(place, exercise) for place in placed for exercise in place.notebook.exercises]
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        standings = tuple(pool.map(lambda pair: _standing(course, folder, *pair), asked))
    notes = [*troubles, *(place.note for place in placed), *(standing.note for standing in standings)]
    return Progress(name, standings, tuple(dict.fromkeys(filter(None, notes))))


def _standing(course: Course, folder: Path, place: Place, exercise: Exercise) -> Standing:
    """The standing of one exercise at its place."""
    found = place.found
    if found is None:
        return Standing(exercise, "not begun", f"{place.notebook.name}.ipynb")
    where = inside(folder, found.path)
    if found.trouble:
        return Standing(exercise, "not known", where)
    if not found.holds(exercise):
        note = "" if place.note else f"{where} has no cell for {exercise.id}"
        return Standing(exercise, "not begun", where, note=note)
    if exercise.written:
        begun = any(_is_written(cell) for cell in found.answers(exercise))
        return Standing(exercise, "begun" if begun else "not begun", where)
    if _is_untouched(found, exercise):
        return Standing(exercise, "not begun", where)
    return _checked(course, exercise, found, where)


def _is_written(cell: Cell) -> bool:
    """Whether somebody wrote into the cell of a written answer."""
    return not cell.is_untouched and cell.source.strip() not in ("", WORDS_STUB)


def _is_untouched(found: Found, exercise: Exercise) -> bool:
    """Whether the check comes right after an answer cell that is as released, and so raises NotImplementedError."""
    code = [cell for cell in found.cells if cell.kind == "code"]
    check = next((number for number, cell in enumerate(code) if cell.checks(exercise)), 0)
    return check > 0 and code[check - 1] in found.answers(exercise) and code[check - 1].is_untouched


def _is_stub(cell: Cell) -> bool:
    """Whether it is as released; where no checksum tells, whether nbgrader's stub is still there."""
    return cell.is_untouched or ("checksum" not in cell.graded and CODE_STUB in cell.source)


def _checked(course: Course, exercise: Exercise, found: Found, where: str) -> Standing:
    """The standing by what the check says."""
    try:
        checked = check_file(course, exercise, found.path)
    except CheckError as error:
        return Standing(exercise, "not known", where, note=f"{exercise.id} could not be checked: {error}")
    if checked.outcome == "passed":
        return Standing(exercise, "done", where, checked.points)
    answers = found.answers(exercise)
    if answers and not checked.points and all(map(_is_stub, answers)):
        return Standing(exercise, "not begun", where, checked.points)
    unasked = checked.findings and checked.findings[0].rule == "Can be asked"
    note = f"{exercise.id}: {checked.findings[0].message}" if unasked else ""
    return Standing(exercise, "begun", where, checked.points, note)
