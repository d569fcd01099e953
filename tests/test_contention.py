"""One row and a hundred clients: the one place where jitter by itself helps."""

from random import Random

import pytest

from edgewise.contention import WAITS, calls, decorrelated, equal, exponential, full, none


@pytest.fixture(scope="module")
def counted() -> dict[str, int]:
    return {name: calls(wait) for name, wait in WAITS.items()}


def test_each_way_to_wait_needs_fewer_calls_than_the_one_before(counted: dict[str, int]) -> None:
    order = ["no wait", "exponential", "decorrelated jitter", "equal jitter"]

    assert sorted(order, key=lambda name: -counted[name]) == order


def test_equal_and_full_jitter_cost_about_the_same(counted: dict[str, int]) -> None:
    assert abs(counted["equal jitter"] - counted["full jitter"]) < 0.1 * counted["full jitter"]


def test_jitter_takes_less_than_half_of_what_no_wait_takes(counted: dict[str, int]) -> None:
    assert counted["full jitter"] < counted["no wait"] / 2


@pytest.mark.parametrize("wait", WAITS.values(), ids=WAITS)
def test_the_same_seed_gives_the_same_count(wait: object) -> None:
    assert calls(wait, clients=20) == calls(wait, clients=20)  # type: ignore[arg-type]


def test_one_client_alone_needs_one_call() -> None:
    assert calls(full, clients=1) == 1


def test_the_waits_double_up_to_the_cap() -> None:
    assert [exponential(refusals, 0, Random(1)) for refusals in (1, 2, 3, 20)] == [10.0, 20.0, 40.0, 2000.0]


@pytest.mark.parametrize(
    ("wait", "least", "most"),
    [(none, 0, 0), (full, 0, 40), (equal, 20, 40), (decorrelated, 5, 30)],
    ids=["none", "full", "equal", "decorrelated"],
)
def test_each_jitter_keeps_to_its_range(wait: object, least: float, most: float) -> None:
    rng = Random(4)
    drawn = [wait(3, 10, rng) for _ in range(500)]  # type: ignore[operator]

    assert (min(drawn) >= least, max(drawn) <= most, max(drawn) - min(drawn) >= 0.9 * (most - least)) == (True,) * 3


def test_a_decorrelated_wait_never_passes_the_cap() -> None:
    rng = Random(4)

    assert max(decorrelated(3, 2000, rng) for _ in range(500)) == 2000
