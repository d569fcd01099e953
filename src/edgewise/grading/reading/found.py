"""What the reader found and what it did about it: the sentences that the feedback shows."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Repair:
    """Something that was put right. `sentence` is whole: it names notebook and cell, what was found, what was done."""

    kind: str
    notebook: str | None
    cell: str | None
    sentence: str


@dataclass(frozen=True, slots=True)
class Problem:
    """Something that could not be put right. `sentence` is for the student, `note` for the instructor."""

    kind: str
    notebook: str | None
    sentence: str
    note: str


@dataclass(frozen=True, slots=True)
class Found:
    """A repair inside one notebook, which does not know yet what the notebook is called."""

    kind: str
    cell: str | None
    words: str

    def within(self, notebook: str) -> Repair:
        """The repair, its sentence beginning with the notebook and the cell."""
        place = notebook if self.cell is None else f"{notebook}, {self.cell}"
        return Repair(self.kind, notebook, self.cell, f"{place}: {self.words}")


def said(value: object) -> str:
    """A value from a submission, short, in one line, never deep: as a sentence shows it."""
    if isinstance(value, dict):
        return "a mapping"
    if isinstance(value, list):
        return "a list"
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    if isinstance(value, str):
        return repr(value if len(value) <= 60 else f"{value[:56]} …")
    return f"{value:g}" if isinstance(value, float) else str(value)[:60]


def times(count: int, one: str) -> str:
    """The count and what is counted: 1 cell, 2 cells."""
    return f"{count} {one}{'' if count == 1 else 's'}"
