"""Item statistics as plain data: what a class earned in each exercise, and which rules it broke."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from edgewise.course import Exercise
from edgewise.grading.reading.found import times


@dataclass(frozen=True, slots=True)
class Broken:
    """A rule, and how many broke it.

    `misconceptions` are (name, count), the commonest first, for answers that behave like a known wrong one.
    `untouched` counts those that are the release as it was, `unknown` all others.
    """

    rule: str
    count: int = 0
    misconceptions: tuple[tuple[str, int], ...] = ()
    untouched: int = 0
    unknown: int = 0

    @property
    def causes(self) -> str:
        """By what, in words; empty where nobody broke it."""
        said = [f'"{name}" {count}' for name, count in self.misconceptions]
        said += [f"untouched {self.untouched}"] if self.untouched else []
        said += [f"none known {self.unknown}"] if self.unknown else []
        return ", ".join(said)

    def as_json(self) -> dict[str, Any]:
        """The rule as data."""
        known = [{"name": name, "count": count} for name, count in self.misconceptions]
        return {
            "rule": self.rule,
            "broken": self.count,
            "misconceptions": known,
            "untouched": self.untouched,
            "none_known": self.unknown,
        }


@dataclass(frozen=True, slots=True)
class Item:
    """One exercise. `full`, `part` and `nothing` count what was earned by those who have points.

    `shares` is the sum of their shares of the points, `correlation` the one that Discrimination adds up.
    `waiting` have no points yet, `absent` did not hand the notebook in; neither is among those with points.
    `by_hand` counts points that a person gave, `unchecked` checks that could not be made, `untouched` answers that
    are the release as it was. `judged` is the number of reports among which `rules` are counted.
    """

    exercise: Exercise
    full: int = 0
    part: int = 0
    nothing: int = 0
    waiting: int = 0
    absent: int = 0
    by_hand: int = 0
    untouched: int = 0
    unchecked: int = 0
    judged: int = 0
    shares: float = 0.0
    correlation: float | None = None
    rules: tuple[Broken, ...] = ()

    @property
    def graded(self) -> int:
        """How many have points."""
        return self.full + self.part + self.nothing

    @property
    def mean_share(self) -> float | None:
        """The mean share of the points, the item's difficulty: 1 is easy. None where it is undefined."""
        return self.shares / self.graded if self.graded and not self.is_unread else None

    @property
    def discrimination(self) -> float | None:
        """The corrected item-total correlation. None where it is undefined."""
        return None if self.is_unread else self.correlation

    @property
    def is_unread(self) -> bool:
        """Whether a person has yet to begin: until then only answers that were left out have points, and these 0."""
        return self.exercise.written and self.waiting > 0 and not self.by_hand

    @property
    def counts(self) -> tuple[tuple[str, int], ...]:
        """All students by what became of the exercise, each group with its word."""
        return (
            ("all", self.full),
            ("part", self.part),
            ("nothing", self.nothing),
            ("waiting", self.waiting),
            ("not handed in", self.absent),
        )

    def as_json(self) -> dict[str, Any]:
        """The exercise as data; what is not defined is null."""
        return {
            "exercise": self.exercise.id,
            "title": self.exercise.title,
            "written": self.exercise.written,
            "max_points": self.exercise.points,
            "graded": self.graded,
            "all": self.full,
            "part": self.part,
            "nothing": self.nothing,
            "mean_share": self.mean_share,
            "discrimination": self.discrimination,
            "waiting": self.waiting,
            "not_handed_in": self.absent,
            "by_hand": self.by_hand,
            "untouched": self.untouched,
            "could_not_check": self.unchecked,
            "judged": self.judged,
            "rules": [rule.as_json() for rule in self.rules],
        }


@dataclass(frozen=True, slots=True)
class Stats:
    """All items of a session, over `graded` submissions.

    Of these, `out_of_date` count as they were recorded, and `gone` are no longer where they were handed in.
    `ungraded` submissions are in none of the items.
    """

    session: str
    title: str
    items: tuple[Item, ...]
    graded: int
    ungraded: int = 0
    out_of_date: int = 0
    gone: int = 0

    @property
    def sentences(self) -> Iterator[str]:
        """How many submissions this is about, and which are not among them or not as they are now."""
        yield f"{times(self.graded, 'submission')} graded."
        if self.ungraded:
            are, them = ("is", "it") if self.ungraded == 1 else ("are", "them")
            yield (
                f"{times(self.ungraded, 'submission')} {are} not graded yet and not counted here; "
                f"`edgewise grade {self.session}` grades {them}."
            )
        if self.out_of_date:
            are, count, them = ("is", "counts", "it") if self.out_of_date == 1 else ("are", "count", "them")
            yield (
                f"{times(self.out_of_date, 'grade')} {are} out of date and {count} as recorded; "
                f"`edgewise grade {self.session}` renews {them}."
            )
        if self.gone:
            are, count = ("is", "counts") if self.gone == 1 else ("are", "count")
            yield f"{times(self.gone, 'submission')} {are} no longer there and {count} as recorded."
        for item in self.items:
            if item.unchecked:
                yield f"{item.exercise.id} could not be checked for {times(item.unchecked, 'student')}."

    def as_json(self) -> dict[str, Any]:
        """The statistics as data."""
        return {
            "session": self.session,
            "title": self.title,
            "submissions": {
                "graded": self.graded,
                "not_graded": self.ungraded,
                "out_of_date": self.out_of_date,
                "gone": self.gone,
            },
            "exercises": [item.as_json() for item in self.items],
        }


def rounded(value: float | None) -> str:
    """A share or a correlation as people read it; a dash where there is none."""
    if value is None:
        return "–"
    return f"{value:.2f}".replace("-0.00", "0.00")
