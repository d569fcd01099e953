"""The five-state machine as data, and the dict-shaped `step`."""

import json
import re
from copy import deepcopy
from itertools import pairwise, product
from pathlib import Path

import networkx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from edgewise import machine
from edgewise.machine import MAX_VISITS, STATES, STORM, TRANSITIONS, start, step, terminal, ways_into

EVENTS = ("plan_ready", "out_of_scope", "hits", "no_hits", "answered", "refused")
GRID = [(state, name) for state, name in product(STATES, (*EVENTS, "foreign")) if (state, name) not in TRANSITIONS]
NEARLY = ["", "Hits", "HITS", " hits", "hits ", "hit", "hitss", "no hits", "no_hit", "ｈits"]
ANSWERS = ["plan_ready", "hits", "answered"]
names = st.sampled_from((*EVENTS, "foreign", "Hits", ""))


def run(events, state=None):
    """Every snapshot of a run, the first one included."""
    snapshots = [state or start()]
    for name in events:
        snapshots.append(step(snapshots[-1], {"name": name}))
    return snapshots


# --- The data ---------------------------------------------------------------------------------------


def test_there_are_five_states_and_a_run_begins_in_planning():
    """M-01, M-07."""
    assert STATES == ("planning", "retrieving", "answering", "refusing", "done")
    assert start() == {"state": "planning", "visited": ["planning"], "rejected": None}


def test_there_are_six_rows():
    """M-02."""
    assert TRANSITIONS == {
        ("planning", "plan_ready"): "retrieving",
        ("planning", "out_of_scope"): "refusing",
        ("retrieving", "hits"): "answering",
        ("retrieving", "no_hits"): "refusing",
        ("answering", "answered"): "done",
        ("refusing", "refused"): "done",
    }


def test_whoever_answers_has_found_something():
    """M-04, and networkx as the second road: without that one arrow `answering` cannot be reached."""
    graph = networkx.DiGraph((source, target) for (source, _), target in TRANSITIONS.items())
    graph.remove_edge("retrieving", "answering")

    assert [pair for pair, target in TRANSITIONS.items() if target == "answering"] == [("retrieving", "hits")]
    assert not networkx.has_path(graph, "planning", "answering")


def test_done_alone_is_terminal():
    """M-05."""
    assert terminal(TRANSITIONS) == {"done"}


def test_the_source_names_the_last_state_only_in_the_data():
    """M-05: no code mentions it by name."""
    lines = Path(machine.__file__).read_text(encoding="utf-8").splitlines()

    assert [line.strip() for line in lines if '"done"' in line] == [
        'STATES = ("planning", "retrieving", "answering", "refusing", "done")',
        '("answering", "answered"): "done",',
        '("refusing", "refused"): "done",',
    ]


def test_the_ways_into_a_state_are_the_states_before_it():
    assert [ways_into(TRANSITIONS, state) for state in STATES] == [
        set(),
        {"planning"},
        {"retrieving"},
        {"planning", "retrieving"},
        {"answering", "refusing"},
    ]


tables = st.dictionaries(st.tuples(st.sampled_from("abcde"), st.sampled_from("xyz")), st.sampled_from("abcde"))


@settings(derandomize=True)
@given(tables)
def test_terminal_and_ways_into_agree_with_networkx(table):
    graph = networkx.DiGraph((source, target) for (source, _), target in table.items())

    assert terminal(table) == {node for node, degree in graph.out_degree if degree == 0}
    assert all(ways_into(table, node) == set(graph.predecessors(node)) for node in graph)


def test_the_storm_has_one_row_more():
    """M-28, M-30."""
    assert STORM.items() - TRANSITIONS.items() == {(("retrieving", "retry"), "retrieving")}
    assert (len(STORM), MAX_VISITS) == (7, 3)


# --- Moves ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("pair", "target"), TRANSITIONS.items())
def test_a_declared_pair_moves_and_adds_its_target_once(pair, target):
    """M-06, M-10, M-18: an earlier rejection is cleared."""
    before = {"state": pair[0], "visited": ["planning", pair[0]], "rejected": "an earlier sentence"}

    assert step(before, {"name": pair[1]}) == {
        "state": target,
        "visited": ["planning", pair[0], target],
        "rejected": None,
    }


@pytest.mark.parametrize(
    ("events", "visited"),
    [
        (ANSWERS, ["planning", "retrieving", "answering", "done"]),
        (["out_of_scope", "refused"], ["planning", "refusing", "done"]),
        (["plan_ready", "no_hits", "refused"], ["planning", "retrieving", "refusing", "done"]),
    ],
)
def test_the_three_runs_visit_what_they_should(events, visited):
    """M-23, M-24."""
    assert run(events)[-1] == {"state": "done", "visited": visited, "rejected": None}


def test_what_rides_along_with_an_event_has_no_say():
    """M-08."""
    event = {"name": "plan_ready", "partial": True, "state": "done", "target": "done"}

    assert step(start(), event) == step(start(), {"name": "plan_ready"})


# --- Refusals ---------------------------------------------------------------------------------------


def test_there_are_29_pairs_to_refuse():
    """M-14."""
    assert len(GRID) == 29


@pytest.mark.parametrize(("state", "name"), GRID)
def test_an_undeclared_pair_stays_and_says_which_event_came_where(state, name):
    """M-09, M-11, M-12, M-14."""
    before = {"state": state, "visited": ["planning", state], "rejected": None}

    after = step(before, {"name": name})

    assert after == before | {"rejected": after["rejected"]}
    assert re.search(rf"(?<!\w){name}(?!\w)", after["rejected"]) and re.search(
        rf"(?<!\w){state}(?!\w)", after["rejected"]
    )


@pytest.mark.parametrize(
    ("state", "sentence"),
    [
        ("planning", "'hits' is not declared in 'planning'; declared there: 'plan_ready', 'out_of_scope'"),
        ("answering", "'hits' is not declared in 'answering'; declared there: 'answered'"),
        ("done", "'hits' is not declared in 'done'; declared there: nothing"),
    ],
)
def test_a_refusal_says_what_is_possible(state, sentence):
    """M-12, word for word."""
    assert step(start(state), {"name": "hits"})["rejected"] == sentence


def test_no_two_refusals_share_a_sentence():
    """M-13."""
    assert len({step(start(state), {"name": name})["rejected"] for state, name in GRID}) == 29


@pytest.mark.parametrize("name", NEARLY)
def test_a_name_that_is_almost_right_is_foreign(name):
    """M-15."""
    after = step(start("retrieving"), {"name": name})

    assert (after["state"], after["visited"], bool(after["rejected"])) == ("retrieving", ["retrieving"], True)


@pytest.mark.parametrize("name", [*EVENTS, "foreign"])
def test_a_late_event_after_done_is_refused(name):
    """M-16."""
    late = run([*ANSWERS, name])[-1]

    assert (late["state"], len(late["visited"]), late["rejected"]) == (
        "done",
        4,
        f"{name!r} is not declared in 'done'; declared there: nothing",
    )


def test_a_state_that_is_not_declared_refuses_like_any_undeclared_pair():
    """M-27."""
    assert step(start("shipped"), {"name": "hits"}) == {
        "state": "shipped",
        "visited": ["shipped"],
        "rejected": "'hits' is not declared in 'shipped'; declared there: nothing",
    }


# --- History ----------------------------------------------------------------------------------------


def test_a_long_history_keeps_its_beginning_and_its_repeats():
    """M-17, at 10 000 names."""
    before = {"state": "planning", "visited": ["planning", "retrieving"] * 5000, "rejected": None}

    assert step(before, {"name": "plan_ready"})["visited"] == ["planning", "retrieving"] * 5000 + ["retrieving"]


@settings(derandomize=True)
@given(st.lists(names, max_size=12))
def test_visited_only_grows_at_its_end_and_once_for_each_accepted_event(events):
    """M-17, M-25."""
    snapshots = run(events)

    for before, after in pairwise(snapshots):
        assert after["visited"][: len(before["visited"])] == before["visited"]
    accepted = sum(snapshot["rejected"] is None for snapshot in snapshots[1:])
    assert len(snapshots[-1]["visited"]) == 1 + accepted


@settings(derandomize=True)
@given(st.lists(names, max_size=12))
def test_snapshots_kept_from_earlier_stay_as_they_were(events):
    """M-19, M-20: nothing is shared, so that a change of one list shows in no other."""
    snapshots = run(events)
    kept = deepcopy(snapshots)

    for number, snapshot in enumerate(snapshots):
        snapshot["visited"].append("spoilt")
        assert snapshots[number + 1 :] == kept[number + 1 :]


def test_the_event_is_left_alone():
    """M-19."""
    event = {"name": "hits", "partial": True}

    step(start(), event)

    assert event == {"name": "hits", "partial": True}


@settings(derandomize=True)
@given(st.sampled_from(STATES), names, st.lists(st.sampled_from(STATES), max_size=5), st.none() | st.text())
def test_the_outcome_depends_on_the_state_alone(state, name, history, rejected):
    """M-18, M-21, M-22."""
    plain, other = step(start(state), {"name": name}), {"state": state, "visited": history, "rejected": rejected}

    assert [step(other, {"name": name}), step(other, {"name": name})] == [
        plain | {"visited": history + plain["visited"][1:]}
    ] * 2


@settings(derandomize=True)
@given(st.lists(names, max_size=12), st.integers(0, 12))
def test_a_log_replays_to_its_snapshot_and_a_prefix_to_its_own(events, length):
    """M-26: and a log survives being written down."""
    snapshots = run(events)
    written = json.loads(json.dumps(events))

    assert run(written[:length])[-1] == snapshots[min(length, len(events))]
