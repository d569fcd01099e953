"""What a check asks of a right answer, asked of everybody in one message: most of a class is asked nothing else.

A check asks thousands of questions, and which ones depends on the answers only where they are wrong. Working that out
takes a second, so it is kept between runs, in a file of its own for each state of the check and of this package.
"""

from __future__ import annotations

import hashlib
import marshal
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from edgewise.checking.engine import AS_THE_CHECK_SAYS, load_check
from edgewise.checking.exercise import Check, Compared, Domain
from edgewise.checking.report import Report
from edgewise.course import Course, Exercise
from edgewise.grading.judging.recording import Recorded, recorded
from edgewise.grading.reading.hashes import engine
from edgewise.grading.workers.answers import Followed
from edgewise.grading.workers.following import Packed

FOLDER = ".plans"
"""Beside the gradebook, where no worker reads or writes."""


BEGINNING = 64


@dataclass(frozen=True)
class Batch:
    """Questions for one message, in order."""

    questions: tuple[Packed, ...]

    @property
    def count(self) -> int:
        """How many there are."""
        return len(self.questions)

    @cached_property
    def packed(self) -> bytes:
        """What a worker reads."""
        return marshal.dumps(self.questions)

    @cached_property
    def places(self) -> Mapping[Packed, Sequence[int]]:
        """Where each question stands."""
        places: dict[Packed, list[int]] = {}
        for place, question in enumerate(self.questions):
            places.setdefault(question, []).append(place)
        return places


@dataclass(frozen=True)
class Plan:
    """Every question of one exercise, and what a right answer earns.

    `batch` is asked of everybody; `kinds`, `compared` and `behaviours` are as in Recorded.
    """

    exercise: str
    batch: Batch
    behaviours: tuple[Batch, ...]
    kinds: tuple[int, ...]
    compared: tuple[Compared, ...]
    check: Check
    passed: Report

    @cached_property
    def beginning(self) -> Batch:
        """The first questions: enough to know an untouched stub again."""
        return Batch(self.batch.questions[:BEGINNING])

    @cached_property
    def copying(self) -> Batch:
        """The batch for those who change their arguments: each question gets copies of answers."""
        return Batch(tuple(map(copying, self.batch.questions)))

    def passes(self, followed: Followed) -> bool:
        """Whether the answers are right beyond doubt; where it is False, the check has to be asked itself.

        They are where each kind of question was always answered alike, and that answer breaks no rule.
        """
        if len(followed.ids) != len(self.kinds):
            return False
        given = dict(zip(self.kinds, followed.ids, strict=True))
        if len(set(zip(self.kinds, followed.ids, strict=True))) != len(given):
            return False
        answers = followed.values()
        if answers is None:
            return False
        return self.check.as_right(self.compared, [answers[given[kind]] for kind in range(len(self.compared))])


def copying(question: Packed) -> Packed:
    """The question about copies of answers, where it is about the answers themselves."""
    position, head, others, named = question
    return position, ~head if head is not None and head >= 0 else head, others, named


def planned(exercise: Exercise, course: Course, domain: Domain = AS_THE_CHECK_SAYS) -> Plan | None:
    """The plan of an exercise; None for a value, which is read in one piece. Raises CheckError, ValueError."""
    check = load_check(course.check_path(exercise)).within(domain)
    path = _path(exercise, course, domain)
    found = _kept(path)
    if found is None:
        found = recorded(exercise, course, check, domain)
        if found is None:
            return None
        _keep(path, found)
    points = float(exercise.points)
    return Plan(
        exercise.id,
        Batch(found.questions),
        tuple(map(Batch, found.behaviours)),
        found.kinds,
        tuple(Compared(*one) for one in found.compared),
        check,
        Report(exercise.id, exercise.title, "passed", points, points, domain=found.domain),
    )


def planned_all(exercises: tuple[Exercise, ...], course: Course, domain: Domain = AS_THE_CHECK_SAYS) -> Iterator[Plan]:
    """The plans of those exercises that have one."""
    for exercise in exercises:
        plan = None if exercise.written else planned(exercise, course, domain)
        if plan is not None:
            yield plan


# --- Kept between runs -------------------------------------------------------------------------------


def _path(exercise: Exercise, course: Course, domain: Domain) -> Path:
    """Where the plan is kept: under another name once a check, the domain or this package changes."""
    checks = [file.read_bytes() for file in sorted(course.check_path(exercise).parent.glob("*.py"))]
    state = hashlib.sha256(b"\0".join([*checks, repr((exercise, domain)).encode(), engine().encode()])).hexdigest()
    return course.beside / FOLDER / f"{exercise.id}-{state[:32]}"


def _kept(path: Path) -> Recorded | None:
    """The plan in a file; None where there is none, or not a whole one."""
    try:
        data = path.read_bytes()
    except OSError:
        return None
    digest, written = data[:32], data[32:]
    if hashlib.sha256(written).digest() != digest:
        return None
    return Recorded(*marshal.loads(written))


def _keep(path: Path, found: Recorded) -> None:
    """Write the plan, and let go of those before it. Where that can't be, the next run works it out again."""
    written = marshal.dumps((*found,))  # type: ignore[arg-type]  # mappings are dicts
    with suppress(OSError):
        path.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile(dir=path.parent, delete=False) as file:
            file.write(hashlib.sha256(written).digest() + written)
        for before in path.parent.glob(f"{path.name.rpartition('-')[0]}-*"):
            before.unlink()
        Path(file.name).replace(path)
