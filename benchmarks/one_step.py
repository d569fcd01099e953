"""What one move costs: ours, the plain function, `transitions` and langgraph, on the same path."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Mapping
from itertools import product
from typing import Annotated, Any, TypedDict

from langgraph.graph import END, START, StateGraph
from transitions import Machine as TransitionsMachine

from benchmarks.figure import Figure
from benchmarks.timing import medians
from edgewise.machine import STATES, STORM, TRANSITIONS, Machine, start, step

PATH = ("plan_ready", *["retry"] * 47, "hits", "answered")
"""Fifty moves, with a loop in them: every library here can walk it."""

RUNS = ("plan_ready hits answered", "plan_ready no_hits refused", "out_of_scope refused")
LENGTHS = (10, 100, 1_000, 10_000, 100_000)


def figures() -> Iterable[Figure]:
    """The goals of issue 'Session 8 end to end', each as a ratio within one run."""
    yield from _plain()
    yield from _libraries()
    yield _growth()


def plain_step(state: Mapping[str, Any], event: Mapping[str, Any]) -> dict[str, Any]:
    """The function as one writes it in ten lines: the yardstick."""
    current, name = state["state"], event["name"]
    if (current, name) in TRANSITIONS:
        target = TRANSITIONS[current, name]
        return {"state": target, "visited": [*state["visited"], target], "rejected": None}
    return {
        "state": current,
        "visited": [*state["visited"]],
        "rejected": f"{name!r} is not declared in {current!r}",
    }


def _plain() -> Iterable[Figure]:
    events = [[{"name": name} for name in run.split()] for run in RUNS]
    pairs = [(start(state), {"name": name}) for state, name in product(STATES, [name for _, name in TRANSITIONS])]

    def walks(one: Callable[..., dict[str, Any]]) -> Callable[[], None]:
        def walk() -> None:
            for run in events:
                snapshot = start()
                for event in run:
                    snapshot = one(snapshot, event)

        return walk

    def grid(one: Callable[..., dict[str, Any]]) -> Callable[[], None]:
        def ask() -> None:
            for snapshot, event in pairs:
                one(snapshot, event)

        return ask

    taken = medians(
        {
            f"{kind} {one.__name__}": way(one)
            for kind, way in (("walk", walks), ("grid", grid))
            for one in (step, plain_step)
        }
    )
    for kind, what in (("walk", "the three runs"), ("grid", "every pair of states and events, 24 of 30 refused")):
        ours, theirs = taken[f"{kind} step"], taken[f"{kind} plain_step"]
        yield Figure(
            "step",
            f"dict step, beside the plain function: {what}",
            ours / theirs,
            1.2,
            "×",
            detail=f"{ours * 1e6:.1f} µs and {theirs * 1e6:.1f} µs",
        )


def _libraries() -> Iterable[Figure]:
    taken = medians({"edgewise": _edgewise(), "transitions": _transitions(), "langgraph": _langgraph()})
    ours = taken["edgewise"]
    for name, goal in (("transitions", 5), ("langgraph", 100)):
        detail = f"{ours / len(PATH) * 1e6:.2f} µs and {taken[name] / len(PATH) * 1e6:.2f} µs a move"
        what = f"Machine.step, how many times faster than {name}"
        yield Figure("step", what, taken[name] / ours, goal, "×", at_least=True, detail=detail)


def _edgewise() -> Callable[[], object]:
    machine, events = Machine(STORM, states=STATES), [{"name": name} for name in PATH]

    def walk() -> None:
        snapshot = machine.start()
        for event in events:
            snapshot = machine.step(snapshot, event)

    return walk


def _transitions() -> Callable[[], object]:
    """Its plainest use: no history is kept, and its own convenience of one method a trigger is used."""

    class Model:
        state: str

    rows = [{"trigger": event, "source": source, "dest": target} for (source, event), target in STORM.items()]
    model = Model()
    machine = TransitionsMachine(
        model, states=list(STATES), transitions=rows, initial=STATES[0], auto_transitions=False
    )

    def walk() -> None:
        machine.set_state(STATES[0])
        for name in PATH:
            getattr(model, name)()

    return walk


class _State(TypedDict):
    visited: Annotated[list[str], operator.add]


def _langgraph() -> Callable[[], object]:
    """A node a state, which notes its name, and a conditional edge, which reads the next event."""

    def node(name: str) -> Callable[[_State], dict[str, list[str]]]:
        return lambda _: {"visited": [name]}

    def onward(name: str) -> Callable[[_State], str]:
        return lambda state: STORM[name, PATH[len(state["visited"]) - 1]]

    graph = StateGraph(_State)
    for name in STATES:
        graph.add_node(name, node(name))
    graph.add_edge(START, STATES[0])
    for name in STATES:
        targets = {target for (source, _), target in STORM.items() if source == name}
        if targets:
            graph.add_conditional_edges(name, onward(name), sorted(targets))
        else:
            graph.add_edge(name, END)
    compiled = graph.compile()
    return lambda: compiled.invoke({"visited": []}, {"recursion_limit": len(PATH) + 5})


def _growth() -> Figure:
    machine, retry = Machine(STORM, states=STATES), {"name": "retry"}

    def walk(length: int) -> Callable[[], object]:
        def moves() -> None:
            snapshot = machine.step(machine.start(), {"name": "plan_ready"})
            for _ in range(length - 1):
                snapshot = machine.step(snapshot, retry)

        return moves

    taken = medians({str(length): walk(length) for length in LENGTHS}, rounds=9)
    each = [taken[str(length)] / length * 1e6 for length in LENGTHS]
    return Figure(
        "step",
        "Machine.step, the dearest move beside the cheapest, from 10 to 100,000 moves",
        max(each) / min(each),
        1.5,
        "×",
        detail=", ".join(f"{cost:.2f}" for cost in each) + " µs a move",
    )
