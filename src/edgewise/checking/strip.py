"""A progress as HTML: a strip of marks, one an exercise, and what is next in words.

Each standing has a shape and a word of its own; colour comes third. Lines and letters take the page's own colour,
so that the strip can be read in a light and in a dark theme.
"""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from edgewise.checking.progress import AS_SAVED, Progress, Standing, short

LEFT, WIDE, HIGH, RADIUS = 48, 84, 92, 13
"""The session's name, one mark's place, and a mark's radius, in pixels."""

MOST = 10
"""The most marks in one row."""

DONE, BEGUN = "#0072b2", "#d55e00"
FONT = "font-family: var(--jp-ui-font-family, sans-serif); line-height: 1.5"


def page(progress: Progress) -> str:
    """Strip, next and notes in one `div`, without script, class or id, so that it can stand anywhere."""
    notes = "".join(_line(note) for note in progress.notes)
    if not progress.standings:
        return f"<div>{notes}</div>"
    said = f"<strong>{escape(progress.next_said)}</strong> · {escape(progress.done)}"
    saved = f'<p style="margin: .25em 0; font-size: .9em">{escape(AS_SAVED)}</p>'
    return f'<div style="{FONT}">{svg(progress)}<p style="margin: .25em 0">{said}</p>{notes}{saved}</div>'


def svg(progress: Progress) -> str:
    """The strip alone: a row a session, of at most `MOST` marks."""
    rows = [
        standings[start : start + MOST]
        for standings in progress.sessions().values()
        for start in range(0, len(standings), MOST)
    ]
    width, height = LEFT + WIDE * max(map(len, rows)), HIGH * len(rows)
    marks = "".join(_row(progress, row, HIGH * number) for number, row in enumerate(rows))
    label = escape(f"Progress: {progress.done}. {'; '.join(map(_told, progress.standings))}. {progress.next_said}.")
    return (
        f'<svg role="img" aria-label="{label}" width="{width}" height="{height}" viewBox="0 0 {width} {height}" '
        f'style="max-width: 100%; height: auto" fill="currentColor" font-size="13" text-anchor="middle">{marks}</svg>'
    )


def _told(standing: Standing) -> str:
    return f"{standing.exercise.id} {standing.said}"


def _line(text: str) -> str:
    return f'<p style="margin: .25em 0">{escape(text)}</p>'


def _row(progress: Progress, row: Sequence[Standing], top: int) -> str:
    """Marks side by side on one line, the next one framed."""
    middle = top + 38
    gaps = range(LEFT + WIDE // 2 + RADIUS + 4, LEFT + WIDE * (len(row) - 1), WIDE)
    lines = "".join(f"M{left} {middle}h{WIDE - 2 * RADIUS - 8}" for left in gaps)
    line = f'<path d="{lines}" stroke="currentColor" opacity=".5"/>' if lines else ""
    marks = []
    for number, standing in enumerate(row):
        centre = LEFT + number * WIDE + WIDE // 2
        if standing is progress.next:
            marks.append(
                f'<rect x="{centre - WIDE // 2 + 2}" y="{top + 3}" width="{WIDE - 4}" height="{HIGH - 8}" rx="6" '
                f'fill="none" stroke="currentColor" stroke-width="2"/>'
            )
        marks.append(_mark(standing, centre, middle))
        marks += _words(standing, centre, top, is_next=standing is progress.next)
    session = f'<text y="{middle + 5}" font-weight="bold" text-anchor="start">{escape(row[0].exercise.session)}</text>'
    return session + line + "".join(marks)


def _words(standing: Standing, centre: int, top: int, *, is_next: bool) -> list[str]:
    """The short id above the mark, and below it the word, with the points where some are missing."""
    name = f"{short(standing.exercise)} · next" if is_next else short(standing.exercise)
    lines = [
        f'<text x="{centre}" y="{top + 18}" font-size="12" font-weight="bold">{escape(name)}</text>',
        f'<text x="{centre}" y="{top + 68}">{standing.word}</text>',
    ]
    if standing.word == "begun" and standing.points is not None:
        points = f"{standing.points:g} of {standing.exercise.points:g}"
        lines.append(f'<text x="{centre}" y="{top + 82}" font-size="11">{points}</text>')
    return lines


def _mark(standing: Standing, x: int, y: int) -> str:
    """A disc with a tick, a disc half full, an empty ring, or a broken ring with a question mark."""
    ring = f'<circle cx="{x}" cy="{y}" r="{RADIUS}" fill="{{fill}}" stroke="{{stroke}}" stroke-width="2"{{more}}/>'
    if standing.word == "done":
        tick = f'<path d="M{x - 6} {y}l4 5l8 -9" fill="none" stroke="#fff" stroke-width="2.5"/>'
        return ring.format(fill=DONE, stroke=DONE, more="") + tick
    if standing.word == "begun":
        half = f'<path d="M{x} {y - RADIUS}a{RADIUS} {RADIUS} 0 0 0 0 {2 * RADIUS}z" fill="{BEGUN}"/>'
        return half + ring.format(fill="none", stroke=BEGUN, more="")
    if standing.word == "not begun":
        return ring.format(fill="none", stroke="currentColor", more="")
    broken = ring.format(fill="none", stroke="currentColor", more=' stroke-dasharray="4 3"')
    return f'{broken}<text x="{x}" y="{y + 5}" font-weight="bold">?</text>'
