"""One call of a student's `step`: what is asked in which setting, what is due, and what came."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any, NamedTuple

from edgewise.checking.exercise import Script
from edgewise.checking.values import LONGEST, Words, plain
from edgewise.machine import Machine, spent


@dataclass(frozen=True, slots=True)
class Setting:
    """A machine to be walked: what it is called in a report, and what `step` is handed beside state and event.

    `foreign` are event names that the table does not have; `depth` is the length up to which every sequence
    is tried.
    """

    machine: Machine
    scripts: tuple[Script, ...]
    foreign: tuple[str, ...]
    depth: int = 4
    title: str = ""
    arguments: Mapping[str, Any] = field(default_factory=dict)

    @property
    def names(self) -> tuple[str, ...]:
        """Every event name that is asked in every state."""
        return (*dict.fromkeys(event for _, event in self.machine.table), *self.foreign)


class Due(NamedTuple):
    """What the reference answers: where it is, what it has visited, and how it refused (None: it moved)."""

    state: str
    visited: list[str]
    refused: str | None

    def as_snapshot(self, sentence: str) -> dict[str, Any]:
        """The answer as a snapshot, with `sentence` in the place of a refusal's own words."""
        return {"state": self.state, "visited": self.visited, "rejected": Words(sentence) if self.refused else None}


def due(machine: Machine, state: str, visited: list[str], name: str) -> Due:
    """What the reference answers to the event `name` in `state`, after `visited`."""
    target = machine.table.get((state, name))
    if target is None:
        return Due(state, visited, "undeclared")
    cap = machine.caps.get(target)
    if cap is not None and visited.count(target) >= cap:
        return Due(state, visited, "spent")
    return Due(target, [*visited, target], None)


def answer(setting: Setting, expected: Due, state: str, name: str) -> dict[str, Any]:
    """A right snapshot in words of its own."""
    sentence = None
    if expected.refused == "undeclared":
        sentence = f"no row for {name!r} in {state!r}"
    elif expected.refused == "spent":
        target = setting.machine.table[state, name]
        sentence = spent(name, target, setting.machine.caps[target])
    return {"state": expected.state, "visited": [*expected.visited], "rejected": sentence}


def states_on(machine: Machine, path: tuple[str, ...]) -> tuple[str, ...]:
    """The state of the reference in which each event of `path` comes."""
    states, state, visited = [], machine.initial, [machine.initial]
    for name in path:
        states.append(state)
        state, visited, _ = due(machine, state, visited, name)
    return tuple(states)


class Call(NamedTuple):
    """One call of a student's step: the way there, what went in, what was due and what came.

    `changed` names the argument that the call altered. `again` is the answer to the same question asked a
    second time, where it was another one, and how many calls came between (else `...`). `twin` is a pair refused
    before in the same words.
    """

    setting: Setting
    path: tuple[str, ...]
    before: dict[str, Any]
    event: dict[str, Any]
    due: Due
    got: Any
    changed: str | None = None
    by_hand: bool = False
    again: Any = ...
    twin: tuple[str, str] | None = None

    @property
    def size(self) -> int:
        """Shorter ways first; an input made by hand after all others."""
        return len(self.path) + 1_000 * self.by_hand

    @property
    def pair(self) -> tuple[str, str]:
        """The (state, event) that was asked."""
        return self.before["state"], self.event["name"]

    @property
    def question(self) -> object:
        """What counts as one in "… more questions go wrong alike"; None for a name from outside the listed ones."""
        return (self.setting.title, *self.pair) if self.event["name"] in self.setting.names else None


_TEXT = {str}


def snapshot(value: Any) -> Any:
    """`value` as plain data; quick for the usual snapshot."""
    if type(value) is dict and len(value) == 3:
        try:
            state, visited, rejected = value["state"], value["visited"], value["rejected"]
        except KeyError:
            return plain(value)
        if (
            type(state) is str
            and type(visited) is list
            and set(map(type, visited)) <= _TEXT
            and (rejected is None or (type(rejected) is str and len(rejected) <= LONGEST))
        ):
            return {"state": state, "visited": visited[:], "rejected": rejected}
    return plain(value)


@cache
def is_searched(name: str) -> bool:
    """Whether a refusal's sentence is searched for `name`: ASCII letters, digits and underscores only (M-12)."""
    return name.isascii() and name.replace("_", "a").isalnum()
