"""Where jitter does help: many clients want to change one row, and only one of them can win at a time.

Each client reads the row's version, and writes with that version; the write is refused if somebody else's
came first, and then the client waits and starts over. Each message takes about ten milliseconds on its way.

Source: AWS Architecture Blog 2015, "Exponential Backoff And Jitter", and its simulator.
"""

from __future__ import annotations

from collections.abc import Callable
from heapq import heappop, heappush
from random import Random

BASE_MILLISECONDS = 5
CAP_MILLISECONDS = 2000

Wait = Callable[[int, float, Random], float]
"""From the number of refusals so far (from 1), the last wait and a source of chance: the next wait."""


def none(refusals: int, last: float, rng: Random) -> float:  # noqa: ARG001 - the five share one signature
    """Try again at once."""
    return 0.0


def exponential(refusals: int, last: float, rng: Random) -> float:  # noqa: ARG001
    """Twice as long after each refusal, up to the cap."""
    return float(min(CAP_MILLISECONDS, BASE_MILLISECONDS * 2**refusals))


def equal(refusals: int, last: float, rng: Random) -> float:
    """Half of `exponential`, and anything up to the other half."""
    half = exponential(refusals, last, rng) / 2
    return half + rng.uniform(0, half)


def full(refusals: int, last: float, rng: Random) -> float:
    """Anything from nothing to `exponential`."""
    return rng.uniform(0, exponential(refusals, last, rng))


def decorrelated(refusals: int, last: float, rng: Random) -> float:  # noqa: ARG001
    """Anything from the base to three times the last wait, up to the cap."""
    return min(CAP_MILLISECONDS, rng.uniform(BASE_MILLISECONDS, 3 * max(last, BASE_MILLISECONDS)))


WAITS: dict[str, Wait] = {
    "no wait": none,
    "exponential": exponential,
    "equal jitter": equal,
    "full jitter": full,
    "decorrelated jitter": decorrelated,
}


def calls(wait: Wait, *, clients: int = 100, rng: Random | None = None) -> int:
    """How many writes are tried until each of `clients` has won once; `rng` left out is seeded."""
    rng = rng or Random(8)
    version, tried = 0, 0
    refusals, last = [0] * clients, [0.0] * clients
    messages: list[
        tuple[float, int, int | None]
    ] = []  # when it arrives, whose it is, the version it writes; None reads
    for client in range(clients):
        heappush(messages, (_trip(rng), client, None))
    while messages:
        now, client, written = heappop(messages)
        if written is None:
            heappush(messages, (now + _trip(rng) + _trip(rng), client, version))
            continue
        tried += 1
        if written == version:
            version += 1
            continue
        refusals[client] += 1
        last[client] = wait(refusals[client], last[client], rng)
        heappush(messages, (now + _trip(rng) + last[client] + _trip(rng), client, None))
    return tried


def _trip(rng: Random) -> float:
    return abs(rng.gauss(10, 2))
