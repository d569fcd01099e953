"""The outputs of an autograded notebook: a worker's, made fit for nbformat, and the judge's own."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from math import isfinite
from typing import Any

from edgewise.checking.page import page
from edgewise.checking.report import Report

Output = dict[str, Any]

JSON = re.compile(r"^application/(.*\+)?json$")
"""The kinds of data that nbformat lets be more than text."""

DEEPEST = 100
"""How deep such data may be; who reads a notebook calls itself for each level."""

SELF_JUDGED = "Judged by what the student's own process says: these are plain asserts, so this is no proof."


def well_formed(outputs: Sequence[Output], count: int) -> list[Output]:
    """The outputs of cell number `count` as nbformat wants them: what it has no place for is left out."""
    return [_well_formed(output, count) for output in outputs]


def _well_formed(output: Output, count: int) -> Output:
    if "data" not in output:
        return output
    data = {str(kind): item for kind, item in output["data"].items() if _fits(str(kind), item)}
    counted = {"execution_count": count} if output["output_type"] == "execute_result" else {}
    return {**output, **counted, "data": data, "metadata": {}}


def _fits(kind: str, item: Any) -> bool:
    if isinstance(item, str):
        return True
    return JSON.search(kind) is not None and _is_data(item, DEEPEST)


def _is_data(item: Any, deep: int) -> bool:
    """Whether it is JSON that every reader takes: so deep at most, and no number that is none."""
    if isinstance(item, list | dict):
        parts = item if isinstance(item, list) else item.values()
        return deep > 0 and all(_is_data(part, deep - 1) for part in parts)
    return not isinstance(item, float) or isfinite(item)


def reported(report: Report, points: float, count: int) -> list[Output]:
    """What a check cell shows: the report, and the points as nbgrader reads them."""
    shown = {"text/plain": report.text, "text/html": page(report)}
    return [
        {"output_type": "display_data", "data": shown, "metadata": {}},
        {
            "output_type": "execute_result",
            "execution_count": count,
            "data": {"text/plain": repr(float(points))},
            "metadata": {},
        },
    ]


def unreported(report: Report) -> list[Output]:
    """What a check cell shows where the check could not be made: stock nbgrader counts an error as 0."""
    said = report.error or report.verdict
    return [{"output_type": "error", "ename": "CheckError", "evalue": said, "traceback": [report.text]}]


def nothing_ran() -> Output:
    """What a check cell shows in a notebook that could not be run."""
    said = "nothing of this notebook could be run"
    return {"output_type": "error", "ename": "CheckError", "evalue": said, "traceback": [said]}


def errors(outputs: Sequence[Output]) -> list[Output]:
    """Those of the outputs that are errors."""
    return [output for output in outputs if output["output_type"] == "error"]


def points_shown(outputs: Sequence[Output], most: float) -> float:
    """The points of a cell of plain asserts, by nbgrader's rule; what that would trip over counts 0.

    The first error, or text on stderr, is 0; the first result is the points if it is a number from 0 to `most`,
    and `most` if it is none; no result at all is `most`.
    """
    for output in outputs:
        if output["output_type"] == "error" or output.get("name") == "stderr":
            return 0.0
        if output["output_type"] == "execute_result":
            return _partial(output["data"], most)
    return most


def _partial(data: Mapping[str, Any], most: float) -> float:
    text = data.get("text/plain")
    if not isinstance(text, str) or not text:
        return 0.0
    try:
        points = float(text)
    except ValueError:
        return most
    if points > most:
        return 0.0
    return points if points >= 0 else most


def self_judged(outputs: Sequence[Output], points: float) -> list[Output]:
    """What a cell of plain asserts shows: its outputs, marked; an error where nbgrader would not read 0 out of them."""
    mark = {"output_type": "display_data", "data": {"text/plain": SELF_JUDGED}, "metadata": {}}
    if points == 0 and not errors(outputs):
        said = "what this cell shows is no number of points it can give"
        return [{"output_type": "error", "ename": "CheckError", "evalue": said, "traceback": [said]}, *outputs, mark]
    return [*outputs, mark]
