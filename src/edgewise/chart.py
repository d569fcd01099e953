"""A small line chart of named series: inline SVG a screen reader can read, the same in words, and a table.

Written as plain SVG, because each line is to carry its name at its end, a dash pattern and a marker of its
own: colour alone says nothing here. The card has its own light ground, so it reads the same in a dark theme.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape
from math import ceil, floor, log10
from typing import NamedTuple

Number = int | float
Point = tuple[float, float]

WIDTH, HEIGHT = 720, 320
LEFT, RIGHT, TOP, BOTTOM = 56, 170, 58, 44
LINES = (  # colour (readable as text on white, told apart by colour-blind readers), dash pattern, marker
    ("#0072b2", "", "circle"),
    ("#c44601", "9 4", "square"),
    ("#00795a", "2 4", "triangle"),
    ("#8c3b8c", "12 4 2 4", "diamond"),
    ("#333333", "5 3", "cross"),
)
SHAPES = {  # drawn around (0, 0)
    "circle": "M-4,0a4,4 0 1,0 8,0a4,4 0 1,0 -8,0z",
    "square": "M-4,-4h8v8h-8z",
    "triangle": "M0,-5l5,9h-10z",
    "diamond": "M0,-5.5l5.5,5.5l-5.5,5.5l-5.5,-5.5z",
    "cross": "M-4,-4l8,8M4,-4l-8,8",
}


@dataclass(frozen=True, slots=True, repr=False)
class Chart:
    """What a chart shows; a notebook draws it, a terminal prints its words. Made by `chart`."""

    title: str
    x: str
    y: str
    xs: tuple[Number, ...]
    series: tuple[tuple[str, tuple[Number, ...]], ...]
    band: tuple[Number, Number, str] | None = None

    @property
    def words(self) -> str:
        """The chart in words, one sentence a line."""
        axes = f"{self.y} by {self.x}, {_plain(self.xs[0])} to {_plain(self.xs[-1])}."
        banded = [f"Marked: {self.band[2]}, {_plain(self.band[0])} to {_plain(self.band[1])}."] if self.band else []
        return "\n".join([f"{self.title}.", axes, *banded, *(self._told(name, ys) for name, ys in self.series)])

    def _told(self, name: str, ys: tuple[Number, ...]) -> str:
        if min(ys) == max(ys):
            return f"{name!r}: {_plain(ys[0])} throughout."
        most, least = (f"{_plain(end)} (first at {_plain(self.xs[ys.index(end)])})" for end in (max(ys), min(ys)))
        return f"{name!r}: begins at {_plain(ys[0])}, most {most}, least {least}, ends at {_plain(ys[-1])}."

    def svg(self) -> str:
        """Inline SVG with `role="img"` and the words as `aria-label`; it refers to no id, so two never clash."""
        label = escape(self.words.replace("\n", " "))
        head = (
            f'<svg xmlns="http://www.w3.org/2000/svg" role="img" aria-label="{label}" width="{WIDTH}" '
            f'viewBox="0 0 {WIDTH} {HEIGHT}" style="max-width:100%;height:auto" '
            'font-family="Helvetica, Arial, sans-serif" font-size="13" fill="#222">'
        )
        scale = Scale.of(self)
        return "".join([head, *_frame(self, scale), *_lines(self, scale), "</svg>"])

    def table(self, most_rows: int = 11) -> str:
        """The numbers as an HTML table: every point, or about `most_rows` spread evenly, both ends among them."""
        stride = max(1, ceil((len(self.xs) - 1) / (most_rows - 1)))
        places = sorted({*range(0, len(self.xs), stride), len(self.xs) - 1})
        head = "".join(f'<th scope="col">{escape(name)}</th>' for name in (self.x, *(name for name, _ in self.series)))
        rows = "".join(
            f'<tr><th scope="row">{_plain(self.xs[place])}</th>'
            + "".join(f"<td>{_plain(ys[place])}</td>" for _, ys in self.series)
            + "</tr>"
            for place in places
        )
        return f"<table><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>"

    def _repr_html_(self) -> str:
        numbers = f"<details><summary>The numbers: {escape(self.y)}</summary>{self.table()}</details>"
        return f'<figure style="margin:0">{self.svg()}{numbers}</figure>'

    def __repr__(self) -> str:
        return self.words


def chart(
    series: Mapping[str, Sequence[Number]],
    *,
    title: str,
    x: str = "tick",
    y: str,
    xs: Sequence[Number] | None = None,
    band: tuple[Number, Number, str] | None = None,
) -> Chart:
    """The chart of up to five named series of equal length.

    `xs` are the places of the values, ascending; left out, they are 0, 1, 2, … `band` is (from, to, words):
    a stretch of the x axis to mark. Raises ValueError with a sentence for what cannot be drawn.
    """
    lengths = {name: len(ys) for name, ys in series.items()}
    if not 1 <= len(series) <= len(LINES):
        raise ValueError(f"a chart shows 1 to {len(LINES)} series; there are {len(series)}")
    places = tuple(range(max(lengths.values())) if xs is None else xs)
    if set(lengths.values()) != {len(places)} or len(places) < 2:
        told = ", ".join(f"{name!r} has {length}" for name, length in lengths.items())
        raise ValueError(f"the series need one value for each place, and two or more; there are {len(places)}: {told}")
    return Chart(title, x, y, places, tuple((name, tuple(ys)) for name, ys in series.items()), band)


# --- The frame: ground, title, axes -----------------------------------------------------------------


def _frame(shown: Chart, scale: Scale) -> list[str]:
    """Ground, title, the marked stretch, grid lines and their numbers."""
    bottom, right = HEIGHT - BOTTOM, WIDTH - RIGHT
    parts = [
        f'<rect width="{WIDTH}" height="{HEIGHT}" rx="6" fill="#fff" stroke="#ccc"/>',
        f'<text x="{LEFT - 40}" y="24" font-size="15" font-weight="bold">{escape(shown.title)}</text>',
        f'<text x="{LEFT - 40}" y="{TOP - 14}">{escape(shown.y)}</text>',
        f'<text x="{(LEFT + right) / 2:.0f}" y="{HEIGHT - 10}" text-anchor="middle">{escape(shown.x)}</text>',
    ]
    if shown.band:
        (start, _), (end, _) = (scale.place(edge, 0) for edge in shown.band[:2])
        size = f'width="{max(end - start, 2):.1f}" height="{bottom - TOP}"'
        parts.append(f'<rect x="{start:.1f}" y="{TOP}" {size} fill="#e4e4e4"/>')
        parts.append(f'<text x="{start + 3:.1f}" y="{TOP - 3}" font-size="11">{escape(shown.band[2])}</text>')
    for value in _rounded(0, scale.top):
        _, height = scale.place(scale.start, value)
        parts.append(f'<path d="M{LEFT},{height:.1f}H{right}" stroke="#ddd"/>')
        parts.append(f'<text x="{LEFT - 9}" y="{height + 4:.1f}" text-anchor="end">{_plain(value)}</text>')
    for value in _rounded(scale.start, scale.end):
        place, _ = scale.place(value, 0)
        parts.append(f'<path d="M{place:.1f},{bottom}v5" stroke="#222"/>')
        parts.append(f'<text x="{place:.1f}" y="{bottom + 18}" text-anchor="middle">{_plain(value)}</text>')
    parts.append(f'<path d="M{LEFT},{bottom}H{right}" stroke="#222"/>')
    return parts


class Scale(NamedTuple):
    """Where values stand on the card. The y axis goes from 0 to the last round number at or above every value."""

    start: Number
    end: Number
    top: float

    @classmethod
    def of(cls, shown: Chart) -> Scale:
        """The scale of a chart, worked out once."""
        most = max(max(ys) for _, ys in shown.series) or 1
        gap = _gap(most)
        return cls(shown.xs[0], shown.xs[-1], ceil(most / gap) * gap)

    def place(self, x: float, y: float) -> Point:
        """Where a value stands."""
        across = (x - self.start) / (self.end - self.start)
        return LEFT + across * (WIDTH - RIGHT - LEFT), HEIGHT - BOTTOM - y / self.top * (HEIGHT - BOTTOM - TOP)


def _rounded(start: float, end: float) -> list[float]:
    gap = _gap(end - start)
    return [number * gap for number in range(ceil(start / gap), floor(end / gap) + 1)]


def _gap(span: float) -> float:
    """The round distance (1, 2 or 5 and zeros) that cuts `span` into four to eight parts, or nearly so."""
    unit: float = 10 ** floor(log10(span / 4))
    return next(size * unit for size in (5, 2, 1) if size == 1 or span / (size * unit) >= 4)


def _plain(value: float) -> str:
    return f"{value:.0f}" if value == int(value) else f"{value:.2f}".rstrip("0")


# --- The lines, and the name of each at its end ----------------------------------------------------


def _lines(shown: Chart, scale: Scale) -> list[str]:
    parts = []
    ends = [scale.place(scale.end, ys[-1])[1] for _, ys in shown.series]
    heights = _apart(ends)
    for number, (name, ys) in enumerate(shown.series):
        colour, dash, marker = LINES[number]
        points = [scale.place(x, y) for x, y in zip(shown.xs, ys, strict=True)]
        path = "L".join(f"{x:.1f},{y:.1f}" for x, y in _corners(points))
        dashed = f' stroke-dasharray="{dash}"' if dash else ""
        parts.append(f'<path d="M{path}" fill="none" stroke="{colour}" stroke-width="2.2"{dashed}/>')
        parts += (_marker(marker, colour, *points[place]) for place in _marked(len(points), number))
        parts.append(_name(name, colour, marker, ends[number], heights[number]))
    return parts


def _corners(points: list[Point]) -> list[Point]:
    """The points without those in the middle of a level stretch."""
    inner = (
        here
        for before, here, after in zip(points, points[1:], points[2:], strict=False)
        if not before[1] == here[1] == after[1]
    )
    return [points[0], *inner, points[-1]]


def _marked(length: int, number: int) -> range:
    """Which points of the line carry a marker: all of a few, else about six, another six for each line."""
    return range(length) if length <= 12 else range((length // 30) * (number + 1), length, ceil(length / 6))


def _marker(marker: str, colour: str, x: float, y: float) -> str:
    fill = "none" if marker == "cross" else colour
    return (
        f'<path d="{SHAPES[marker]}" transform="translate({x:.1f},{y:.1f})" '
        f'fill="{fill}" stroke="{colour}" stroke-width="1.5"/>'
    )


def _name(name: str, colour: str, marker: str, end: float, height: float) -> str:
    right = WIDTH - RIGHT
    leader = f'<path d="M{right},{end:.1f}L{right + 10},{height:.1f}" stroke="{colour}" fill="none"/>'
    text = f'<text x="{right + 26}" y="{height + 4:.1f}" fill="{colour}" font-weight="bold">{escape(name)}</text>'
    return leader + _marker(marker, colour, right + 16, height) + text


def _apart(ends: list[float], distance: float = 18) -> list[float]:
    """The heights moved apart until no two are nearer than `distance`, within the card, in the same order."""
    heights = dict(zip(sorted(range(len(ends)), key=ends.__getitem__), sorted(ends), strict=True))
    lowest = HEIGHT - BOTTOM + distance
    for place in reversed(heights):
        heights[place] = lowest = min(heights[place], lowest - distance)
    highest = 0.0
    for place in heights:
        heights[place] = highest = max(heights[place], highest + distance)
    return [heights[place] for place in range(len(ends))]
