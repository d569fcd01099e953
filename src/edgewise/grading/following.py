"""The worker's side of a plan: thousands of questions answered, each distinct answer written down once."""

from __future__ import annotations

import json
from collections.abc import Callable
from marshal import dumps, loads
from typing import Any

from edgewise.checking.calling import Caller, Raised, Stopped
from edgewise.grading.wire import LARGEST, copied, encode

MOST_SHOWN = LARGEST // 2
"""The most characters of JSON that one reply's outputs or answers may have."""

Given = tuple[int | bytes, ...]

ENDS = ('{"stopped"', '{"changed"')
"""After such an answer a check may ask otherwise than planned."""


class Follower:
    """Answers the questions of one plan; `things` gets the answers, by their number from `first`.

    A question is packed as the object's position, its arguments (marshalled; or n for the very object that answer n
    returned, or ~n for a copy of it) and its marshalled keywords. What an answer looks like is its marshalled form,
    None where it is no plain data.
    """

    def __init__(self, objects: tuple[Any, ...], things: dict[int, Any], first: int) -> None:
        self._objects = objects
        self._things = things
        self._first = first
        self._looks: list[bytes | None] = []
        self._keywords: dict[bytes, dict[str, Any]] = {}
        self._entries: dict[bytes | str, int] = {}
        self._texts: list[str] = []
        self._left = MOST_SHOWN
        self._write = json.JSONEncoder(separators=(",", ":"), allow_nan=False).encode

    def follow(self, packed: bytes, ask: Caller) -> str:
        """The answers to the questions of a plan, up to the first of ENDS, as JSON: entries, and the number of each."""
        ids: list[int] = []
        for position, given, named in loads(packed):
            answer = self._answer(self._objects[position], given, named, ask)
            entry = self._entries.get(answer)
            if entry is None:
                entry, answer = self._new_entry(answer)
            ids.append(entry)
            if type(answer) is str and answer.startswith(ENDS):
                break
        return f'"entries":[{",".join(self._texts)}],"ids":{self._write(ids)}'

    def _new_entry(self, answer: bytes | str) -> tuple[int, bytes | str]:
        """The number of an answer that was not met before, and the answer; one too many says so."""
        text = answer if isinstance(answer, str) else self._write({"value": encode(loads(answer))})
        self._left -= len(text)
        if self._left < 0:
            answer = text = self._write({"stopped": ["gives answers too long to be read", None]})
        self._entries[answer] = len(self._texts)
        self._texts.append(text)
        return self._entries[answer], answer

    def _answer(self, function: Callable[..., Any], given: Given, named: bytes | None, ask: Caller) -> bytes | str:
        """What the answer looks like; where more is to be said than that, the answer as JSON."""
        looks, number = self._looks, len(self._looks)
        looks.append(None)
        try:
            arguments = [loads(item) if isinstance(item, bytes) else self._thing(item) for item in given]
        except KeyError:  # an answer that did not come
            return '{"skipped":true}'
        keywords = self._named(named) if named is not None else {}
        before = [*map(self._before, given)]
        if None in before:
            before = [look or self._write(encode(argument)) for look, argument in zip(before, arguments, strict=True)]
        try:
            value = ask(function, *arguments, **keywords)
        except Stopped as stop:
            return self._write({"stopped": [stop.message, stop.line]})
        changed = self._changed(before, arguments, named, keywords)
        if type(value) is Raised:
            return self._said({"raised": [value.kind, value.message, value.line]}, changed)
        self._things[self._first + number] = value
        look = looks[number] = _look(value)
        return look if look is not None and not changed else self._said({"value": encode(value)}, changed)

    def _before(self, item: int | bytes) -> bytes | str | None:
        return item if isinstance(item, bytes) else self._looks[item if item >= 0 else ~item]

    def _said(self, answer: dict[str, Any], changed: list[list[Any]]) -> str:
        return self._write({"changed": changed, **answer} if changed else answer)

    def _thing(self, item: int) -> Any:
        """The very object of an answer, or a copy of it. Raises KeyError."""
        if item >= 0:
            return self._things[self._first + item]
        look = self._looks[~item]
        return loads(look) if look is not None else copied(self._things[self._first + ~item])

    def _named(self, named: bytes) -> dict[str, Any]:
        """The keywords: the same objects for all questions, since the first call that changes them is the last."""
        if named not in self._keywords:
            self._keywords[named] = loads(named)
        return self._keywords[named]

    def _changed(
        self, before: list[Any], arguments: list[Any], named: bytes | None, keywords: dict[str, Any]
    ) -> list[list[Any]]:
        """The place of each argument that looks otherwise now, and what it looks like."""
        now = [*map(_look, arguments)]
        if now == before and (named is None or _look(keywords) == named):
            return []
        changed: list[list[Any]] = []
        for place, (was, is_now, argument) in enumerate(zip(before, now, arguments, strict=True)):
            if was != (is_now if type(was) is bytes else self._write(encode(argument))):
                changed.append([place, encode(argument)])
        if named is not None:
            were = loads(named)
            changed += [[name, encode(item)] for name, item in keywords.items() if _look(item) != _look(were[name])]
        return changed


def _look(value: Any) -> bytes | None:
    try:
        return dumps(value, 0)
    except ValueError:  # no plain data, or a type of the student's own
        return None
