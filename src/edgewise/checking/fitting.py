"""Whether an object can be asked at all: a function, of one's own, that takes what it will be given."""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from functools import partial
from typing import Any

from edgewise.checking.values import a
from edgewise.machine import STORM, TRANSITIONS


def unfit(function: object, name: str, keywords: Mapping[str, Any], positions: int) -> str | None:
    """Why `function` can't be called with `positions` arguments and `keywords`; None when it can."""
    if not callable(function):
        return f"`{name}` is {a(function)}, not a function; define it with `def {name}(…)`"
    call = innermost(function)
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


def innermost(function: Any) -> Any:
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
