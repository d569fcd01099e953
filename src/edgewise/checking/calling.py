"""Calling code that somebody else wrote: whatever it does comes back as a value.

The only place of the package with a broad `except`, because only here does student code run.
"""

from __future__ import annotations

import contextlib
import copy
import ctypes
import inspect
import io
import itertools
import linecache
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from types import CodeType, CoroutineType, FrameType
from typing import Any

from edgewise.checking.values import a, type_name
from edgewise.machine import STORM, TRANSITIONS

CALL_SECONDS = 2.0
"""The longest that one call may take."""

FLOOD = 1_000_000
"""The most characters that one call may print: a long history, printed a few times, is no flood."""

MESSAGE = 400
"""The most characters kept of an exception's message."""


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
        self.finding: Any = None


class _OutOfTime(BaseException):
    """Raised inside student code when the time is up; not an Exception, so that `except Exception` lets it by."""


class _Flood(BaseException):
    """Raised inside student code that prints without end."""


class Caller:
    """Calls student functions with their output held back and their time bounded.

    Use as a context manager around all calls of a check: one call may take `CALL_SECONDS`, all together
    `seconds` of computing, or twice that of waiting, so that a busy machine costs nobody points.
    """

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        self._output = _Output()
        self._clock = _Clock()
        self._stack = contextlib.ExitStack()
        self._began = (0.0, 0.0)

    def __enter__(self) -> Caller:
        self._stack.enter_context(contextlib.redirect_stdout(self._output))
        self._stack.enter_context(contextlib.redirect_stderr(self._output))
        self._stack.enter_context(self._clock.ticking())
        self._began = (time.thread_time(), time.monotonic())
        return self

    def __exit__(self, *exc: object) -> None:
        self._stack.close()
        self._output.ended = True

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
        if type(value) is CoroutineType:
            value.close()
            raise Stopped("returns a coroutine, which nobody awaits; define it with `def`, not `async def`")
        if self._clock.ticked and self._too_slow():
            raise Stopped(f"is too slow: its answers together took more than {self.seconds:g} s")
        return value

    def unfit(self, answer: object, name: str, positions: int, keywords: Mapping[str, Any]) -> str | None:
        """Why `answer` can't be asked as the exercise says; None when it can."""
        return foreign(answer, name) or unfit(answer, name, keywords, positions)

    def copy(self, answer: dict[Any, Any], plainly: dict[str, Any], known: tuple[str, ...]) -> dict[Any, Any]:
        """A copy of an answer: of the keys in `known` as in `plainly`, of further ones as far as they can be copied."""
        further = {key: item for key, item in dict.items(answer) if key not in known}
        if not further:
            return plainly
        copied = self(copy.deepcopy, further)
        return {**(further if isinstance(copied, Raised) else copied), **{key: plainly[key] for key in known}}

    def value(self, answer: Any, name: str) -> Any:
        """The answer itself, for an exercise that asks for a value. Raises ValueError where it is the library's."""
        reason = foreign(answer, name)
        if reason:
            raise ValueError(reason)
        return answer

    def last_line(self, function: Callable[..., Any], *arguments: Any, **keywords: Any) -> str | None:
        """The line of the student's own file or cell that ran last in the call, as `line 4: source`."""
        home = getattr(getattr(_innermost(function), "__code__", None), "co_filename", None)
        last: list[str | None] = [None]

        def trace(frame: FrameType, event: str, _argument: object) -> Any:
            if frame.f_code.co_filename != home:
                return None
            if event == "line":
                last[0] = _source(home, frame.f_lineno, frame.f_globals)
            return trace

        earlier = sys.gettrace()
        sys.settrace(trace)
        try:
            self(function, *arguments, **keywords)
        except Stopped:
            pass
        finally:
            sys.settrace(earlier)
        return last[0]

    def _too_slow(self) -> bool:
        self._clock.ticked = False  # until the next tick nothing can have changed
        computing, waiting = self._began
        return time.thread_time() - computing > self.seconds or time.monotonic() - waiting > 2 * self.seconds

    def _raised(self, error: BaseException, function: Callable[..., Any]) -> Raised:
        self._clock.call += self._clock.call % 2  # the alarm may have come between the call and its count
        line = _line(error, function)
        if isinstance(error, _OutOfTime):
            raise Stopped(f"gave no answer within {CALL_SECONDS:g} s; look for a loop that does not end", line)
        if isinstance(error, _Flood):
            raise Stopped(f"printed more than {FLOOD:,} characters in one call; print less, or nothing", line)
        if isinstance(error, SystemExit):
            raise Stopped("ended the program (SystemExit); use `return`, and leave out exit() and quit()", line)
        if isinstance(error, KeyboardInterrupt):
            raise error
        return Raised(type_name(error), self._message(error), line)

    def _message(self, error: BaseException) -> str:
        """The exception's message, which is student code too: it may raise, or never end."""
        try:
            self._clock.call += 1
            message = str.__str__(str(error))
        except BaseException:  # an exception that can't be printed has no message
            message = ""
        self._clock.call += self._clock.call % 2
        return message if len(message) <= MESSAGE else f"{message[:MESSAGE]} …"


def unfit(function: object, name: str, keywords: Mapping[str, Any], positions: int) -> str | None:
    """Why `function` can't be called with `positions` arguments and `keywords`; None when it can."""
    if not callable(function):
        return f"`{name}` is {a(function)}, not a function; define it with `def {name}(…)`"
    call = _innermost(function)
    if inspect.iscoroutinefunction(call) or inspect.isasyncgenfunction(call):
        return f"`{name}` is async, so calling it gives no answer; define it with `def`, not `async def`"
    if inspect.isgeneratorfunction(call):
        return f"`{name}` is a generator, so calling it gives no answer; use `return`, not `yield`"
    try:
        signature = inspect.signature(function)
    except Exception:  # some callables have none, or one of the student's own making; the calls will tell
        return None
    try:
        signature.bind(*range(positions), **keywords)
    except TypeError as error:
        return f"`{name}{_bare(signature)}` can't be called as the exercise says: {error}"
    return None


def foreign(value: object, name: str) -> str | None:
    """Why `value` is nobody's own answer; None when it may be."""
    return f"`{name}` is the library's own; the exercise asks for one that you wrote" if is_ours(value) else None


def is_ours(value: object) -> bool:
    """Whether `value` is the library's own function or table, handed in as an answer."""
    if value is TRANSITIONS or value is STORM:
        return True
    try:
        module = getattr(value.func if isinstance(value, partial) else value, "__module__", None)
    except Exception:  # an object may refuse to say
        return False
    return isinstance(module, str) and module.partition(".")[0] == "edgewise"


def _innermost(function: Any) -> Any:
    """The function under wrappers, a partial, or an object with __call__; None where it can't be told."""
    try:
        while isinstance(function, partial):
            function = function.func
        if not (inspect.isroutine(function) or isinstance(function, type)):
            function = type(function).__call__
        return inspect.unwrap(function)
    except Exception:  # an object may refuse to say what it is, and `__wrapped__` may hold anything
        return None


def _bare(signature: inspect.Signature) -> inspect.Signature:
    """The parameters' names alone: a default's repr may hold an address, or not come at all."""
    parameters = [
        parameter.replace(
            annotation=parameter.empty, default=parameter.empty if parameter.default is parameter.empty else _DOTS
        )
        for parameter in signature.parameters.values()
    ]
    return inspect.Signature(parameters)


class _Dots:
    """Stands for a default value."""

    def __repr__(self) -> str:
        return "…"


_DOTS = _Dots()


def _line(error: BaseException, function: Callable[..., Any]) -> str | None:
    """The innermost line of the file or cell that holds `function`, as `line 4: source`."""
    code = getattr(_innermost(function), "__code__", None)
    home = code.co_filename if isinstance(code, CodeType) else None
    found = None
    trace = error.__traceback__
    while trace is not None:
        if trace.tb_frame.f_code.co_filename == home:
            found = (trace.tb_frame, trace.tb_lineno)
        trace = trace.tb_next
    return None if found is None or home is None else _source(home, found[1], found[0].f_globals)


def _source(home: str, number: int, names: dict[str, Any]) -> str:
    """A line by its number, with its source where that can be read."""
    source = linecache.getline(home, number, names).strip()
    return f"line {number}: {source}" if source else f"line {number}"


class _Output(io.TextIOBase):
    """Takes what student code prints and keeps none of it; passes on what a log handler writes to it afterwards."""

    def __init__(self) -> None:
        self.written = 0
        self.ended = False

    def writable(self) -> bool:
        return True

    def write(self, text: str) -> int:
        if self.ended:
            return sys.stderr.write(text)
        self.written += len(text)
        if self.written > FLOOD:
            raise _Flood
        return len(text)


class _Clock:
    """Raises _OutOfTime in a call that lasts too long, again and again until it gives way.

    `call` is odd while student code runs. A tick that meets the same odd number as enough ticks before it
    has found a call without end. Code that swallows the first _OutOfTime in a bare `except` meets the next ones
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
                raise _OutOfTime

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
                    ctypes.pythonapi.PyThreadState_SetAsyncExc(asked, ctypes.py_object(_OutOfTime))

        thread = threading.Thread(target=watch, daemon=True)
        thread.start()
        try:
            yield
        finally:
            done.set()
            thread.join()
