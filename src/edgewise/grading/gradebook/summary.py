"""What a run over a class came to: a table and sentences for people, one JSON object for programs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from time import monotonic
from typing import TYPE_CHECKING, Any, TextIO

from edgewise.grading.confinement import Layer
from edgewise.grading.reading.found import times

if TYPE_CHECKING:
    from rich.table import Table

MAX_SHOWN = 200
"""Sentences about problems; what more there is, is counted."""

PAUSE_SECONDS = 0.1
"""Between two drawings of the bar."""


@dataclass(frozen=True, slots=True)
class Row:
    """One submission's result. `points` is None where nothing is recorded of it.

    `why` says why it was graded in this run, and is empty where it was not. `problems` are pairs of a sentence and a
    note for the instructor.
    """

    student: str
    points: float | None
    max_points: float
    repairs: tuple[str, ...] = ()
    problems: tuple[tuple[str, str], ...] = ()
    layers: Mapping[str, bool] | None = None
    why: str = ""


@dataclass(frozen=True, slots=True)
class Summary:
    """All rows of a run, by student; `error` says why it ended before all was done."""

    session: str
    rows: tuple[Row, ...] = ()
    error: str | None = None

    @property
    def status(self) -> int:
        """0 when all are graded, 1 when a submission needs a person, 2 when it could not run to its end."""
        if self.error is not None:
            return 2
        return int(any(row.problems for row in self.rows))

    @property
    def layers(self) -> tuple[Layer, ...]:
        """The layers of confinement; one is on when it was for every submission that was run."""
        ran = [row.layers for row in self.rows if row.layers is not None]
        names = dict.fromkeys(name for layers in ran for name in layers)
        return tuple(Layer(name, all(layers.get(name, False) for layers in ran)) for name in names)

    def as_json(self) -> dict[str, Any]:
        """The summary as data; `error` is there only where there was one."""
        submissions = [
            {
                "student": row.student,
                "points": row.points,
                "max_points": row.max_points,
                "repairs": list(row.repairs),
                "problems": [said(*problem) for problem in row.problems],
            }
            for row in self.rows
        ]
        layers = [{"name": layer.name, "on": layer.on, "sentence": layer.sentence} for layer in self.layers]
        told = {"session": self.session, "submissions": submissions, "confinement": layers}
        return told if self.error is None else {**told, "error": self.error}

    def lines(self) -> Iterator[str]:
        """What there is to say below the table."""
        problems = [(row.student, said(*problem)) for row in self.rows for problem in row.problems]
        for student, words in problems[:MAX_SHOWN]:
            yield printable(f"{student}: {words}")
        if len(problems) > MAX_SHOWN:
            yield f"and {len(problems) - MAX_SHOWN} more problems; --json gives all"
        yield _counted(self.rows)
        if self.layers:
            from edgewise.grading.doctor import summary

            yield summary(self.layers)

    @property
    def text(self) -> str:
        """The table and the sentences, as wide as the terminal; nothing where there is no row."""
        if not self.rows:
            return ""
        from rich.console import Console

        console = Console()
        with console.capture() as captured:
            console.print(_table(self.rows))
        return captured.get() + "".join(f"{line}\n" for line in self.lines())


def said(sentence: str, note: str) -> str:
    """A problem's sentence and note, as two sentences."""
    whole = sentence if sentence.endswith((".", "?", "!")) else f"{sentence}."
    return f"{whole} {note}".rstrip()


def printable(text: str) -> str:
    r"""The text with everything that would steer a terminal written out: a line break is \n."""
    return "".join(sign if sign.isprintable() else sign.encode("unicode_escape").decode() for sign in text)


def _table(rows: Iterable[Row]) -> Table:
    from rich import box
    from rich.table import Table
    from rich.text import Text

    rows = tuple(rows)
    table = Table(box=box.SIMPLE_HEAD, show_footer=True)
    graded = [row.points for row in rows if row.points is not None]
    mean = f"{sum(graded) / len(graded):.4g} on average" if graded else ""
    table.add_column("student", times(len(rows), "submission"), overflow="fold")
    table.add_column("points", mean, justify="right")
    table.add_column("repairs", str(sum(len(row.repairs) for row in rows)), justify="right")
    table.add_column("problems", str(sum(len(row.problems) for row in rows)), justify="right")
    for row in rows:
        points = "–" if row.points is None else f"{row.points:g} of {row.max_points:g}"
        counts = (str(len(found) or "") for found in (row.repairs, row.problems))
        table.add_row(Text(printable(row.student)), points, *counts)
    return table


def _counted(rows: Iterable[Row]) -> str:
    """How many were graded and why, how many were up to date, how many need a person."""
    rows = tuple(rows)
    graded = [row for row in rows if row.why and row.points is not None]
    why = Counter(row.why for row in graded)
    reasons = ", ".join(f"{count}: {reason}" for reason, count in sorted(why.items()))
    said = [f"{times(len(graded), 'submission')} graded{f' ({reasons})' if reasons else ''}"]
    same = sum(not row.why and row.points is not None for row in rows)
    said.append(f"{same} {'was' if same == 1 else 'were'} up to date")
    needs = sum(bool(row.problems) for row in rows)
    said.append(f"{needs} {'needs' if needs == 1 else 'need'} a person")
    return f"{'; '.join(said)}."


@contextmanager
def bar(session: str, stream: TextIO, *, shown: bool) -> Iterator[Callable[[int, int], None]]:
    """A progress bar where the stream is a terminal: a function that takes how many are done, and of how many."""
    if not (shown and stream.isatty()):
        yield lambda _done, _total: None
        return
    with ExitStack() as stack:
        drawn: list[Callable[[int, int], None]] = []

        def tell(done: int, total: int) -> None:
            if not drawn:  # by now the first submissions are at work, and importing the bar keeps nobody waiting
                drawn.append(stack.enter_context(_bar(session, stream)))
            drawn[0](done, total)

        yield tell


@contextmanager
def _bar(session: str, stream: TextIO) -> Iterator[Callable[[int, int], None]]:
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TextColumn("{task.fields[rate]}"))
    console = Console(file=stream)
    with Progress(*columns, TimeRemainingColumn(), console=console, auto_refresh=False, transient=True) as progress:
        task = progress.add_task(session, rate="", total=None)

        shown = 0.0

        def tell(done: int, total: int) -> None:
            nonlocal shown
            speed = progress.tasks[0].speed
            progress.update(task, completed=done, total=total, rate=f"{speed:.3g}/s" if speed else "")
            if done == total or monotonic() - shown > PAUSE_SECONDS:
                progress.refresh()
                shown = monotonic()

        yield tell
