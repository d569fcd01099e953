"""ch08-e5: `retry_budget`, a token bucket in whole tokens, and `never_recovers`, the law of a retry storm.

Goal: the bucket for every event, any prices, and never a changed argument; the law with its boundary. Out of
scope: fractions of tokens, time. Points: 0.2 for a success, 0.3 for a failure, 0.1 for any other event, each
only when one event of each kind was answered right, so that a bucket that never changes earns nothing; 0.4 for
the law.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from itertools import product
from typing import Any

from edgewise.checking.cases import Asked, Case, CaseCheck, Subject, gives
from edgewise.checking.exercise import Hints, Misconception, Rule
from edgewise.storm import never_recovers, retry_budget

SUCCESS = {"name": "success"}
FAILURE = {"name": "failure"}
OTHER = {"name": "timeout"}
NEARLY = tuple({"name": name} for name in ("Success", " failure", "failures", "successful", "succes", "fail", ""))


def bucket(tokens: int, allowed: bool | None = None) -> dict[str, Any]:
    """A bucket as the exercise writes it."""
    return {"tokens": tokens, "allowed": allowed}


BUDGET_CASES = (
    Case((bucket(0), SUCCESS), bucket(1)),
    Case((bucket(100), SUCCESS), bucket(100)),
    Case((bucket(99), SUCCESS), bucket(100), {"earn": 5}),
    Case((bucket(25), FAILURE), bucket(15, allowed=True)),
    Case((bucket(10), FAILURE), bucket(0, allowed=True)),
    Case((bucket(9), FAILURE), bucket(9, allowed=False)),
    Case((bucket(3, allowed=True), OTHER), bucket(3)),
)

LAW_CASES = (
    Case((50, 1, 100), True),
    Case((49, 1, 100), False),
    Case((80, 0, 100), False),
    Case((25, 3, 100), True),
    Case((100, 0, 100), True),
)

Inputs = Iterator[tuple[tuple[Any, ...], dict[str, Any]]]


def buckets() -> Inputs:
    """Every bucket of up to 24 tokens, then larger ones, with each event, at the usual price and at three others."""
    prices: tuple[dict[str, int], ...] = ({}, {"cost": 3}, {"earn": 2, "cost": 5, "most": 12}, {"cost": 1, "most": 24})
    for tokens, price in product((*range(25), 99, 100), prices):
        most = price.get("most", 100)
        for allowed, event in product(
            (None, True, False), (SUCCESS, FAILURE, OTHER, {"name": "Success"}, {"name": ""})
        ):
            if tokens <= most:
                yield (bucket(tokens, allowed), event), price


def loads() -> Inputs:
    """Loads, retries and capacities around the law's boundary, the small ones first."""
    for capacity, retries in product((1, 2, 10, 12, 100, 101), range(6)):
        for load in sorted({0, 1, *(capacity // (1 + retries) + near for near in (-1, 0, 1)), capacity}):
            if load >= 0:
                yield (load, retries, capacity), {}


def event_of(asked: Asked) -> str:
    """The kind of event a bucket was asked about."""
    name = asked.arguments[1]["name"]
    return name if name in ("success", "failure") else "other"


def on(kind: str) -> Callable[[Asked], bool]:
    """Whether a question is about this kind of event."""
    return lambda asked: event_of(asked) == kind


earns = gives("Earns on a success, up to the most", "retry_budget", further=True, when=on("success"))
pays = gives("Pays for a retry after a failure, or refuses it", "retry_budget", further=True, when=on("failure"))
stays = gives("Changes no tokens for any other event", "retry_budget", further=True, when=on("other"))
law = gives("Says when retries never let the server recover", "never_recovers")

Bucket = Mapping[str, Any]


def without_a_lid(bucket: Bucket, event: Bucket, *, earn: int = 1, cost: int = 10, most: int = 100) -> dict[str, Any]:
    """A bucket that grows for ever."""
    return retry_budget(bucket, event, earn=earn, cost=cost, most=10**9)


def one_too_many(bucket: Bucket, event: Bucket, *, earn: int = 1, cost: int = 10, most: int = 100) -> dict[str, Any]:
    """Allowed only with more than the cost."""
    if event["name"] == "failure" and bucket["tokens"] == cost:
        return {"tokens": cost, "allowed": False}
    return retry_budget(bucket, event, earn=earn, cost=cost, most=most)


def pays_anyway(bucket: Bucket, event: Bucket, *, earn: int = 1, cost: int = 10, most: int = 100) -> dict[str, Any]:
    """A refused retry costs what is left."""
    after = retry_budget(bucket, event, earn=earn, cost=cost, most=most)
    return {**after, "tokens": 0} if after["allowed"] is False else after


def into_debt(bucket: Bucket, event: Bucket, *, earn: int = 1, cost: int = 10, most: int = 100) -> dict[str, Any]:
    """Every failure costs, whatever is there."""
    if event["name"] == "failure":
        return {"tokens": bucket["tokens"] - cost, "allowed": bucket["tokens"] >= cost}
    return retry_budget(bucket, event, earn=earn, cost=cost, most=most)


def sticky(bucket: Bucket, event: Bucket, *, earn: int = 1, cost: int = 10, most: int = 100) -> dict[str, Any]:
    """The last decision stays."""
    after = retry_budget(bucket, event, earn=earn, cost=cost, most=most)
    return {**after, "allowed": bucket["allowed"] if after["allowed"] is None else after["allowed"]}


def usual_prices(bucket: Bucket, event: Bucket, *, earn: int = 1, cost: int = 10, most: int = 100) -> dict[str, Any]:
    """The keyword arguments are not read."""
    return retry_budget(bucket, event)


def in_place(
    bucket: dict[str, Any], event: Bucket, *, earn: int = 1, cost: int = 10, most: int = 100
) -> dict[str, Any]:
    """The bucket that was handed in is the one that comes back."""
    bucket.update(retry_budget(bucket, event, earn=earn, cost=cost, most=most))
    return bucket


def only_beyond(load: float, retries: int, capacity: float) -> bool:
    """Strictly more work than capacity."""
    return load * (1 + retries) > capacity


def retries_alone(load: float, retries: int, capacity: float) -> bool:
    """The first attempt is not counted."""
    return load * retries >= capacity


def load_alone(load: float, retries: int, capacity: float) -> bool:
    """The retries are not counted."""
    return load >= capacity


MISCONCEPTIONS = (
    Misconception(
        "a bucket without a lid",
        "tokens are earned up to `most`; without the limit a quiet week pays for one endless storm.",
        without_a_lid,
        earns,
        "retry_budget",
    ),
    Misconception(
        "one token short",
        "exactly `cost` tokens are enough: the test is at least, not more than.",
        one_too_many,
        pays,
        "retry_budget",
    ),
    Misconception(
        "a refusal that costs",
        "a retry that is not allowed pays nothing; the tokens stay as they were.",
        pays_anyway,
        pays,
        "retry_budget",
    ),
    Misconception(
        "into debt",
        "without enough tokens the bucket stays as it is; it never goes below zero.",
        into_debt,
        pays,
        "retry_budget",
    ),
    Misconception(
        "yesterday's decision",
        "`allowed` is about this event: after a success, and after any event that asks for no retry, it is None.",
        sticky,
        earns,
        "retry_budget",
    ),
    Misconception(
        "prices carved in stone",
        "`earn`, `cost` and `most` are handed in; use the arguments, not the numbers 1, 10 and 100.",
        usual_prices,
        earns,
        "retry_budget",
    ),
    Misconception(
        "the caller's bucket",
        "you change the bucket you were handed; return a new dict, so that an earlier bucket can be looked at later.",
        in_place,
        earns,
        "retry_budget",
    ),
    Misconception(
        "the boundary recovers",
        "at exactly the capacity nothing is left over to work off the queue, so it never recovers there either.",
        only_beyond,
        law,
        "never_recovers",
    ),
    Misconception(
        "the first try is free",
        "a request that fails costs its first attempt and its retries: 1 + retries.",
        retries_alone,
        law,
        "never_recovers",
    ),
    Misconception(
        "retries are free",
        "during the outage every request is tried 1 + retries times; it is that sum which meets the capacity.",
        load_alone,
        law,
        "never_recovers",
    ),
)

HINTS = Hints(
    by_rule={
        earns: "After a success the tokens are the old ones and `earn` more, but never above `most`. What is `allowed` "
        "when nobody asked for a retry? And is the bucket you were handed still what it was?",
        pays: "A failure has two outcomes. With which number of tokens does the first one become possible, exactly? In "
        "the other one, what becomes of the tokens?",
        stays: "An event with any other name leaves the tokens alone, and nobody asked for a retry.",
        law: "While everything fails, how many attempts does one request cost? How many arrive in a tick? At exactly "
        "the capacity, is anything left over to work off the queue?",
    },
    neighbour="A bucket with earn=1, cost=3, most=4 holds 2 tokens. A success: 3. A success: 4. A success: 4, since "
    "4 is "
    "the most. A failure: 1 left, allowed. A failure: 1 left, not allowed. For the law: a load of 30 with two retries "
    "makes 30 · 3 = 90 attempts; a server that can do 91 recovers, one that can do 90 never does.",
)

CHECK = CaseCheck(
    subjects=(
        Subject("retry_budget", retry_budget, BUDGET_CASES, buckets, kind=event_of),
        Subject("never_recovers", never_recovers, LAW_CASES, loads),
    ),
    rules=(
        Rule(earns, 0.2, "retry_budget"),
        Rule(pays, 0.3, "retry_budget"),
        Rule(stays, 0.1, "retry_budget"),
        Rule(law, 0.4, "never_recovers"),
    ),
    hints=HINTS,
    misconceptions=MISCONCEPTIONS,
)
