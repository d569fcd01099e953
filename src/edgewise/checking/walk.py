"""A walk over a reference machine that drives a student's `step` through a whole stated domain.

Until its first fault a student's run equals the reference's, so the ways to ask every pair can be read off
the reference, shortest first. Then come the same questions on copies, with other histories, an old rejection,
further keys and other names, and every sequence up to a length.
"""

from __future__ import annotations

import copy
from collections import Counter
from collections.abc import Callable, Iterator
from itertools import chain
from operator import is_
from typing import Any

from edgewise.checking.calling import Raised, Stopped
from edgewise.checking.exercise import REFUSED, Asking, Finding, Script
from edgewise.checking.places import SNAPSHOT, Place, as_it_was, goes_on, made, other_names
from edgewise.checking.steps import Call, Due, Setting, due, is_searched, snapshot, states_on
from edgewise.checking.values import plain, same

OLD_REJECTION = "an earlier refusal"
LONG = 10_000
FURTHER = {"partial": True, "failed": ["archive"]}

FINE = -1
FOREVER = 10**9
"""How long the way to the smallest call is that breaks a rule in one way: FINE where none can, FOREVER before any."""

Breaks = Callable[[Call], bool]

Outcome = tuple[str, str, str | None, Any]
"""State, event, how it was due to be refused, and the sentence: calls that share them keep or break the same rules."""


class Walk:
    """Drives one step through one setting, and yields the calls that break a rule.

    `breaks` says whether a call does. `moved` and `refused` count the answers that do not; `changed_answers` holds
    the calls of scripts and pairs that came out otherwise when the same run was made again.
    """

    def __init__(self, setting: Setting, step: Callable[..., Any], ask: Asking, breaks: Breaks) -> None:
        self.setting = setting
        self.moved = self.refused = 0
        self._step = step
        self._ask = ask
        self._breaks = breaks
        self._hand_out()
        self._first: dict[str, tuple[str, str]] = {}
        self._judged: dict[Outcome | None, int] = {}
        self._asked: Counter[str] = Counter()
        self._number = 0
        self._answers: dict[tuple[tuple[str, ...], str], tuple[Any, int]] = {}
        self.changed_answers: list[Call] = []
        self._at: tuple[Place, str] = (self._start(), "")
        self._untouched_place: Place | None = None

    # --- The four parts of the domain -------------------------------------------------------------

    def scripts(self) -> Iterator[Call]:
        """The calls of every script of the setting."""
        for script in self.setting.scripts:
            yield from self.script(script)

    def script(self, script: Script) -> Iterator[Call]:
        """The calls of one script, until its first wrong answer. Raises ValueError where the table disagrees."""
        place: Place | None = self._start()
        for name, leads_to in script.events:
            if place is None:
                return
            expected = self._due(place, name)
            if leads_to != (REFUSED if expected.refused else expected.state):
                raise ValueError(f"the script {script.title!r} says {leads_to!r} for {name!r}, the table {expected!r}")
            call, place = self._call(place, {"name": name}, expected)
            if call:
                yield call

    def pairs(self, *, by_hand: bool = False) -> Iterator[Call]:
        """Every event in every state (with caps: and at every count), the shortest way there first."""
        for place in self._places(by_hand=by_hand):
            for name in self.setting.names:
                self._asked["pairs"] += 1
                yield from self._wrong(place, {"name": name})

    def other_inputs(self) -> Iterator[Call]:
        """Each pair with other histories, an old rejection and further keys; then other names."""
        machine = self.setting.machine
        for place in self._places(by_hand=True):
            short = place.other(visited=[place.given["state"]])
            repeated = place.other(visited=list(machine.states) * 3)
            for name in self.setting.names:
                for other in (short, repeated, place.other(rejected=OLD_REJECTION)):
                    yield from self._wrong(other, {"name": name})
                yield from self._wrong(place, {"name": name, **FURTHER})
        for name in other_names(self.setting):
            self._asked["other names"] += 1
            for state in machine.states:
                yield from self._wrong(made(state, [state]), {"name": name})

    def long_run(self) -> Iterator[Call]:
        """A declared move and a refusal after a very long history."""
        machine = self.setting.machine
        long = (list(machine.states) * LONG)[:LONG]
        yield from self._wrong(made(machine.initial, long), {"name": self.setting.names[0]})
        yield from self._wrong(made(machine.initial, long), {"name": self.setting.names[-1]})

    def sequences(self) -> Iterator[Call]:
        """Every sequence of events up to the depth, as far as the answers are right; the last call of each twice."""
        level, names = [self._start()], self.setting.names
        kept: list[tuple[Place, str, Any]] = []
        for _ in range(self.setting.depth):
            deeper: list[Place] = []
            for place in level:
                self._asked["sequences"] += len(names)
                for name in names:
                    call, after = self._call(place, {"name": name}, self._due(place, name), repeats=False)
                    if call:
                        yield call
                    kept.append((place, name, call.got if call else after and after.given))
                    if after is not None:
                        deeper.append(after)
            level = deeper
        for between, (place, name, got) in enumerate(reversed(kept)):
            yield from self._differs(place, name, got, 2 * between)

    # --- One call ---------------------------------------------------------------------------------

    def _due(self, place: Place, name: str) -> Due:
        return due(self.setting.machine, place.given["state"], place.given["visited"], name)

    def _wrong(self, place: Place, event: dict[str, Any]) -> Iterator[Call]:
        call, _ = self._call(place, event, self._due(place, event["name"]))
        if call:
            yield call

    def _call(
        self, place: Place, event: dict[str, Any], expected: Due, *, repeats: bool = True
    ) -> tuple[Call | None, Place | None]:
        """Ask one question: the call where it breaks a rule, and the place it leads to where the run can go on.

        Without `repeats`, a call that breaks a rule as a smaller one did is left out.
        """
        name: str = event["name"]
        given = self._asked_from(place, name)
        handed = {"name": name} if len(event) == 1 else copy.deepcopy(event)
        value = self._ask(self._step, given, handed, **self._arguments)
        got: Any = value if isinstance(value, Raised) else snapshot(value)
        changed = self._changed(given, place.given, handed, event)
        self._untouched_place = place if changed is None and given is place.own else None
        if repeats and len(event) == 1 and not place.by_hand:
            self._compare(place, name, got)
        path = (*place.path, name)
        after = Place(got, path, value, place.by_hand) if changed is None and goes_on(got, expected) else None
        key = None if after is None else (place.given["state"], name, expected.refused, got["rejected"])
        smallest = self._judged.get(key, FOREVER)
        if smallest == FINE or (not repeats and smallest <= len(path)):
            return None, after
        twin = self._twin(got, (place.given["state"], name)) if expected.refused else None
        call = Call(self.setting, path, place.given, event, expected, got, changed, place.by_hand, twin=twin)
        return call if self._is_wrong(call, key, smallest) else None, after

    def _compare(self, place: Place, name: str, got: Any) -> None:
        """Keep the first answer to a question of a run; a later one that is another goes into `changed_answers`."""
        question = (place.path, name)
        self._number += 1
        first, number = self._answers.setdefault(question, (got, self._number))
        if first is not got and not same(first, got):
            expected, path = self._due(place, name), (*place.path, name)
            again = (got, self._number - number)
            self.changed_answers.append(
                Call(self.setting, path, place.given, {"name": name}, expected, first, again=again)
            )

    def _is_wrong(self, call: Call, key: Outcome | None, smallest: int) -> bool:
        """Whether a call breaks a rule; under `key` that is remembered for all calls that come out alike."""
        breaks = self._breaks(call)
        if key is not None:
            self._judged[key] = min(smallest, call.size) if breaks else FINE
            self.moved += not breaks and call.due.refused is None
            self.refused += not breaks and call.due.refused is not None and call.before["rejected"] is None
        return breaks

    def _asked_from(self, place: Place, name: str) -> Any:
        """The student's own snapshot while it is as it was, else a copy."""
        untouched = self._untouched_place is place  # looked at after the call before this one
        self._at = (place, name)
        if place.own is not None and (untouched or as_it_was(place.own, place.given)):
            return place.own
        return self._copy(place)

    def _copy(self, place: Place) -> Any:
        """A fresh snapshot with the same in it: of the student's own making, unless a call has changed that."""
        given = {**place.given, "visited": place.given["visited"][:]}
        if place.own is None:
            return given
        if not as_it_was(place.own, place.given):
            return self._ask.restored(place.own, given)
        return self._ask.copy(place.own, given, SNAPSHOT)

    def _differs(self, place: Place, name: str, got: Any, between: int) -> Iterator[Call]:
        """The call once more on a copy, `between` calls later, where its answer is another one now."""
        self._at = (place, name)
        value = self._ask(self._step, self._copy(place), {"name": name}, **self._arguments)
        again = value if isinstance(value, Raised) else snapshot(value)
        if again != got or not same(again, got):
            expected = self._due(place, name)
            path = (*place.path, name)
            yield Call(
                self.setting, path, place.given, {"name": name}, expected, got, None, place.by_hand, (again, between)
            )

    def _changed(self, given: Any, before: dict[str, Any], handed: dict[str, Any], event: dict[str, Any]) -> str | None:
        """What the call altered: a key of the snapshot, the event, or a further argument."""
        if not (len(handed) == 1 and handed.get("name") is event["name"]) and not same(plain(handed), event):
            return "event"
        if self._handed_out and not self._untouched() and not same(plain(self._arguments), self.setting.arguments):
            self._hand_out()
            return " or ".join(self._arguments)
        if as_it_was(given, before):
            return None
        now = snapshot(given)
        keys = [key for key in before if not isinstance(now, dict) or not same(now.get(key, ...), before[key])]
        return " and ".join(f"state[{key!r}]" for key in keys) or "state"

    def _hand_out(self) -> None:
        """Fresh copies of the further arguments, and what stands in them before any call."""
        self._arguments = copy.deepcopy(dict(self.setting.arguments))
        self._handed_out = [(table, [*table, *table.values()]) for table in self._arguments.values()]

    def _untouched(self) -> bool:
        """Whether the further arguments hold the very objects that were handed out; nothing of theirs is called."""
        return all(
            len(table) * 2 == len(items) and all(map(is_, chain(table, table.values()), items))
            for table, items in self._handed_out
        )

    def _twin(self, got: Any, pair: tuple[str, str]) -> tuple[str, str] | None:
        """Another pair that was refused in the same words."""
        sentence = got.get("rejected") if isinstance(got, dict) else None
        if not isinstance(sentence, str) or not all(map(is_searched, pair)):
            return None
        first = self._first.setdefault(sentence, pair)
        return first if first != pair else None

    # --- Places to ask from -----------------------------------------------------------------------

    def _start(self) -> Place:
        initial = self.setting.machine.initial
        return Place({"state": initial, "visited": [initial], "rejected": None})

    def _places(self, *, by_hand: bool = False) -> Iterator[Place]:
        """One place for each state (with caps: and each count of visits), breadth first over the reference."""
        machine = self.setting.machine
        fresh = [self._start()._replace(by_hand=by_hand)]
        met = set()
        while fresh:
            place = fresh.pop(0)
            state, visited = place.given["state"], place.given["visited"]
            key = (state, tuple(visited.count(capped) for capped in machine.caps))
            if key in met:
                continue
            met.add(key)
            yield place
            for name in machine.events(state):
                expected = self._due(place, name)
                if expected.refused is None:
                    fresh.append(self._next(place, name, expected))

    def _next(self, place: Place, name: str, expected: Due) -> Place:
        """The place behind one edge: reached by the student's own step where that is right, else by hand."""
        after = None if place.by_hand else self._call(place, {"name": name}, expected)[1]
        return after or made(expected.state, expected.visited, (*place.path, name))

    # --- What was asked ---------------------------------------------------------------------------

    @property
    def asked(self) -> Counter[str]:
        """How many pairs, other names and sequences were asked, and how many sequences there are."""
        names = len(self.setting.names)
        possible = sum(names**length for length in range(1, self.setting.depth + 1))
        return self._asked + Counter(possible=possible)

    def finding(self, stop: Stopped) -> Finding:
        """The finding for a step that can't be asked on."""
        place, name = self._at
        path = (*place.path, name)
        state = place.given["state"]
        return Finding(
            "Answers every question",
            f"`step` {stop.message}",
            events=path,
            line=stop.line,
            setting=self.setting.title,
            states=(state,) if place.by_hand else states_on(self.setting.machine, path),
            before=place.given,
            machine=self.setting.machine,
            by_hand=place.by_hand,
        )
