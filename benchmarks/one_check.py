"""What a check of a right answer costs, shown as in a notebook without a front end."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import redirect_stdout
from io import StringIO

from benchmarks.figure import Figure
from benchmarks.timing import medians
from edgewise import check
from edgewise.machine import TRANSITIONS


def step(state: dict, event: dict) -> dict:
    """A right answer that is not the library's."""
    here, name = state["state"], event["name"]
    if (here, name) not in TRANSITIONS:
        return {**state, "visited": list(state["visited"]), "rejected": f"{name!r} does not fit in {here!r}"}
    there = TRANSITIONS[here, name]
    return {"state": there, "visited": [*state["visited"], there], "rejected": None}


def figures() -> Iterable[Figure]:
    """One figure, of a check that has run before in this process."""
    with redirect_stdout(StringIO()) as shown:
        points = check("ch08-e3", step)
        taken = medians({"check": lambda: check("ch08-e3", step)})
    detail = f"{points:g} points; {shown.getvalue().splitlines()[0]}"
    yield Figure("check", 'check("ch08-e3", step), a right answer', taken["check"] * 1000, 50, "ms", detail=detail)
