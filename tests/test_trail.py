"""A history that only grows."""

import copy
import pickle

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from edgewise.trail import Trail

MILLION = 1_000_000


def test_append_gives_a_longer_trail_and_leaves_this_one_as_it_was():
    """M-17, M-19."""
    trail = Trail(["a"])
    longer = trail.append("b")

    assert (list(trail), list(longer)) == (["a"], ["a", "b"])


def test_two_trails_that_grew_from_one_do_not_meet():
    """M-41: an append from an older trail copies its part."""
    trail = Trail(["a"])
    left, right = trail.append("left"), trail.append("right")

    assert (list(left.append("end")), list(right.append("end"))) == (["a", "left", "end"], ["a", "right", "end"])


@settings(derandomize=True)
@given(st.lists(st.tuples(st.integers(0, 100), st.sampled_from("abc")), max_size=30))
def test_however_trails_grow_they_are_the_lists_they_stand_for(appends):
    """M-17, M-41: appends from the tip and from older trails, against copied lists."""
    trails, lists = [Trail()], [[]]
    for place, name in appends:
        trails.append(trails[place % len(trails)].append(name))
        lists.append([*lists[place % len(lists)], name])

    assert [list(trail) for trail in trails] == lists
    assert [[trail.count(name) for name in "abcd"] for trail in trails] == [
        [names.count(name) for name in "abcd"] for names in lists
    ]


@settings(derandomize=True)
@given(
    st.lists(st.sampled_from("abc"), max_size=6), st.integers(-8, 8), st.integers(-8, 8), st.sampled_from([1, 2, -1])
)
def test_a_trail_reads_like_a_list(names, first, last, stride):
    trail = Trail(names).append("z")
    trail.append("beyond")
    names = [*names, "z"]

    assert trail[first:last:stride] == names[first:last:stride]
    assert [trail[place] for place in range(-len(names), len(names))] == names * 2
    assert (list(reversed(trail)), trail.index("z"), "z" in trail, "beyond" in trail) == (
        names[::-1],
        len(names) - 1,
        True,
        False,
    )


@pytest.mark.parametrize("place", [2, -3])
def test_a_place_beyond_the_trail_is_named(place):
    trail = Trail(["a", "b"])
    trail.append("beyond")

    with pytest.raises(IndexError) as caught:
        trail[place]

    assert str(caught.value) == f"the trail has 2 names; there is no name at {place}"


def test_a_name_that_is_no_text_was_never_met():
    assert (Trail(["a"]).count(1), Trail(["a"]).count(["a"]), None in Trail(["a"])) == (0, 0, False)


@pytest.mark.parametrize(
    ("other", "same"),
    [
        (Trail(["a", "b"]), True),
        (["a", "b"], True),
        (("a", "b"), True),
        (["a"], False),
        (["b", "a"], False),
        ("ab", False),
    ],
)
def test_a_trail_equals_the_same_names_in_a_trail_list_or_tuple(other, same):
    trail = Trail(["a"]).append("b")

    assert (trail == other, trail != other) == (same, not same)


def test_a_trail_has_no_hash_as_a_list_has_none():
    with pytest.raises(TypeError, match="unhashable type: 'Trail'"):
        hash(Trail())


def test_its_repr_makes_it_again():
    assert repr(Trail(["a"]).append("b")) == "Trail(['a', 'b'])"


@pytest.fixture(scope="module")
def long_trail():
    trail = Trail()
    for number in range(MILLION):
        trail = trail.append("ab"[number % 2])
    return trail


def test_a_million_entries_are_compared_counted_and_printed(long_trail):
    """M-41: nothing recurses."""
    assert long_trail == ["a", "b"] * (MILLION // 2)
    assert (long_trail.count("a"), len(repr(long_trail))) == (MILLION // 2, len("Trail([])") + 5 * MILLION - 2)


@pytest.mark.parametrize("duplicate", [copy.copy, copy.deepcopy, lambda trail: pickle.loads(pickle.dumps(trail))])
def test_a_million_entries_are_copied_and_pickled(long_trail, duplicate):
    """M-41: and a duplicate goes its own way."""
    other = duplicate(long_trail)

    assert (other == long_trail, len(other.append("c")), len(long_trail)) == (True, MILLION + 1, MILLION)
