"""A notebook as lint and the demo read it: cells with their place in nbgrader, and the text students get."""

from __future__ import annotations

import json
import warnings
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

BEGIN, END = "BEGIN SOLUTION", "END SOLUTION"
"""Matched anywhere in a line, as nbgrader does."""

CODE_STUB = ("# YOUR CODE HERE", "raise NotImplementedError()")
TEXT_STUB = ("YOUR ANSWER HERE",)


@dataclass(frozen=True, slots=True)
class Cell:
    """One cell: `graded` is what it says to nbgrader, None if nothing."""

    id: str
    kind: str
    source: str
    graded: Mapping[str, Any] | None
    tags: tuple[str, ...]
    outputs: tuple[Mapping[str, Any], ...]

    @property
    def is_solution(self) -> bool:
        """Whether nbgrader takes the solution out of it."""
        return bool(self.graded and self.graded.get("solution"))

    @property
    def is_grade(self) -> bool:
        """Whether nbgrader gives points for it."""
        return bool(self.graded and self.graded.get("grade"))

    @property
    def grade_id(self) -> str:
        """The name nbgrader has for it, empty if it has none."""
        return str(self.graded.get("grade_id", "")) if self.graded else ""


@dataclass(frozen=True, slots=True)
class Notebook:
    """A notebook file's content."""

    cells: tuple[Cell, ...]
    metadata: Mapping[str, Any]
    version: tuple[int, int]


class NotebookError(ValueError):
    """A file that is no notebook; the message says why."""


def read(path: Path) -> tuple[Notebook, dict[str, Any]]:
    """The notebook in `path`, and its JSON as it stands there. Raises NotebookError."""
    import nbformat

    try:
        text = path.read_text(encoding="utf-8")
        raw = json.loads(text)
        if not isinstance(raw, dict):
            raise NotebookError("a notebook is one JSON object")
        with warnings.catch_warnings(action="ignore"):  # nbformat warns of ids that it mends, in a copy here
            nbformat.validate(json.loads(text))
    except (ValueError, OSError, RecursionError, AttributeError, TypeError) as error:  # nbformat trips over a null cell
        raise NotebookError(str(error).splitlines()[0]) from None
    except nbformat.ValidationError as error:
        raise NotebookError(error.message.splitlines()[0]) from None
    return Notebook(tuple(map(_cell, raw["cells"])), raw["metadata"], (raw["nbformat"], raw["nbformat_minor"])), raw


def _cell(raw: Mapping[str, Any]) -> Cell:
    metadata = raw["metadata"]
    if not isinstance(metadata.get("nbgrader", {}), dict):
        raise NotebookError(f"cell {raw.get('id', '')!r} says {metadata['nbgrader']!r} to nbgrader, which is no object")
    return Cell(
        id=str(raw.get("id", "")),
        kind=raw["cell_type"],
        source=joined(raw["source"]),
        graded=metadata.get("nbgrader"),
        tags=tuple(metadata.get("tags", ())),
        outputs=tuple(raw.get("outputs", ())),
    )


def joined(text: str | list[str]) -> str:
    """A notebook's text, which it may hold as a list of lines."""
    return text if isinstance(text, str) else "".join(text)


def released(cell: Cell) -> str:
    """The cell's source as students get it: nbgrader's ClearSolutions over again, without nbgrader's start-up."""
    if not cell.is_solution:
        return cell.source
    stub = CODE_STUB if cell.kind == "code" else TEXT_STUB
    if BEGIN not in cell.source:
        return "\n".join(stub)
    lines, inside = [], False
    for line in cell.source.split("\n"):
        if BEGIN in line or END in line:
            inside = BEGIN in line
            indent = line[: len(line) - len(line.lstrip())]
            lines += [indent + one for one in stub if inside]
        elif not inside:
            lines.append(line)
    return "\n".join(lines)


def solutions(cell: Cell) -> Iterable[tuple[int, str]]:
    """Number and text of every line that students must not get."""
    inside = whole = cell.is_solution and BEGIN not in cell.source
    for number, line in enumerate(cell.source.split("\n"), 1):
        if BEGIN in line or END in line:
            inside = BEGIN in line
        elif inside or whole:
            yield number, line


def stubbed(raw: Mapping[str, Any]) -> dict[str, Any]:
    """The notebook's JSON as students get it, outputs away: what `nbgrader generate_assignment` gives a kernel."""
    cells = []
    for one in raw["cells"]:
        cell = {**one, "source": released(_cell(one))}
        if one["cell_type"] == "code":
            cell |= {"outputs": [], "execution_count": None}
        cells.append(cell)
    return {**raw, "cells": cells}
