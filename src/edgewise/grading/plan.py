"""Which questions a check asks of a right answer, written down once: most of a class is asked nothing else.

A check asks thousands of questions, and which ones depends on the answers only where they are wrong. So they are
recorded while right answers are asked in this process, sent to a worker in one message, and answered in one.
"""

from __future__ import annotations

import marshal
from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Self

from edgewise.checking.calling import Caller
from edgewise.checking.cases import CaseCheck
from edgewise.checking.engine import AS_THE_CHECK_SAYS, examine, load_check
from edgewise.checking.exercise import Check, Compared, Domain
from edgewise.checking.machines import MachineCheck
from edgewise.checking.report import Report
from edgewise.checking.values import plain
from edgewise.course import Course, Exercise
from edgewise.grading.asking import Followed, Handle

Packed = tuple[int, int | None, bytes, bytes | None]
"""A question, as `following.Follower` reads it: object, first argument where it is an answer, others, keywords."""


@dataclass(frozen=True, slots=True)
class Batch:
    """Questions for one message: `packed` is what a worker reads, `places` says where each question stands in it."""

    packed: bytes
    places: Mapping[Packed, Sequence[int]]
    count: int

    @classmethod
    def of(cls, questions: Sequence[Packed]) -> Batch:
        """The batch of these questions, in this order."""
        places: dict[Packed, list[int]] = {}
        for place, question in enumerate(questions):
            places.setdefault(question, []).append(place)
        return cls(marshal.dumps([*questions]), places, len(questions))


@dataclass(frozen=True, slots=True)
class Plan:
    """Every question of one exercise in order, and what a right answer earns.

    `batch` is asked of everybody, `copying` of those who change their arguments: there each question gets copies.
    Questions of the same kind are the same question, asked from the same snapshot:
    `kinds` holds the kind of each, `compared` one of each kind with the right answer to it. `behaviours` are what a
    wrong answer is asked beyond that, to be held against the misconceptions.
    """

    exercise: str
    batch: Batch
    copying: Batch
    behaviours: tuple[Batch, ...]
    kinds: tuple[int, ...]
    compared: tuple[Compared, ...]
    check: Check
    passed: Report

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


def planned(exercise: Exercise, course: Course, domain: Domain = AS_THE_CHECK_SAYS) -> Plan | None:
    """The plan of an exercise; None for a value, which is read in one piece.

    Raises CheckError, and ValueError where the reference is not right by its own check.
    """
    check = load_check(course.check_path(exercise)).within(domain)
    right = _right(check)
    if right is None:
        return None
    recorder = Recorder(right)
    passed = examine(exercise, right, course, recorder.opened, domain)
    if passed.outcome != "passed":
        raise ValueError(f"the reference of {exercise.id} is not right by its own check")
    return Plan(
        exercise.id,
        Batch.of(recorder.packed),
        Batch.of([*map(copying, recorder.packed)]),
        tuple(_behaviours(exercise, check, right)),
        tuple(recorder.kinds),
        tuple(recorder.compared),
        check,
        passed,
    )


def copying(question: Packed) -> Packed:
    """The question about copies of answers, where it is about the answers themselves."""
    position, head, others, named = question
    return position, ~head if head is not None and head >= 0 else head, others, named


def _behaviours(exercise: Exercise, check: Check, right: tuple[Any, ...]) -> Iterator[Batch]:
    """What is asked of each object that misconceptions are about."""
    for about in dict.fromkeys(known.about for known in check.misconceptions):
        with Recorder(right) as recorder:
            answer = right[exercise.objects.index(about) if about else 0]
            deque(check.behaviour(answer, about, recorder), maxlen=0)
        yield Batch.of(recorder.packed)


def _right(check: Check) -> tuple[Any, ...] | None:
    """Right answers to the exercise; None where one of them is a value."""
    if isinstance(check, MachineCheck):
        return (check.reference,)
    if isinstance(check, CaseCheck) and not any(subject.reads for subject in check.subjects):
        return tuple(subject.reference for subject in check.subjects)
    return None


@dataclass(slots=True)
class Known:
    """Which objects of ours stand for which answers: a worker is told their numbers, not their contents."""

    handles: dict[int, Handle] = field(default_factory=dict)
    kept: list[Any] = field(default_factory=list)

    def keep(self, value: Any, number: int) -> None:
        """Remember that `value` is what answer `number` returned."""
        if isinstance(value, dict | list):
            self.handles[id(value)] = Handle(number)
            self.kept.append(value)  # as long as it lives, nothing else has its id

    def copied(self, answer: Any, copy: dict[Any, Any]) -> dict[Any, Any]:
        """Remember that `copy` is a copy of that answer."""
        number = self.handles[id(answer)].number
        self.handles[id(copy)] = Handle(number, is_copy=True)
        self.kept.append(copy)
        return copy

    def handle(self, value: Any) -> Handle | None:
        """The handle of an object that came as an answer, or is a copy of one."""
        return self.handles.get(id(value))

    def split(self, arguments: tuple[Any, ...], first: int = 0) -> tuple[int | None, tuple[Any, ...]]:
        """The first argument as a plan counts it, from `first`, where it is an answer or a copy; and the others."""
        handle = self.handles.get(id(arguments[0])) if arguments else None
        if handle is None:
            return None, arguments
        number = handle.number - first
        return ~number if handle.is_copy else number, arguments[1:]


class Recorder(Caller):
    """Calls right answers in this process and writes down each question."""

    def __init__(self, right: tuple[Any, ...]) -> None:
        super().__init__(60)
        self.packed: list[Packed] = []
        self.kinds: list[int] = []
        self.compared: list[Compared] = []
        self._positions = {id(answer): position for position, answer in enumerate(right)}
        self._known = Known()
        self._kind: dict[bytes, int] = {}
        self._written: dict[bytes, bytes] = {}
        self._keywords: dict[bytes | None, dict[str, Any]] = {}

    def __enter__(self) -> Self:
        super().__enter__()
        return self

    def opened(self, _seconds: float) -> Recorder:
        """Itself: for ours there is time."""
        return self

    def __call__(self, function: Any, *arguments: Any, **keywords: Any) -> Any:
        """The right answer."""
        position = self._positions.get(id(function))
        if position is None:
            return function(*arguments, **keywords)
        whole = marshal.dumps((position, arguments, keywords), 0)
        named = self._shared(keywords) if keywords else None
        head, others = self._known.split(arguments)
        self.packed.append((position, head, self._shared(others), named))
        value = super().__call__(function, *arguments, **keywords)
        kind = self._kind.setdefault(whole, len(self._kind))
        self.kinds.append(kind)
        if kind == len(self.compared):
            _, given, fresh = marshal.loads(whole)  # made a moment ago
            self.compared.append(Compared(given, self._keywords.setdefault(named, fresh), plain(value)))
        self._known.keep(value, len(self.packed) - 1)
        return value

    def _shared(self, value: Any) -> bytes:
        """The marshalled value; the same object for equal ones, so that a worker reads it once."""
        written = marshal.dumps(value, 0)
        return self._written.setdefault(written, written)

    def unfit(self, answer: Any, name: str, positions: int, keywords: Mapping[str, Any]) -> str | None:  # noqa: ARG002
        """A right answer fits, be it the library's."""
        return None

    def copy(self, answer: dict[Any, Any], plainly: dict[str, Any], known: tuple[str, ...]) -> dict[Any, Any]:
        """A copy, to be asked for as one."""
        return self._known.copied(answer, super().copy(answer, plainly, known))


def planned_all(exercises: tuple[Exercise, ...], course: Course, domain: Domain = AS_THE_CHECK_SAYS) -> Iterator[Plan]:
    """The plans of those exercises that have one."""
    for exercise in exercises:
        plan = None if exercise.written else planned(exercise, course, domain)
        if plan is not None:
            yield plan
