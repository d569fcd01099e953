"""The retry budget, the law, and the simulation that shows it."""

from typing import Any

import pytest

from edgewise.storm import never_recovers, retry_budget


@pytest.mark.parametrize(
    ("tokens", "name", "after"),
    [
        (0, "success", {"tokens": 1, "allowed": None}),
        (99, "success", {"tokens": 100, "allowed": None}),
        (100, "success", {"tokens": 100, "allowed": None}),
        (10, "failure", {"tokens": 0, "allowed": True}),
        (9, "failure", {"tokens": 9, "allowed": False}),
        (0, "failure", {"tokens": 0, "allowed": False}),
        (50, "timer", {"tokens": 50, "allowed": None}),
        (50, "Success", {"tokens": 50, "allowed": None}),
    ],
)
def test_a_success_earns_a_failure_pays_or_is_turned_away(tokens: int, name: str, after: dict[str, Any]) -> None:
    assert retry_budget({"tokens": tokens, "allowed": None}, {"name": name}) == after


def test_the_three_numbers_of_the_budget_are_handed_in() -> None:
    earned = retry_budget({"tokens": 4, "allowed": True}, {"name": "success"}, earn=5, most=8)
    paid = retry_budget(earned, {"name": "failure"}, cost=3)

    assert (earned, paid) == ({"tokens": 8, "allowed": None}, {"tokens": 5, "allowed": True})


def test_the_budget_leaves_the_bucket_it_was_given_alone() -> None:
    bucket = {"tokens": 50, "allowed": None}
    retry_budget(bucket, {"name": "failure"})

    assert bucket == {"tokens": 50, "allowed": None}


@pytest.mark.parametrize(("retries", "load"), [(1, 50), (2, 34), (3, 25), (4, 20)])
def test_the_law_turns_at_the_load_whose_attempts_fill_the_server(retries: int, load: int) -> None:
    assert (never_recovers(load, retries, 100), never_recovers(load - 1, retries, 100)) == (True, False)
