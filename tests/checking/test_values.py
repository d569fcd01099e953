"""Values that student code returned: read without calling any of their methods, compared by type, shown in one line."""

from collections import Counter, OrderedDict, defaultdict, deque, namedtuple
from enum import Enum, IntEnum, StrEnum

import pytest

from edgewise.checking.values import SHOWN, Opaque, Words, first_difference, plain, same, shown, type_name


class Old(str, Enum):  # noqa: UP042  # the older spelling prints otherwise
    DONE = "done"


class New(StrEnum):
    DONE = "done"


class Number(IntEnum):
    THREE = 3


class LyingText(str):
    """Says that it equals everything and is something else."""

    def __eq__(self, other):
        return True

    __hash__ = str.__hash__

    def __str__(self):
        return "done"


class LyingList(list):
    def __iter__(self):
        return iter(["planning", "retrieving"])

    def __len__(self):
        return 2

    def __eq__(self, other):
        return True


class LyingDict(dict):
    def items(self):
        return {"state": "done"}.items()

    def __getitem__(self, key):
        raise RuntimeError(key)

    def get(self, key, default=None):
        raise RuntimeError(key)


class Chameleon:
    """Not a dict, whatever it says."""

    @property
    def __class__(self):
        return dict

    def __eq__(self, other):
        return True

    def __hash__(self):
        raise RuntimeError


class Nameless(type):
    @property
    def __name__(cls):
        raise RuntimeError


class Named(metaclass=Nameless):
    pass


Pair = namedtuple("Pair", "one two")


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (None, None),
        (True, True),
        (Old.DONE, "done"),
        (New.DONE, "done"),
        (Number.THREE, 3),
        (LyingText("planning"), "planning"),
        (LyingList(["refusing"]), ["refusing"]),
        (LyingDict(state="planning"), {"state": "planning"}),
        (OrderedDict(b=1, a=2), {"b": 1, "a": 2}),
        (defaultdict(list, a=[1]), {"a": [1]}),
        (Counter("aab"), {"a": 2, "b": 1}),
        (Pair(1, (2,)), (1, (2,))),
        ({1, 2}, frozenset({1, 2})),
        ({(1, Old.DONE): {New.DONE}}, {(1, "done"): frozenset({"done"})}),
        ({frozenset({1})}, frozenset({frozenset({1})})),
        (deque([1]), Opaque("deque")),
        (b"bytes", Opaque("bytes")),
        (object, Opaque("type")),
        (Chameleon(), Opaque("Chameleon")),
        (Named(), Opaque("Named")),
        ({Chameleon.__name__: Chameleon()}, {"Chameleon": Opaque("Chameleon")}),
    ],
    ids=type_name,
)
def test_a_value_is_read_as_what_it_is(value, expected):
    read = plain(value)

    assert same(read, expected)


def test_a_key_that_can_not_be_hashed_becomes_a_text():
    class Tagged(tuple):
        __slots__ = ()
        __hash__ = object.__hash__

    assert plain({Tagged([["a"], "b"]): 1}) == {"(['a'], 'b')": 1}


def test_a_copy_shares_nothing():
    value = {"visited": ["planning"]}
    read = plain(value)
    value["visited"].append("done")

    assert read == {"visited": ["planning"]}


def cycle():
    value = []
    value.append(value)
    return value


def bushy_cycle():
    value = {}
    value.update(dict.fromkeys(range(20), value))
    return value


def doubled():
    value = []
    for _ in range(100):
        value = [value, value]
    return value


def deep():
    value = ()
    for _ in range(100_000):
        value = (value,)
    return value


@pytest.mark.parametrize("make", [cycle, bushy_cycle, doubled, deep])
def test_a_value_without_end_is_cut(make):
    assert len(shown(plain(make()))) <= SHOWN + 40


def test_a_long_list_is_read_whole():
    assert len(plain({"visited": ["done"] * 10_000})["visited"]) == 10_000


@pytest.mark.parametrize(
    ("one", "other"),
    [(True, 1), (1, 1.0), ([1], (1,)), ([True], [1]), ({"a": 1}, {"a": True}), ({"a": [1]}, {"a": [1.0]}), ("a", None)],
)
def test_values_of_different_types_are_not_the_same(one, other):
    assert (same(one, other), same(other, one), same(one, one)) == (False, False, True)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("it's", '"it\'s"'),
        (frozenset({"b", "a"}), "{'a', 'b'}"),
        (frozenset(), "set()"),
        ({"b": [1, None], "a": (1,)}, "{'b': [1, None], 'a': (1,)}"),
        (((), (1, 2)), "((), (1, 2))"),
        (Opaque("deque"), "<deque object>"),
        ([Opaque("deque"), frozenset({2, 1})], "[<deque object>, {1, 2}]"),
        ("x" * 500, f"'{'x' * 199} … 102 characters … {'x' * 199}'"),
    ],
)
def test_a_value_is_shown_in_one_line(value, text):
    assert shown(value) == text


@pytest.mark.parametrize(
    ("expected", "got", "words"),
    [
        ({"a": 1}, {"a": 1}, None),
        ({"a": 1}, {}, "['a']: 1 expected, nothing there"),
        ({"a": 1}, {"a": 1, "b": 2}, "['b']: nothing expected, 2 found"),
        ({"a": [1, 2]}, {"a": [1, 3]}, "['a'][1]: 2 expected, 3 found"),
        ([1, 2], [1], "[1]: 2 expected, nothing there"),
        ((1,), (1, 2), "[1]: nothing expected, 2 found"),
        (1, True, "the value: 1 expected, True found (a bool, not an int)"),
        ("done", None, "the value: 'done' expected, None found"),
        (None, "done", "the value: None expected, 'done' found"),
        (Words("a sentence"), None, "the value: ‹a sentence› expected, None found"),
        (Words("a sentence"), 3, "the value: ‹a sentence› expected, 3 found"),
        ({"a": [1]}, {"a": (1,)}, "['a']: [1] expected, (1,) found (a tuple, not a list)"),
        (frozenset("ab"), frozenset("bc"), "the set: 'a' expected and not there; 'c' found and not expected"),
        (frozenset("ab"), frozenset("a"), "the set: 'b' expected and not there"),
        ({"s": frozenset()}, {"s": frozenset("z")}, "['s']: 'z' found and not expected"),
    ],
)
def test_the_first_difference_is_pointed_at(expected, got, words):
    assert first_difference(expected, got) == words
