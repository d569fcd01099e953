"""The worker: runs a submission's cells in order, then answers questions about what they handed in.

It knows no expectation and no points; all it says is data. `check(id, *objects)` only hands objects in here.
Everything in this process may be changed by student code, so whoever listens trusts nothing of it.
"""

from __future__ import annotations

import contextlib
import json
import marshal
import os
import sys
from base64 import b64encode
from collections.abc import Callable, Iterator
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Any

import edgewise
from edgewise.checking.calling import Caller, Raised, Stopped
from edgewise.checking.fitting import is_ours, unfit
from edgewise.grading.workers.channel import Channel
from edgewise.grading.workers.following import MOST_SHOWN, Follower
from edgewise.grading.workers.wire import decode, encode

if TYPE_CHECKING:
    from edgewise.grading.confinement import Layer
    from edgewise.grading.workers.shell import CellShell

Read = Callable[[Any, dict[int, Any]], Any]

TOGETHER = 64
"""How many answers are written at once: few enough to stop in time at answers that are too long."""

LEFT_OUT = f"… left out: a notebook may show {MOST_SHOWN:,} characters\n"


class Handed:
    """Stands in for `check`: the first objects that the check cell of an exercise hands in are kept."""

    def __init__(self) -> None:
        self.objects: dict[str, tuple[Any, ...]] = {}
        self.due: str | None = None

    def __call__(self, exercise: str, *objects: object) -> float:
        """No points: a person outside gives them."""
        if exercise == self.due and exercise not in self.objects:
            self.objects[exercise] = objects
        return 0.0


def _nothing(*_arguments: object, **_keywords: object) -> None:
    """Stands in for `walk`, `hint` and `progress`, which show something to a reader."""


class Worker:
    """One conversation: requests in, replies out."""

    def __init__(self, shell: CellShell) -> None:
        self._shell = shell
        self._handed = Handed()
        self._things: dict[int, Any] = {}
        self._number = 0
        self._write = json.JSONEncoder(separators=(",", ":"), allow_nan=False).encode
        sys.path.insert(0, "")  # as in a notebook
        vars(edgewise).update(check=self._handed, walk=_nothing, hint=_nothing, progress=_nothing)
        self._kinds: dict[str, Callable[[Any, dict[str, Any]], str]] = {
            "cells": self._run,
            "ask": self._ask,
            "plan": self._follow,
            "file": self._put,
            "fit": self._fit,
            "line": self._line,
            "value": self._value,
        }

    def serve(self, channel: Channel, layers: tuple[Layer, ...], seconds: float) -> None:
        """Say which layers of confinement are on, and what they took; then answer until nobody asks."""
        self._channel = channel
        channel.send({"layers": [[layer.name, layer.on] for layer in layers], "seconds": seconds})
        while (request := channel.receive()) is not None:
            kind = next(iter(request))
            channel.send_text(self._kinds[kind](request[kind], request))

    def _put(self, path: str, request: dict[str, Any]) -> str:
        """Write a file, which comes after the request that announces it: a length of 0 can't be sent."""
        data = self._channel.receive_bytes()
        with contextlib.suppress(OSError):
            Path(path).parent.mkdir(parents=True, exist_ok=True)
            with Path(path).open("ab" if request["goes_on"] else "wb") as file:
                file.write(data[: request["size"]])
        return '{"written":true}'

    def _run(self, cells: list[dict[str, Any]], request: dict[str, Any]) -> str:
        """Run the cells: the outputs of each, and what was handed in."""
        ran, left = [], MOST_SHOWN
        for cell in cells:
            self._handed.due = cell.get("check")
            outputs = self._written(self._shell.run(cell["source"], request["cell_seconds"]))
            left -= len(outputs)
            if left < 0 and outputs != "[]":
                outputs = json.dumps([{"output_type": "stream", "name": "stdout", "text": LEFT_OUT}])
            ran.append(f'{{"id":{self._write(cell["id"])},"outputs":{outputs}}}')
        self._handed.due = None
        handed = {
            exercise: [[_kind(item), callable(item), is_ours(item)] for item in objects]
            for exercise, objects in self._handed.objects.items()
        }
        return f'{{"ran":[{",".join(ran)}],"handed":{self._write(handed)}}}'

    def _written(self, outputs: list[dict[str, Any]]) -> str:
        """Outputs as JSON; what of them is none, as where a `_repr_json_` lies or a number is NaN, is left out."""
        try:
            return json.dumps(outputs, default=_as_text, allow_nan=False)
        except Exception:  # whatever a student's object made of it
            return json.dumps([*map(_without_odd, outputs)])

    @contextlib.contextmanager
    def _caller(self, seconds: float) -> Iterator[Caller]:
        """Asks for so long; meanwhile exit() ends the program, as it does for a check in a notebook."""
        self._shell.ask_exit = sys.exit  # type: ignore[method-assign]
        try:
            with Caller(seconds) as ask:
                yield ask
        finally:
            vars(self._shell).pop("ask_exit", None)

    def _follow(self, plan: list[Any], request: dict[str, Any]) -> str:
        """Answer the questions of a plan, which comes after the request that announces it."""
        exercise, count = plan
        first, self._number = self._number, self._number + count
        packed = self._channel.receive_bytes()
        follower = Follower(self._handed.objects[exercise], self._things, first)
        with self._caller(request["seconds"]) as ask:
            followed = follower.follow(packed, ask, to_change=request["to_change"])
        return f'{{"first":{first},{followed}}}'

    def _ask(self, questions: list[Any], request: dict[str, Any]) -> str:
        """Answer questions until one can't be answered; answers are numbered through, and kept for later ones."""
        read = decode if request.get("tagged", True) else _untagged
        first, written, left = self._number, [], MOST_SHOWN
        with self._caller(request["seconds"]) as ask:
            for start in range(0, len(questions), TOGETHER):
                answers = self._answers(questions[start : start + TOGETHER], ask, read)
                written.append(self._write(answers)[1:-1])
                left -= len(written[-1])
                if left < 0:
                    written[-1] = self._write({"stopped": ["gives answers too long to be read", None]})
                if left < 0 or "stopped" in answers[-1]:
                    break
        return f'{{"first":{first},"answers":[{",".join(written)}]}}'

    def _answers(self, questions: list[Any], ask: Caller, read: Read) -> list[dict[str, Any]]:
        """The answers to a few questions, up to the first that stopped."""
        answers: list[dict[str, Any]] = []
        for question in questions:
            answers.append(self._answer(question, ask, read))
            self._number += 1
            if "stopped" in answers[-1]:
                break
        return answers

    def _answer(self, question: Any, ask: Caller, read: Read) -> dict[str, Any]:
        """The answer to one question, and what it changed."""
        exercise, position, given, named = question
        try:
            arguments = [read(item, self._things) for item in given]
            keywords = {name: read(item, self._things) for name, item in named.items()} if named else {}
        except KeyError:
            return {"skipped": True}
        before = _mark((arguments, keywords))
        try:
            value = ask(self._handed.objects[exercise][position], *arguments, **keywords)
        except Stopped as stop:
            return {"stopped": [stop.message, stop.line]}
        if isinstance(value, Raised):
            answer: dict[str, Any] = {"raised": [_plain_text(value.kind), value.message, value.line]}
        else:
            self._things[self._number] = value
            answer = {"value": encode(value)}
        if before != _mark((arguments, keywords)):
            answer["changed"] = _changed(before, arguments, keywords)
        return answer

    def _fit(self, question: list[Any], _request: dict[str, Any]) -> str:
        """Why the object can't be called so; None when it can."""
        exercise, position, name, positions, keywords = question
        item = self._handed.objects[exercise][position]
        return self._write({"fit": unfit(item, name, dict.fromkeys(keywords), positions)})

    def _line(self, question: list[Any], request: dict[str, Any]) -> str:
        """The line of the student's that ran last in one call."""
        exercise, position, given, named = question
        with self._caller(request["seconds"]) as ask:
            line = ask.last_line(
                self._handed.objects[exercise][position],
                *decode(given, self._things),
                **decode(named, self._things),
            )
        return self._write({"line": line})

    def _value(self, question: list[Any], _request: dict[str, Any]) -> str:
        """An object that was handed in, as data."""
        exercise, position = question
        return self._write({"value": encode(self._handed.objects[exercise][position])})


def _untagged(data: Any, things: dict[int, Any]) -> Any:
    """The value that `data` stands for where it is a handle or has no tag within: a fresh one, as it came."""
    return decode(data, things) if type(data) is dict and ("$" in data or "$copy" in data) else data


def _mark(handed: tuple[list[Any], dict[str, Any]]) -> Any:
    """What arguments look like, to see later whether they changed; exact types stay apart."""
    try:
        return marshal.dumps(handed, 0)
    except ValueError:  # they hold something that is no plain data
        return [*map(encode, handed[0])], {name: encode(item) for name, item in handed[1].items()}


def _changed(before: Any, arguments: list[Any], keywords: dict[str, Any]) -> list[list[Any]]:
    """The place of each argument that looks otherwise now, and what it looks like."""
    if isinstance(before, bytes):
        were, named = marshal.loads(before)  # noqa: S302  # made here a moment ago
        before = [*map(encode, were)], {name: encode(item) for name, item in named.items()}
    then = [*enumerate(before[0]), *before[1].items()]
    now = [*map(encode, arguments), *map(encode, keywords.values())]
    return [[place, item] for (place, was), item in zip(then, now, strict=True) if json.dumps(was) != json.dumps(item)]


def _kind(value: object) -> str:
    return _plain_text(type(value).__name__)


def _as_text(value: object) -> str:
    """A picture's bytes as notebooks have them; of anything else its type."""
    return b64encode(value).decode() if isinstance(value, bytes) else _kind(value)


def _without_odd(output: dict[str, Any]) -> dict[str, Any]:
    """An output without the data that JSON has no words for."""
    data = output.get("data")
    if not isinstance(data, dict):
        return output
    kept: dict[str, Any] = {}
    for kind, item in dict.items(data):
        with contextlib.suppress(Exception):  # whatever a student's object made of it
            kept |= {str.__str__(kind): json.loads(json.dumps(item, default=_as_text, allow_nan=False))}
    return {**output, "data": kept, "metadata": {}}


def _plain_text(value: Any) -> str:
    return str.__str__(value) if isinstance(value, str) else "?"


def main() -> None:
    """A worker on its own, where there is no fork: speaks over its standard input and output."""
    from edgewise.grading.confinement import Enclosure, Policy
    from edgewise.grading.workers.shell import make_shell

    told = json.loads(sys.argv[1])
    reader, writer = os.dup(0), os.dup(1)
    nowhere = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1, 2):
        os.dup2(nowhere, stream)
    shell = make_shell()
    enclosure = Enclosure(Policy.told(told["policy"]), told["home"])
    enclosure.room(told["number"])
    began = perf_counter()
    layers = enclosure.confine(told["number"], told["seconds"])
    Worker(shell).serve(Channel(reader, writer), layers, perf_counter() - began)
    os._exit(0)


if __name__ == "__main__":
    main()
