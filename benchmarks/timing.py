"""How long things take, compared fairly: processor time, in turns, so that a busy machine strikes all alike."""

from __future__ import annotations

import gc
from collections.abc import Callable
from statistics import median
from time import process_time


def medians(
    contestants: dict[str, Callable[[], object]], *, rounds: int = 15, least_seconds: float = 0.02
) -> dict[str, float]:
    """The median processor seconds of one call of each contestant, over rounds in which each has one turn.

    A turn repeats the call until it lasts `least_seconds`, and counts the mean.
    """
    repeats = {name: _repeats(call, least_seconds) for name, call in contestants.items()}
    times: dict[str, list[float]] = {name: [] for name in contestants}
    for _ in range(rounds):
        for name, call in contestants.items():
            times[name].append(_seconds(call, repeats[name]) / repeats[name])
    return {name: median(taken) for name, taken in times.items()}


def least(contestants: dict[str, Callable[[], object]], *, rounds: int = 25) -> dict[str, float]:
    """The least processor seconds of one call of each contestant: for a goal in milliseconds, on its own.

    What a machine adds to a time is never negative, and here it can add as much again for seconds on end.
    """
    return {name: min(_seconds(call, 1) for _ in range(rounds)) for name, call in contestants.items()}


def _repeats(call: Callable[[], object], least_seconds: float) -> int:
    call()
    once = max(_seconds(call, 1), 1e-7)
    return max(1, round(least_seconds / once))


def _seconds(call: Callable[[], object], repeats: int) -> float:
    gc.collect()
    gc.disable()
    try:
        began = process_time()
        for _ in range(repeats):
            call()
        return process_time() - began
    finally:
        gc.enable()
