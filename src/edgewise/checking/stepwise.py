"""`walk`: one run of a student's step, event by event, beside what the declared machine does."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from html import escape
from typing import Any

from edgewise.checking.calling import Caller, Raised, Stopped
from edgewise.checking.steps import Due, Setting, due, snapshot
from edgewise.checking.values import shown
from edgewise.draw import draw


@dataclass(frozen=True, slots=True)
class Taken:
    """One event of a walk: what was due, and what the step gave (Raised, or Stopped, where it gave nothing)."""

    state: str
    event: str
    due: Due
    got: Any

    @property
    def is_right(self) -> bool:
        """Whether state and history are as declared, and a refusal says something exactly where one is due."""
        if not isinstance(self.got, dict):
            return False
        sentence = self.got.get("rejected", ...)
        says = isinstance(sentence, str) and bool(sentence.strip())
        return (
            self.got.get("state") == self.due.state
            and self.got.get("visited") == self.due.visited
            and (says if self.due.refused else sentence is None)
        )

    @property
    def words(self) -> str:
        """The answer in a few words."""
        if isinstance(self.got, Stopped):
            return self.got.message
        if not isinstance(self.got, dict):
            return f"raised {self.got}" if isinstance(self.got, Raised) else shown(self.got)
        if self.is_right and self.due.refused:
            return f"refused: {self.got['rejected']}"
        if self.is_right:
            return f"moved to {self.due.state!r}"
        return shown(self.got)


@dataclass(frozen=True, slots=True)
class Walked:
    """A run, shown step by step: as text, and in a notebook as a table under the drawing."""

    setting: Setting
    taken: tuple[Taken, ...]
    left: tuple[str, ...]

    def __repr__(self) -> str:
        return "\n".join(self._lines())

    def _lines(self) -> list[str]:
        lines = [self.setting.title] if self.setting.title else []
        for number, step in enumerate(self.taken, 1):
            mark = "✔" if step.is_right else "✘"
            lines.append(f"{number}. {step.state} ──{step.event}──▶ {mark} {step.words}")
            if not step.is_right:
                lines.append(f"   declared: {declared(step)}")
        if self.left:
            lines.append(f"not walked after that: {' '.join(self.left)}")
        return lines

    def _repr_html_(self) -> str:
        machine = self.setting.machine
        visited = [machine.initial] if not self.taken else self.taken[-1].due.visited
        last = self.taken[-1] if self.taken else None
        refused = (last.state, last.event) if last and last.due.refused else None
        wrong = [(last.state, last.event, None, last.words)] if last and not last.is_right else []
        picture = draw(
            machine.table,
            states=machine.states,
            initial=machine.initial,
            visited=visited,
            refused=refused,
            wrong=wrong,
            caps=machine.caps,
            title="The declared machine and this walk",
        )
        lines = "".join(f"<li style='list-style: none'>{escape(line)}</li>" for line in self._lines())
        return f'<div>{picture._repr_html_()}<ul style="font-family: monospace; padding: 0">{lines}</ul></div>'


def declared(step: Taken) -> str:
    """What the declared machine does with the event."""
    if step.due.refused == "spent":
        return "refused, the cap is spent; state and visited stay"
    if step.due.refused:
        return f"refused, since {step.event!r} has no row in {step.state!r}; state and visited stay"
    return f"moves to {step.due.state!r}; visited {shown(step.due.visited)}"


def walk_through(setting: Setting, step: Callable[..., Any], events: list[str], ask: Caller) -> Walked:
    """Walk `step` through `events`; ends behind the first answer that the run can't go on from."""
    state, visited = setting.machine.initial, [setting.machine.initial]
    value: Any = {"state": state, "visited": visited[:], "rejected": None}
    taken = []
    for number, name in enumerate(events, 1):
        expected = due(setting.machine, state, visited, name)
        try:
            value = ask(step, value, {"name": name}, **setting.arguments)
            got: Any = value if isinstance(value, Raised) else snapshot(value)
        except Stopped as stop:
            got = stop
        taken.append(Taken(state, name, expected, got))
        if not taken[-1].is_right:
            return Walked(setting, tuple(taken), tuple(events[number:]))
        state, visited = expected.state, expected.visited
    return Walked(setting, tuple(taken), ())
