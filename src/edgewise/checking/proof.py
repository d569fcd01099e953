"""The proof of a check: wrong answers are caught, right ones accepted, and doing nothing earns nothing."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any

from edgewise.checking.calling import Caller, Stopped
from edgewise.checking.engine import CheckError, examine, load_check
from edgewise.checking.exercise import Check
from edgewise.checking.machines import MachineCheck
from edgewise.checking.mutants import Step, mutants
from edgewise.checking.values import a
from edgewise.course import Course, Exercise

ANSWERS = "answers"
"""The folder beside course.yml with right answers in many styles: a module an exercise, `ANSWERS` in each."""


@dataclass(frozen=True, slots=True)
class Family:
    """One kind of answer: how many were tried, and which of them the check got wrong."""

    name: str
    tried: int
    missed: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Proof:
    """What the proof of one check found, family by family."""

    exercise: str
    families: tuple[Family, ...]

    @property
    def missed(self) -> tuple[str, ...]:
        """Every survivor and false alarm, as a sentence."""
        return tuple(f"{self.exercise}: {family.name}: {name}" for family in self.families for name in family.missed)

    @property
    def text(self) -> str:
        """A table: each family, how many were tried, how many the check got right."""
        rows = [(family.name, family.tried, family.tried - len(family.missed)) for family in self.families]
        rows.append(("all", sum(row[1] for row in rows), sum(row[2] for row in rows)))
        lines = [f"{name:<16} {tried:>5} {right:>5}" for name, tried, right in rows]
        return "\n".join([f"{self.exercise:<16} {'tried':>5} {'right':>5}", *lines, ""])


def prove(course: Course, exercise: Exercise) -> Proof:
    """Try the check of `exercise` on every mutant, misconception, empty answer and right answer.

    A mutant survives where the check finds nothing; an empty answer is missed where it earns points; a right
    answer is a false alarm where it does not earn them all. Raises CheckError.
    """
    if exercise.written:
        raise CheckError(f"{exercise.id} is a written answer: a person reads it, and nothing checks it")
    check = load_check(course.check_path(exercise))
    if not hasattr(check, "explore"):
        raise CheckError(f"{exercise.id}: CHECK is {a(check)}, neither a MachineCheck nor a CaseCheck")
    families = [*_generated(check, course)] if isinstance(check, MachineCheck) else []
    families += [misconceptions(course, exercise), _empty(course, exercise, check), _right(course, exercise)]
    return Proof(exercise.id, tuple(families))


def _generated(check: MachineCheck, course: Course) -> Iterator[Family]:
    tried: dict[str, int] = {}
    missed: dict[str, list[str]] = {}
    for mutant in mutants(check):
        tried[mutant.family] = tried.get(mutant.family, 0) + 1
        if not _caught(check, mutant.make(), course.limits.check_seconds):
            missed.setdefault(mutant.family, []).append(mutant.name)
    for family, number in tried.items():
        yield Family(family, number, tuple(missed.get(family, ())))


def _caught(check: MachineCheck, answer: Step, seconds: float) -> bool:
    with Caller(seconds) as ask:
        try:
            return check.first_wrong(answer, ask) is not None
        except Stopped:
            return True


def misconceptions(course: Course, exercise: Exercise) -> Family:
    """Each misconception is recognised as itself, and the rule it names leads. Raises CheckError."""
    check = load_check(course.check_path(exercise))
    missed = []
    for known in check.misconceptions:
        handed = tuple(
            known.answer if known.about in ("", name) else right for name, right in _reference(exercise, check).items()
        )
        report = examine(exercise, handed, course)
        lead = report.findings[0].rule if report.findings else None
        found = report.misconception[0] if report.misconception else None
        named = next(rule.name for rule in check.rules if rule.holds is known.breaks)
        if (found, lead) != (known.name, named):
            missed.append(f"{known.name!r} is reported as {found!r}, led by {lead!r}")
    return Family("misconception", len(check.misconceptions), tuple(missed))


def _reference(exercise: Exercise, check: Check) -> dict[str, Any]:
    """A right object under each name, so that one wrong answer stands alone."""
    subjects = getattr(check, "subjects", ())
    right = {subject.name: subject.reference for subject in subjects if subject.reads is None}
    return {name: _not_ours(right[name]) if name in right else None for name in exercise.objects}


def _not_ours(function: Callable[..., Any]) -> Callable[..., Any]:
    def right(*arguments: Any, **keywords: Any) -> Any:
        return function(*arguments, **keywords)

    right.__module__ = "answer"
    return right


def _stub(*_arguments: Any, **_keywords: Any) -> Any:
    raise NotImplementedError


def _giving(value: Any) -> Callable[..., Any]:
    return lambda *_arguments, **_keywords: value


def _refuses_everything(state: Any, event: Mapping[str, Any], **_keywords: Any) -> Any:
    return {**state, "rejected": f"{event['name']!r} is not declared in {state['state']!r}"}


def _accepts_everything(state: Any, _event: Any, **_keywords: Any) -> Any:
    return {**state, "visited": [*state["visited"], state["state"]], "rejected": None}


CONSTANTS: tuple[Any, ...] = (None, True, False, 0, "", [], {}, set())

EMPTY: dict[str, Callable[..., Any]] = {
    "the stub": _stub,
    "the first argument": lambda *arguments, **_keywords: arguments[0] if arguments else None,
    "refuse everything": _refuses_everything,
    "accept everything": _accepts_everything,
    **{f"always {value!r}": _giving(value) for value in CONSTANTS},
}


def _empty(course: Course, exercise: Exercise, check: Check) -> Family:
    """Each answer that knows nothing earns nothing."""
    value = any(subject.reads for subject in getattr(check, "subjects", ()))
    answers: dict[str, Any] = {"an empty dict": {}, "nothing": None} if value else EMPTY
    missed = []
    for name, answer in answers.items():
        report = examine(exercise, [answer] * len(exercise.objects), course)
        if report.points:
            missed.append(f"{name} earns {report.points:g}")
    return Family("empty answer", len(answers), tuple(missed))


def _right(course: Course, exercise: Exercise) -> Family:
    """Each right answer earns every point."""
    answers = right_answers(course.root / ANSWERS, exercise)
    missed = []
    for name, objects in answers.items():
        report = examine(exercise, objects, course)
        if report.outcome != "passed":
            missed.append(f"{name!r} earns {report.points:g} of {report.max_points:g}: {report.findings[0].message}")
    return Family("right answer", len(answers), tuple(missed))


def right_answers(folder: Path, exercise: Exercise) -> dict[str, tuple[Any, ...]]:
    """The right answers in `folder`, by a sentence about their style; empty where there are none."""
    module = exercise.id.replace("-", "_")
    if not (folder / f"{module}.py").is_file():
        return {}
    package = ModuleType(f"_edgewise_answers_{abs(hash(str(folder)))}")
    package.__path__ = [str(folder)]
    sys.modules[package.__name__] = package
    answers = importlib.import_module(f"{package.__name__}.{module}").ANSWERS
    several = len(exercise.objects) > 1
    return {name: tuple(answer) if several else (answer,) for name, answer in answers.items()}
