"""A second opinion on the walk: conformance suites and long random walks tell nothing apart that ours lets through."""

import random
import warnings
from functools import cache

import pytest

from answers.ch08_e3 import ANSWERS as RIGHT
from edgewise.checking.calling import Caller
from edgewise.checking.mutants import mutants
from edgewise.checking.walk import Walk
from edgewise.machine import STATES, TRANSITIONS, start
from tests.checking.asked import check_of

with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # a regular expression of aalpy's is no raw string
    from aalpy.automata import MealyMachine, MealyState
    from aalpy.base import SUL
    from aalpy.oracles import WMethodEqOracle, WpMethodEqOracle

CHECK = check_of("ch08-e3")
NAMES = list(CHECK.settings[0].names)
SINGLE = [mutant for mutant in mutants(CHECK) if mutant.family in ("edge dropped", "edge redirected", "pair accepted")]


def outcome(snapshot):
    """What an outside observer of a run tells apart: the state, and whether the event was refused."""
    return snapshot["state"], snapshot["rejected"] is None


@cache
def reference():
    """The declared machine as AALpy's kind of automaton; the output of an edge is where it leads, and whether."""
    states = {name: MealyState(name) for name in STATES}
    for name, state in states.items():
        for event in NAMES:
            target = TRANSITIONS.get((name, event))
            state.transitions[event] = states[target or name]
            state.output_fun[event] = (target or name, target is not None)
    machine = MealyMachine(states["planning"], list(states.values()))
    machine.compute_prefixes()
    return machine


class Run(SUL):
    """A student's step as a system that AALpy can ask."""

    def __init__(self, step):
        super().__init__()
        self.ask = step

    def pre(self):
        self.snapshot = start()

    def post(self):
        pass

    def step(self, letter):
        self.snapshot = self.ask(self.snapshot, {"name": letter})
        return outcome(self.snapshot)


def told_apart(step, oracle=WpMethodEqOracle, states=5):
    """The events by which AALpy tells a step from the declared machine; None where it does not."""
    return oracle(NAMES, Run(step), states).find_cex(reference())


def differs_on_a_walk(step, seed, length=200):
    """Whether a long random walk tells a step from the declared machine."""
    rng, state, snapshot = random.Random(seed), "planning", start()
    for name in rng.choices(NAMES, k=length):
        target = TRANSITIONS.get((state, name))
        state = target or state
        snapshot = step(snapshot, {"name": name})
        if outcome(snapshot) != (state, target is not None):
            return True
        if state == "done" and rng.random() < 0.5:
            state, snapshot = "planning", start()
    return False


def caught(step):
    """The events on the way to the first wrong call that our walk finds; None where it finds none."""
    with Caller(5) as ask:
        call = CHECK.first_wrong(step, ask)
    return call and call.path


def test_every_single_fault_is_told_apart_by_both():
    missed = [mutant.name for mutant in SINGLE if not told_apart(mutant.make()) or not caught(mutant.make())]

    assert (len(SINGLE), missed) == (6 + 24 + 145, [])


def test_a_single_fault_is_shown_within_four_events():
    ways = [caught_in_pairs(mutant.make()) for mutant in SINGLE]

    assert max(map(len, ways)) <= 4


def caught_in_pairs(step):
    with Caller(5) as ask:
        walk = Walk(CHECK.settings[0], step, ask, lambda call: any(rule.holds(call) for rule in CHECK.rules))
        return next(walk.pairs()).path


@pytest.mark.parametrize("oracle", [WMethodEqOracle, WpMethodEqOracle])
@pytest.mark.parametrize("style", ["a table lookup", "a match statement", "an enum of strings for states and names"])
def test_a_right_step_is_told_apart_by_neither_even_with_an_extra_state(style, oracle):
    assert (told_apart(RIGHT[style], oracle, len(STATES) + 1), caught(RIGHT[style])) == (None, None)


def hidden(trigger, fault):
    """A step with a state nobody sees: after `trigger` was refused, the edge `fault` is refused as well."""

    def step(state, event):
        pair = state["state"], event["name"]
        after = RIGHT["a table lookup"](state, event)
        if state.get("tripped") and pair == fault:
            after = RIGHT["a table lookup"](state, {"name": "never"})
            after["rejected"] = f"{pair[1]} in {pair[0]}"
        return {**after, "tripped": state.get("tripped", False) or pair == trigger}

    return step


REFUSED = [(state, name) for state in STATES for name in NAMES if (state, name) not in TRANSITIONS]
HIDDEN = [(trigger, fault) for trigger in REFUSED for fault in TRANSITIONS][::7]


def test_what_a_random_walk_tells_apart_does_not_pass():
    steps = [hidden(trigger, fault) for trigger, fault in HIDDEN]
    passed = [pair for pair, step in zip(HIDDEN, steps, strict=True) if not caught(step)]
    walked = [pair for pair in passed if any(differs_on_a_walk(hidden(*pair), seed) for seed in range(20))]

    assert (len(HIDDEN), walked) == (25, [])
