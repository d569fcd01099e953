"""Asking a worker as `checking` asks a function: a check module cannot tell the difference.

A check asks thousands of questions, and which ones depends on the answers only where they are wrong. So the
questions that a right answer would be asked are written down once (a Plan), sent to the worker in one message,
and looked up in what came back; what a wrong answer makes a check ask beyond them is asked one by one.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from edgewise.checking.calling import Caller, Raised, Stopped
from edgewise.checking.cases import CaseCheck
from edgewise.checking.exercise import Check
from edgewise.checking.machines import MachineCheck
from edgewise.checking.mutants import reference
from edgewise.checking.values import plain
from edgewise.course import Exercise
from edgewise.grading.asking import Answer, Handle, Question, Worker


class Remote(NamedTuple):
    """Stands for an object that a submission handed in."""

    exercise: str
    position: int


class Step(NamedTuple):
    """One planned question; a Handle among its arguments counts from the beginning of the plan."""

    position: int
    arguments: tuple[Any, ...]
    keywords: Mapping[str, Any]


class Recorder:
    """Calls right answers in this process and writes down each question."""

    def __init__(self, positions: Mapping[int, int], ask: Caller) -> None:
        self.steps: list[Step] = []
        self._positions = positions
        self._ask = ask
        self._known = _Known()

    def __call__(self, function: Any, *arguments: Any, **keywords: Any) -> Any:
        """The right answer."""
        if id(function) not in self._positions:
            return function(*arguments, **keywords)
        given = tuple(self._known.handle(argument) or plain(argument) for argument in arguments)
        self.steps.append(Step(self._positions[id(function)], given, plain(keywords)))
        value = self._ask(function, *arguments, **keywords)
        self._known.keep(value, len(self.steps) - 1)
        return value

    def unfit(self, answer: Any, name: str, positions: int, keywords: Mapping[str, Any]) -> str | None:  # noqa: ARG002
        """A right answer fits."""
        return None

    def copy(self, answer: dict[Any, Any], plainly: dict[str, Any], known: tuple[str, ...]) -> dict[Any, Any]:
        """A copy, to be asked for as one."""
        return self._known.copied(answer, self._ask.copy(answer, plainly, known))

    def value(self, answer: Any, name: str) -> Any:  # noqa: ARG002
        """The answer itself."""
        return answer

    def last_line(self, function: Any, *arguments: Any, **keywords: Any) -> str | None:  # noqa: ARG002
        """Nobody asks where a right answer comes from."""
        return None


def plan(exercise: Exercise, check: Check, seconds: float) -> tuple[Step, ...]:
    """Every question that `check` asks of right answers, in order; none for a value, which is read in one piece."""
    right = _right(check)
    if right is None:
        return ()
    with Caller(seconds) as ask:
        recorder = Recorder({id(answer): position for position, answer in enumerate(right)}, ask)
        explored = check.explore(right, recorder)
    if explored.wrong or explored.stopped:
        raise ValueError(f"the reference of {exercise.id} is not right by its own check")
    return tuple(recorder.steps)


def _right(check: Check) -> tuple[Any, ...] | None:
    """Right answers to the exercise; None where one of them is a value."""
    if isinstance(check, MachineCheck):
        return (reference(check),)
    if isinstance(check, CaseCheck) and not any(subject.reads for subject in check.subjects):
        return tuple(subject.reference for subject in check.subjects)
    return None


class _Known:
    """Which objects of ours stand for which answers: a worker is told their numbers, not their contents."""

    def __init__(self) -> None:
        self._handles: dict[int, Handle] = {}
        self._kept: list[Any] = []

    def keep(self, value: Any, number: int) -> None:
        """Remember that `value` is what answer `number` returned."""
        if isinstance(value, dict | list):
            self._handles[id(value)] = Handle(number)
            self._kept.append(value)  # as long as it lives, nothing else has its id

    def copied(self, answer: Any, copy: dict[Any, Any]) -> dict[Any, Any]:
        """Remember that `copy` is a copy of that answer."""
        number = self._handles[id(answer)].number
        self._handles[id(copy)] = Handle(number, is_copy=True)
        self._kept.append(copy)
        return copy

    def handle(self, value: Any) -> Handle | None:
        """The handle of an object that came as an answer, or is a copy of one."""
        return self._handles.get(id(value))


class Asker:
    """Asks one exercise of a worker, along a plan where there is one. A context manager, as Caller is."""

    def __init__(self, worker: Worker, seconds: float, planned: tuple[Step, ...] = ()) -> None:
        self._worker = worker
        self._seconds = seconds
        self._planned = planned
        self._answers: tuple[Answer, ...] | None = None
        self._base = 0
        self._next = 0
        self._known = _Known()

    def __enter__(self) -> Asker:
        return self

    def __exit__(self, *exc: object) -> None:
        return None

    def __call__(self, function: Any, *arguments: Any, **keywords: Any) -> Any:
        """What the object answers, or Raised. Raises Stopped, and WorkerError when nobody answers any more."""
        if not isinstance(function, Remote):
            return function(*arguments, **keywords)  # a check's own function, such as one that reads a value
        answer = self._foreseen(function, arguments, keywords) or self._asked(function, arguments, keywords)
        for place, changed in answer.changed.items():
            _alter(arguments[place] if isinstance(place, int) else keywords[place], changed)
        if answer.stopped is not None:
            raise Stopped(*answer.stopped)
        if answer.raised is not None:
            return Raised(*answer.raised)
        self._known.keep(answer.value, answer.number)
        return answer.value

    def unfit(self, answer: Remote, name: str, positions: int, keywords: Mapping[str, Any]) -> str | None:
        """Why the object can't be asked as the exercise says; None when it can."""
        return self._worker.unfit(answer.exercise, answer.position, name, positions, keywords)

    def copy(self, answer: dict[Any, Any], plainly: dict[str, Any], known: tuple[str, ...]) -> dict[Any, Any]:
        """Our copy, for which the worker makes one of its own object, unless a call has changed that."""
        if all(answer.get(key) == plainly[key] for key in known):
            return self._known.copied(answer, plainly)
        return plainly

    def value(self, answer: Remote, name: str) -> Any:  # noqa: ARG002
        """The object itself, as data."""
        return self._worker.value(answer.exercise, answer.position)

    def last_line(self, function: Remote, *arguments: Any, **keywords: Any) -> str | None:
        """The line of the student's own that ran last in the call."""
        question = Question(function.exercise, function.position, arguments, keywords)
        return self._worker.last_line(question, seconds=self._seconds)

    def _foreseen(self, function: Remote, arguments: tuple[Any, ...], keywords: dict[str, Any]) -> Answer | None:
        """The answer from the plan; None where the question is not in what is left of it, or was not reached."""
        if not self._planned:
            return None
        if self._answers is None:
            self._answers = self._send(function)
        handles = tuple(map(self._known.handle, arguments))
        for number in range(self._next, len(self._answers)):
            if self._is(self._planned[number], function, arguments, handles, keywords):
                self._next = number + 1
                return self._answers[number]
        return None

    def _send(self, function: Remote) -> tuple[Answer, ...]:
        """The plan's questions, all in one message."""
        self._base = self._worker.next_number
        questions = [
            Question(function.exercise, step.position, tuple(map(self._moved, step.arguments)), step.keywords)
            for step in self._planned
        ]
        return self._worker.ask(questions, seconds=self._seconds, until_changed=True)

    def _moved(self, argument: Any) -> Any:
        return argument._replace(number=argument.number + self._base) if isinstance(argument, Handle) else argument

    def _is(
        self,
        step: Step,
        function: Remote,
        arguments: tuple[Any, ...],
        handles: tuple[Handle | None, ...],
        keywords: dict[str, Any],
    ) -> bool:
        """Whether a question is the planned one."""
        if step.position != function.position or step.keywords != keywords or len(step.arguments) != len(arguments):
            return False
        for planned, given, handle in zip(step.arguments, arguments, handles, strict=True):
            if isinstance(planned, Handle):
                if handle is None or handle != self._moved(planned):
                    return False
            elif handle is not None or planned != given:
                return False
        return True

    def _asked(self, function: Remote, arguments: tuple[Any, ...], keywords: dict[str, Any]) -> Answer:
        given = tuple(self._known.handle(argument) or argument for argument in arguments)
        return self._worker.ask([Question(*function, given, keywords)], seconds=self._seconds)[0]


def _alter(here: Any, changed: Any) -> None:
    """Do to our copy of an argument what the call did to the worker's."""
    if isinstance(here, dict) and isinstance(changed, dict):
        here.clear()
        here.update(changed)
    elif isinstance(here, list) and isinstance(changed, list):
        here[:] = changed
