"""The retry budget, the law, and the simulation that shows it."""

from random import Random
from typing import Any

import pytest

from edgewise.storm import Policy, never_recovers, retry_budget, simulate


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


# --- The simulation: capacity 100 and load 80 a tick, a timeout of 5 ticks, a stop of 20 ------------

THREE = Policy(retries=3)
FOR_EVER = 5000


@pytest.mark.parametrize(
    ("policy", "peak", "total_work"),
    [
        (Policy(), 1.0, 1.0),
        (Policy(retries=3, budget_tokens=500), 1.6, 1.0),
        (Policy(retries=3, breaker=True), 2.0, 1.0),
        (Policy(retries=3, queue_limit=400), 7.0, 1.1),
        (Policy(retries=3, drops_expired=True), 4.0, 1.0),
        (Policy(retries=3, newest_first=True), 4.0, 1.1),
    ],
    ids=["no retries", "budget", "breaker", "bounded queue", "drops expired work", "newest first"],
)
def test_what_bounds_the_total_work_recovers(policy: Policy, peak: float, total_work: float) -> None:
    run = simulate(policy)

    assert (run.recovered_at is not None, round(run.peak, 1), round(run.total_work, 1)) == (True, peak, total_work)


@pytest.mark.parametrize(
    ("policy", "total_work"),
    [
        (Policy(retries=1), 1.9),
        (Policy(retries=2), 2.8),
        (Policy(retries=3), 3.7),
        (Policy(retries=3, backoff_ticks=1), 3.7),
        (Policy(retries=3, backoff_ticks=1, jitter=True), 3.7),
        (Policy(retries=3, backoff_ticks=4, jitter=True), 3.6),
    ],
    ids=["1 retry", "2 retries", "3 retries", "backoff", "backoff and full jitter", "long backoff and full jitter"],
)
def test_what_only_spreads_the_work_stays_down(policy: Policy, total_work: float) -> None:
    run = simulate(policy)

    assert (run.recovered_at, run.goodput[-1], round(run.total_work, 1)) == (None, 0, total_work)


@pytest.mark.parametrize("retries", [1, 2, 3])
def test_without_jitter_the_peak_is_one_and_the_retries(retries: int) -> None:
    assert simulate(Policy(retries=retries)).peak == 1 + retries


def test_jitter_bunches_some_retries_and_raises_the_peak() -> None:
    assert 4.0 < simulate(Policy(retries=3, backoff_ticks=1, jitter=True)).peak < 5.0


def test_without_retries_it_takes_about_three_stops_to_recover() -> None:
    run = simulate(Policy(), stop=20, stop_at=100)

    assert run.recovered_at == 179


@pytest.mark.parametrize(("retries", "load"), [(1, 50), (2, 34), (3, 25), (4, 20)])
def test_at_the_law_s_load_it_never_recovers(retries: int, load: int) -> None:
    run = simulate(Policy(retries=retries), load=load, stop=40, ticks=FOR_EVER)

    assert (run.recovered_at, never_recovers(load, retries, 100)) == (None, True)


@pytest.mark.parametrize(("retries", "load"), [(1, 49), (2, 33), (3, 24), (4, 19)])
def test_one_request_below_the_law_s_load_it_recovers_slowly(retries: int, load: int) -> None:
    run = simulate(Policy(retries=retries), load=load, stop=40, stop_at=100, ticks=FOR_EVER)

    assert (run.recovered_at or 0) > 500 and not never_recovers(load, retries, 100)


@pytest.mark.parametrize("retries", range(5))
@pytest.mark.parametrize("load", [10, 30, 60, 90, 99])
def test_the_law_and_the_simulation_agree(load: int, retries: int) -> None:
    run = simulate(Policy(retries=retries), load=load, stop=60, stop_at=20, ticks=FOR_EVER * 2)

    assert (run.recovered_at is None) == never_recovers(load, retries, 100)


@pytest.mark.parametrize(("load", "stop", "recovers"), [(80, 5, True), (80, 6, False), (20, 30, True)])
def test_vulnerable_is_not_yet_broken(load: int, stop: int, recovers: bool) -> None:
    run = simulate(THREE, load=load, stop=stop)

    assert (run.recovered_at is not None) == recovers


def test_a_stop_as_long_as_the_timeout_costs_no_retry_at_all() -> None:
    assert simulate(THREE, stop=5).total_work == 1.0


def test_a_server_that_never_stops_answers_every_request() -> None:
    run = simulate(THREE, stop=0)

    assert (run.recovered_at, run.peak, set(run.goodput), set(run.queue)) == (0, 1.0, {80}, {0})


def test_every_attempt_is_served_waiting_or_turned_away() -> None:
    run = simulate(Policy(), stop=20, ticks=110, stop_at=100)

    assert sum(run.attempts) == sum(run.goodput) + run.queue[-1]


def test_a_bounded_queue_never_holds_more_than_its_limit() -> None:
    assert max(simulate(Policy(retries=3, queue_limit=400)).queue) == 400


def test_the_same_seed_gives_the_same_run() -> None:
    policy = Policy(retries=3, backoff_ticks=1, jitter=True)
    first, again, other = (simulate(policy, ticks=200, rng=Random(seed)) for seed in (1, 1, 2))

    assert (first == again, first == other) == (True, False)


def test_a_run_left_without_an_rng_is_seeded() -> None:
    policy = Policy(retries=3, backoff_ticks=1, jitter=True)

    assert simulate(policy, ticks=200) == simulate(policy, ticks=200)


@pytest.mark.parametrize(
    ("policy", "words"),
    [
        (Policy(), "recovered, from tick 179 on; peak 1.0 times the load; total work 1.00 times the requests"),
        (THREE, "not recovered after 1000 ticks; peak 4.0 times the load; total work 3.66 times the requests"),
    ],
)
def test_a_run_says_in_words_how_it_ended(policy: Policy, words: str) -> None:
    assert repr(simulate(policy)) == words
