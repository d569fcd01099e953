"""One measured figure and its goal."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Figure:
    """A figure, the bound it is held to, and what it was worked out from.

    `unit` is "ms", "s" or "×". The goal is the most the figure may be or, with `at_least`, the least.
    """

    subject: str
    what: str
    value: float
    goal: float
    unit: str
    at_least: bool = False
    detail: str = ""

    @property
    def is_met(self) -> bool:
        """Whether the goal is reached."""
        return self.value >= self.goal if self.at_least else self.value <= self.goal

    @property
    def measured(self) -> str:
        """The figure as text."""
        return f"{self.value:,.{2 if self.value < 10 else 0}f} {self.unit}"

    @property
    def bound(self) -> str:
        """The goal as text."""
        return f"{'≥' if self.at_least else '≤'} {self.goal:g} {self.unit}"
