"""What workers find done is what they would have worked out themselves."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import pytest

from edgewise.contention import WAITS, calls
from edgewise.course import load_course
from edgewise.grading.reading.released import released
from edgewise.grading.workers.asking import Cell
from edgewise.grading.workers.pool import Workers
from edgewise.grading.workers.remembering import remembering
from edgewise.grading.workers.warm import warming
from edgewise.storm import Policy, simulate

COURSE = load_course(Path(__file__).parents[2] / "course.yml")


def counted(function: Callable[..., Any]) -> tuple[Callable[..., Any], list[int]]:
    """The function, remembering, and a list that grows with each time it was worked out."""
    worked: list[int] = []

    def count(*arguments: Any, **keywords: Any) -> Any:
        worked.append(1)
        return function(*arguments, **keywords)

    return remembering(count), worked


def mine(refusals: int, last: float, rng: Random) -> float:
    return 1.0


@pytest.mark.parametrize(
    ("function", "arguments", "keywords", "times"),
    [
        (simulate, (Policy(retries=2),), {"ticks": 30}, 1),
        (simulate, (Policy(retries=2),), {"ticks": 30, "rng": Random(3)}, 2),
        (calls, (WAITS["full jitter"],), {"clients": 5}, 1),
        (calls, (mine,), {"clients": 5}, 2),
        (len, ([1],), {}, 2),
    ],
)
def test_only_what_can_t_come_out_otherwise_is_remembered(
    function: Callable[..., Any], arguments: tuple[Any, ...], keywords: dict[str, Any], times: int
):
    remembered, worked = counted(function)
    remembered(*arguments, **keywords)
    remembered(*arguments, **keywords)

    assert len(worked) == times


def test_what_is_remembered_is_what_would_be_worked_out():
    remembered, _ = counted(simulate)
    policy = Policy(retries=3, backoff_ticks=2, jitter=True)

    assert [remembered(policy, ticks=200), remembered(policy, ticks=200)] == [simulate(policy, ticks=200)] * 2


def test_a_wrong_argument_raises_what_it_raised():
    with pytest.raises(TypeError, match="unexpected keyword argument 'tick'"):
        remembering(simulate)(Policy(), tick=3)


def test_a_warm_worker_shows_what_a_cold_one_shows():
    notebooks = released(COURSE, COURSE.session("ch08"))
    sources = [slot for slot in notebooks[1].slots if slot.kind == "code" and slot.role in ("free", "locked")]
    cells = [Cell(slot.id, slot.source) for slot in sources]
    shown = []
    for warm in ((), warming(notebooks)):
        with Workers() as workers:
            workers.warm(warm)
            with workers.worker(60) as worker:
                shown.append(worker.run(cells, cell_seconds=30).outputs)

    assert shown[0] == shown[1]
