"""Right answers asked in this process, and every question written down as a worker reads it."""

from __future__ import annotations

import marshal
from collections import deque
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple, Self

from edgewise.checking.calling import Caller
from edgewise.checking.cases import CaseCheck
from edgewise.checking.engine import examine
from edgewise.checking.exercise import Check, Compared, Domain
from edgewise.checking.machines import MachineCheck
from edgewise.checking.values import plain
from edgewise.course import Course, Exercise
from edgewise.grading.workers.answers import Handle
from edgewise.grading.workers.following import Packed


class Recorded(NamedTuple):
    """What a check asks of right answers; all of it can be marshalled.

    Questions of the same kind are the same question, asked from the same snapshot: `kinds` holds the kind of each,
    `compared` one of each kind with the right answer to it. `behaviours` are what a wrong answer is asked beyond, to
    be held against the misconceptions. `domain` is what a report says was asked.
    """

    questions: tuple[Packed, ...]
    behaviours: tuple[tuple[Packed, ...], ...]
    kinds: tuple[int, ...]
    compared: tuple[tuple[tuple[Any, ...], Mapping[str, Any], Any], ...]
    domain: str


def recorded(exercise: Exercise, course: Course, check: Check, domain: Domain) -> Recorded | None:
    """What the check of an exercise asks; None for a value, which is read in one piece.

    Raises CheckError, and ValueError where the reference is not right by its own check.
    """
    right = _right(check)
    if right is None:
        return None
    recorder = Recorder(right)
    passed = examine(exercise, right, course, recorder.opened, domain)
    if passed.outcome != "passed":
        raise ValueError(f"the reference of {exercise.id} is not right by its own check")
    return Recorded(
        tuple(recorder.packed),
        tuple(_behaviours(exercise, check, right)),
        tuple(recorder.kinds),
        tuple(map(tuple, recorder.compared)),
        passed.domain,
    )


def _behaviours(exercise: Exercise, check: Check, right: tuple[Any, ...]) -> Iterator[tuple[Packed, ...]]:
    """What is asked of each object that misconceptions are about."""
    for about in dict.fromkeys(known.about for known in check.misconceptions):
        with Recorder(right) as recorder:
            answer = right[exercise.objects.index(about) if about else 0]
            deque(check.behaviour(answer, about, recorder), maxlen=0)
        yield tuple(recorder.packed)


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
