"""Asking a worker as `checking` asks a function: a check module cannot tell the difference.

What a plan has asked already is looked up in what came back; what a wrong answer makes a check ask beyond that is
asked one by one.
"""

from __future__ import annotations

import marshal
from collections import Counter
from collections.abc import Mapping
from typing import Any, NamedTuple

from edgewise.checking.calling import Raised, Stopped
from edgewise.grading.asking import Answer, Followed, Question, Worker
from edgewise.grading.plan import Known, Packed, Plan


class Remote(NamedTuple):
    """Stands for an object that a submission handed in."""

    exercise: str
    position: int


class Asker:
    """Asks one exercise of a worker, along a plan where there is one. A context manager, as Caller is."""

    def __init__(
        self, worker: Worker, seconds: float, plan: Plan | None = None, followed: Followed | None = None
    ) -> None:
        self._worker = worker
        self._seconds = seconds
        self._plan = plan
        self._followed = followed
        self._used: Counter[Packed] = Counter()
        self._known = Known()

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
        """The answer from the plan; None where the question is not in what is left of it, or was not reached.

        Each planned answer is used once, so that a question that comes twice gets two answers.
        """
        if self._plan is None or self._followed is None:
            return None
        question = self._packed(function, arguments, keywords, self._followed.first)
        places = self._plan.places.get(question, ()) if question else ()
        used = self._used[question] if question else 0
        if not question or used >= len(places) or places[used] >= len(self._followed.ids):
            return None
        self._used[question] += 1
        return self._followed.answer(places[used])

    def _packed(
        self, function: Remote, arguments: tuple[Any, ...], keywords: dict[str, Any], first: int
    ) -> Packed | None:
        """The question as a plan holds it; None where an argument is no plain data."""
        packed: list[int | bytes] = []
        try:
            for argument in arguments:
                handle = self._known.handle(argument)
                if handle is None:
                    packed.append(marshal.dumps(argument, 0))
                else:
                    packed.append(~(handle.number - first) if handle.is_copy else handle.number - first)
            return function.position, tuple(packed), marshal.dumps(keywords, 0) if keywords else None
        except ValueError:
            return None

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
