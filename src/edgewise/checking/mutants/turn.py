"""What every fault works on: one call of a mutant, and what would be right there."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from edgewise.checking.steps import Due, Setting, answer

Snapshot = dict[str, Any]


class Turn(NamedTuple):
    """One call of a mutant: where, with what, and what would be right."""

    setting: Setting
    state: Snapshot
    event: dict[str, Any]
    due: Due

    @property
    def name(self) -> str:
        """The event's name."""
        return str(self.event["name"])

    @property
    def here(self) -> str:
        """The state the event comes in."""
        return str(self.state["state"])

    @property
    def visited(self) -> list[str]:
        """The history that was handed in."""
        history: list[str] = self.state["visited"]
        return history


Fault = Callable[[Turn, Snapshot], Any]
"""Makes a right answer wrong; gives it back unchanged where the fault does not show."""

Faults = Iterator[tuple[str, Fault]]
"""What is wrong, and the fault."""


def refused(turn: Turn, **otherwise: Any) -> Snapshot:
    """A refusal, with some keys as in `otherwise`."""
    return {**answer(turn.setting, Due(turn.here, turn.visited, "undeclared"), turn.here, turn.name), **otherwise}


def moved(turn: Turn, target: str) -> Snapshot:
    """A move to `target`."""
    return {"state": target, "visited": [*turn.visited, target], "rejected": None}


def without(snapshot: Snapshot, key: str) -> Snapshot:
    """The snapshot with a key left out."""
    return {name: value for name, value in snapshot.items() if name != key}
