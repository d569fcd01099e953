"""The frame for exercises whose answer is a machine's `step`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import chain
from typing import Any

from edgewise.checking.calling import Caller, Raised, Stopped, is_ours, unfit
from edgewise.checking.exercise import Exploration, Finding, Misconception, Rule
from edgewise.checking.steps import Call, Setting
from edgewise.checking.walk import Walk


@dataclass(frozen=True, slots=True)
class MachineCheck:
    """The check of an exercise whose answer is a `step`.

    `follows` and `refuses` are those of the rules that judge a declared move and a refusal: nothing is earned
    before each of them was right once.
    """

    settings: tuple[Setting, ...]
    rules: tuple[Rule, ...]
    follows: Callable[[Call], Finding | None]
    refuses: Callable[[Call], Finding | None]
    misconceptions: tuple[Misconception, ...] = ()

    def unfit(self, objects: tuple[Any, ...], names: tuple[str, ...]) -> str | None:
        """Why the step can't be asked at all; None when it can."""
        if is_ours(objects[0]):
            return f"`{names[0]}` is the library's own; the exercise asks for one that you wrote"
        return unfit(objects[0], names[0], self.settings[0].arguments, positions=2)

    def explore(self, objects: tuple[Any, ...], ask: Caller) -> Exploration:
        """Every call of the domain that breaks a rule: scripts first, then pairs, other inputs, sequences."""
        wrong: list[Call] = []
        asked: Counter[str] = Counter()
        moved = refused = 0
        for setting in self.settings:
            walk = Walk(setting, objects[0], ask, self._breaks)
            try:
                wrong.extend(call for script in setting.scripts for call in walk.script(script))
                wrong.extend(walk.pairs())
                wrong.extend(walk.other_inputs())
                wrong.extend(walk.sequences())
            except Stopped as stop:
                return Exploration(tuple(wrong), frozenset(), "what was asked until then", walk.finding(stop))
            asked += walk.asked
            moved += walk.moved
            refused += walk.refused
        moved += sum(call.due.refused is None and not self.follows(call) for call in wrong)
        refused += sum(call.due.refused == "undeclared" and not self.refuses(call) for call in wrong)
        earns = frozenset({""} if moved and refused else ())
        return Exploration(tuple(wrong), earns, self._domain(asked))

    def _domain(self, asked: Counter[str]) -> str:
        """What was asked, counted while it was asked."""
        machines = f"{len(self.settings)} machines: " if len(self.settings) > 1 else ""
        depth = max(setting.depth for setting in self.settings)
        whole = f"all {asked['possible']:,}"
        sequences = (
            whole if asked["sequences"] == asked["possible"] else f"{asked['sequences']:,} of {asked['possible']:,}"
        )
        return (
            f"{machines}all {asked['pairs']} pairs with 3 histories, an old rejection and further keys, "
            f"{asked['other names']} other names in every state, "
            f"{sequences} sequences of up to {depth} events, each twice"
        )

    def _breaks(self, call: Call) -> bool:
        return any(rule.holds(call) for rule in self.rules)

    def behaviour(self, answer: Any, about: str, ask: Caller) -> Iterator[Any]:  # noqa: ARG002  # it has one object
        """The wrong answers among every pair and every other input, all made by hand.

        A refusal's sentence counts by the rules it breaks, not by its words.
        """
        for setting in self.settings:
            walk = Walk(setting, answer, ask, self._breaks)
            for call in chain(walk.pairs(by_hand=True), walk.other_inputs()):
                broken = tuple(rule.name for rule in self.rules if rule.holds(call))
                yield call.question, call.before, call.event, broken, call.changed, _without_words(call.got)


def _without_words(got: Any) -> Any:
    if isinstance(got, Raised):
        return got.kind
    if isinstance(got, dict) and isinstance(got.get("rejected"), str) and got["rejected"].strip():
        return {**got, "rejected": "a sentence"}
    return got
