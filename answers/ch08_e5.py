"""Right answers to ch08-e5, pairs of (retry_budget, never_recovers), in different styles: each earns every point."""

from .ch08_e3 import Snapshot


def retry_budget(bucket: dict, event: dict, *, earn: int = 1, cost: int = 10, most: int = 100) -> dict:
    tokens = bucket["tokens"]
    if event["name"] == "success":
        return {"tokens": min(tokens + earn, most), "allowed": None}
    if event["name"] == "failure":
        return {"tokens": tokens - cost, "allowed": True} if tokens >= cost else {"tokens": tokens, "allowed": False}
    return {"tokens": tokens, "allowed": None}


def never_recovers(load, retries, capacity):
    return load * (1 + retries) >= capacity


def matched(bucket, event, earn=1, cost=10, most=100):
    after = dict(bucket, allowed=None)
    match event:
        case {"name": "success"}:
            after["tokens"] = most if after["tokens"] + earn > most else after["tokens"] + earn
        case {"name": "failure"}:
            after["allowed"] = after["tokens"] >= cost
            after["tokens"] -= cost * after["allowed"]
    return after


def by_table(bucket, event, **prices):
    prices = {"earn": 1, "cost": 10, "most": 100} | prices
    tokens = bucket["tokens"]
    paid = tokens - prices["cost"]
    outcomes = {"success": (min(tokens + prices["earn"], prices["most"]), None), "failure": (paid, True)}
    if event["name"] == "failure" and paid < 0:
        return {"allowed": False, "tokens": tokens}
    left, allowed = outcomes.get(event["name"], (tokens, None))
    return {"allowed": allowed, "tokens": left}


class Bucket:
    def __call__(self, bucket, event, *, earn=1, cost=10, most=100):
        return Snapshot(retry_budget(bucket, event, earn=earn, cost=cost, most=most))


def by_attempts(load, retries, capacity):
    attempts = sum(load for _ in range(1 + retries))
    return not attempts < capacity


def by_what_is_left(load: float, retries: int, capacity: float) -> bool:
    left = capacity - load - load * retries
    return left <= 0


ANSWERS = {
    "a chain of ifs": (retry_budget, never_recovers),
    "match, and a sum of attempts": (matched, by_attempts),
    "a table, and what is left": (by_table, by_what_is_left),
    "an object with __call__, and a lambda": (
        Bucket(),
        lambda load, retries, capacity: capacity <= load + load * retries,
    ),
}
