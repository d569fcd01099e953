"""A picture in words: what a screen reader says, and what a terminal shows."""

from __future__ import annotations

from collections.abc import Iterable

from edgewise.draw.picture import Picture


def in_words(shown: Picture) -> str:
    """One sentence a line; names by repr."""
    return "\n".join(_sentences(shown))


def _sentences(shown: Picture) -> Iterable[str]:
    yield f"{shown.title}."
    yield f"States: {', '.join(_named(node.name, node.notes) for node in shown.nodes) or 'none'}."
    for arrow in shown.arrows:
        by = repr(arrow.event) if arrow.is_declared else "the run"
        yield f"In {arrow.source!r}, {by} leads to {_named(arrow.target, arrow.notes)}."
    if shown.visited:
        yield f"Visited: {_shortened(shown.visited)}."
    if shown.refused is not None:
        state, event = shown.refused
        yield f"Refused: {event!r} in {state!r}."
    for answer in shown.wrong:
        led = "led to no state" if answer.target is None else f"led to {answer.target!r}"
        got = f"; got: {answer.got}" if answer.got else ""
        yield f"Yours: in {answer.state!r}, {answer.event!r} {led}{got}."


def _named(name: str, notes: tuple[str, ...]) -> str:
    return f"{name!r} ({', '.join(notes)})" if notes else repr(name)


def _shortened(names: tuple[str, ...]) -> str:
    if len(names) <= 12:
        return ", ".join(map(repr, names))
    first, last = (", ".join(map(repr, part)) for part in (names[:6], names[-3:]))
    return f"{first}, …, {last} ({len(names)} entries)"
