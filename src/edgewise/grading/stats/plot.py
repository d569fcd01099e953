"""Item statistics as a picture: a bar of what was earned in each exercise, and one of how many broke each rule.

Plain SVG, as in `chart.py`: each part has a pattern and its words, so colour alone says nothing.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from html import escape
from pathlib import Path
from textwrap import shorten, wrap

from edgewise.grading.gradebook.summary import printable
from edgewise.grading.stats.item import Broken, Item, Stats, rounded

WIDTH, MARGIN, LINE = 760, 24, 16
BAR = 16
LEFT, RIGHT = 344, 92
"""Where the bars of rules begin, and the room for the count after them."""

THINNEST = 3
"""The width of one student among a thousand."""

PATTERNS = {  # outline and stripes (readable on white, told apart by colour-blind readers), ground, dash pattern
    "all": ("#0072b2", "#0072b2", ""),
    "part": ("#c44601", "#ffffff", "7 4"),
    "nothing": ("#333333", "#ffffff", "1.5 4"),
    "waiting": ("#333333", "#ffffff", None),
    "not handed in": ("#767676", "#e4e4e4", None),
    "broken": ("#8c3b8c", "#ffffff", "3 3"),
}


class PlotError(Exception):
    """A picture that cannot be written where it was asked for."""


def fit(path: Path) -> None:
    """Nothing where a picture may stand in the file; no other kind of file is written over. Raises PlotError."""
    if path.suffix.lower() != ".svg":
        raise PlotError(f"the plot is an SVG picture; name its file so, such as {path.stem or 'stats'}.svg")


def save(stats: Stats, path: Path) -> None:
    """Write the picture. Raises PlotError."""
    try:
        path.write_text(svg(stats), encoding="utf-8")
    except OSError as error:
        raise PlotError(f"{path} can't be written ({error.strerror}); name a file in a folder that is there") from None


def words(stats: Stats) -> str:
    """The picture in words, one sentence a line."""
    return "\n".join([f"{stats.session}, {stats.title}: item statistics.", *stats.sentences, *_told(stats)])


def _told(stats: Stats) -> Iterator[str]:
    for item in stats.items:
        yield f"{item.exercise.id}, {item.exercise.title}: {_earned(item)}; {_shares(item)}."
        for rule in item.rules:
            by = f" ({rule.causes})" if rule.causes else ""
            yield f"{rule.rule!r}: broken by {rule.count} of {item.judged}{by}."


def _earned(item: Item) -> str:
    return ", ".join(f"{name} {count}" for name, count in item.counts)


def _shares(item: Item) -> str:
    return f"mean share {rounded(item.mean_share)}, discrimination {rounded(item.discrimination)}"


def svg(stats: Stats) -> str:
    """A whole SVG file with `role="img"` and the words as `aria-label`; it refers to no id."""
    card = _Card()
    card.say(f"{stats.session} · {stats.title}", size=16, bold=True, after=6)
    card.say("Item statistics: what was earned in each exercise and, below it, how many broke each rule", size=13)
    card.say(" ".join(stats.sentences), size=12, after=6)
    for item in stats.items:
        _item(card, item)
    label = escape(printable(words(stats).replace("\n", " ")))
    height = card.y + MARGIN // 2
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" role="img" aria-label="{label}" width="{WIDTH}" '
        f'viewBox="0 0 {WIDTH} {height:g}" style="max-width:100%;height:auto" '
        'font-family="Helvetica, Arial, sans-serif" font-size="13" fill="#222">'
    )
    ground = f'<rect width="{WIDTH}" height="{height:g}" rx="6" fill="#fff" stroke="#ccc"/>'
    return "".join([head, ground, *card.parts, "</svg>\n"])


@dataclass(slots=True)
class _Card:
    """What is drawn so far, and how far down it reaches."""

    y: float = MARGIN / 2
    parts: list[str] = field(default_factory=list)

    def say(self, text: str, *, size: float, bold: bool = False, after: float = 0) -> None:
        """Text over the whole width, in as many lines as it takes."""
        for line in wrap(printable(text), int((WIDTH - 2 * MARGIN) / (size * 0.52))):
            self.y += size + 4
            self.write(MARGIN, self.y, line, size=size, bold=bold)
        self.y += after

    def write(self, x: float, y: float, text: str, *, size: float = 13, bold: bool = False) -> None:
        """One line of text at a place."""
        weight = ' font-weight="bold"' if bold else ""
        sized = "" if size == 13 else f' font-size="{size:g}"'
        self.parts.append(f'<text x="{x:g}" y="{y:g}"{sized}{weight}>{escape(text)}</text>')

    def bar(self, x: float, y: float, width: float, kind: str, height: float = BAR) -> None:
        """A stretch of a bar, in its pattern."""
        line, ground, dash = PATTERNS[kind]
        edge = ' stroke-dasharray="3 3"' if kind == "waiting" else ""
        size = f'width="{width:.1f}" height="{height:g}"'
        self.parts.append(f'<rect x="{x:.1f}" y="{y:g}" {size} fill="{ground}" stroke="{line}"{edge}/>')
        if dash:
            stripes = f'stroke="{line}" stroke-width="{height:g}" stroke-dasharray="{dash}"'
            self.parts.append(f'<path d="M{x:.1f},{y + height / 2:g}h{width:.1f}" {stripes}/>')


def _item(card: _Card, item: Item) -> None:
    """One exercise: heading, the bar, its words, and the rules."""
    card.y += 14
    card.say(f"{item.exercise.id} · {item.exercise.title}", size=14, bold=True)
    card.say(f"{item.exercise.points:g} points · {_shares(item)}", size=12, after=7)
    _earnings(card, item)
    for rule in item.rules:
        _rule(card, rule, item.judged)


def _earnings(card: _Card, item: Item) -> None:
    """The bar of the class, split, and under it each part's pattern, word and count."""
    whole = WIDTH - 2 * MARGIN
    x, named = float(MARGIN), float(MARGIN)
    for kind, width in _widths(item, whole).items():
        card.bar(x, card.y, width, kind)
        x += width
    card.y += BAR + 20
    for kind, count in item.counts:
        if count or kind in ("all", "part", "nothing"):
            card.bar(named, card.y - 10, 18, kind, height=11)
            label = f"{kind} {count}"
            card.write(named + 24, card.y, label)
            named += 24 + 7.5 * len(label) + 18
    card.y += 8


def _widths(item: Item, whole: float) -> dict[str, float]:
    """How wide each group is: as its count is, but no group that has anyone is too thin to be seen."""
    total = sum(count for _, count in item.counts)
    wide = {kind: max(THINNEST, whole * count / total) for kind, count in item.counts if count}
    return {kind: width * whole / sum(wide.values()) for kind, width in wide.items()}


def _rule(card: _Card, rule: Broken, judged: int) -> None:
    """A rule: its name, the bar of those who broke it, the count, and by what."""
    named = wrap(shorten(printable(rule.rule), 135, placeholder=" …"), 47)
    causes = wrap(printable(rule.causes), 66)
    top = card.y + 6
    whole = WIDTH - MARGIN - RIGHT - LEFT
    for number, line in enumerate(named, 1):
        card.write(MARGIN + 12, top + number * LINE - 3, line)
    card.parts.append(f'<rect x="{LEFT}" y="{top:g}" width="{whole}" height="{BAR}" fill="none" stroke="#ccc"/>')
    if rule.count:
        card.bar(LEFT, top, max(THINNEST, whole * rule.count / judged), "broken")
    card.write(LEFT + whole + 8, top + 13, f"{rule.count} of {judged}")
    for number, line in enumerate(causes, 1):
        card.write(LEFT, top + BAR + number * 15 - 1, line, size=12)
    card.y = top + max(LINE * len(named), BAR + 15 * len(causes)) + 2
