"""The judge's side of one worker: cells and questions out, answers in.

Nothing that a worker says is trusted: what is no message of ours ends it.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from itertools import accumulate
from typing import Any, NamedTuple

from edgewise.checking.exits import how_it_ended
from edgewise.grading.confinement import Layer
from edgewise.grading.workers.answers import (
    LONGEST_SAID,
    ODD,
    TOO_LONG,
    Answer,
    Followed,
    Handle,
    Question,
    as_answer,
    as_output,
    as_text,
    as_whole,
    check_answers,
    check_followed,
    size_of,
)
from edgewise.grading.workers.channel import LARGEST, Channel, Malformed
from edgewise.grading.workers.wire import decode, encode

GRACE_SECONDS = 10
"""How much longer than its deadline a worker is waited for: so long it may take to be ended."""

ROOM = 2 * LARGEST
ROOM_PER_QUESTION = 1_000
"""How many marshalled bytes of answers are read for one exercise: each answer is made anew, and one may be many's."""


class WorkerError(Exception):
    """A worker that gives no more answers; the message says why, about the student's code."""


class Cell(NamedTuple):
    """A code cell; `check` is the exercise whose check cell it is."""

    id: str
    source: str
    check: str | None = None


class Ran(NamedTuple):
    """The outputs of each cell, and of each exercise what was handed in: type name, callable, the library's own."""

    outputs: dict[str, list[dict[str, Any]]]
    handed: dict[str, tuple[tuple[str, bool, bool], ...]]


class Worker:
    """One worker, seen from outside. Every method raises WorkerError when it has ended, or says what is no answer."""

    def __init__(
        self, channel: Channel, seconds: float, fate: Callable[[], dict[str, Any]], leave: Callable[[], None]
    ) -> None:
        channel.wait_for(seconds + GRACE_SECONDS)
        self._channel = channel
        self._seconds = seconds
        self._fate = fate
        self._leave = leave
        self._is_closed = False
        self._room: dict[str, int] = {}
        self._values: dict[tuple[str, int], Any] = {}
        self.confining_seconds = 0.0
        self.layers = self._hello()

    def _hello(self) -> tuple[Layer, ...] | None:
        """What the worker says before it runs a line of student code."""
        try:
            hello = self._channel.receive()
        except (OSError, Malformed):
            return None
        if not hello:
            return None
        self.confining_seconds = float(hello["seconds"])
        return tuple(Layer(name, on) for name, on in hello["layers"])

    def __enter__(self) -> Worker:
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()

    def close(self) -> None:
        """Take leave: the worker ends by itself, or at its deadline."""
        if not self._is_closed:
            self._is_closed = True
            self._leave()

    def put(self, path: str, data: bytes) -> None:
        """Write a file in the worker's folder; one that does not fit there is left out."""
        for start in range(0, max(len(data), 1), LARGEST):
            part = data[start : start + LARGEST]
            self._asked({"file": path, "size": len(part), "goes_on": start > 0}, part or b"\0")

    def run(self, cells: Sequence[Cell], *, cell_seconds: float) -> Ran:
        """Run code cells in order; each may take `cell_seconds`."""
        reply = self._asked({"cells": [cell._asdict() for cell in cells], "cell_seconds": cell_seconds})
        try:
            outputs = {ran["id"]: [as_output(output) for output in ran["outputs"]] for ran in reply["ran"]}
            handed = {
                exercise: tuple((as_text(kind), bool(call), bool(ours)) for kind, call, ours in items)
                for exercise, items in reply["handed"].items()
            }
        except ODD:
            raise self._odd() from None
        return Ran(outputs, handed)

    def ask(
        self,
        questions: Sequence[Question],
        *,
        seconds: float,
    ) -> tuple[Answer, ...]:
        """Answers in order, up to the first that says `stopped`; all together may take `seconds` of computing.

        They are numbered through over the worker's life.
        """
        written = json.dumps([*map(_question, questions)], separators=(",", ":"), allow_nan=False)
        tagged = written.count('"$') > sum(
            type(argument) is Handle for question in questions for argument in question.arguments
        )
        rest = json.dumps({"seconds": seconds, "tagged": tagged})
        reply = self._asked(f'{{"ask":{written},{rest[1:]}')
        try:
            first = as_whole(reply["first"])
            answers = [as_answer(first + place, answer) for place, answer in enumerate(reply["answers"])]
            check_answers(questions, answers)
        except ODD:
            raise self._odd() from None
        exercise = next((question.exercise for question in questions), "")
        kept = self._kept(exercise, len(answers), [size_of(answer) for answer in reply["answers"]])
        return tuple(answers[:kept]) + (Answer(first + kept, stopped=TOO_LONG),) * (kept < len(answers))

    def follow(self, exercise: str, packed: bytes, count: int, *, seconds: float, to_change: bool = True) -> Followed:
        """What an exercise's objects answer to `count` questions, up to the first that stopped.

        With `to_change`, the first that changed an argument is the last. All together may take `seconds` of computing;
        how questions are packed is said in `following`.
        """
        request = {"plan": [exercise, count], "seconds": seconds, "to_change": to_change}
        reply = self._asked(request, packed)
        try:
            followed = Followed(as_whole(reply["first"]), tuple(reply["entries"]), tuple(reply["ids"]))
            check_followed(followed, packed, count)
        except ODD:
            raise self._odd() from None
        sizes = [*map(size_of, followed.entries)]
        kept = self._kept(exercise, count, [sizes[number] for number in followed.ids])
        if kept == len(followed.ids):
            return followed
        cut = {"stopped": [*TOO_LONG]}
        return Followed(followed.first, (*followed.entries, cut), (*followed.ids[:kept], len(followed.entries)))

    def _kept(self, exercise: str, asked: int, sizes: Sequence[int]) -> int:
        """How many of the answers are read, of which each has its size."""
        room = self._room.get(exercise, ROOM) + asked * ROOM_PER_QUESTION
        self._room[exercise] = max(room - sum(sizes), 0)
        if sum(sizes) <= room:
            return len(sizes)
        return next(place for place, used in enumerate(accumulate(sizes)) if used > room)

    def unfit(self, exercise: str, position: int, name: str, positions: int, keywords: Iterable[str]) -> str | None:
        """Why an object can't be called so, in a sentence; None when it can."""
        reply = self._asked({"fit": [exercise, position, name, positions, [*keywords]]})
        return self._text_or_none(reply, "fit")

    def last_line(self, question: Question, *, seconds: float) -> str | None:
        """The line of the student's own that ran last in one call, as `line 4: source`."""
        return self._text_or_none(self._asked({"line": _question(question), "seconds": seconds}), "line")

    def value(self, exercise: str, position: int) -> Any:
        """An object that was handed in, as data: as it was when it was asked for first."""
        if (exercise, position) not in self._values:
            try:
                self._values[exercise, position] = decode(self._asked({"value": [exercise, position]})["value"])
            except ODD:
                raise self._odd() from None
        return self._values[exercise, position]

    def _text_or_none(self, reply: Any, name: str) -> str | None:
        text = reply.get(name, ...) if type(reply) is dict else ...
        if text is not None and type(text) is not str:
            raise self._odd()
        return text if text is None else text[:LONGEST_SAID]

    def _asked(self, request: dict[str, Any] | str, more: bytes = b"") -> Any:
        if self._is_closed:
            raise WorkerError("has ended")
        text = request if isinstance(request, str) else json.dumps(request)
        if len(text) > LARGEST:
            self.close()
            raise WorkerError(f"was handed cells of more than {LARGEST // 2**20} MB, and was stopped")
        try:
            self._channel.send_text(text)
            if more:
                self._channel.send_bytes(more)
            reply = self._channel.receive()
        except Malformed:
            raise self._odd() from None
        except OSError:
            reply = None
        if reply is None:
            raise WorkerError(self.ended())
        return reply

    def _odd(self) -> WorkerError:
        self.close()
        return WorkerError("sent something that is no answer, and was stopped")

    def ended(self) -> str:
        """How the worker came to its end, or comes now: after it, nothing of it is left."""
        fate = self._fate()
        self.close()
        if "code" not in fate:
            return "was ended by the machine"
        if fate["end"] == "late":
            return f"ran for more than {self._seconds:g} s and was stopped"
        if fate["end"] == "overfull":
            return "wrote more files than fit its folder, and was stopped"
        return how_it_ended(fate["code"])


def _question(question: Question) -> Any:
    return [
        question.exercise,
        question.position,
        [*map(_argument, question.arguments)],
        {name: _argument(value) for name, value in question.keywords.items()},
    ]


def _argument(value: Any) -> Any:
    if isinstance(value, Handle):
        return {"$copy" if value.is_copy else "$": value.number}
    return encode(value)
