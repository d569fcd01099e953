"""What grading one submission gives: everything that is written down about it, as plain data."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from pathlib import Path
from typing import Any

from edgewise.grading.confinement import Layer
from edgewise.grading.reading.found import Problem, Repair


@dataclass(frozen=True, slots=True)
class GradedNotebook:
    """One of the session's notebooks.

    `text` is its file as it stands among the autograded ones, None where it was not handed in. `scores` are by
    grade cell (None waits for a person), `answered` says of each cell with an answer whether it is not the stub.
    """

    name: str
    text: str | None
    scores: Mapping[str, float | None]
    answered: Mapping[str, bool]


@dataclass(frozen=True, slots=True)
class Outcome:
    """One graded submission. It can be pickled.

    `files` go beside the notebooks: the path there, and where the bytes are. `points` is what is certain without a
    person. `reports` are those of the checks, as JSON data. `seconds` says where the time went: read, fork,
    confinement, run, judge. `layers` is None where no worker was needed.
    """

    notebooks: tuple[GradedNotebook, ...]
    files: tuple[tuple[str, Path], ...]
    handed_in: datetime | None
    points: float
    max_points: float
    repairs: tuple[Repair, ...]
    problems: tuple[Problem, ...]
    depth: int | None = None
    seed: int | None = None
    reports: tuple[Mapping[str, Any], ...] = ()
    layers: tuple[Layer, ...] | None = None
    seconds: Mapping[str, float] = field(default_factory=dict)

    @property
    def needs_a_person(self) -> bool:
        """Whether somebody has to look at it, beyond reading what is written answers."""
        return bool(self.problems)

    def within(self, seconds: Mapping[str, float]) -> Outcome:
        """The same outcome; it also took the time in `seconds`."""
        return replace(self, seconds={**self.seconds, **seconds})
