"""The frame for exercises that are no machine: functions, and values that are read like functions.

Scripted cases come first, then inputs in order of size, so that the first failure is the smallest. Every
question is asked twice, the second time backwards and on fresh copies.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from itertools import chain
from random import Random
from typing import Any, NamedTuple

from edgewise.checking.calling import Raised, Stopped
from edgewise.checking.exercise import Asking, Compared, Domain, Exploration, Finding, Hints, Holds, Misconception, Rule
from edgewise.checking.values import plain, same, shown


@dataclass(frozen=True, slots=True)
class Case:
    """A question that a person can read, and the answer beside it. Its arguments are plain data."""

    arguments: tuple[Any, ...]
    expected: Any
    keywords: Mapping[str, Any] = field(default_factory=dict)


Given = tuple[tuple[Any, ...], dict[str, Any]]
"""Arguments and keywords of a question."""

SEED = 8


@dataclass(frozen=True, slots=True, eq=False)
class Subject:
    """One object of the exercise: its name, what it should equal, and the questions it is asked.

    `reference` gives the right answer. `inputs` makes further arguments, smallest first; `by_chance` makes some from
    a source that `seed` seeds. `reads` turns an object that is not a function into one, and raises ValueError with a
    sentence where it can't. `kind` sorts questions: nothing is earned before one of each kind was answered right.
    """

    name: str
    reference: Callable[..., Any]
    cases: tuple[Case, ...]
    inputs: Callable[[], Iterable[Given]] = tuple
    reads: Callable[[Any], Callable[..., Any]] | None = None
    kind: Callable[[Asked], str] = lambda asked: asked.subject.name
    by_chance: Callable[[Random], Iterable[Given]] | None = None
    seed: int = SEED

    def questions(self) -> tuple[Question, ...]:
        """Arguments, keywords and the right answer of every question. Raises ValueError for a case that is wrong."""
        return _questions(self)


Question = tuple[tuple[Any, ...], Mapping[str, Any], Any]


@lru_cache(maxsize=32)
def _questions(subject: Subject) -> tuple[Question, ...]:
    """Worked out once: nobody is handed these arguments, but copies of them."""
    made: list[Question] = []
    for case in subject.cases:
        expected = plain(subject.reference(*plain(case.arguments), **case.keywords))
        if not same(expected, plain(case.expected)):
            raise ValueError(f"the case {subject.name}{case.arguments!r} says {case.expected!r}, not {expected!r}")
        made.append((case.arguments, case.keywords, expected))
    chance = subject.by_chance(Random(subject.seed)) if subject.by_chance else ()
    for arguments, keywords in chain(subject.inputs(), chance):
        made.append((arguments, keywords, plain(subject.reference(*plain(arguments), **keywords))))
    return tuple(made)


class Asked(NamedTuple):
    """One question and its answer; `changed` says which argument the call altered, `again` holds another answer."""

    subject: Subject
    size: int
    arguments: tuple[Any, ...]
    keywords: Mapping[str, Any]
    expected: Any
    got: Any
    changed: int | None = None
    again: Any = ...

    @property
    def question(self) -> int:
        """Each input counts as a question of its own."""
        return self.size

    @property
    def words(self) -> str:
        """The question as it would be written in code."""
        given = [*map(shown, self.arguments), *(f"{name}={shown(value)}" for name, value in self.keywords.items())]
        opening, closing = "()" if self.subject.reads is None else "[]"
        return f"{self.subject.name}{opening}{', '.join(given)}{closing}"


@dataclass(frozen=True, slots=True)
class CaseCheck:
    """The check of an exercise whose answer is one or more functions, or a value."""

    subjects: tuple[Subject, ...]
    rules: tuple[Rule, ...]
    hints: Hints
    misconceptions: tuple[Misconception, ...] = ()

    def within(self, domain: Domain) -> CaseCheck:
        """The same check with inputs by chance from the seed of `domain`."""
        if domain.seed is None:
            return self
        return replace(self, subjects=tuple(replace(subject, seed=domain.seed) for subject in self.subjects))

    def unfit(self, objects: tuple[Any, ...], names: tuple[str, ...], ask: Asking) -> str | None:
        """Why the objects can't be asked at all; None when they can."""
        for subject, value, name in zip(self.subjects, objects, names, strict=True):
            arguments, keywords, _ = subject.questions()[0]
            if subject.reads is None:
                reason = ask.unfit(value, name, len(arguments), keywords)
            else:
                reason = _unread(subject, value, ask)
            if reason:
                return reason
        return None

    def explore(self, objects: tuple[Any, ...], ask: Asking) -> Exploration:
        """Every question of every subject; what breaks a rule is kept."""
        wrong: list[Asked] = []
        earning, counts = set(), []
        for subject, value in zip(self.subjects, objects, strict=True):
            answered: list[Asked] = []
            try:
                for asked in _ask_all(subject, value, ask):
                    answered.append(asked)
            except Stopped as stop:
                finding = Finding(
                    "Answers every question", f"`{subject.name}` {stop.message}", (stop.question,), line=stop.line
                )
                return Exploration(tuple(wrong), frozenset(), "what was asked until then", finding)
            wrong_here = [asked for asked in answered if self._breaks(asked)]
            numbers = {asked.size for asked in wrong_here}
            right = {subject.kind(asked) for asked in answered if asked.size not in numbers}
            if right == {subject.kind(asked) for asked in answered}:
                earning.add(subject.name)
            wrong += wrong_here
            counts.append(f"{len(answered):,} inputs of `{subject.name}`")
        seeds = {subject.seed for subject in self.subjects if subject.by_chance} - {SEED}
        seeded = f", seed {min(seeds)}" if seeds else ""
        domain = f"{', '.join(counts)}, smallest first, each twice{seeded}"
        return Exploration(tuple(wrong), frozenset(earning), domain)

    def as_right(self, asked: Sequence[Compared], answers: Sequence[Any]) -> bool:
        """Whether all answers are the expected ones, leaving out what a rule may grant beyond."""
        return all(same(one.expected, plain(answer)) for one, answer in zip(asked, answers, strict=True))

    def behaviour(self, answer: Any, about: str, ask: Asking) -> Iterator[Any]:
        """What `answer` gets wrong as the subject `about`, or as the only one."""
        subject = next(subject for subject in self.subjects if about in ("", subject.name))
        for asked in _ask_once(subject, answer, ask):
            if self._breaks(asked):
                got = asked.got.kind if isinstance(asked.got, Raised) else asked.got
                yield asked.size, got, asked.changed

    def _breaks(self, asked: Asked) -> bool:
        return any(rule.breaks(asked) for rule in self.rules)


def gives(
    sentence: str,
    about: str,
    *,
    key: str | None = None,
    further: bool = False,
    when: Callable[[Asked], bool] | None = None,
) -> Holds:
    """A rule: the subject `about` gives the right value (with `key`, the right item), leaves its arguments alone.

    `sentence` is the rule as the student reads it; `when` chooses the questions it is about. `further` welcomes
    keys that the right value does not have.
    """

    def parts(asked: Asked) -> tuple[Any, Any, str]:
        """What is due and what came, in the answer or in its part."""
        expected, got = asked.expected, asked.got
        if key is not None and isinstance(got, dict) and key in got:
            return expected[key], _as(expected[key], got[key]), f"[{key!r}]"
        if further and isinstance(got, dict):
            got = {name: item for name, item in got.items() if name in expected}
        return expected, got, ""

    def breaks(asked: Asked) -> bool:
        if asked.subject.name != about or (when and not when(asked)):
            return False
        expected, got, _ = parts(asked)
        return not same(expected, got) or asked.changed is not None or asked.again is not ...

    def holds(asked: Asked) -> Finding | None:
        if not breaks(asked):
            return None
        expected, got, part = parts(asked)
        message = _reason(asked, f"{asked.words}{part}", expected, got)
        shown_got = asked.again if asked.again is not ... and same(expected, got) else asked.got
        line = shown_got.line if isinstance(shown_got, Raised) else None
        question = None if asked.subject.reads else (about, asked.arguments, asked.keywords)
        return Finding(sentence, message, (asked.words,), asked.expected, shown_got, line, asked=question)

    holds.__doc__ = sentence
    holds.breaks = breaks  # type: ignore[attr-defined]  # told quickly, without the words that a finding needs
    return holds


def _reason(asked: Asked, what: str, expected: Any, got: Any) -> str:
    """What is wrong with an answer, or with the part of it called `what`."""
    if isinstance(asked.got, Raised):
        return f"{what} is {shown(expected)}; yours raised {asked.got}"
    if not same(expected, got):
        return f"{what} is {shown(expected)}; yours gives {shown(got)}"
    if asked.changed is not None:
        return f"{asked.words} gives the right answer and changes its argument {asked.changed + 1}; build a new one"
    again = f"an exception, {asked.again}" if isinstance(asked.again, Raised) else shown(asked.again)
    return f"{asked.words} was asked twice; the second time yours gave {again}"


def _as(expected: Any, got: Any) -> Any:
    """A tuple counts as a list where a list is due inside an answer: its order is what is asked for."""
    return list(got) if isinstance(expected, list) and isinstance(got, tuple) else got


def _ask_all(subject: Subject, value: Any, ask: Asking) -> Iterator[Asked]:
    """Every question forwards, then each once more backwards; an answer that changed replaces the first."""
    function = _function(subject, value, ask)
    asked = list(_ask_once(subject, value, ask))
    for number in range(len(asked) - 1, -1, -1):
        first = asked[number]
        again = _ask(subject, number, (first.arguments, first.keywords, first.expected), function, ask)
        if not same(again.got, first.got):
            asked[number] = first._replace(again=again.got)
    yield from asked


def _ask_once(subject: Subject, value: Any, ask: Asking) -> Iterator[Asked]:
    """Every question forwards, one at a time."""
    function = _function(subject, value, ask)
    for size, question in enumerate(subject.questions()):
        yield _ask(subject, size, question, function, ask)


def _ask(subject: Subject, size: int, question: Question, function: Callable[..., Any], ask: Asking) -> Asked:
    arguments, keywords, expected = question
    handed = plain(arguments)
    try:
        value = ask(function, *handed, **plain(dict(keywords)))
    except Stopped as stop:
        stop.question = Asked(subject, size, arguments, keywords, expected, None).words
        raise
    got = value if isinstance(value, Raised) else plain(value)
    changed = next((place for place, given in enumerate(handed) if not _is_as_it_was(given, arguments[place])), None)
    return Asked(subject, size, arguments, keywords, expected, got, changed)


def _is_as_it_was(given: Any, argument: Any) -> bool:
    return same(given, argument) or same(plain(given), argument)


def _function(subject: Subject, value: Any, ask: Asking) -> Any:
    """What is asked: the object itself, or for a value a function that reads it. Raises ValueError."""
    return value if subject.reads is None else subject.reads(ask.value(value, subject.name))


def _unread(subject: Subject, value: Any, ask: Asking) -> str | None:
    try:
        _function(subject, value, ask)
    except ValueError as error:
        return str(error)
    return None
