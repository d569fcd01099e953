"""Retry storms: the law that says when a fleet cannot recover, and a budget that keeps it out of there."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


def never_recovers(load: float, retries: int, capacity: float) -> bool:
    """Whether clients that retry `retries` times keep a server down for good once it has been down long enough.

    While everything fails, one request costs 1 + `retries` attempts. When those alone fill the server, no
    answer comes in time any more, and so everything goes on failing.
    """
    return load * (1 + retries) >= capacity


def retry_budget(
    bucket: Mapping[str, Any], event: Mapping[str, Any], *, earn: int = 1, cost: int = 10, most: int = 100
) -> dict[str, Any]:
    """The token bucket after `event`, a new dict: `{"tokens": int, "allowed": bool or None}`.

    An event named "success" earns `earn` tokens, up to `most`. One named "failure" asks for a retry: with
    `cost` tokens or more it pays them and is allowed, else it is not. Any other event changes nothing.
    With 1 earned and 10 paid, retries stay near a tenth of the successes.
    Source: Brooker 2022, "Fixing retries with token buckets and circuit breakers".
    """
    tokens, name = bucket["tokens"], event["name"]
    if name == "success":
        return {"tokens": min(most, tokens + earn), "allowed": None}
    if name == "failure":
        allowed = tokens >= cost
        return {"tokens": tokens - cost if allowed else tokens, "allowed": allowed}
    return {"tokens": tokens, "allowed": None}
