"""Faults of the table: an edge dropped, an edge redirected, an undeclared pair accepted."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product

from edgewise.checking.mutants.turn import Fault, Faults, Snapshot, Turn, moved, refused
from edgewise.checking.steps import Setting

Pair = tuple[str, str]


def dropped(settings: Sequence[Setting]) -> Faults:
    """Each declared pair refused, in each setting."""
    for setting in settings:
        for pair in setting.machine.table:
            yield _named(setting, pair, "nowhere"), _on(setting, pair, None)


def redirected(settings: Sequence[Setting]) -> Faults:
    """Each declared pair led to each other state."""
    for setting in settings:
        for pair, right in setting.machine.table.items():
            for target in setting.machine.states:
                if target != right:
                    yield _named(setting, pair, target), _on(setting, pair, target)


def accepted(settings: Sequence[Setting]) -> Faults:
    """Each undeclared pair accepted into each state."""
    for setting in settings:
        for pair in product(setting.machine.states, setting.names):
            if pair not in setting.machine.table:
                for target in setting.machine.states:
                    yield _named(setting, pair, target), _on(setting, pair, target)


def _named(setting: Setting, pair: Pair, target: str) -> str:
    where = f" ({setting.title})" if setting.title else ""
    return f"{pair} to {target}{where}"


def _on(setting: Setting, pair: Pair, target: str | None) -> Fault:
    """Answer one pair otherwise: with a move to `target`, or for None with a refusal."""

    def fault(turn: Turn, right: Snapshot) -> Snapshot:
        if turn.setting is not setting or (turn.here, turn.name) != pair or turn.due.refused == "spent":
            return right
        return refused(turn) if target is None else moved(turn, target)

    return fault
