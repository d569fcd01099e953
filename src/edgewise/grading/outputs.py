"""The outputs of an autograded notebook: a worker's, made fit for nbformat, and the judge's own."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from edgewise.checking.page import page
from edgewise.checking.report import Report

Output = dict[str, Any]

SELF_JUDGED = "Judged by what the student's own process says: these are plain asserts, so this is no proof."


def well_formed(outputs: Sequence[Output]) -> list[Output]:
    """The outputs as nbformat wants them: texts where texts belong, numbers that are none left out."""
    return [_well_formed(output) for output in outputs]


def _well_formed(output: Output) -> Output:
    if "data" not in output:
        return output
    data = {str(kind): item for kind, item in output["data"].items() if _fits(str(kind), item)}
    return {**output, "data": data, "metadata": {}}


def _fits(kind: str, item: Any) -> bool:
    if isinstance(item, str):
        return True
    if not kind.endswith("json"):
        return False
    try:
        json.dumps(item, allow_nan=False)
    except ValueError:
        return False
    return True


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
