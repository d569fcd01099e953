"""A clock that ends a call without end, from within its own process."""

from __future__ import annotations

import contextlib
import ctypes
import itertools
import signal
import sys
import threading
from collections.abc import Iterator
from types import FrameType

CALL_SECONDS = 2.0
"""The longest that one call may take."""


class OutOfTime(BaseException):
    """Raised inside student code when the time is up; not an Exception, so that `except Exception` lets it by."""


class Clock:
    """Raises OutOfTime in a call that lasts too long, again and again until it gives way.

    `call` is odd while student code runs. A tick that meets the same odd number as enough ticks before it
    has found a call without end. Code that swallows the first OutOfTime in a bare `except` meets the next ones
    microseconds later, each a little later than the one before, until one comes outside its `try`. (From a
    thread they come a tick later, so there such code may go on for long.)
    """

    TICK = 0.1

    def __init__(self) -> None:
        self.call = 0
        self.ticked = False
        self._met = 0
        self._ticks = 0

    def tick(self) -> bool:
        """Whether the call that runs now is out of time."""
        self.ticked = True
        if self.call != self._met:
            self._met, self._ticks = self.call, 0
        self._ticks += 1
        return self.call % 2 == 1 and self._ticks * self.TICK > CALL_SECONDS

    @contextlib.contextmanager
    def ticking(self) -> Iterator[None]:
        """Tick by signal where there is one, else from a thread; in a browser, which has neither, not at all."""
        if threading.current_thread() is threading.main_thread() and hasattr(signal, "setitimer"):
            yield from self._by_signal()
        elif sys.platform == "emscripten":
            yield
        else:
            yield from self._by_thread()

    def _by_signal(self) -> Iterator[None]:
        def ring(_number: int, _frame: FrameType | None) -> None:
            if self.tick():
                signal.setitimer(signal.ITIMER_REAL, next(nudges), self.TICK)
                raise OutOfTime

        nudges = itertools.cycle(micro * 1e-6 for micro in range(1, 60))
        earlier = signal.signal(signal.SIGALRM, ring)
        signal.setitimer(signal.ITIMER_REAL, self.TICK, self.TICK)
        try:
            yield
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
            signal.signal(signal.SIGALRM, earlier)

    def _by_thread(self) -> Iterator[None]:
        done = threading.Event()
        asked = ctypes.c_ulong(threading.get_ident())

        def watch() -> None:
            while not done.wait(self.TICK):
                if self.tick():
                    ctypes.pythonapi.PyThreadState_SetAsyncExc(asked, ctypes.py_object(OutOfTime))

        thread = threading.Thread(target=watch, daemon=True)
        thread.start()
        try:
            yield
        finally:
            done.set()
            thread.join()
