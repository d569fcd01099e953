"""The frame for what is no machine: cases, inputs in order of size, each asked twice on fresh copies."""

from dataclasses import replace

import pytest

from edgewise.checking.calling import Caller
from edgewise.checking.cases import Case, Subject, gives
from edgewise.checking.exercise import Rule
from edgewise.checking.values import Opaque
from edgewise.machine import terminal
from tests.checking.asked import check_of

SENTENCE = "Counts each word"


def count(words, least=1):
    return {word: words.count(word) for word in words if words.count(word) >= least}


def inputs():
    for length in range(1, 4):
        yield (["x"] * length,), {}


counts = gives(SENTENCE, "count")
CASES = (Case((["a", "b", "a"],), {"a": 2, "b": 1}), Case((["a", "b", "a"],), {"a": 2}, {"least": 2}))


def made(subject, *rules, misconceptions=()):
    """A check of one subject; what else a check has is borrowed from an exercise."""
    return replace(check_of("ch08-e2"), subjects=(subject,), rules=rules, misconceptions=misconceptions)


CHECK = made(Subject("count", count, CASES, inputs), Rule(counts, 1.0, "count"))


def explored(answer, check=CHECK):
    with Caller(5) as ask:
        return check.explore((answer,), ask)


def first(answer, check=CHECK):
    """The finding on the first question that went wrong."""
    return check.rules[0].holds(explored(answer, check).wrong[0])


def test_a_right_answer_is_asked_everything_and_earns():
    found = explored(lambda words, least=1: count(words, least))

    assert (found.wrong, found.earns, found.domain) == (
        (),
        {"count"},
        "5 inputs of `count`, smallest first, each twice",
    )


def test_a_wrong_value_is_shown_beside_the_right_one():
    found = first(lambda words, least=1: dict.fromkeys(words, 1))

    assert (found.rule, found.message, found.events, found.expected, found.got) == (
        SENTENCE,
        "count(['a', 'b', 'a']) is {'a': 2, 'b': 1}; yours gives {'a': 1, 'b': 1}",
        ("count(['a', 'b', 'a'])",),
        {"a": 2, "b": 1},
        {"a": 1, "b": 1},
    )


def test_keywords_stand_in_the_question():
    found = first(lambda words, least=1: count(words))

    assert found.message == "count(['a', 'b', 'a'], least=2) is {'a': 2}; yours gives {'a': 2, 'b': 1}"


def test_an_exception_is_an_answer():
    found = first(lambda words, least=1: words[9])

    assert (found.message, str(found.got), found.line is None) == (
        "count(['a', 'b', 'a']) is {'a': 2, 'b': 1}; yours raised IndexError: list index out of range",
        "IndexError: list index out of range",
        False,
    )


class EqualsEverything(list):
    def __eq__(self, other):
        return True

    __hash__ = None


@pytest.mark.parametrize("change", [list.sort, list.clear, lambda words: words.append(EqualsEverything())])
def test_a_changed_argument_is_a_fault(change):
    def answer(words, least=1):
        right = count(words, least)
        change(words)
        return right

    assert (
        first(answer).message
        == "count(['a', 'b', 'a']) gives the right answer and changes its argument 1; build a new one"
    )


def test_an_answer_that_changes_by_itself_is_a_fault_and_the_second_is_shown():
    calls = []

    def answer(words, least=1):
        calls.append(words)
        return count(words, least) if len(calls) < 6 else {"x": len(calls)}

    found = first(answer)

    assert (found.message, found.got) == (
        "count(['a', 'b', 'a']) was asked twice; the second time yours gave {'x': 10}",
        {"x": 10},
    )


def test_an_exception_the_second_time_is_shown():
    calls = []

    def answer(words, least=1):
        calls.append(words)
        if len(calls) > 9:
            raise ValueError("enough")
        return count(words, least)

    assert (
        first(answer).message
        == "count(['a', 'b', 'a']) was asked twice; the second time yours gave an exception, ValueError: enough"
    )


def test_a_stop_names_the_question():
    def answer(words, least=1):
        raise SystemExit

    found = explored(answer)

    assert (found.earns, found.domain, found.stopped.events, found.stopped.message) == (
        frozenset(),
        "what was asked until then",
        ("count(['a', 'b', 'a'])",),
        "`count` ended the program (SystemExit); use `return`, and leave out exit() and quit()",
    )


@pytest.mark.parametrize(
    "answer", [lambda words, least=1: None, lambda words, least=1: {}, lambda words, least=1: object()]
)
def test_nothing_is_earned_by_never_being_right(answer):
    assert explored(answer).earns == frozenset()


def test_a_foreign_object_is_shown_by_its_type_alone():
    assert first(lambda words, least=1: object()).got == Opaque("object")


def test_a_case_that_says_something_else_than_the_reference_is_our_fault():
    check = made(Subject("count", count, (Case((["a"],), {"a": 2}),), inputs), *CHECK.rules)

    with pytest.raises(ValueError, match=r"the case count\(\['a'\],\) says \{'a': 2\}, not \{'a': 1\}"):
        explored(count, check)


# --- One key of an answer ----------------------------------------------------------------------------

TALLY = made(
    Subject(
        "tally",
        lambda words: {"words": list(words), "number": len(words)},
        (Case((["a"],), {"words": ["a"], "number": 1}),),
        inputs,
    ),
    Rule(gives("Lists the words", "tally", key="words"), 0.5, "tally"),
    Rule(gives("Counts the words", "tally", key="number"), 0.5, "tally"),
)


@pytest.mark.parametrize(
    ("answer", "broken"),
    [
        (lambda words: {"words": tuple(words), "number": len(words), "more": 1}, (False, False)),
        (lambda words: {"words": "".join(words), "number": len(words)}, (True, False)),
        (lambda words: {"words": [*words], "number": True}, (False, True)),
        (lambda words: {"words": [*words]}, (False, True)),
        (lambda words: [*words], (True, True)),
    ],
)
def test_a_rule_may_look_at_one_key(answer, broken):
    wrong = explored(answer, TALLY).wrong

    assert tuple(any(rule.holds(asked) for asked in wrong) for rule in TALLY.rules) == broken


# --- What can be asked -------------------------------------------------------------------------------


def test_a_subject_that_can_not_be_asked_is_told():
    assert (
        CHECK.unfit((3,), ("count",), Caller(1)) == "`count` is an int, not a function; define it with `def count(…)`"
    )


def test_the_librarys_own_function_is_no_answer():
    message = "`count` is the library's own; the exercise asks for one that you wrote"

    assert CHECK.unfit((terminal,), ("count",), Caller(1)) == message


def test_a_behaviour_is_what_goes_wrong():
    with Caller(5) as ask:
        behaviour = list(CHECK.behaviour(lambda words, least=1: {}, "count", ask))

    assert [(size, got) for size, got, *_ in behaviour] == [(size, {}) for size in range(5)]
