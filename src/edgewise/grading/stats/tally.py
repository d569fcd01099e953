"""The counts behind one item, added up one student at a time."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from edgewise.checking.exercise import Check
from edgewise.course import Exercise
from edgewise.grading.stats.discrimination import Discrimination
from edgewise.grading.stats.item import Broken, Item

SAME = 1e-9
"""Points that differ by less are equal: they are sums of shares."""


class Part(NamedTuple):
    """A student's part in one exercise. `points` of None wait; `report` is None where no check was made."""

    points: float | None
    by_hand: bool = False
    untouched: bool = False
    report: Mapping[str, Any] | None = None


@dataclass(slots=True)
class Causes:
    """Who broke one rule."""

    misconceptions: Counter[str] = field(default_factory=Counter)
    untouched: int = 0
    unknown: int = 0

    def broken(self, rule: str) -> Broken:
        """The counts; of misconceptions as common as each other, by name."""
        known = tuple(sorted(self.misconceptions.items(), key=lambda one: (-one[1], one[0])))
        total = self.misconceptions.total() + self.untouched + self.unknown
        return Broken(rule, total, known, self.untouched, self.unknown)


class Tally:
    """The counts of one exercise; `check` is None for a written one."""

    def __init__(self, exercise: Exercise, check: Check | None) -> None:
        self.exercise = exercise
        self._rules = {} if check is None else {rule.name: rule.about for rule in check.rules}
        self._abouts = {} if check is None else {known.name: known.about for known in check.misconceptions}
        self._causes: dict[str, Causes] = {}
        self._groups: Counter[str] = Counter()
        self._shares = 0.0
        self._discrimination = Discrimination()

    def left_out(self) -> None:
        """Count a student who did not hand the exercise's notebook in."""
        self._groups["absent"] += 1

    def add(self, part: Part, rest: float | None) -> None:
        """Count a student; `rest` is what was earned elsewhere, None where that is not known yet."""
        if part.points is None:
            self._groups["waiting"] += 1
        else:
            self._groups[self._group(part.points)] += 1
            self._shares += part.points / self.exercise.points
            if rest is not None:
                self._discrimination.add(part.points, rest)
        self._groups["by_hand"] += part.by_hand
        self._groups["untouched"] += part.untouched
        if part.report is not None:
            self._count(part.report, untouched=part.untouched)

    def _group(self, points: float) -> str:
        if points <= SAME:
            return "nothing"
        return "part" if points < self.exercise.points - SAME else "full"

    def _count(self, report: Mapping[str, Any], *, untouched: bool) -> None:
        """Count the rules that a report says were broken, or what kept them from being tried."""
        outcome = report.get("outcome")
        if outcome == "could not check":
            self._groups["unchecked"] += 1
            return
        self._groups["judged"] += 1
        broken = list(report.get("broken", ()))
        if outcome == "not yet" and not broken:
            broken = [finding["rule"] for finding in report["findings"][:1]]
        known = (report.get("misconception") or {}).get("name")
        for rule in broken:
            causes = self._causes.setdefault(rule, Causes())
            if untouched:
                causes.untouched += 1
            elif known is not None and self._explains(known, rule):
                causes.misconceptions[known] += 1
            else:
                causes.unknown += 1

    def _explains(self, misconception: str, rule: str) -> bool:
        """Whether both are about the same object, where an exercise has several."""
        abouts = {self._abouts.get(misconception, ""), self._rules.get(rule, "")} - {""}
        return len(abouts) < 2

    def item(self) -> Item:
        """The statistics: first what kept answers from being judged, then the check's rules, as it lists them."""
        named = dict.fromkeys([*sorted(set(self._causes) - set(self._rules)), *self._rules])
        return Item(
            self.exercise,
            **self._groups,
            shares=self._shares,
            correlation=self._discrimination.value,
            rules=tuple(self._causes.get(rule, Causes()).broken(rule) for rule in named),
        )
