"""How a process that ran student code came to its end, in words."""

from __future__ import annotations

import signal


def how_it_ended(code: int) -> str:
    """The end of a sentence about a process, by its exit status; a signal's number is negative."""
    if code >= 0:
        return f"ended its process with status {code}"
    try:
        return f"was ended by the signal {signal.Signals(-code).name}"
    except ValueError:
        return f"was ended by the signal {-code}"
