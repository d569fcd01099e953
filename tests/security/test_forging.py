"""Whatever a rewritten worker says: no error of ours, no point that was not earned, a notebook that can be read."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from edgewise.grading.judging.judge import Judge
from tests.security.forging import FORGING
from tests.security.submitted import CHECKS, COURSE, NAME, SESSION, WRONG, Result, hand_in, notebook
from tests.security.tricks import BASE

SEEDS = 12


@pytest.fixture(scope="module")
def judge() -> Iterator[Judge]:
    with Judge(COURSE, SESSION, many=True) as made:
        yield made


@pytest.mark.parametrize("check", range(3))
@pytest.mark.parametrize("within", [True, False], ids=["answers", "whole replies"])
@pytest.mark.parametrize("seed", range(SEEDS))
def test_a_forged_reply_earns_nothing_and_stops_nothing(
    seed: int, within: bool, check: int, judge: Judge, tmp_path: Path
) -> None:
    forging = FORGING.replace("@SEED@", str(seed)).replace("@WITHIN@", str(within))
    result = Result(judge.grade(hand_in(tmp_path, notebook(WRONG, {CHECKS[check]: forging}))))
    more = [place for place, (score, most) in enumerate(zip(result.scores, BASE, strict=True)) if (score or 0) > most]

    assert (more, result.by_nbgrader, None in result.scores) == ([], result.scores, False)


def test_a_forged_reply_reaches_the_judge(judge: Judge, tmp_path: Path) -> None:
    forging = FORGING.replace("@SEED@", "1").replace("@WITHIN@", "False").replace("(0, 1, 1, 2, 5)", "(50,)")
    result = Result(judge.grade(hand_in(tmp_path, notebook(WRONG, {CHECKS[2]: forging}))))

    assert [problem.sentence for problem in result.outcome.problems] == [
        f"{NAME}: its code sent something that is no answer, and was stopped; what was not checked before earns 0."
    ]
