"""What the unedited stub and the solution of each exercise earn, each run as `edgewise check` runs a file."""

from __future__ import annotations

import contextlib
import json
import os
import tempfile
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import NamedTuple

from edgewise.checking.engine import CheckError
from edgewise.checking.limited import Checked, check_file
from edgewise.checking.proof import misconceptions
from edgewise.course import Course, Exercise, Session
from edgewise.release.files import named
from edgewise.release.notebook import NotebookError, read, stubbed


class Pair(NamedTuple):
    """One exercise, the notebook with its solution, and the same as students get it."""

    exercise: Exercise
    solution: Path
    stub: Path


def earned(course: Course, sessions: Iterable[Session]) -> list[str]:
    """One sentence for each stub that earns points and each solution that does not earn all."""
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(os.cpu_count()) as pool:
        pairs = [pair for session in sessions for pair in _pairs(course, session, Path(folder))]
        solved = pool.map(lambda pair: _checked(course, pair.exercise, pair.solution), pairs)
        untouched = pool.map(lambda pair: _checked(course, pair.exercise, pair.stub), pairs)
        return [
            f"{named(course, pair.solution)}: {pair.exercise.id!r}: {said}"
            for pair, solution, stub in zip(pairs, solved, untouched, strict=True)
            for said in (*_of_solution(pair.exercise, solution), *_of_stub(stub))
        ]


def unlike(course: Course, sessions: Iterable[Session]) -> list[str]:
    """One sentence for each misconception whose report is not its own: two that behave alike show here."""
    exercises = [exercise for session in sessions for exercise in session.exercises if not exercise.written]
    there = [exercise for exercise in exercises if course.check_path(exercise).is_file()]
    found = []
    for exercise in there:
        with contextlib.suppress(CheckError):  # a check that can't be imported is named already
            missed = misconceptions(course, exercise).missed
            found += [f"{named(course, course.check_path(exercise))}: the misconception {said}" for said in missed]
    return found


def _pairs(course: Course, session: Session, folder: Path) -> Iterator[Pair]:
    """What can be measured; what is missing or cannot be read is named by lint already."""
    for notebook in session.notebooks:
        path = course.notebook_path(session, notebook)
        try:
            _, raw = read(path)
        except NotebookError:
            continue
        stub = folder / session.id / path.name
        stub.parent.mkdir(exist_ok=True)
        stub.write_text(json.dumps(stubbed(raw)), encoding="utf-8")
        for exercise in notebook.exercises:
            if not exercise.written and course.check_path(exercise).is_file():
                yield Pair(exercise, path, stub)


def _checked(course: Course, exercise: Exercise, path: Path) -> Checked | str:
    """The report, or why there is none."""
    try:
        return check_file(course, exercise, path)
    except CheckError as error:
        return str(error)


def _of_solution(exercise: Exercise, checked: Checked | str) -> Iterable[str]:
    if isinstance(checked, str):
        yield f"the solution could not be checked: {checked}"
    elif checked.points != exercise.points:
        said = f": {checked.findings[0].message}" if checked.findings else ""
        yield f"the solution earns {checked.points:g} of {exercise.points:g} points{said}"


def _of_stub(checked: Checked | str) -> Iterable[str]:
    if isinstance(checked, str):
        yield f"the unedited stub could not be checked: {checked}"
    elif checked.points:
        yield f"the unedited stub earns {checked.points:g} points; it has to earn none"
