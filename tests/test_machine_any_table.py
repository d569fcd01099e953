"""`Machine`: steps, caps, replay, and the same behaviour as the dict-shaped `step`."""

import copy
import pickle
import tracemalloc
from itertools import pairwise

import networkx
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from edgewise.machine import (
    MAX_VISITS,
    STATES,
    STORM,
    TRANSITIONS,
    Machine,
    Snapshot,
    UnknownStateError,
    replay,
    start,
    step,
    terminal,
)
from edgewise.trail import Trail

FIVE = Machine(TRANSITIONS, states=STATES)
CAPPED = Machine(STORM, states=STATES, caps={"retrieving": MAX_VISITS})
EVENTS = ("plan_ready", "out_of_scope", "hits", "no_hits", "answered", "refused", "retry", "")


def events(text):
    return [{"name": name} for name in text.split()]


def test_a_machine_is_built_from_a_mapping_or_from_rows():
    """M-38."""
    rows = Machine((source, event, target) for (source, event), target in TRANSITIONS.items())

    assert (rows.table, rows.states, rows.initial, rows.caps) == (
        FIVE.table,
        ("planning", "retrieving", "refusing", "answering", "done"),
        "planning",
        {},
    )


def test_a_run_begins_where_it_is_told():
    assert Machine([("b", "x", "a"), ("a", "y", "c")], initial="b").start() == Snapshot("b", Trail(["b"]))


def test_a_later_change_of_the_table_or_the_caps_changes_no_machine():
    table, caps = dict(STORM), {"retrieving": 3}
    machine = Machine(table, caps=caps)
    table.clear()
    caps.clear()

    assert (machine.table, machine.caps) == (STORM, {"retrieving": 3})


def test_events_lists_what_is_declared_in_a_state():
    """M-39."""
    assert [CAPPED.events(state) for state in STATES] == [
        ("plan_ready", "out_of_scope"),
        ("hits", "no_hits", "retry"),
        ("answered",),
        ("refused",),
        (),
    ]


def test_terminal_is_read_off_the_table():
    """M-05, M-39."""
    assert FIVE.terminal == terminal(TRANSITIONS) == {"done"}


@settings(derandomize=True)
@given(st.lists(st.sampled_from(EVENTS), max_size=12))
def test_a_machine_of_the_five_states_answers_as_step_does(names):
    """M-09 to M-26, for the class: the same values, by another road."""
    snapshot, plain = FIVE.start(), start()
    for name in names:
        snapshot, plain = FIVE.step(snapshot, {"name": name}), step(plain, {"name": name})

        assert snapshot.as_dict() == plain


def test_as_dict_hands_out_a_list_of_its_own():
    """M-20."""
    snapshot = FIVE.start()
    snapshot.as_dict()["visited"].append("spoilt")

    assert snapshot.as_dict() == start()


# --- Caps -------------------------------------------------------------------------------------------


def test_the_first_visit_and_two_retries_are_granted_and_the_third_retry_is_refused():
    """M-29, M-30, M-31."""
    second, third = (CAPPED.replay(events("plan_ready" + " retry" * number)) for number in (2, 3))

    assert (second.visited.count("retrieving"), second.rejected) == (3, None)
    assert third == Snapshot(
        "retrieving",
        second.visited,
        "'retry' would enter 'retrieving' again, which may be entered at most 3 times (limit 3)",
    )


def test_attempts_that_were_refused_count_for_nothing():
    """M-29: entries in `visited` count, and not attempts."""
    snapshot = CAPPED.replay(events("plan_ready retry" + " answered" * 5 + " retry"))

    assert (snapshot.visited.count("retrieving"), snapshot.rejected) == (3, None)


@pytest.mark.parametrize(("name", "target"), [("hits", "answering"), ("no_hits", "refusing")])
def test_a_spent_cap_strands_no_run(name, target):
    """M-32."""
    spent = CAPPED.replay(events("plan_ready retry retry retry"))

    assert CAPPED.step(spent, {"name": name}) == Snapshot(target, spent.visited.append(target))


def test_a_cap_of_one_forbids_coming_back():
    """M-33: and a state that was the first counts as entered."""
    machine = Machine([("a", "x", "b"), ("b", "back", "a"), ("b", "end", "c")], caps={"a": 1})

    assert machine.replay(events("x back")) == Snapshot(
        "b", Trail(["a", "b"]), "'back' would enter 'a' again, which may be entered at most once (limit 1)"
    )


def test_each_cap_stands_for_itself():
    """M-33."""
    table = {("a", "x"): "a", ("a", "go"): "b", ("b", "y"): "b", ("b", "end"): "c"}
    machine = Machine(table, caps={"a": 2, "b": 3})

    assert list(machine.replay(events("x x x go y y y y end")).visited) == ["a", "a", "b", "b", "b", "c"]


def test_without_a_cap_a_run_need_never_end():
    """M-28."""
    assert len(Machine(STORM).replay(events("plan_ready" + " retry" * 1000)).visited) == 1002


@st.composite
def capped_machines(draw):
    """A machine of up to five states whose every cycle passes a capped one."""
    size = draw(st.integers(2, 5))
    names = "abcde"[:size]
    chain = {(source, "on"): target for source, target in pairwise(names)}
    extra = draw(
        st.dictionaries(st.tuples(st.sampled_from(names[:-1]), st.sampled_from("xyz")), st.sampled_from(names))
    )
    caps = draw(st.dictionaries(st.sampled_from(names), st.integers(1, 3)))
    graph = networkx.DiGraph((source, target) for (source, _), target in (chain | extra).items())
    graph.remove_nodes_from(caps)
    assume(networkx.is_directed_acyclic_graph(graph))
    return Machine(chain | extra, states=names, caps=caps)


@settings(derandomize=True, deadline=None)
@given(capped_machines(), st.randoms(use_true_random=False))
def test_with_every_cycle_capped_every_run_ends(machine, random):
    """M-34: between two entries of capped states a run meets each uncapped one at most once."""
    longest = (sum(machine.caps.values()) + 1) * len(machine.states)
    snapshot = machine.start()
    for _ in range(longest + 1):
        moves = [machine.step(snapshot, {"name": name}) for name in machine.events(snapshot.state)]
        open_moves = [move for move in moves if move.rejected is None]
        if not open_moves:
            break
        snapshot = random.choice(open_moves)

    assert len(snapshot.visited) <= longest


# --- Replay, and the caller's bug -------------------------------------------------------------------


@settings(derandomize=True)
@given(st.lists(st.sampled_from(EVENTS), max_size=12), st.integers(0, 12))
def test_a_replay_may_go_on_from_any_snapshot(names, length):
    """M-26."""
    log = [{"name": name} for name in names]

    assert CAPPED.replay(log[length:], CAPPED.replay(log[:length])) == CAPPED.replay(log)


def test_replay_runs_the_five_states():
    """M-23, M-26."""
    assert replay(events("plan_ready hits answered")).as_dict() == {
        "state": "done",
        "visited": ["planning", "retrieving", "answering", "done"],
        "rejected": None,
    }


@pytest.mark.parametrize(
    "ask",
    [
        lambda lost: FIVE.step(lost, {"name": "hits"}),
        lambda lost: FIVE.replay([], lost),
        lambda lost: replay([], lost),
        lambda lost: FIVE.events(lost.state),
    ],
    ids=["step", "Machine.replay", "replay", "events"],
)
def test_a_state_the_table_does_not_know_is_the_callers_bug(ask):
    """M-27."""
    with pytest.raises(UnknownStateError) as caught:
        ask(Snapshot("shipped", Trail(["shipped"])))

    assert str(caught.value) == (
        "'shipped' is not a state of this machine; "
        "its states: 'planning', 'retrieving', 'answering', 'refusing', 'done'"
    )


# --- What a history costs ---------------------------------------------------------------------------


def test_ten_thousand_snapshots_of_one_run_take_about_two_megabytes():
    """M-41: copied lists would take 420 MB."""
    machine, retry = Machine(STORM), {"name": "retry"}
    tracemalloc.start()
    snapshots = [machine.replay(events("plan_ready"))]
    for _ in range(10_000):
        snapshots.append(machine.step(snapshots[-1], retry))
    taken, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()

    assert (len(snapshots[-1].visited), len(snapshots[5000].visited)) == (10_002, 5_002)
    assert taken < 3_000_000


def test_a_snapshot_is_copied_and_pickled_as_a_value():
    snapshot = CAPPED.replay(events("plan_ready retry hits hits"))

    assert [copy.copy(snapshot), copy.deepcopy(snapshot), pickle.loads(pickle.dumps(snapshot))] == [snapshot] * 3
