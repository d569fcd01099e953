"""Item statistics for people: two tables and a few sentences, which a log can hold."""

from __future__ import annotations

from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from edgewise.grading.gradebook.summary import printable
from edgewise.grading.stats.item import Item, Stats, rounded

WIDEST = 100
LEFT_ONLY = (0, 0, 0, 1)

EXERCISES = """\
mean: the mean share of the points, among those who have points; 1 is easy. discr.: discrimination, the correlation \
with the points of all other checked exercises, from -1 to 1; near 0, the exercise does not tell who does well \
elsewhere, and below 0 it tells the opposite."""
RULES = 'by: in quotes, a known misconception; "untouched", the answer as it was released.'


def text(stats: Stats) -> str:
    """The tables and sentences, as wide as the terminal, or 100 columns."""
    own = Console()
    console = Console(width=min(own.width, WIDEST) if own.is_terminal else WIDEST, highlight=False)
    with console.capture() as captured:
        console.print(Text(printable(f"{stats.session} · {stats.title}"), style="bold"))
        console.print(_exercises(stats), Text(EXERCISES), _rules(stats), Text(RULES), sep="\n")
        for sentence in stats.sentences:
            console.print(Text(printable(sentence)))
    return "".join(f"{line.rstrip()}\n" for line in captured.get().splitlines())


def _exercises(stats: Stats) -> Table:
    table = Table(box=box.SIMPLE_HEAD, padding=LEFT_ONLY)
    table.add_column("exercise", overflow="fold", min_width=20)
    for name in ("graded", "all", "part", "nothing", "waiting", "not\nhanded in", "mean", "discr."):
        table.add_column(name, justify="right")
    for item in stats.items:
        numbers = [str(count) for _, count in item.counts]
        shares = (rounded(item.mean_share), rounded(item.discrimination))
        table.add_row(_named(item), str(item.graded), *numbers, *shares)
    return table


def _rules(stats: Stats) -> Table:
    """Who broke what: a block for each exercise with a check."""
    table = Table(box=box.SIMPLE_HEAD, padding=LEFT_ONLY)
    table.add_column("broken", justify="right")
    table.add_column("of", justify="right")
    table.add_column("rule", overflow="fold", ratio=3)
    table.add_column("by", overflow="fold", ratio=2)
    for item in stats.items:
        if item.exercise.written:
            continue
        table.add_row("", "", _named(item, style="bold"))
        for number, rule in enumerate(item.rules, 1):
            cells = (Text(printable(words)) for words in (rule.rule, rule.causes))
            table.add_row(str(rule.count), str(item.judged), *cells, end_section=number == len(item.rules))
    return table


def _named(item: Item, style: str = "") -> Text:
    return Text(printable(f"{item.exercise.id} {item.exercise.title}"), style=style)
