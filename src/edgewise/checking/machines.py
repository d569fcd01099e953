"""The frame for exercises whose answer is a machine's `step`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import Any

from edgewise.checking.calling import Raised, Stopped
from edgewise.checking.exercise import Asking, Compared, Domain, Edge, Exploration, Finding, Hints, Misconception, Rule
from edgewise.checking.rules import is_refusal
from edgewise.checking.steps import Call, Setting, answer, due
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
    hints: Hints
    misconceptions: tuple[Misconception, ...] = ()

    def within(self, domain: Domain) -> MachineCheck:
        """The same check with sequences as long as `domain` says."""
        if domain.depth is None:
            return self
        return replace(self, settings=tuple(replace(setting, depth=domain.depth) for setting in self.settings))

    def unfit(self, objects: tuple[Any, ...], names: tuple[str, ...], ask: Asking) -> str | None:
        """Why the step can't be asked at all; None when it can."""
        return ask.unfit(objects[0], names[0], 2, self.settings[0].arguments)

    def explore(self, objects: tuple[Any, ...], ask: Asking) -> Exploration:
        """Every call of the domain that breaks a rule: scripts first, then pairs, other inputs, sequences."""
        walks = [Walk(setting, objects[0], ask, self._breaks) for setting in self.settings]
        wrong: list[Call] = []
        try:
            wrong.extend(self._wrong(walks))
        except Stopped as stop:
            return Exploration(tuple(wrong), frozenset(), "what was asked until then", stop.finding)
        wrong += [call for walk in walks for call in walk.changed_answers]
        earns = frozenset({""} if self._moved(walks, wrong) and self._refused(walks, wrong) else ())
        asked = sum((walk.asked for walk in walks), Counter[str]())
        edges = () if any(call.again is not ... for call in wrong) else _edges(wrong)
        return Exploration(tuple(wrong), earns, self._domain(asked), edges=edges)

    def _moved(self, walks: list[Walk], wrong: list[Call]) -> bool:
        """Whether a declared move was right once; one into the state it left could be an answer that does nothing."""
        moves = (call for call in wrong if not call.due.refused and call.due.state != call.before["state"])
        return any(walk.moved for walk in walks) or any(not self.follows(call) for call in moves)

    def _refused(self, walks: list[Walk], wrong: list[Call]) -> bool:
        """Whether a refusal was right once; one after an old rejection could be that one, handed back."""
        refusals = (call for call in wrong if call.due.refused == "undeclared" and call.before["rejected"] is None)
        return any(walk.refused for walk in walks) or any(not self.refuses(call) for call in refusals)

    def reference(self, state: dict[str, Any], event: dict[str, Any], **arguments: Any) -> dict[str, Any]:
        """A right step over all settings: they differ in their arguments."""
        setting = self._setting(arguments)
        expected = due(setting.machine, state["state"], state["visited"], event["name"])
        return answer(setting, expected, state["state"], event["name"])

    def _setting(self, arguments: Mapping[str, Any]) -> Setting:
        return next(setting for setting in self.settings if setting.arguments == arguments)

    def as_right(self, asked: Sequence[Compared], answers: Sequence[Any]) -> bool:
        """Whether all answers are the expected ones in words of their own that break no rule.

        Two refusals that share their words are for the walk to judge. As there, calls that share state, event,
        refusal and words keep or break the same rules.
        """
        pairs: dict[Any, tuple[str, str]] = {}
        fine = set()
        for (arguments, keywords, expected), got in zip(asked, answers, strict=True):
            if not _is_alike(got, expected):
                return False
            before, event = arguments
            key = (before["state"], event["name"], expected["rejected"], got["rejected"], id(keywords))
            if key in fine:
                continue
            pair, words = key[:2], got["rejected"]
            setting = self._setting(keywords)
            call = Call(setting, (), before, event, due(setting.machine, pair[0], before["visited"], pair[1]), got)
            if (words is not None and pairs.setdefault(words, pair) != pair) or self._breaks(call):
                return False
            fine.add(key)
        return True

    def first_wrong(self, answer: Any, ask: Asking) -> Call | None:
        """The first call that breaks a rule; None when the whole domain is right. Raises Stopped."""
        return next(self._wrong([Walk(setting, answer, ask, self._breaks) for setting in self.settings]), None)

    def _wrong(self, walks: list[Walk]) -> Iterator[Call]:
        """The wrong calls, each part of the domain over all machines before the next part.

        Stopped carries the finding of the walk that it stopped.
        """
        for part in (Walk.scripts, Walk.pairs, Walk.other_inputs, Walk.long_run, Walk.sequences):
            for walk in _far(walks) if part is Walk.long_run else walks:
                try:
                    yield from part(walk)
                except Stopped as stop:
                    stop.finding = walk.finding(stop)
                    raise

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

    def behaviour(self, answer: Any, about: str, ask: Asking) -> Iterator[Any]:  # noqa: ARG002  # it has one object
        """The wrong answers among every pair and every other input, all made by hand.

        A refusal's sentence counts by the rules it breaks, not by its words.
        """
        broken: tuple[str, ...] = ()

        def breaks(call: Call) -> bool:
            nonlocal broken
            broken = tuple(rule.name for rule in self.rules if rule.holds(call))
            return bool(broken)

        for setting in self.settings:
            walk = Walk(setting, answer, ask, breaks)
            for call in chain(walk.pairs(by_hand=True), walk.other_inputs()):
                yield call.question, call.before, call.event, broken, call.changed, _without_words(call.got)


def _far(walks: list[Walk]) -> tuple[Walk, ...]:
    """The walks that go far: the first without caps, where a long history holds nothing back, the first with."""
    by_caps = {bool(walk.setting.machine.caps): walk for walk in reversed(walks)}
    return tuple(by_caps.values())


def _edges(wrong: list[Call]) -> tuple[Edge, ...]:
    """The arrows that the wrong answers to listed events show, each pair's first answer.

    Only a plain way to the pair shows an arrow: what goes wrong after an old rejection, with another history or
    further keys is no arrow of the student's machine.
    """
    found: dict[tuple[str, str, str], Edge] = {}
    for call in wrong:
        target = call.got.get("state") if isinstance(call.got, dict) else None
        plain = len(call.before["visited"]) == len(call.path) and call.before["rejected"] is None
        if call.question is None or not isinstance(target, str) or not plain or len(call.event) > 1:
            continue
        if call.due.refused is None and is_refusal(call):
            target = None
        elif target == call.due.state:
            continue
        found.setdefault((call.setting.title, *call.pair), Edge(call.setting.title, *call.pair, target))
    return tuple(found.values())


def _is_alike(got: Any, expected: Mapping[str, Any]) -> bool:
    """Whether an answer is the expected one, whatever it says about a refusal."""
    return (
        type(got) is dict
        and len(got) == len(expected)
        and got.get("state") == expected["state"]
        and got.get("visited") == expected["visited"]
        and type(got.get("rejected", ...)) is type(expected["rejected"])
    )


def _without_words(got: Any) -> Any:
    if isinstance(got, Raised):
        return got.kind
    if isinstance(got, dict) and isinstance(got.get("rejected"), str) and got["rejected"].strip():
        return {**got, "rejected": "a sentence"}
    return got
