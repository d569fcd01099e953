"""Values between judge and worker: JSON whose tags keep Python's types apart.

What a worker sends is somebody else's: nothing here trusts it, and what is odd raises Malformed. Values are read
without calling any of their own methods, as `checking.values.plain` reads them.
"""

from __future__ import annotations

import copy
from collections import Counter
from collections.abc import Callable, Mapping
from math import isfinite
from typing import Any

from edgewise.checking.values import DEEPEST, WIDEST, Opaque, plain, shown
from edgewise.grading.workers.channel import Malformed

LONGEST_TEXT = 1_000_000
LONGEST_NUMBER = 3_500
NAME = 80
"""The most characters of a string, of a whole number in hexadecimal (Python writes none much longer), of a name."""

MOST_ALIKE = 100
"""The most members of a set or keys of a dict with the same hash: to find one takes as many looks."""

_SMALL = 2**63

# --- Out ----------------------------------------------------------------------------------------------


def encode(value: Any) -> Any:
    """`value` as JSON data: exact types stay apart, a subclass is its base value with a tag, the rest is opaque."""
    return value if type(value) is dict and _is_ready(value) else _encode(value, 0, [WIDEST])


def _is_ready(value: dict[Any, Any]) -> bool:
    """Whether a dict is its own JSON: the usual snapshots and events, told quickly."""
    for key, item in value.items():
        kind = type(item)
        if type(key) is not str or key[:1] == "$":
            return False
        if kind is list:
            if not set(map(type, item)) <= _ONLY_TEXT or len(item) > WIDEST or len("".join(item)) > LONGEST_TEXT:
                return False
        elif item is not None and (kind is not str or len(item) > LONGEST_TEXT):
            return False
    return len(value) <= WIDEST


_ONLY_TEXT = {str}


def _encode(value: Any, depth: int, left: list[int]) -> Any:
    kind = type(value)
    if value is None or kind is bool:
        return value
    for base, write in _ATOMS:
        if issubclass(kind, base):
            return _tagged(kind, base, write(value))
    if depth >= DEEPEST or left[0] < 0:
        return _opaque(kind)
    if issubclass(kind, dict):
        items = [*dict.items(value)]
        left[0] -= 1 + len(items)
        pairs = [[_encode(key, depth + 1, left), _encode(item, depth + 1, left)] for key, item in items]
        return _tagged(kind, dict, _table(pairs))
    for base, name in _SEQUENCES:
        if issubclass(kind, base):
            left[0] -= 1 + base.__len__(value)
            listed = [_encode(item, depth + 1, left) for item in base.__iter__(value)]
            return _tagged(kind, base, listed if base is list else {name: listed})
    return _opaque(kind)


def _table(pairs: list[list[Any]]) -> Any:
    """An object where every key is a text that can't be mistaken for a tag, else pairs."""
    if all(type(key) is str and key[:1] != "$" for key, _ in pairs):
        return dict(pairs)
    return {"$dict": pairs}


def _tagged(kind: type, base: type, data: Any) -> Any:
    return data if kind is base else {"$kind": [_name(kind), data]}


def _opaque(kind: type) -> dict[str, str]:
    return {"$opaque": _name(kind)}


def _name(kind: type) -> str:
    """The name of a type, which its metaclass may not forge."""
    name: str = type.__dict__["__name__"].__get__(kind)
    return name[:NAME]


def _text(value: Any) -> Any:
    text = str.__str__(value)
    return text if len(text) <= LONGEST_TEXT else {"$opaque": f"str of {len(text):,} characters"}


def _whole(value: Any) -> Any:
    number = int.__int__(value)
    if -_SMALL < number < _SMALL:
        return number
    written = hex(number)
    return {"$int": written} if len(written) <= LONGEST_NUMBER else {"$opaque": f"int of {number.bit_length():,} bits"}


def _real(value: Any) -> Any:
    number = float.__float__(value)
    return number if isfinite(number) else {"$float": repr(number)}


_ATOMS: tuple[tuple[Any, Callable[[Any], Any]], ...] = ((str, _text), (int, _whole), (float, _real))
_SEQUENCES: tuple[tuple[Any, str], ...] = (
    (list, "$list"),
    (tuple, "$tuple"),
    (set, "$set"),
    (frozenset, "$frozenset"),
)


# --- In -----------------------------------------------------------------------------------------------


def decode(data: Any, things: Mapping[int, Any] | None = None) -> Any:
    """The value that `data` stands for, a subclass as its base value. Raises Malformed.

    `{"$": 3}` is the very object that `things` holds under 3; a KeyError where it holds none.
    """
    return _decode(data, things, 0)


def _decode(data: Any, things: Mapping[int, Any] | None, depth: int) -> Any:
    kind = type(data)
    if kind in _PLAIN:
        return data
    if depth > 3 * DEEPEST:
        raise Malformed("a value is nested too deeply")
    if kind is list:
        if set(map(type, data)) == {str}:
            return data
        return [_decode(item, things, depth + 1) for item in data]
    tag = next(iter(data)) if len(data) == 1 else ""
    if tag[:1] == "$":
        return _untag(tag, data[tag], things, depth)
    return {
        key: item if type(item) is str or item is None else _decode(item, things, depth + 1)
        for key, item in data.items()
    }


_PLAIN = {str, int, float, bool, type(None)}


def _untag(tag: str, data: Any, things: Mapping[int, Any] | None, depth: int) -> Any:
    if tag in ("$", "$copy") and things is not None and type(data) is int:
        return things[data] if tag == "$" else copied(things[data])
    if tag == "$kind" and _is_pair(data) and type(data[0]) is str:
        return _decode(data[1], things, depth + 1)
    if tag in _SCALARS and type(data) is str:
        return _SCALARS[tag](data)
    if tag in _MAKE and type(data) is list:
        return _made(tag, [_decode(item, things, depth + 1) for item in data])
    if tag == "$dict" and type(data) is list and all(map(_is_pair, data)):
        keys = [_key(_decode(key, things, depth + 1)) for key, _ in data]
        if _collide(keys):
            return Opaque("dict whose keys collide")
        return {key: _decode(item, things, depth + 1) for key, (_, item) in zip(keys, data, strict=True)}
    raise Malformed(f"a value has an unknown tag {tag[:NAME]!r}")


def copied(thing: Any) -> Any:
    """A copy of an object of somebody else's, as far as it can be copied."""
    try:
        return copy.deepcopy(thing)
    except Exception:  # it is student code that is copied
        return plain(thing)


def _is_pair(data: Any) -> bool:
    return type(data) is list and len(data) == 2


def _made(tag: str, items: list[Any]) -> Any:
    if tag == "$tuple":
        return tuple(items)
    keys = [*map(_key, items)]
    return Opaque("set whose members collide") if _collide(keys) else _MAKE[tag](keys)


def _collide(keys: list[Any]) -> bool:
    """Whether these were chosen so that to look one up is to look at many: numbers can be, texts can't."""
    return len(keys) > MOST_ALIKE and max(Counter(map(hash, keys)).values()) > MOST_ALIKE


def _key(value: Any) -> Any:
    """A value that a dict or a set can hold."""
    try:
        hash(value)
    except TypeError:
        return shown(value)
    return value


def _number(text: str) -> int:
    try:
        number = int(text, 16) if len(text) <= LONGEST_NUMBER else 0
    except ValueError:
        number = 0
    if hex(number) != text:
        raise Malformed("a whole number is not written as one")
    return number


def _special(text: str) -> float:
    if text not in ("nan", "inf", "-inf"):
        raise Malformed("a number is not written as one")
    return float(text)


def _closed(kind: str) -> Opaque:
    return Opaque(kind[:NAME])


_SCALARS: dict[str, Callable[[str], Any]] = {"$int": _number, "$float": _special, "$opaque": _closed}
_MAKE: dict[str, Callable[[Any], Any]] = {"$tuple": tuple, "$set": set, "$frozenset": frozenset}
