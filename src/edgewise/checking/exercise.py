"""What a check module is made of: scripts, rules and misconceptions, all of it data and plain functions."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, NamedTuple, Protocol, Self


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that is wrong: the rule it breaks, a sentence, the inputs, and whole values beside each other.

    `events` is the way there, one text an input. For a machine, `states` are those in which the events came,
    `before` is the snapshot of the last call, `machine` the one that was walked, and `by_hand` says that the check
    made the snapshot, where the student's own code would not have led. `like` counts the other questions that
    break the same rule. `got` is `...` where no answer came. `asked` is the question
    itself: which of the objects (the only one, if blank), and the arguments.
    """

    rule: str
    message: str
    events: tuple[str, ...] = ()
    expected: Any = None
    got: Any = ...
    line: str | None = None
    setting: str = ""
    states: tuple[str, ...] = ()
    before: Mapping[str, Any] | None = None
    machine: Any = None
    by_hand: bool = False
    like: int = 0
    asked: tuple[str, tuple[Any, ...], Mapping[str, Any]] | None = None


class Observation(Protocol):
    """One question that student code was asked, and what came of it."""

    @property
    def size(self) -> int:
        """How long the way to the question is: the smallest is shown first."""

    @property
    def question(self) -> object:
        """What is counted when others break the same rule; None is not counted."""


Holds = Callable[[Any], Finding | None]


@dataclass(frozen=True, slots=True)
class Rule:
    """A share of the points, earned when `holds` finds nothing in any observation.

    `about` is the object it judges, where an exercise has several. What breaks a rule that `leads` is reported
    before all else, since it casts doubt on the rest.
    The first line of the docstring of `holds` is the rule in the words the student reads.
    """

    holds: Holds
    share: float
    about: str = ""
    leads: bool = False

    @property
    def name(self) -> str:
        """The rule as a student reads it."""
        return _name_of(self.holds)

    @property
    def breaks(self) -> Callable[[Any], object]:
        """Tells whether an observation breaks the rule; quicker than `holds` where the rule has such a way."""
        return getattr(self.holds, "breaks", self.holds)


@cache
def _name_of(holds: Holds) -> str:
    return (holds.__doc__ or holds.__name__).strip().partition("\n")[0].rstrip(".")


@dataclass(frozen=True, slots=True)
class Misconception:
    """A likely wrong answer, and the sentence for those whose answer behaves like it.

    `answer` is what a student would hand in for the object `about` (the only one, if left out). `breaks` is the
    rule that leads its report.
    """

    name: str
    message: str
    answer: Any
    breaks: Holds
    about: str = ""


class Edge(NamedTuple):
    """An arrow of the student's machine that is none of the declared one; a target of None is a refusal."""

    setting: str
    state: str
    event: str
    target: str | None


@dataclass(frozen=True, slots=True)
class Exploration:
    """What was asked: the observations that break a rule, and in a sentence what they were found among.

    `earns` holds the objects (`Rule.about`) for which anything may be earned, so that no rule is kept by doing
    nothing. `stopped` is why the asking stopped early, if it did. `edges` are the wrong arrows of a machine.
    """

    wrong: tuple[Any, ...]
    earns: frozenset[str]
    domain: str
    stopped: Finding | None = None
    edges: tuple[Edge, ...] = ()


class Asking(Protocol):
    """How student code is asked: `Caller` in this process, or somebody who asks from outside."""

    def __call__(self, function: Any, *arguments: Any, **keywords: Any) -> Any:
        """What `function` returns, or Raised. Raises Stopped when there is no point in asking on."""

    def unfit(self, answer: Any, name: str, positions: int, keywords: Mapping[str, Any]) -> str | None:
        """Why `answer` can't be asked as the exercise says; None when it can."""

    def value(self, answer: Any, name: str) -> Any:
        """The answer itself, for an exercise that asks for a value. Raises ValueError where it is the library's."""

    def copy(self, answer: dict[Any, Any], plainly: dict[str, Any], known: tuple[str, ...]) -> dict[Any, Any]:
        """A copy of a snapshot, `plainly` being the plain data in it and `known` the keys that every snapshot has."""

    def restored(self, answer: dict[Any, Any], plainly: dict[str, Any]) -> dict[str, Any]:
        """`plainly`, the plain data that stood in a snapshot before a call changed it."""

    def last_line(self, function: Any, *arguments: Any, **keywords: Any) -> str | None:
        """The line of the student's own code that ran last in the call, as `line 4: source`."""


class Compared(NamedTuple):
    """A question's arguments and keywords, and the right answer to it."""

    arguments: tuple[Any, ...]
    keywords: Mapping[str, Any]
    expected: Any


@dataclass(frozen=True, slots=True)
class Domain:
    """How far a class is asked: the length of sequences, the seed of inputs made by chance; None as the check says."""

    depth: int | None = None
    seed: int | None = None


class Check(Protocol):
    """What `CHECK` of a check module is: a MachineCheck, or a CaseCheck for what is not a machine."""

    @property
    def rules(self) -> tuple[Rule, ...]:
        """The rules, whose shares add up to 1."""

    @property
    def hints(self) -> Hints:
        """What `hint` says after the first hint, which comes from the finding itself."""

    @property
    def misconceptions(self) -> tuple[Misconception, ...]:
        """The likely wrong answers, no two of which behave alike."""

    def within(self, domain: Domain) -> Self:
        """The same check, asking as far as `domain` says."""

    def unfit(self, objects: tuple[Any, ...], names: tuple[str, ...], ask: Asking) -> str | None:
        """Why the objects can't be asked at all, and what to do; None when they can."""

    def explore(self, objects: tuple[Any, ...], ask: Asking) -> Exploration:
        """Ask every question of the domain."""

    def as_right(self, asked: Sequence[Compared], answers: Sequence[Any]) -> bool:
        """Whether all answers, one to each kind of question, are as right as the expected ones; if in doubt, no."""

    def behaviour(self, answer: Any, about: str, ask: Asking) -> Iterator[Any]:
        """What `answer` gets wrong as the object `about`, to be compared with a misconception. Raises Stopped."""


@dataclass(frozen=True, slots=True)
class Hints:
    """The second and the third hint: a sentence for each rule, and a neighbour case worked through.

    Neither gives the solution away.
    """

    by_rule: Mapping[Holds, str]
    neighbour: str


REFUSED = "refused"
"""In a script, beside an event: the machine stays where it is, and says why."""


@dataclass(frozen=True, slots=True)
class Script:
    """A run that a person can read: events, and beside each what it leads to (a state, or REFUSED)."""

    title: str
    events: tuple[tuple[str, str], ...]
    hint: str = ""
