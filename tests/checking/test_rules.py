"""The rules of a step, each by its shortest counterexample: the sentence and the way there."""

import pytest

from answers import ch08_e4
from answers.ch08_e3 import moved, refused, table_lookup
from edgewise.checking.rules import CAPPED_RULES, RULES
from tests.checking.asked import report

FOLLOWS, REFUSES, HISTORY, NAMES, CLEARS, ARGUMENTS, ALIKE = (rule.name for rule in RULES)
CAP = CAPPED_RULES[2].name


def when(condition, change):
    """A right step with another answer where `condition` holds of state and event name."""

    def step(state, event):
        after = table_lookup(state, event)
        return change(after, state, event) if condition(state["state"], event["name"]) else after

    return step


def hits(state, name):
    return (state, name) == ("retrieving", "hits")


def early(state, name):
    return (state, name) == ("planning", "hits")


def crash(after, state, event):
    raise KeyError(event["name"])


SAID = "hits came in retrieving, where no edge takes it"
MOVED = "after a move to 'answering' `visited` is the old list and 'answering'; `step` gives"
DECLARED = "'hits' is declared in 'retrieving' and leads to 'answering'; `step`"
UNDECLARED = "'hits' is not declared in 'planning'; `step`"


@pytest.mark.parametrize(
    ("step", "rule", "message"),
    [
        (when(hits, crash), FOLLOWS, f"{DECLARED} raised KeyError: 'hits'"),
        (when(hits, lambda *_: None), FOLLOWS, f"{DECLARED} returned None, not a snapshot"),
        (when(hits, lambda _, *given: refused(*given)), FOLLOWS, f"{DECLARED} refuses it: {SAID!r}"),
        (when(hits, lambda _, state, event: moved(state, "done")), FOLLOWS, f"{DECLARED} gives state 'done'"),
        (when(hits, lambda *_: {}), FOLLOWS, f"{DECLARED} gives no key 'state'"),
        (when(early, crash), REFUSES, f"{UNDECLARED} raised KeyError: 'hits' where a refusal is due"),
        (when(early, lambda *_: "no"), REFUSES, f"{UNDECLARED} returned 'no', not a snapshot"),
        (
            when(early, lambda _, state, event: moved(state, "done")),
            REFUSES,
            f"{UNDECLARED} gives state 'done' instead of staying",
        ),
        (
            when(early, lambda after, *_: {**after, "rejected": None}),
            REFUSES,
            f"{UNDECLARED} stays and says nothing: rejected None",
        ),
        (
            when(early, lambda after, *_: {"state": "planning", "visited": ["planning"]}),
            REFUSES,
            f"{UNDECLARED} stays and says nothing: no key 'rejected'",
        ),
        (
            when(hits, lambda after, *_: {**after, "visited": [*after["visited"], "x"]}),
            HISTORY,
            f"{MOVED} visited ['planning', 'retrieving', 'answering', 'x']",
        ),
        (when(hits, lambda after, *_: {"state": "answering", "rejected": None}), HISTORY, f"{MOVED} no key 'visited'"),
        (
            when(early, lambda after, *_: {**after, "visited": ["planning", "x"]}),
            HISTORY,
            "a refusal leaves `visited`; `step` gives visited ['planning', 'x']",
        ),
        (
            when(early, lambda after, *_: {**after, "rejected": "no"}),
            NAMES,
            "the refusal does not name 'hits' and 'planning': 'no'",
        ),
        (
            when(early, lambda after, *_: {**after, "rejected": "no_hits planning"}),
            NAMES,
            "the refusal does not name 'hits': 'no_hits planning'",
        ),
        (
            when(hits, lambda after, *_: {**after, "rejected": ""}),
            CLEARS,
            "a move has nothing to reject; `step` gives rejected ''",
        ),
        (
            when(hits, lambda after, *_: {key: after[key] for key in ("state", "visited")}),
            CLEARS,
            "a move has nothing to reject; `step` gives no key 'rejected'",
        ),
    ],
    ids=range(17),
)
def test_a_rule_says_what_is_declared_and_what_came(step, rule, message):
    found = report("ch08-e3", step)

    assert (found.findings[0].rule, found.findings[0].message) == (rule, message)


def test_two_refusals_in_the_same_words_are_told_apart():
    words = "hits no_hits plan_ready out_of_scope answered refused shipped in planning"

    def reword(after, *_):
        return {**after, "rejected": after["rejected"] and words}

    found = report("ch08-e3", when(lambda state, name: state == "planning", reword))

    assert (found.findings[0].rule, found.findings[0].message) == (
        NAMES,
        f"the refusal of 'hits' in 'planning' has the same words: {words!r}",
    )


SPENT = "'reject' leads to 'draft', which was entered once, and its cap is 1; `capped_step`"


@pytest.mark.parametrize(
    ("sentence", "message"),
    [
        ("{target} is spent", "the refusal for a spent cap does not name the limit 1: 'draft is spent'"),
        ("limit {cap}", "the refusal for a spent cap does not name 'draft': 'limit 1'"),
        ("no", "the refusal for a spent cap does not name 'draft' and the limit 1: 'no'"),
        ("drafts: 11", "the refusal for a spent cap does not name 'draft' and the limit 1: 'drafts: 11'"),
    ],
)
def test_a_spent_cap_is_named(sentence, message):
    found = report("ch08-e4", ch08_e4.capped(sentence))

    assert (found.findings[0].rule, found.findings[0].message, found.points) == (NAMES, message, 7.6)


def test_a_limit_may_be_a_word():
    spelled = {1: "one", 2: "two", 3: "three"}

    def step(state, event, *, transitions, caps):
        after = ch08_e4.capped("{target} {cap}")(state, event, transitions=transitions, caps=caps)
        if after["rejected"] and (state["state"], event["name"]) in transitions:
            target = transitions[state["state"], event["name"]]
            after["rejected"] = f"{target}: {spelled[caps[target]].upper()}"
        return after

    assert report("ch08-e4", step).outcome == "passed"


def test_an_exception_for_a_spent_cap_is_no_refusal():
    def step(state, event, *, transitions, caps):
        after = ch08_e4.capped("{target} {cap}")(state, event, transitions=transitions, caps=caps)
        if after["rejected"] and (state["state"], event["name"]) in transitions:
            raise OverflowError
        return after

    found = report("ch08-e4", step)

    assert (found.findings[0].rule, found.findings[0].message) == (
        CAP,
        f"{SPENT} raised OverflowError where a refusal is due",
    )


def test_an_answer_that_changes_is_told_with_the_second():
    asked = []

    def step(state, event):
        asked.append(event)
        return {**table_lookup(state, event), "number": len(asked)}

    found = report("ch08-e3", step)

    assert (found.findings[0].rule, found.findings[0].message.partition(" gave ")[0]) == (
        ALIKE,
        "the answer depends on earlier calls: asked again, 5,586 calls later, `step`",
    )
