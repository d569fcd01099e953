"""Answers that do nothing, for every exercise: each earns 0. The first is what a release leaves in the notebook."""

from answers.ch08_e3 import TRANSITIONS


def stub(*_, **__):
    raise NotImplementedError


def none(*_, **__):
    return None


def ellipsis(*_, **__):
    return ...


def empty(*_, **__):
    return {}


def first(argument, *_, **__):
    return argument


def everything(*_, **__):
    return {"state": "done", "visited": ["planning", "done"], "rejected": None}


def refuses(state, event, **_):
    return {**state, "rejected": f"{event['name']} in {state['state']}"}


def accepts(state, event, **_):
    return {"state": "done", "visited": [*state["visited"], "done"], "rejected": None}


def moves_on_paper(state, event, **_):
    return {**state, "visited": [*state["visited"], state["state"]], "rejected": None}


STEPS = {
    step.__name__: (step,)
    for step in (stub, none, ellipsis, empty, first, everything, refuses, accepts, moves_on_paper)
}
STATES = ("planning", "retrieving", "answering", "refusing", "done")
EVENTS = ("plan_ready", "out_of_scope", "hits", "no_hits", "answered", "refused")


def constant(*values):
    """Functions that give one value each, whatever they are asked."""
    return tuple(lambda *_, value=value, **__: value for value in values)


ANSWERS = {
    "ch08-e1": {
        "the stub": ({},),
        "everything leads to 'done'": ({(state, event): "done" for state in STATES for event in EVENTS},),
        "every state leads to every state": ({(state, other): other for state in STATES for other in STATES},),
        "targets and events swapped": ({(state, target): event for (state, event), target in TRANSITIONS.items()},),
    },
    "ch08-e2": {
        "the stub": (stub, stub),
        "None": (none, none),
        "the empty set": constant(set(), set()),
        "the table": (first, first),
        "a constant": constant({"done"}, {"planning"}),
        "True": constant(True, True),
    },
    "ch08-e3": STEPS,
    "ch08-e4": STEPS,
    "ch08-e5": {
        "the stub": (stub, stub),
        "the bucket as it is, and True": (first, constant(True)[0]),
        "the bucket as it is, and False": (first, constant(False)[0]),
        "a constant": constant({"tokens": 0, "allowed": None}, 1),
        "never allowed": (lambda bucket, event, **_: {**bucket, "allowed": False}, stub),
        "always allowed": (lambda bucket, event, **_: {**bucket, "allowed": True}, none),
        "None": (none, none),
    },
    "ch08-e6": {
        "the stub": (stub, stub),
        "None": (none, none),
        "empty dicts": (empty, empty),
        "a constant hit": constant({"name": "hits", "partial": False}, "an answer"),
        "a constant miss": constant({"name": "no_hits", "partial": True}, []),
        "an empty draft": (
            none,
            lambda found, failed: {
                "answer": None,
                "citations": [],
                "confidence": "low",
                "needs_human_review": True,
                "missing": [],
            },
        ),
    },
}
