"""Questions to a worker and what comes back: read from JSON that may be anything, and held against what was asked.

What is no answer raises Malformed, or one of ODD.
"""

from __future__ import annotations

import marshal
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from edgewise.grading.workers.channel import Malformed
from edgewise.grading.workers.wire import decode

LONGEST_SAID = 1_000
"""The most characters of a sentence of a worker's."""

TOO_LONG = ("gives answers too long to be read", None)
ODD = (ArithmeticError, LookupError, TypeError, ValueError, AttributeError)
"""What reading something raises that is no answer."""


class Handle(NamedTuple):
    """Stands for the very object that answer `number` returned, or for a copy of it."""

    number: int
    is_copy: bool = False


class Question(NamedTuple):
    """A call of one object of an exercise."""

    exercise: str
    position: int
    arguments: tuple[Any, ...]
    keywords: Mapping[str, Any] = {}


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
        return as_answer(self.first + place, self.entries[self.ids[place]])

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


def as_answer(number: int, data: Any) -> Answer:
    """An answer from JSON that may be anything."""
    if data is None:
        return Answer(number)
    changed = {place: decode(item) for place, item in data.get("changed", ())}
    if "value" in data:
        return Answer(number, value=decode(data["value"]), changed=changed)
    if "raised" in data:
        kind, message, line = data["raised"]
        return Answer(number, raised=(as_sentence(kind), as_sentence(message), _line(line)), changed=changed)
    if "stopped" in data:
        message, line = data["stopped"]
        return Answer(number, stopped=(as_sentence(message), _line(line)), changed=changed)
    return Answer(number)


def as_output(data: Any) -> dict[str, Any]:
    """An output of nbformat's four kinds, made new from what the worker sent."""
    kind = data["output_type"]
    if kind == "stream":
        name = "stderr" if data["name"] == "stderr" else "stdout"
        return {"output_type": kind, "name": name, "text": as_text(data["text"])}
    if kind == "error":
        return {
            "output_type": kind,
            "ename": as_text(data["ename"]),
            "evalue": as_text(data["evalue"]),
            "traceback": [*map(as_text, data["traceback"])],
        }
    if kind not in ("execute_result", "display_data"):
        raise Malformed("an output is of no kind that notebooks have")
    output = {"output_type": kind, "data": dict(data["data"]), "metadata": dict(data["metadata"])}
    if kind == "execute_result":
        output["execution_count"] = as_whole(data["execution_count"])
    return output


def as_text(data: Any) -> str:
    """A text; Malformed where it is none."""
    if type(data) is not str:
        raise Malformed("a text is none")
    return data


def as_sentence(data: Any) -> str:
    """A text, cut: a student reads it, and an honest worker has cut it."""
    return as_text(data)[:LONGEST_SAID]


def _line(data: Any) -> str | None:
    return None if data is None else as_sentence(data)


def as_whole(data: Any) -> int:
    """A whole number; Malformed where it is none."""
    if type(data) is not int:
        raise Malformed("a number is none")
    return data


def size_of(data: Any) -> int:
    """About how much memory an answer takes."""
    return len(marshal.dumps(data, 0))


def check_answers(questions: Sequence[Question], answers: Sequence[Answer]) -> None:
    """Raises Malformed where these are no answers to these questions."""
    is_cut = bool(answers) and answers[-1].stopped is not None
    if len(answers) > len(questions) or (len(answers) < len(questions) and not is_cut):
        raise Malformed("a question has no answer, or an answer no question")
    for question, answer in zip(questions, answers, strict=False):
        _check_changed(question, answer)


def check_followed(followed: Followed, packed: bytes, count: int) -> None:
    """Raises Malformed, or one of ODD, where these are no answers to these questions."""
    known = range(len(followed.entries))
    if len(followed.ids) > count or not all(type(number) is int and number in known for number in followed.ids):
        raise Malformed("an answer is none of those given")
    answers = [as_answer(0, {**entry}) for entry in followed.entries]
    if any(answer.changed for answer in answers):
        for (_, head, written, _), number in zip(marshal.loads(packed), followed.ids, strict=False):  # noqa: S302  # ours
            given = (*marshal.loads(written), *[None] * (head is not None))  # noqa: S302
            _check_changed(Question("", 0, given), answers[number])


def _check_changed(question: Question, answer: Answer) -> None:
    """Raises Malformed where an argument is said to be changed that was not handed over."""
    if not answer.changed.keys() <= {*range(len(question.arguments)), *question.keywords}:
        raise Malformed("an argument was changed that is none")
