"""What a drawing shows, before it is written in any language: nodes, arrows, and the marks of one run."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import pairwise

from edgewise.machine import Rows, Table


@dataclass(frozen=True, slots=True)
class Node:
    """A state, and what is said about it: every mark has a word in `notes`."""

    name: str
    is_initial: bool = False
    is_terminal: bool = False
    is_declared: bool = True
    is_visited: bool = False
    is_current: bool = False
    cap: int | None = None

    @property
    def notes(self) -> tuple[str, ...]:
        """The words under the name, in a fixed order."""
        entries = "entry" if self.cap == 1 else "entries"
        said = (
            (self.is_initial, "initial"),
            (self.is_terminal, "terminal"),
            (not self.is_declared, "not declared"),
            (self.cap is not None, f"at most {self.cap} {entries}"),
            (self.is_current, "now here"),
        )
        return tuple(word for holds, word in said if holds)


@dataclass(frozen=True, slots=True)
class Arrow:
    """A row of the table, or (not declared) a move the run made without one.

    `steps` are the numbers of the run's moves along it, from 1. `twins` is the number of rows that join the
    same two states: a run's visited names cannot say which of them was taken.
    """

    source: str
    event: str
    target: str
    steps: tuple[int, ...] = ()
    is_declared: bool = True
    twins: int = 1

    @property
    def notes(self) -> tuple[str, ...]:
        """The words under the event."""
        said = (
            (bool(self.steps), steps_in_words(self.steps)),
            (bool(self.steps) and self.twins > 1, f"one of {self.twins} rows"),
            (not self.is_declared, "not declared"),
        )
        return tuple(word for holds, word in said if holds)


@dataclass(frozen=True, slots=True)
class Answer:
    """What a student's `step` did instead: `target` is None where it led to no state."""

    state: str
    event: str
    target: str | None
    got: str


@dataclass(frozen=True, slots=True)
class Picture:
    """All of it."""

    title: str
    nodes: tuple[Node, ...]
    arrows: tuple[Arrow, ...]
    visited: tuple[str, ...] = ()
    refused: tuple[str, str] | None = None
    wrong: tuple[Answer, ...] = ()


def picture(
    table: Table | Rows,
    *,
    title: str,
    initial: str | None = None,
    states: Iterable[str] | None = None,
    visited: Iterable[str] = (),
    refused: tuple[str, str] | None = None,
    wrong: Iterable[tuple[str, str, str | None, str]] = (),
    caps: Mapping[str, int] | None = None,
) -> Picture:
    """The picture of a table and of one run over it. What is named without being declared is drawn as such."""
    rows = _rows(table)
    run = tuple(map(_name, visited))
    answers = tuple(Answer(*each) for each in wrong)
    named = [name for source, _, target in rows for name in (source, target)]
    declared = tuple(dict.fromkeys(named if states is None else map(_name, states)))
    first = next(iter(declared), None) if initial is None else initial
    limits = dict(caps or {})
    sources = {source for source, _, _ in rows}
    nodes = tuple(
        Node(
            name,
            is_initial=name == first,
            is_terminal=name in declared and name not in sources,
            is_declared=name in declared,
            is_visited=name in run,
            is_current=name in run[-1:],
            cap=limits.get(name),
        )
        for name in dict.fromkeys((*declared, *named, *limits, *run, *_marked(refused, answers)))
    )
    return Picture(title, nodes, _arrows(rows, run), run, refused, answers)


def _marked(refused: tuple[str, str] | None, answers: Iterable[Answer]) -> Iterable[str]:
    """The states that the marks of a run name."""
    if refused is not None:
        yield refused[0]
    for answer in answers:
        yield answer.state
        if answer.target is not None:
            yield answer.target


def _rows(table: Table | Rows) -> tuple[tuple[str, str, str], ...]:
    rows = ((*pair, target) for pair, target in table.items()) if isinstance(table, Mapping) else table
    return tuple((_name(source), _name(event), _name(target)) for source, event, target in rows)


def _name(value: object) -> str:
    """A name to draw; what is not text is drawn as its repr, since a table may come from a student."""
    return value if isinstance(value, str) else repr(value)


def _arrows(rows: tuple[tuple[str, str, str], ...], run: tuple[str, ...]) -> tuple[Arrow, ...]:
    moves: dict[tuple[str, str], list[int]] = {}
    for number, pair in enumerate(pairwise(run), 1):
        moves.setdefault(pair, []).append(number)
    twins = Counter((source, target) for source, _, target in rows)
    walked = (Arrow(*row, tuple(moves.get((row[0], row[2]), ())), twins=twins[row[0], row[2]]) for row in rows)
    strays = (
        Arrow(source, "", target, tuple(steps), is_declared=False)
        for (source, target), steps in moves.items()
        if (source, target) not in twins
    )
    return (*walked, *strays)


def steps_in_words(steps: tuple[int, ...]) -> str:
    """`step 1`, `steps 2–4, 9`; the middle is left out where there are more than four stretches."""
    stretches: list[list[int]] = []
    for number in steps:
        if stretches and stretches[-1][-1] == number - 1:
            stretches[-1][1:] = [number]
        else:
            stretches.append([number])
    texts = ["–".join(map(str, stretch)) for stretch in stretches]
    if len(texts) > 4:
        texts = [*texts[:3], "…", f"{texts[-1]} ({len(steps)} times)"]
    return f"{'step' if len(steps) == 1 else 'steps'} {', '.join(texts)}"
