"""What is wrong with a table: every sentence, word for word, and all of them at once."""

import pickle

import networkx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from edgewise.machine import STATES, STORM, TRANSITIONS, Machine, TableError, problems

DOOR = [("open", "close", "shut"), ("shut", "lock", "locked")]


@pytest.mark.parametrize("table", [TRANSITIONS, STORM, DOOR, [list(row) for row in DOOR], iter(DOOR)])
def test_a_sound_table_has_no_problems(table):
    """M-38: a mapping, or rows."""
    assert problems(table, caps={}) == ()


@pytest.mark.parametrize(
    ("table", "given", "sentence"),
    [
        ([*DOOR, 3], {}, "row 3 is 3; a row is (state, event, target), three strings"),
        (
            [*DOOR, ("shut", "open")],
            {},
            "row 3 is ('shut', 'open'); a row is (state, event, target), three strings",
        ),
        ([*DOOR, None], {}, "row 3 is None; a row is (state, event, target), three strings"),
        (
            [*DOOR, ("shut", "open", ["open"])],
            {},
            "row 3 is ('shut', 'open', ['open']); a row is (state, event, target), three strings",
        ),
        (
            {("open", "close"): "shut", "shut": "locked"},
            {},
            "row 2 is ('shut', 'locked'); a row is (state, event, target), three strings",
        ),
        (
            {("open", "close"): "shut", ("shut", 7): "locked"},
            {},
            "row 2 is ('shut', 7, 'locked'); a row is (state, event, target), three strings",
        ),
        ({}, {}, "there is no state; a machine needs one to start in"),
        (DOOR, {"states": ["open", "shut", "locked", ["ajar"]]}, "the states hold ['ajar']; a state is a string"),
        (
            [*DOOR, ("shut", " ", "open")],
            {},
            "row 3 ('shut', ' ', 'open') has a blank name; a state and an event need a visible character",
        ),
        (
            [*DOOR, ("shut", "push", "")],
            {},
            "row 3 ('shut', 'push', '') has a blank name; a state and an event need a visible character",
        ),
        (
            DOOR,
            {"states": ["open", "shut"]},
            "row 2 ('shut', 'lock') leads to 'locked', which is not declared; declared: 'open', 'shut'",
        ),
        (
            [*DOOR, ("ajar", "push", "open")],
            {"states": ["open", "shut", "locked"]},
            "row 3 ('ajar', 'push') starts from 'ajar', which is not declared; declared: 'open', 'shut', 'locked'",
        ),
        (
            [*DOOR, ("open", "close", "locked")],
            {},
            "row 3 leads ('open', 'close') to 'locked', and row 1 leads it to 'shut'; one pair has one target",
        ),
        (
            [*DOOR, DOOR[0]],
            {},
            "row 3 leads ('open', 'close') to 'shut', and row 1 leads it to 'shut'; one pair has one target",
        ),
        (DOOR, {"initial": "ajar"}, "the initial state 'ajar' is not declared; declared: 'open', 'shut', 'locked'"),
        (DOOR, {"states": ["open", "shut", "locked", "ajar"]}, "'ajar' cannot be reached from 'open'"),
        (DOOR, {"initial": "shut"}, "'open' cannot be reached from 'shut'"),
        (
            [*DOOR, ("shut", "jam", "stuck"), ("stuck", "push", "stuck")],
            {},
            "no terminal state can be reached from 'stuck'; terminal: 'locked'",
        ),
        (
            DOOR,
            {"caps": {"ajar": 1}},
            "a cap is set on 'ajar', which is not declared; declared: 'open', 'shut', 'locked'",
        ),
        (DOOR, {"caps": {"shut": 0}}, "the cap on 'shut' is 0; a cap is a whole number from 1 up"),
        (DOOR, {"caps": {"shut": -1}}, "the cap on 'shut' is -1; a cap is a whole number from 1 up"),
        (DOOR, {"caps": {"shut": 1.5}}, "the cap on 'shut' is 1.5; a cap is a whole number from 1 up"),
        (DOOR, {"caps": {"shut": True}}, "the cap on 'shut' is True; a cap is a whole number from 1 up"),
        (DOOR, {"caps": {"shut": None}}, "the cap on 'shut' is None; a cap is a whole number from 1 up"),
    ],
)
def test_one_fault_is_one_sentence(table, given, sentence):
    """M-33, M-38."""
    assert problems(table, **given) == (sentence,)


def test_a_blank_name_among_the_states_is_a_problem():
    """M-38: it cannot be reached either, which is said as well."""
    assert problems(DOOR, states=["open", "shut", "locked", " "]) == (
        "the states hold ' ', a blank name; a state needs a visible character",
        "' ' cannot be reached from 'open'",
    )


def test_a_run_that_can_never_end_is_said_of_each_state():
    assert problems([("a", "x", "b"), ("b", "y", "a")]) == (
        "no terminal state can be reached from 'a'; terminal: none",
        "no terminal state can be reached from 'b'; terminal: none",
    )


def test_every_problem_is_named_at_once_in_a_fixed_order():
    """M-38."""
    assert problems(
        [("a", "x", "b"), ("a", "x", "c"), ("b", "", "lost"), ("c", "x", "c")],
        states=["a", "b", "c", "island"],
        caps={"nowhere": 0},
    ) == (
        "row 3 ('b', '', 'lost') has a blank name; a state and an event need a visible character",
        "row 3 ('b', '') leads to 'lost', which is not declared; declared: 'a', 'b', 'c', 'island'",
        "row 2 leads ('a', 'x') to 'c', and row 1 leads it to 'b'; one pair has one target",
        "'island' cannot be reached from 'a'",
        "no terminal state can be reached from 'c'; terminal: 'island', 'lost'",
        "a cap is set on 'nowhere', which is not declared; declared: 'a', 'b', 'c', 'island'",
        "the cap on 'nowhere' is 0; a cap is a whole number from 1 up",
    )


def test_reachability_waits_until_every_entry_is_a_row():
    """An entry that is no row might have been the way."""
    assert problems([("a", "x", "b"), ("b", "y")], states=["a", "b", "c"]) == (
        "row 2 is ('b', 'y'); a row is (state, event, target), three strings",
    )


def test_building_raises_one_error_with_the_same_list():
    """M-38."""
    faulty = {"table": [*DOOR, ("shut", "jam")], "caps": {"shut": 0}, "initial": "ajar"}

    with pytest.raises(TableError) as caught:
        Machine(**faulty)

    assert caught.value.problems == problems(**faulty)
    assert str(caught.value) == "\n".join(problems(**faulty))
    assert pickle.loads(pickle.dumps(caught.value)).problems == problems(**faulty)


def test_a_state_declared_twice_is_declared():
    assert Machine(DOOR, states=["open", "shut", "open", "locked"]).states == ("open", "shut", "locked")


def test_a_long_chain_is_judged_without_recursion():
    chain = [(str(number), "on", str(number + 1)) for number in range(20_000)]

    assert problems(chain, caps={"20000": 1}) == ()


states = st.sampled_from("abcdef")


@settings(derandomize=True)
@given(st.lists(st.tuples(states, st.sampled_from("xyz"), states), max_size=10, unique_by=lambda row: row[:2]))
def test_reachability_agrees_with_networkx(rows):
    """M-38: networkx is the second road."""
    graph = networkx.MultiDiGraph()
    graph.add_nodes_from("abcdef")
    graph.add_edges_from((source, target) for source, _, target in rows)
    ends = [node for node in "abcdef" if not graph.out_degree(node)]
    listed = ", ".join(map(repr, ends)) or "none"

    assert problems(rows, states="abcdef", initial="a") == (
        *(f"{node!r} cannot be reached from 'a'" for node in "abcdef" if not networkx.has_path(graph, "a", node)),
        *(
            f"no terminal state can be reached from {node!r}; terminal: {listed}"
            for node in "abcdef"
            if not any(networkx.has_path(graph, node, end) for end in ends)
        ),
    )


def test_the_five_states_are_sound_with_their_caps():
    assert problems(STORM, states=STATES, initial="planning", caps={"retrieving": 3}) == ()
