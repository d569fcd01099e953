"""Generated wrong steps, each wrong in one place: a check that lets one through is not sharp enough.

A mutant answers as the reference does, save for its one fault. The families follow the ways in which people and
programs get a `step` wrong: edges, refusals, histories, rejections, arguments, event names, memory, caps.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any

from edgewise.checking.machines import MachineCheck
from edgewise.checking.mutants import answers, caps, edges, memory, names
from edgewise.checking.mutants.turn import Fault, Snapshot, Turn
from edgewise.checking.steps import answer, due

Step = Callable[..., Any]


@dataclass(frozen=True, slots=True)
class Mutant:
    """A wrong step: its family, what is wrong with it, and a function that makes a fresh one."""

    family: str
    name: str
    make: Callable[[], Step]


def mutants(check: MachineCheck) -> Iterator[Mutant]:
    """Every mutant of a machine exercise."""
    families = {
        "edge dropped": edges.dropped(check.settings),
        "edge redirected": edges.redirected(check.settings),
        "pair accepted": edges.accepted(check.settings),
        "refusal": answers.refusals(),
        "history": answers.histories(),
        "rejection": answers.rejections(),
        "argument": answers.arguments(),
        "event name": names.readings(),
        "cap": caps.caps() if any(setting.machine.caps for setting in check.settings) else (),
    }
    for family, faults in families.items():
        for name, fault in faults:
            yield Mutant(family, name, partial(_step, check, fault))
    for name, make in memory.memories():
        yield Mutant("memory", name, lambda make=make: _step(check, make()))  # type: ignore[misc]


def _step(check: MachineCheck, fault: Fault) -> Step:
    """A step over the machines of `check` that goes through `fault`."""

    def step(state: Snapshot, event: dict[str, Any], **arguments: Any) -> Any:
        setting = next(each for each in check.settings if each.arguments == arguments)
        turn = Turn(setting, state, event, due(setting.machine, state["state"], state["visited"], event["name"]))
        return fault(turn, answer(setting, turn.due, turn.here, turn.name))

    return step
