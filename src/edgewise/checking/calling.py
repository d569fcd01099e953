"""Calling code that somebody else wrote: whatever it does comes back as a value.

The only place of the package with a broad `except`, because only here does student code run.
"""

from __future__ import annotations

import contextlib
import ctypes
import inspect
import io
import linecache
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from types import CodeType, FrameType
from typing import Any

from edgewise.machine import STORM, TRANSITIONS

CALL_SECONDS = 2.0
"""The longest that one call may take."""

FLOOD = 100_000
"""The most characters that one call may print."""


@dataclass(frozen=True, slots=True)
class Raised:
    """An exception that student code raised instead of returning: its type's name, its message, the line."""

    kind: str
    message: str
    line: str | None = None

    def __str__(self) -> str:
        return f"{self.kind}: {self.message}" if self.message else self.kind


class Stopped(Exception):  # noqa: N818  # an outcome of student code, not an error of ours
    """Student code that can't be asked further; `message` says why and what to do, `question` what was asked."""

    def __init__(self, message: str, line: str | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.line = line
        self.question = ""


class _OutOfTime(BaseException):
    """Raised inside student code when the time is up; not an Exception, so that `except Exception` lets it by."""


class _Flood(BaseException):
    """Raised inside student code that prints without end."""


class Caller:
    """Calls student functions with their output held back and their time bounded.

    Use as a context manager around all calls of a check: one call may take `CALL_SECONDS`, all together
    `seconds`.
    """

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        self._output = _Output()
        self._clock = _Clock()
        self._stack = contextlib.ExitStack()
        self._until = float("inf")

    def __enter__(self) -> Caller:
        self._stack.enter_context(contextlib.redirect_stdout(self._output))
        self._stack.enter_context(contextlib.redirect_stderr(self._output))
        self._stack.enter_context(self._clock.ticking())
        self._until = time.monotonic() + self.seconds
        return self

    def __exit__(self, *exc: object) -> None:
        self._stack.close()

    def __call__(self, function: Callable[..., Any], *arguments: Any, **keywords: Any) -> Any:
        """What `function` returns, or Raised. Raises Stopped when there is no point in asking on."""
        self._output.written = 0
        try:
            try:
                self._clock.call += 1
                value = function(*arguments, **keywords)
            finally:
                self._clock.call += 1
        except BaseException as error:  # whatever student code raises is an answer
            return self._raised(error, function)
        if inspect.iscoroutine(value):
            value.close()
            raise Stopped("returns a coroutine, which nobody awaits; define it with `def`, not `async def`")
        if self._clock.late and time.monotonic() > self._until:
            raise Stopped(f"is too slow: its answers together took more than {self.seconds:g} s")
        return value

    def _raised(self, error: BaseException, function: Callable[..., Any]) -> Raised:
        self._clock.call += self._clock.call % 2  # the alarm may have come between the call and its count
        line = _line(error, function)
        if isinstance(error, _OutOfTime):
            raise Stopped(f"gave no answer within {CALL_SECONDS:g} s; look for a loop that does not end", line)
        if isinstance(error, _Flood):
            raise Stopped(f"printed more than {FLOOD:,} characters in one call; print less, or nothing", line)
        if isinstance(error, SystemExit | GeneratorExit):
            raise Stopped("ended the program (SystemExit); use `return`, and leave out exit() and quit()", line)
        if isinstance(error, KeyboardInterrupt):
            raise error
        return Raised(type(error).__name__, _message(error), line)


def unfit(function: object, name: str, keywords: Mapping[str, Any], positions: int) -> str | None:
    """Why `function` can't be called with `positions` arguments and `keywords`; None when it can."""
    if not callable(function):
        return f"`{name}` is {_a(function)}, not a function; define it with `def {name}(…)`"
    call = inspect.unwrap(function) if inspect.isfunction(function) else function
    if inspect.iscoroutinefunction(call) or inspect.isasyncgenfunction(call):
        return f"`{name}` is async, so calling it gives no answer; define it with `def`, not `async def`"
    if inspect.isgeneratorfunction(call):
        return f"`{name}` is a generator, so calling it gives no answer; use `return`, not `yield`"
    try:
        signature = inspect.signature(function)
    except (TypeError, ValueError):
        return None
    try:
        signature.bind(*range(positions), **keywords)
    except TypeError as error:
        return f"`{name}{signature}` can't be called as the exercise says: {error}"
    return None


def is_ours(value: object) -> bool:
    """Whether `value` is the library's own function or table, handed in as an answer."""
    if value is TRANSITIONS or value is STORM:
        return True
    function = getattr(value, "func", value)
    return str(getattr(function, "__module__", "")).partition(".")[0] == "edgewise"


def _a(value: object) -> str:
    kind = type(value).__name__
    return f"{'an' if kind[:1].lower() in 'aeiou' else 'a'} {kind}"


def _message(error: BaseException) -> str:
    try:
        return str(error)
    except Exception:  # a student's exception may not even print
        return ""


def _line(error: BaseException, function: Callable[..., Any]) -> str | None:
    """The innermost line of the file or cell that holds `function`, as `line 4: source`."""
    code = getattr(inspect.unwrap(function), "__code__", None)
    home = code.co_filename if isinstance(code, CodeType) else None
    found = None
    trace = error.__traceback__
    while trace is not None:
        if trace.tb_frame.f_code.co_filename == home:
            found = (trace.tb_frame, trace.tb_lineno)
        trace = trace.tb_next
    if found is None or home is None:
        return None
    source = linecache.getline(home, found[1], found[0].f_globals).strip()
    return f"line {found[1]}: {source}" if source else f"line {found[1]}"


class _Output(io.TextIOBase):
    """Takes what student code prints and keeps none of it."""

    def __init__(self) -> None:
        self.written = 0

    def writable(self) -> bool:
        return True

    def write(self, text: str) -> int:
        self.written += len(text)
        if self.written > FLOOD:
            raise _Flood
        return len(text)


class _Clock:
    """Raises _OutOfTime in a call that lasts too long, again and again until it gives way.

    `call` is odd while student code runs. A tick that meets the same odd number as enough ticks before it
    has found a call without end. Code that swallows the first _OutOfTime in a bare `except` meets the next a
    tick later, sooner or later outside its `try`.
    """

    TICK = 0.1

    def __init__(self) -> None:
        self.call = 0
        self.late = False
        self._met = 0
        self._ticks = 0

    def tick(self) -> bool:
        """Whether the call that runs now is out of time."""
        self.late = True
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
                raise _OutOfTime

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
                    ctypes.pythonapi.PyThreadState_SetAsyncExc(asked, ctypes.py_object(_OutOfTime))

        thread = threading.Thread(target=watch, daemon=True)
        thread.start()
        try:
            yield
        finally:
            done.set()
            thread.join()
