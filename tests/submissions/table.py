"""The table of odd submissions: how each is made from an honest one, and what the reader says about it."""

from __future__ import annotations

import copy
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from tests.submissions.conftest import Handed

Maker = Callable[[Handed], object]


@dataclass(frozen=True)
class Odd:
    """One row. `survive`: whether the honest answers come out; `as_json` is false where a file is made by hand."""

    kind: str
    name: str
    make: Maker
    repairs: tuple[str, ...]
    problems: tuple[str, ...]
    survive: bool


ROWS: list[Odd] = []


def odd(
    kind: str, *repairs: str, problems: tuple[str, ...] = (), survive: bool = True, written: bool = True
) -> Callable[[Maker], Maker]:
    """A row of the table: the function spoils an honest submission, as JSON unless it has written the file itself."""

    def listed(make: Maker) -> Maker:
        how: Maker = (lambda handed: handed.change(make)) if written else make
        ROWS.append(Odd(kind, make.__name__, how, repairs, problems, survive))
        return make

    return listed


# --- What makers make cells with ---


def insert(handed: Handed, at: str, cell: dict[str, Any], after: int = 1) -> None:
    handed.cells.insert(handed.cells.index(handed.cell(at)) + after, cell)


def copied(handed: Handed, id_: str, source: str | None = None, **changed: Any) -> dict[str, Any]:
    cell = {**copy.deepcopy(handed.cell(id_)), "id": f"{id_}-copy", **changed}
    return cell if source is None else {**cell, "source": source}


def plain(id_: str, source: str) -> dict[str, Any]:
    return {"cell_type": "code", "id": id_, "metadata": {}, "source": source, "outputs": [], "execution_count": None}


def told(handed: Handed, id_: str) -> dict[str, Any]:
    return handed.cell(id_)["metadata"]["nbgrader"]
