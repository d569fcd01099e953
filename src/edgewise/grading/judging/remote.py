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
from edgewise.grading.judging.plan import Batch, Plan, copying
from edgewise.grading.judging.recording import Known
from edgewise.grading.workers.answers import Answer, Followed, Question
from edgewise.grading.workers.asking import Worker
from edgewise.grading.workers.following import Packed


class Remote(NamedTuple):
    """Stands for an object that a submission handed in."""

    exercise: str
    position: int


class Asked:
    """A batch that was asked; each of its answers is used once, so that a question that comes twice gets two."""

    def __init__(self, batch: Batch, followed: Followed) -> None:
        self.followed = followed
        self.is_whole = len(followed.ids) == batch.count
        self._places = batch.places
        self._used: Counter[Packed] = Counter()

    def answer(self, question: Packed) -> Answer | None:
        """The next answer to the question; None where there is none left."""
        places, used = self._places.get(question, ()), self._used[question]
        if used >= len(places) or places[used] >= len(self.followed.ids):
            return None
        self._used[question] += 1
        return self.followed.answer(places[used])


class Asker:
    """Asks one exercise of a worker, along a plan where there is one. A context manager, as Caller is."""

    def __init__(
        self, worker: Worker, seconds: float, plan: Plan | None = None, followed: Followed | None = None
    ) -> None:
        self._worker = worker
        self._seconds = seconds
        self._plan = plan
        self._asked: dict[int, Asked] = {}
        self._first = 0
        self._known = Known()
        self._restored: set[int] = set()
        self._copies = plan is not None and followed is not None and followed.has_changed
        if plan is not None and followed is not None:
            batch = plan.copying if self._copies else plan.batch
            self._asked[id(batch)] = Asked(batch, self._followed(batch) if self._copies else followed)
            self._first = self._asked[id(batch)].followed.first

    def __enter__(self) -> Asker:
        return self

    def __exit__(self, *exc: object) -> None:
        return None

    def __call__(self, function: Any, *arguments: Any, **keywords: Any) -> Any:
        """What the object answers, or Raised. Raises Stopped, and WorkerError when nobody answers any more."""
        if not isinstance(function, Remote):
            return function(*arguments, **keywords)  # a check's own function, such as one that reads a value
        answer = self._foreseen(function, arguments, keywords) or self._ask(function, arguments, keywords)
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

    def restored(self, answer: Any, plainly: dict[str, Any]) -> dict[str, Any]:
        """Our copy of what an answer was before a call changed it; among copies, a copy like the others."""
        if self._copies and self._known.handle(answer):
            self._known.copied(answer, plainly)
            self._restored.add(id(plainly))
        return plainly

    def value(self, answer: Remote, name: str) -> Any:  # noqa: ARG002
        """The object itself, as data."""
        return self._worker.value(answer.exercise, answer.position)

    def last_line(self, function: Remote, *arguments: Any, **keywords: Any) -> str | None:
        """The line of the student's own that ran last in the call."""
        question = Question(function.exercise, function.position, arguments, keywords)
        return self._worker.last_line(question, seconds=self._seconds)

    def _foreseen(self, function: Remote, arguments: tuple[Any, ...], keywords: dict[str, Any]) -> Answer | None:
        """The answer from what was asked in a batch; None where no batch holds the question, or reached it."""
        if self._plan is None:
            return None
        question = self._packed(function, arguments, keywords)
        if question is None:
            return None
        for asked in self._asked.values():
            answer = asked.answer(question)
            if answer is not None:
                return answer
        for batch in self._plan.behaviours:
            if question in batch.places and getattr(self._asked.get(id(batch)), "is_whole", True):
                self._asked[id(batch)] = Asked(batch, self._followed(batch))
                return self._asked[id(batch)].answer(question)
        return None

    def _followed(self, batch: Batch) -> Followed:
        """What came of a batch, where the first change is the last answer only if nobody asks copies."""
        exercise = self._plan.exercise if self._plan else ""
        return self._worker.follow(
            exercise, batch.packed, batch.count, seconds=self._seconds, to_change=not self._copies
        )

    def _packed(self, function: Remote, arguments: tuple[Any, ...], keywords: dict[str, Any]) -> Packed | None:
        """The question as a plan holds it; None where an argument is no plain data."""
        head, others = self._known.split(arguments, self._first)
        try:
            written = marshal.dumps(others, 0)
            question = function.position, head, written, marshal.dumps(keywords, 0) if keywords else None
        except ValueError:
            return None
        return copying(question) if self._copies else question

    def _ask(self, function: Remote, arguments: tuple[Any, ...], keywords: dict[str, Any]) -> Answer:
        given = tuple(
            argument if id(argument) in self._restored else self._known.handle(argument) or argument
            for argument in arguments
        )
        return self._worker.ask([Question(*function, given, keywords)], seconds=self._seconds)[0]


def _alter(here: Any, changed: Any) -> None:
    """Do to our copy of an argument what the call did to the worker's."""
    if isinstance(here, dict) and isinstance(changed, dict):
        here.clear()
        here.update(changed)
    elif isinstance(here, list) and isinstance(changed, list):
        here[:] = changed
