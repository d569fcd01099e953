"""Values that student code returned, as plain data that can be compared and shown.

A subclass of str, int, float, list, dict, tuple or set counts as its base value, read without calling any of
its own methods, so that an enum of strings is welcome and an object that equals everything gains nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

DEEPEST = 20
WIDEST = 100_000
"""The most values that are read of one answer; what lies beyond is Opaque."""

LONGEST = 100_000
"""The longest text that is read of one answer; a longer one is Opaque."""

SHOWN = 400


@dataclass(frozen=True, slots=True)
class Opaque:
    """A value of a type that no exercise asks for."""

    kind: str

    def __repr__(self) -> str:
        return f"<{self.kind} object>"


def plain(value: Any) -> Any:
    """`value` as a fresh copy made of None, bool, int, float, str, list, tuple, frozenset and dict; else Opaque."""
    return _plain(value, 0, [WIDEST])


def _plain(value: Any, depth: int, left: list[int]) -> Any:
    """One value; `left` counts the items that may still be read: a cycle has no end, and few lists many paths."""
    kind = type(value)
    if kind in _AS_THEY_ARE or (kind is str and len(value) <= LONGEST):
        return value
    for base, read in _READ:
        if issubclass(kind, base):
            return read(value)
    if depth >= DEEPEST or left[0] < 0:
        return Opaque(type_name(value))
    if issubclass(kind, dict):
        items = [*dict.items(value)]
        left[0] -= 1 + len(items)
        return {_key(_plain(key, depth + 1, left)): _plain(item, depth + 1, left) for key, item in items}
    for base, make in _MAKE:
        if issubclass(kind, base):
            left[0] -= 1 + base.__len__(value)
            return make([_plain(item, depth + 1, left) for item in base.__iter__(value)])
    return Opaque(type_name(value))


def _key(value: Any) -> Any:
    """A plain value that a dict or a set can hold."""
    try:
        hash(value)
    except TypeError:
        return shown(value)
    return value


def _frozen(items: Iterable[Any]) -> frozenset[Any]:
    return frozenset(map(_key, items))


def _text(value: Any) -> Any:
    text = str.__str__(value)
    return text if len(text) <= LONGEST else Opaque(f"{len(text):,} characters long str")


_READ: tuple[tuple[Any, Callable[[Any], Any]], ...] = ((str, _text), (int, int.__int__), (float, float.__float__))
_MAKE: tuple[tuple[Any, Callable[[Any], Any]], ...] = (
    (list, list),
    (tuple, tuple),
    (set, _frozen),
    (frozenset, _frozen),
)
_AS_THEY_ARE = {bool, int, float, type(None)}
_EXACT = {str, type(None)}
_SCALARS = {str, int, bool, type(None)}


def same(one: Any, other: Any) -> bool:
    """Whether two plain values are equal and of the same types throughout (True is not 1, a tuple not a list)."""
    if type(one) is not type(other) or one != other:
        return False
    if isinstance(one, dict):
        for key, item in one.items():  # noqa: SIM110  # a generator would cost more, and this is asked very often
            if type(item) not in _EXACT and not same(item, other[key]):
                return False
        return True
    if isinstance(one, list | tuple):
        return set(map(type, one)) <= _EXACT or all(map(same, one, other))
    return True


class Words(str):
    """A description that stands where any value would do that fits it; shown without quotes."""

    __slots__ = ()


def shown(value: Any) -> str:
    """`value` as a reader sees it: sets sorted, and a very long text cut in its middle."""
    text = _shown(value)
    if len(text) <= SHOWN:
        return text
    half = SHOWN // 2
    return f"{text[:half]} … {len(text) - 2 * half:,} characters … {text[-half:]}"


def a(value: Any) -> str:
    """The type of `value` with its article: `an int`."""
    kind = type_name(value)
    return f"{'an' if kind[:1].lower() in 'aeiou' else 'a'} {kind}"


def type_name(value: Any) -> str:
    """The name of the type of `value`, whatever a metaclass of a student's says it is."""
    return str(type.__dict__["__name__"].__get__(type(value)))


def _shown(value: Any) -> str:
    if type(value) in _SCALARS:
        return repr(value)
    if isinstance(value, Words):
        return f"‹{value}›"
    if isinstance(value, set | frozenset):
        return "{" + ", ".join(sorted(map(_shown, value))) + "}" if value else "set()"
    if isinstance(value, dict):
        return "{" + ", ".join(f"{_shown(key)}: {_shown(item)}" for key, item in value.items()) + "}"
    if type(value) is list and set(map(type, value)) <= _EXACT:
        return repr(value)
    if isinstance(value, list):
        return "[" + ", ".join(map(_shown, value)) + "]"
    if isinstance(value, tuple):
        return "(" + ", ".join(map(_shown, value)) + ("," if len(value) == 1 else "") + ")"
    return repr(value)


def first_difference(expected: Any, got: Any) -> str | None:
    """Where two plain values part, in words: `['visited'][2]: 'done' expected, nothing there`. None when equal."""
    return _difference(expected, got, "")


def _difference(expected: Any, got: Any, place: str) -> str | None:
    if same(expected, got):
        return None
    if isinstance(expected, dict) and isinstance(got, dict):
        return _in_dicts(expected, got, place)
    if isinstance(expected, list | tuple) and type(expected) is type(got):
        return _in_sequences(expected, got, place)
    if isinstance(expected, frozenset) and isinstance(got, frozenset):
        return _in_sets(expected, got, place)
    plainly = type(expected) in (type(got), type(None), Words) or got is None
    note = "" if plainly else f" ({a(got)}, not {a(expected)})"
    return f"{place or 'the value'}: {shown(expected)} expected, {shown(got)} found{note}"


def _in_dicts(expected: dict[Any, Any], got: dict[Any, Any], place: str) -> str | None:
    for key, item in expected.items():
        if key not in got:
            return f"{place}[{key!r}]: {shown(item)} expected, nothing there"
        found = _difference(item, got[key], f"{place}[{key!r}]")
        if found:
            return found
    extra = next(key for key in got if key not in expected)
    return f"{place}[{_shown(extra)}]: nothing expected, {shown(got[extra])} found"


def _in_sequences(expected: Any, got: Any, place: str) -> str | None:
    for index, (item, other) in enumerate(zip(expected, got, strict=False)):
        found = _difference(item, other, f"{place}[{index}]")
        if found:
            return found
    index = min(len(expected), len(got))
    if len(expected) > index:
        return f"{place}[{index}]: {shown(expected[index])} expected, nothing there"
    return f"{place}[{index}]: nothing expected, {shown(got[index])} found"


def _in_sets(expected: frozenset[Any], got: frozenset[Any], place: str) -> str:
    missing, extra = sorted(map(_shown, expected - got)), sorted(map(_shown, got - expected))
    parts = [f"{', '.join(missing)} expected and not there"] if missing else []
    parts += [f"{', '.join(extra)} found and not expected"] if extra else []
    return f"{place or 'the set'}: {'; '.join(parts)}"
