"""The worker's side of a plan: thousands of questions answered, each distinct answer written down once."""

from __future__ import annotations

import json
from collections.abc import Sequence
from marshal import dumps, loads
from typing import Any, NamedTuple

from edgewise.checking.calling import Caller, Raised, Stopped
from edgewise.grading.workers.channel import LARGEST
from edgewise.grading.workers.wire import copied, encode

MOST_SHOWN = LARGEST // 2
"""The most characters of JSON that one reply's outputs or answers may have."""

Packed = tuple[int, int | None, bytes, bytes | None]
"""A question: object, first argument where it is an answer, others, keywords, as Follower reads them."""

BLOCK = 64
"""How many questions are asked between two looks at the keywords."""

STOPPED, CHANGED = '{"stopped"', '{"changed"'
"""How an answer begins that says so."""


class Follower:
    """Answers the questions of one batch; `things` gets the answers, by their number from `first`.

    A question is packed as the object's position; its first argument where that is an answer (n for the very object
    that answer n returned, ~n for a copy of it, else None); the other arguments, marshalled; and its marshalled
    keywords. What an answer looks like is its marshalled form, None where it is no plain data.
    """

    def __init__(self, objects: tuple[Any, ...], things: dict[int, Any], first: int) -> None:
        self._objects = objects
        self._things = things
        self._first = first
        self._looks: list[bytes | None] = []
        self._keywords: dict[bytes, dict[str, Any]] = {}
        self._entries: dict[bytes | str, int] = {}
        self._texts: list[str] = []
        self._ids: list[int] = []
        self._left = MOST_SHOWN
        self._write = json.JSONEncoder(separators=(",", ":"), allow_nan=False).encode

    def follow(self, packed: bytes, ask: Caller, *, to_change: bool = True) -> str:
        """The answers up to the first that stopped, as JSON: the different ones, and the number of each question's.

        With `to_change`, the first that changed an argument is the last: a check may then ask otherwise. Whether
        keywords are as they were is looked at after every BLOCK questions; where they are not, the answers of that
        block are left out, so that they are asked for again one by one.
        """
        ends = (STOPPED, CHANGED) if to_change else (STOPPED,)
        questions = loads(packed)
        for start in range(0, len(questions), BLOCK):
            is_over = self._block(questions[start : start + BLOCK], ask, ends)
            if any(_look(keywords) != named for named, keywords in self._keywords.items()):
                del self._ids[start:]
                break
            if is_over:
                break
        return f'"entries":[{",".join(self._texts)}],"ids":{self._write(self._ids)}'

    def _block(self, questions: Sequence[Packed], ask: Caller, ends: tuple[str, ...]) -> bool:
        """Answer some questions; whether an answer was one of `ends`. Thousands come through here: no call too many."""
        objects, looks, things, first, entries = self._objects, self._looks, self._things, self._first, self._entries
        for position, head, written, named in questions:
            number = len(looks)
            looks.append(None)
            thing: Any = None
            look: bytes | str | None = None
            answer: bytes | str = b""
            try:
                others = loads(written)
                keywords = self._named(named) if named else {}
                if head is None:
                    value = ask(objects[position], *others, **keywords)
                else:
                    look = looks[head if head >= 0 else ~head]
                    thing = things[first + head] if head >= 0 else self._copy(~head)
                    if look is None:
                        look = self._write(encode(thing))
                    value = ask(objects[position], thing, *others, **keywords)
                answer = dumps(value, 0)
                if dumps(others, 0) != written or (head is not None and dumps(thing, 0) != look):
                    raise _Unusual  # noqa: TRY301  # the one way out of the usual
                looks[number] = answer
                things[first + number] = value
            except KeyError:  # an answer that did not come
                answer = '{"skipped":true}'
            except Stopped as stop:
                answer = self._write({"stopped": [stop.message, stop.line]})
            except (ValueError, _Unusual):  # an argument was changed, or something is no plain data
                answer = self._unusual(number, value, _Before(look, written), thing, others)
            entry = entries.get(answer)
            if entry is None:
                entry, answer = self._new_entry(answer)
            self._ids.append(entry)
            if type(answer) is str and answer.startswith(ends):
                return True
        return False

    def _unusual(self, number: int, value: Any, before: _Before, thing: Any, others: tuple[Any, ...]) -> bytes | str:
        """The answer with all that is to be said about it."""
        changed = []
        if before.look is not None:
            now = _look(thing) if isinstance(before.look, bytes) else self._write(encode(thing))
            changed = [[0, encode(thing)]] if now != before.look else []
        if _look(others) != before.others:
            start = before.look is not None
            were = loads(before.others)
            changed += [
                [start + place, encode(item)] for place, item in enumerate(others) if _look(item) != _look(were[place])
            ]
        if type(value) is Raised:
            answer: dict[str, Any] = {"raised": [value.kind, value.message, value.line]}
        else:
            self._things[self._first + number] = value
            look = self._looks[number] = _look(value)
            if look is not None and not changed:
                return look
            answer = {"value": encode(value)}
        return self._write({"changed": changed, **answer} if changed else answer)

    def _new_entry(self, answer: bytes | str) -> tuple[int, bytes | str]:
        """The number of an answer that was not met before, and the answer; one too many says so."""
        text = answer if isinstance(answer, str) else self._write({"value": encode(loads(answer))})
        self._left -= len(text)
        if self._left < 0:
            answer = text = self._write({"stopped": ["gives answers too long to be read", None]})
        self._entries[answer] = len(self._texts)
        self._texts.append(text)
        return self._entries[answer], answer

    def _copy(self, number: int) -> Any:
        """A copy of what an answer was when it came. Raises KeyError."""
        look = self._looks[number]
        return loads(look) if look is not None else copied(self._things[self._first + number])

    def _named(self, named: bytes) -> dict[str, Any]:
        """The keywords: the same objects for all questions, until a call changes them."""
        if named not in self._keywords:
            self._keywords[named] = loads(named)
        return self._keywords[named]


class _Before(NamedTuple):
    """What a first argument that is an answer looked like before the call, and the other arguments."""

    look: bytes | str | None
    others: bytes


class _Unusual(Exception):  # noqa: N818  # never leaves its loop
    """An argument looks otherwise after the call."""


def _look(value: Any) -> bytes | None:
    try:
        return dumps(value, 0)
    except ValueError:  # no plain data, or a type of the student's own
        return None
