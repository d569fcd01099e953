"""The wire: what goes in comes out with its exact types, and no bytes do harm."""

import collections
import enum
import json
import math
import os
import threading

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from edgewise.checking.values import DEEPEST, Opaque, plain, same, shown
from edgewise.grading.workers import wire
from edgewise.grading.workers.channel import LARGEST, Channel, Malformed, parse
from edgewise.grading.workers.wire import decode, encode

bounded = settings(derandomize=True, max_examples=100, deadline=None)

atoms = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False)
    | st.text()
    | st.sampled_from(["$", "$tuple", "$kind"])
)
hashable = st.recursive(atoms, lambda inner: st.lists(inner).map(tuple) | st.frozensets(inner), max_leaves=6)
values = st.recursive(
    hashable,
    lambda inner: (
        st.lists(inner)
        | st.lists(inner).map(tuple)
        | st.sets(hashable)
        | st.dictionaries(hashable, inner)
        | st.dictionaries(st.text(), inner)
    ),
    max_leaves=12,
)
json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: (
        st.lists(inner)
        | st.dictionaries(st.text(), inner)
        | st.dictionaries(
            st.sampled_from(["$", "$int", "$float", "$opaque", "$kind", "$tuple", "$set", "$frozenset", "$dict", "$x"]),
            inner,
            max_size=1,
        )
    ),
    max_leaves=12,
)


class Colour(enum.StrEnum):
    RED = "red"


class Liar(str):
    def __eq__(self, other):
        return True

    def __hash__(self):
        return 0

    def __str__(self):
        return "a lie"

    def __len__(self):
        return 10**9


class Bag(dict):
    def items(self):
        return [("a", "lie")]

    def __iter__(self):
        return iter(["lie"])


class Meta(type):
    @property
    def __name__(cls):
        return "forged"


class Forged(metaclass=Meta):
    pass


def over_the_wire(value):
    return decode(parse(json.dumps(encode(value), allow_nan=False).encode()))


@bounded
@given(values)
def test_a_value_comes_out_as_checks_in_the_notebook_read_it(value):
    assert same(plain(over_the_wire(value)), plain(value))


@pytest.mark.parametrize(
    "value",
    [
        1,
        True,
        1.0,
        2**80,
        -(2**80),
        "a",
        "\ud800",
        [1],
        (1,),
        {1},
        frozenset({1}),
        {1: (2,)},
        {"$": 1},
        {"$tuple": [1]},
        None,
    ],
    ids=repr,
)
def test_exact_types_stay_apart(value):
    there = over_the_wire(value)

    assert (type(there), there) == (type(value), value)


@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf], ids=repr)
def test_numbers_that_json_does_not_have_come_through(value):
    assert repr(over_the_wire(value)) == repr(value)


@pytest.mark.parametrize(
    ("value", "data"),
    [
        (Colour.RED, {"$kind": ["Colour", "red"]}),
        (Liar("true"), {"$kind": ["Liar", "true"]}),
        (Bag(state="done"), {"$kind": ["Bag", {"state": "done"}]}),
        (collections.OrderedDict(a=1), {"$kind": ["OrderedDict", {"a": 1}]}),
        (object(), {"$opaque": "object"}),
        (Forged(), {"$opaque": "Forged"}),
        (b"bytes", {"$opaque": "bytes"}),
        ("x" * (wire.LONGEST_TEXT + 1), {"$opaque": "str of 1,000,001 characters"}),
        (1 << 40_000, {"$opaque": "int of 40,001 bits"}),
    ],
    ids=["enum", "liar", "bag", "ordered", "object", "forged name", "bytes", "long text", "long number"],
)
def test_a_subclass_is_its_base_value_with_a_tag_and_none_of_its_methods_is_called(value, data):
    assert encode(value) == data


def test_a_subclass_comes_out_as_its_base_value():
    assert over_the_wire([Colour.RED, Bag(state=Liar("x")), object()]) == ["red", {"state": "x"}, Opaque("object")]


def test_a_value_that_holds_itself_has_an_end():
    value = []
    value.append(value)

    assert str(over_the_wire(value)).count("[") == DEEPEST


def test_a_handle_is_the_very_object():
    thing = {"state": "done"}

    assert decode([{"$": 3}, {"$tuple": [{"$": 3}]}], {3: thing})[0] is thing


def test_a_handle_means_nothing_to_who_holds_no_objects():
    with pytest.raises(Malformed) as caught:
        decode({"$": 3})

    assert str(caught.value) == "a value has an unknown tag '$'"


@bounded
@given(json_values)
def test_any_json_is_a_value_or_malformed(data):
    try:
        decode(data)
    except Malformed:
        return
    assert encode(decode(data)) is not ...


@bounded
@given(st.binary())
def test_any_bytes_are_json_or_malformed(data):
    try:
        parse(data)
    except Malformed:
        return
    assert json.loads(data) is not ...


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"[" * 100_000, "a message is no JSON of ours: maximum recursion depth exceeded while decoding a JSON array"),
        (b"NaN", "a message is no JSON of ours: NaN stands for no value"),
        (b"[" + b"0," * 1_000_001, "a message has 1,000,002 items, the most is 1,000,000"),
        (
            b"\xff",
            "a message is no JSON of ours: 'utf-8' codec can't decode byte 0xff in position 0: invalid start byte",
        ),
    ],
    ids=["deep", "nan", "wide", "no text"],
)
def test_hostile_bytes_are_malformed(data, message):
    with pytest.raises(Malformed) as caught:
        parse(data)

    assert str(caught.value).startswith(message[:90])


@pytest.mark.parametrize(
    ("data", "message"),
    [
        ({"$int": "12"}, "a whole number is not written as one"),
        ({"$int": "zz"}, "a whole number is not written as one"),
        ({"$int": "0x" + "f" * 20_000}, "a whole number is not written as one"),
        ({"$float": "1e400"}, "a number is not written as one"),
        ({"$dict": [[1]]}, "a value has an unknown tag '$dict'"),
        ({"$kind": ["x"]}, "a value has an unknown tag '$kind'"),
        ({"$eval": "1"}, "a value has an unknown tag '$eval'"),
    ],
)
def test_a_tag_that_holds_something_else_is_malformed(data, message):
    with pytest.raises(Malformed) as caught:
        decode(data)

    assert str(caught.value) == message


def test_a_value_nested_too_deeply_is_malformed():
    data = "x"
    for _ in range(100):
        data = [data, 1]

    with pytest.raises(Malformed) as caught:
        decode(data)

    assert str(caught.value) == "a value is nested too deeply"


def test_what_stands_inside_texts_is_no_item():
    text = "[,{" * 400_000 + '\\",'

    assert parse(json.dumps([text]).encode()) == [text]


@pytest.mark.parametrize("tag", ["$set", "$frozenset", "$dict"])
def test_numbers_that_collide_are_not_looked_up(tag):
    """All of these have the hash 0."""
    numbers = [number * (2**61 - 1) for number in range(20_000)]
    data = {tag: [[number, 1] for number in numbers] if tag == "$dict" else numbers}
    said = "dict whose keys collide" if tag == "$dict" else "set whose members collide"

    assert decode(data) == Opaque(said)


def test_numbers_that_do_not_collide_make_a_large_set():
    assert over_the_wire(set(range(5_000))) == set(range(5_000))


def test_a_number_too_long_to_be_written_is_opaque():
    assert [shown(over_the_wire(10**digits)) for digits in (4_000, 5_000)] == [
        shown(10**4_000),
        "<int of 16,610 bits object>",
    ]


@pytest.fixture
def pipe():
    reader, writer = os.pipe()
    yield reader, writer
    os.close(reader)


def sent(pipe, data):
    os.write(pipe[1], data)
    os.close(pipe[1])
    return Channel(pipe[0], -1)


def test_a_message_goes_through_a_pipe(pipe):
    Channel(-1, pipe[1]).send({"a": [1, "ä"]})
    os.close(pipe[1])
    channel = Channel(pipe[0], -1)

    assert [channel.receive(), channel.receive()] == [{"a": [1, "ä"]}, None]


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"\xff\xff\xff\xff", "a message announces 4,294,967,295 bytes, the most is 8,388,608"),
        (b"\x00\x00", "a message ends in its middle"),
        (b"\x00\x00\x00\x05[1", "a message ends in its middle"),
    ],
)
def test_a_message_that_is_cut_or_too_long_is_malformed(pipe, data, message):
    with pytest.raises(Malformed) as caught:
        sent(pipe, data).receive()

    assert str(caught.value) == message


def test_whoever_waits_for_an_answer_waits_no_longer_than_was_agreed(pipe):
    channel = Channel(*pipe)
    channel.wait_for(0)
    with pytest.raises(TimeoutError) as caught:
        channel.receive()
    os.close(pipe[1])

    assert str(caught.value) == "nobody answers any more"


def test_whoever_reads_nothing_is_not_waited_for_either(pipe):
    channel = Channel(*pipe)
    channel.wait_for(0)
    with pytest.raises(TimeoutError):
        channel.send("x" * 1_000_000)
    os.close(pipe[1])


def test_a_message_goes_through_while_both_sides_wait(pipe):
    channel = Channel(*pipe)
    channel.wait_for(30)
    sender = threading.Thread(target=channel.send, args=("x" * 1_000_000,))
    sender.start()
    got = channel.receive()
    sender.join()
    os.close(pipe[1])

    assert got == "x" * 1_000_000


def test_a_message_too_long_to_send_is_malformed():
    with pytest.raises(Malformed) as caught:
        Channel(-1, -1).send("x" * LARGEST)

    assert str(caught.value) == "a message has 8,388,610 bytes, the most is 8,388,608"
