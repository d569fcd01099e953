"""The judge's side of one worker: cells and questions out, answers in.

Nothing that a worker says is trusted: what is no message of ours ends it.
"""

from __future__ import annotations

import json
import marshal
import signal
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import accumulate
from typing import Any, NamedTuple

from edgewise.grading.confinement import Layer
from edgewise.grading.workers.wire import LARGEST, Channel, Malformed, decode, encode

GRACE_SECONDS = 10
"""How much longer than its deadline a worker is waited for: so long it may take to be ended."""

ROOM = 2 * LARGEST
ROOM_PER_QUESTION = 1_000
"""How many marshalled bytes of answers are read for one exercise: each answer is made anew, and one may be many's."""

LONGEST_SAID = 1_000
"""The most characters of a sentence of a worker's."""

TOO_LONG = ("gives answers too long to be read", None)


class WorkerError(Exception):
    """A worker that gives no more answers; the message says why, about the student's code."""


class Cell(NamedTuple):
    """A code cell; `check` is the exercise whose check cell it is."""

    id: str
    source: str
    check: str | None = None


class Handle(NamedTuple):
    """Stands for the very object that answer `number` returned, or that was given under it, or for a copy of it."""

    number: int
    is_copy: bool = False


class Given(NamedTuple):
    """A value that later questions name by a handle, so that all get the same object."""

    value: Any


class Question(NamedTuple):
    """A call of one object of an exercise."""

    exercise: str
    position: int
    arguments: tuple[Any, ...]
    keywords: Mapping[str, Any] = {}


ODD = (ArithmeticError, LookupError, TypeError, ValueError, AttributeError)
"""What reading something raises that is no answer."""


class Answer(NamedTuple):
    """What came back: one of `value`, `raised` (kind, message, line), `stopped` (message, line); else skipped.

    `changed` holds what arguments looked like after the call, by position or keyword, where they looked otherwise.
    """

    number: int
    value: Any = ...
    raised: tuple[str, str, str | None] | None = None
    stopped: tuple[str, str | None] | None = None
    changed: Mapping[int | str, Any] = {}


class Followed(NamedTuple):
    """What came of a plan: different answers, and for each question the number of its answer."""

    first: int
    entries: tuple[Any, ...]
    ids: tuple[int, ...]

    def answer(self, place: int) -> Answer:
        """The answer to one question, made anew each time."""
        return _answer(self.first + place, self.entries[self.ids[place]])

    @property
    def has_changed(self) -> bool:
        """Whether the last answer changed an argument."""
        return bool(self.ids) and "changed" in self.entries[self.ids[-1]]

    def is_like(self, other: Followed) -> bool:
        """Whether every answer is the same as in another run."""
        return self.ids == other.ids and self.entries == other.entries

    def values(self) -> list[Any] | None:
        """The values of the different answers; None where one of them is more, or less, than a value."""
        if not all(entry.keys() == {"value"} for entry in self.entries):
            return None
        return [decode(entry["value"]) for entry in self.entries]


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
            outputs = {ran["id"]: [_output(output) for output in ran["outputs"]] for ran in reply["ran"]}
            handed = {
                exercise: tuple((_text(kind), bool(call), bool(ours)) for kind, call, ours in items)
                for exercise, items in reply["handed"].items()
            }
        except ODD:
            raise self._odd() from None
        return Ran(outputs, handed)

    def ask(
        self,
        questions: Sequence[Question | Given],
        *,
        seconds: float,
        forget: bool = False,
    ) -> tuple[Answer, ...]:
        """Answers in order, up to the first that says `stopped`; all together may take `seconds` of computing.

        They are numbered through over the worker's life. `forget` drops what earlier numbers stand for.
        """
        written = json.dumps([*map(_question, questions)], separators=(",", ":"), allow_nan=False)
        tagged = written.count('"$') > sum(
            type(argument) is Handle
            for question in questions
            if isinstance(question, Question)
            for argument in question[2]
        )
        rest = json.dumps({"seconds": seconds, "forget": forget, "tagged": tagged})
        reply = self._asked(f'{{"ask":{written},{rest[1:]}')
        try:
            first = _whole(reply["first"])
            answers = [_answer(first + place, answer) for place, answer in enumerate(reply["answers"])]
            _check_answers(questions, answers)
        except ODD:
            raise self._odd() from None
        exercise = next((question.exercise for question in questions if isinstance(question, Question)), "")
        kept = self._kept(exercise, len(answers), [_size(answer) for answer in reply["answers"]])
        return tuple(answers[:kept]) + (Answer(first + kept, stopped=TOO_LONG),) * (kept < len(answers))

    def follow(self, exercise: str, packed: bytes, count: int, *, seconds: float, to_change: bool = True) -> Followed:
        """What an exercise's objects answer to `count` questions, up to the first that stopped.

        With `to_change`, the first that changed an argument is the last. All together may take `seconds` of computing;
        how questions are packed is said in `following`.
        """
        request = {"plan": [exercise, count], "seconds": seconds, "to_change": to_change}
        reply = self._asked(request, packed)
        try:
            followed = Followed(_whole(reply["first"]), tuple(reply["entries"]), tuple(reply["ids"]))
            _check_followed(followed, packed, count)
        except ODD:
            raise self._odd() from None
        sizes = [*map(_size, followed.entries)]
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
        return _how(fate["code"])


def _how(code: int) -> str:
    if code >= 0:
        return f"ended its process with status {code}"
    try:
        return f"was ended by the signal {signal.Signals(-code).name}"
    except ValueError:
        return f"was ended by the signal {-code}"


def _question(question: Question | Given) -> Any:
    if isinstance(question, Given):
        return {"give": encode(question.value)}
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


def _answer(number: int, data: Any) -> Answer:
    """An answer from JSON that may be anything."""
    if data is None:
        return Answer(number)
    changed = {place: decode(item) for place, item in data.get("changed", ())}
    if "value" in data:
        return Answer(number, value=decode(data["value"]), changed=changed)
    if "raised" in data:
        kind, message, line = data["raised"]
        return Answer(number, raised=(_said(kind), _said(message), _line(line)), changed=changed)
    if "stopped" in data:
        message, line = data["stopped"]
        return Answer(number, stopped=(_said(message), _line(line)), changed=changed)
    return Answer(number)


def _text(data: Any) -> str:
    if type(data) is not str:
        raise Malformed("a text is none")
    return data


def _said(data: Any) -> str:
    """A text, cut: a student reads it, and an honest worker has cut it."""
    return _text(data)[:LONGEST_SAID]


def _line(data: Any) -> str | None:
    return None if data is None else _said(data)


def _whole(data: Any) -> int:
    if type(data) is not int:
        raise Malformed("a number is none")
    return data


def _size(data: Any) -> int:
    """About how much memory an answer takes."""
    return len(marshal.dumps(data, 0))


def _check_changed(question: Question | Given, answer: Answer) -> None:
    """Raises Malformed where an argument is said to be changed that was not handed over."""
    given = question if isinstance(question, Question) else Question("", 0, ())
    if not answer.changed.keys() <= {*range(len(given.arguments)), *given.keywords}:
        raise Malformed("an argument was changed that is none")


def _check_answers(questions: Sequence[Question | Given], answers: Sequence[Answer]) -> None:
    """Raises Malformed where these are no answers to these questions."""
    is_cut = bool(answers) and answers[-1].stopped is not None
    if len(answers) > len(questions) or (len(answers) < len(questions) and not is_cut):
        raise Malformed("a question has no answer, or an answer no question")
    for question, answer in zip(questions, answers, strict=False):
        _check_changed(question, answer)


def _check_followed(followed: Followed, packed: bytes, count: int) -> None:
    """Raises Malformed, or one of ODD, where these are no answers to these questions."""
    known = range(len(followed.entries))
    if len(followed.ids) > count or not all(type(number) is int and number in known for number in followed.ids):
        raise Malformed("an answer is none of those given")
    answers = [_answer(0, {**entry}) for entry in followed.entries]
    if any(answer.changed for answer in answers):
        for (_, head, written, _), number in zip(marshal.loads(packed), followed.ids, strict=False):  # noqa: S302  # ours
            given = (*marshal.loads(written), *[None] * (head is not None))  # noqa: S302
            _check_changed(Question("", 0, given), answers[number])


def _output(data: Any) -> dict[str, Any]:
    """An output of nbformat's four kinds, made new from what the worker sent."""
    kind = data["output_type"]
    if kind == "stream":
        name = "stderr" if data["name"] == "stderr" else "stdout"
        return {"output_type": kind, "name": name, "text": _text(data["text"])}
    if kind == "error":
        return {
            "output_type": kind,
            "ename": _text(data["ename"]),
            "evalue": _text(data["evalue"]),
            "traceback": [*map(_text, data["traceback"])],
        }
    if kind not in ("execute_result", "display_data"):
        raise Malformed("an output is of no kind that notebooks have")
    output = {"output_type": kind, "data": dict(data["data"]), "metadata": dict(data["metadata"])}
    if kind == "execute_result":
        output["execution_count"] = _whole(data["execution_count"])
    return output
