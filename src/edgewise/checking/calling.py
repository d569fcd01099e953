"""Calling code that somebody else wrote: whatever it does comes back as a value.

The only place of the package with a broad `except`, because only here does student code run.
"""

from __future__ import annotations

import contextlib
import copy
import io
import linecache
import sys
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import CodeType, CoroutineType, FrameType
from typing import Any

from edgewise.checking import clock as timing
from edgewise.checking.clock import Clock, OutOfTime
from edgewise.checking.fitting import foreign, innermost, unfit
from edgewise.checking.values import type_name

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
        self._clock = Clock()
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
        clock = self._clock
        self._output.written = 0
        try:
            try:
                clock.call += 1
                value = function(*arguments, **keywords)
            finally:
                clock.call += 1  # at once: the alarm rings again within microseconds
        except BaseException as error:  # whatever student code raises is an answer
            return self._raised(error, function)
        if type(value) is CoroutineType:
            value.close()
            raise Stopped("returns a coroutine, which nobody awaits; define it with `def`, not `async def`")
        if clock.ticked and self._too_slow():
            raise Stopped(f"is too slow: its answers together took more than {self.seconds:g} s")
        return value

    def unfit(self, answer: object, name: str, positions: int, keywords: Mapping[str, Any]) -> str | None:
        """Why `answer` can't be asked as the exercise says; None when it can."""
        return foreign(answer, name) or unfit(answer, name, keywords, positions)

    def copy(self, answer: dict[Any, Any], plainly: dict[str, Any], known: tuple[str, ...]) -> dict[Any, Any]:  # noqa: ARG002  # whoever asks from outside has only that
        """A copy of a snapshot: names of the student's own types, further keys as far as they can be copied."""
        copied = dict(dict.items(answer))
        copied["visited"] = [*list.__iter__(copied["visited"])]
        if len(copied) > len(known):
            further = {key: item for key, item in copied.items() if key not in known}
            deep = self(copy.deepcopy, further)
            copied.update({} if isinstance(deep, Raised) else deep)
        return copied

    def restored(self, answer: dict[Any, Any], plainly: dict[str, Any]) -> dict[str, Any]:  # noqa: ARG002
        """The plain data: of the snapshot itself nothing is left as it was."""
        return plainly

    def value(self, answer: Any, name: str) -> Any:
        """The answer itself, for an exercise that asks for a value. Raises ValueError where it is the library's."""
        reason = foreign(answer, name)
        if reason:
            raise ValueError(reason)
        return answer

    def last_line(self, function: Callable[..., Any], *arguments: Any, **keywords: Any) -> str | None:
        """The line of the student's own file or cell that ran last in the call, as `line 4: source`."""
        home = getattr(getattr(innermost(function), "__code__", None), "co_filename", None)
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
        if isinstance(error, OutOfTime):
            raise Stopped(f"gave no answer within {timing.CALL_SECONDS:g} s; look for a loop that does not end", line)
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


def _line(error: BaseException, function: Callable[..., Any]) -> str | None:
    """The innermost line of the file or cell that holds `function`, as `line 4: source`."""
    code = getattr(innermost(function), "__code__", None)
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
