"""The table of dishonest submissions: a wrong answer, a trick, and what shows that the trick reached what it tried."""

from __future__ import annotations

from dataclasses import dataclass

BASE = (1.0, 1.5, 5.0)
"""What the same wrong answers earn without a trick."""

UNHANDED = (*BASE[:2], 0.0)
"""Where the trick also keeps the last answer from being asked, or what it hands in is worth nothing."""


@dataclass(frozen=True)
class Trick:
    """A cell above the last check, and one at the end.

    `shows` is what the last of these shows, as a proof that the trick is in place. `unguarded` are the points that
    nbgrader's rule reads where the same cells run beside the notebook's own check. `opened` says what a worker shows
    and earns that nothing confines, where that makes the difference.
    """

    name: str
    cell: str
    shows: str
    after: str = ""
    scores: tuple[float, ...] = BASE
    unguarded: float | None = None
    opened: tuple[str, tuple[float, ...]] | None = None


TRICKS: list[Trick] = []


def trick(name: str, cell: str, shows: str, **more: object) -> None:
    TRICKS.append(Trick(name, cell, shows, **more))  # type: ignore[arg-type]
