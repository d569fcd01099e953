"""The rules of a machine's `step`: each looks at one call and gives a finding, or None.

The first line of a docstring is the rule in the words the student reads.
"""

from __future__ import annotations

import re
from typing import Any

from edgewise.checking.calling import Raised
from edgewise.checking.exercise import Finding, Holds, Rule
from edgewise.checking.places import goes_on
from edgewise.checking.steps import Call, is_searched, states_on
from edgewise.checking.values import same, shown

WORDS = {
    number: words.split()
    for number, words in enumerate(
        ("zero", "one once", "two twice", "three thrice", "four", "five", "six", "seven", "eight", "nine", "ten")
    )
}
"""A cap in words, beside its digits."""


def follows_every_edge(call: Call) -> Finding | None:
    """Follows every declared edge.

    M-10, M-32.
    """
    if call.due.refused:
        return None
    state, name = call.pair
    declared = f"{name!r} is declared in {state!r} and leads to {call.due.state!r}"
    if isinstance(call.got, Raised):
        return _finding(follows_every_edge, call, f"{declared}; `step` raised {call.got}")
    if not isinstance(call.got, dict):
        return _finding(follows_every_edge, call, f"{declared}; `step` returned {shown(call.got)}, not a snapshot")
    if is_refusal(call):
        return _finding(follows_every_edge, call, f"{declared}; `step` refuses it: {shown(call.got['rejected'])}")
    if same(call.got.get("state"), call.due.state):
        return None
    return _finding(follows_every_edge, call, f"{declared}; `step` gives {_at(call.got, 'state')}")


def refuses_without_moving(call: Call) -> Finding | None:
    """Refuses what is not declared, without moving.

    M-11, M-14, M-15, M-16.
    """
    if call.due.refused != "undeclared":
        return None
    state, name = call.pair
    return _refusal(refuses_without_moving, call, f"{name!r} is not declared in {state!r}")


def refuses_a_spent_cap(call: Call) -> Finding | None:
    """Refuses to enter a state whose cap is spent.

    M-29, M-30, M-33.
    """
    if call.due.refused != "spent":
        return None
    _, name = call.pair
    target, cap = _capped(call)
    times = call.before["visited"].count(target)
    return _refusal(
        refuses_a_spent_cap,
        call,
        f"{name!r} leads to {target!r}, which was entered {_times(times)}, and its cap is {cap}",
    )


def keeps_the_history(call: Call) -> Finding | None:
    """Lets visited grow by the state it enters, and by nothing else.

    M-10, M-11, M-17, M-19, M-43.
    """
    if call.changed and "'visited'" in call.changed:
        message = "the call changed the list it was handed, and with it the history of every snapshot kept from earlier"
        return _finding(keeps_the_history, call._replace(got=_unseen(call)), message)
    if not isinstance(call.got, dict) or is_refusal(call):
        return None
    moved = not same(call.got.get("state"), call.before["state"]) or call.due.refused is None
    here = call.got.get("state") if isinstance(call.got.get("state"), str) else call.due.state
    expected = [*call.before["visited"], here] if moved else call.before["visited"]
    if same(call.got.get("visited"), expected):
        return None
    what = f"after a move to {here!r} `visited` is the old list and {here!r}" if moved else "a refusal leaves `visited`"
    return _finding(keeps_the_history, call, f"{what}; `step` gives {_at(call.got, 'visited')}{_why(call, expected)}")


def names_event_and_state(call: Call) -> Finding | None:
    """Names the event and the state in a refusal.

    M-12, M-13, M-31.
    """
    sentence = call.got.get("rejected") if isinstance(call.got, dict) else None
    if not call.due.refused or not isinstance(sentence, str) or not sentence.strip():
        return None
    if call.due.refused == "spent":
        return _names_the_cap(call, sentence)
    absent = [name for name in call.pair[::-1] if is_searched(name) and not _named(name, sentence)]
    if absent:
        what = " and ".join(map(repr, absent))
        return _finding(names_event_and_state, call, f"the refusal does not name {what}: {shown(sentence)}")
    if call.twin:
        state, name = call.twin
        message = f"the refusal of {name!r} in {state!r} has the same words: {shown(sentence)}"
        return _finding(names_event_and_state, call, message)
    return None


def clears_the_rejection(call: Call) -> Finding | None:
    """Returns rejected as None after a move.

    M-06, M-18.
    """
    if call.due.refused or not isinstance(call.got, dict) or not same(call.got.get("state"), call.due.state):
        return None
    if is_refusal(call) or call.got.get("rejected", ...) is None:
        return None
    message = f"a move has nothing to reject; `step` gives {_at(call.got, 'rejected')}"
    return _finding(clears_the_rejection, call, message)


def leaves_its_arguments_alone(call: Call) -> Finding | None:
    """Leaves its arguments as they were.

    M-19.
    """
    if call.changed is None:
        return None
    message = f"the call changed {call.changed}, which it was handed; build a new one, so that kept snapshots stay true"
    return _finding(leaves_its_arguments_alone, call._replace(got=_unseen(call)), message)


def answers_alike(call: Call) -> Finding | None:
    """Answers the same question alike each time.

    M-21, M-22.
    """
    if call.again is ...:
        return None
    again, between = call.again
    message = f"the answer depends on earlier calls: asked again, {between:,} calls later, `step` gave {_answer(again)}"
    return _finding(answers_alike, call._replace(got=again), message)


RULES = (
    Rule(follows_every_edge, 0.15),
    Rule(refuses_without_moving, 0.15),
    Rule(keeps_the_history, 0.5),
    Rule(names_event_and_state, 0.05),
    Rule(clears_the_rejection, 0.05),
    Rule(leaves_its_arguments_alone, 0.05),
    Rule(answers_alike, 0.05, leads=True),
)
"""The shares of ch08-e3: history is half, since a `visited` that does not grow is never a pass (M-43)."""

CAPPED_RULES = (
    Rule(follows_every_edge, 0.1),
    Rule(refuses_without_moving, 0.1),
    Rule(refuses_a_spent_cap, 0.5),
    Rule(keeps_the_history, 0.1),
    Rule(names_event_and_state, 0.05),
    Rule(clears_the_rejection, 0.05),
    Rule(leaves_its_arguments_alone, 0.05),
    Rule(answers_alike, 0.05, leads=True),
)
"""The shares of ch08-e4: the cap is half."""


def is_refusal(call: Call) -> bool:
    """Whether the answer is a refusal: nothing moved, and a sentence says so."""
    got, before = call.got, call.before
    return (
        isinstance(got, dict)
        and same(got.get("state"), before["state"])
        and same(got.get("visited"), before["visited"])
        and isinstance(got.get("rejected"), str)
        and bool(got["rejected"].strip())
    )


def _refusal(rule: Holds, call: Call, reason: str) -> Finding | None:
    """What is wrong with the answer to an event that is to be refused."""
    if isinstance(call.got, Raised):
        return _finding(rule, call, f"{reason}; `step` raised {call.got} where a refusal is due")
    if not isinstance(call.got, dict):
        return _finding(rule, call, f"{reason}; `step` returned {shown(call.got)}, not a snapshot")
    if not same(call.got.get("state"), call.before["state"]):
        return _finding(rule, call, f"{reason}; `step` gives {_at(call.got, 'state')} instead of staying")
    sentence = call.got.get("rejected", ...)
    if isinstance(sentence, str) and sentence.strip():
        return None
    if not same(call.got.get("visited"), call.before["visited"]):
        return _finding(rule, call, f"{reason}; `step` moves all the same: {_at(call.got, 'visited')}")
    return _finding(rule, call, f"{reason}; `step` stays and says nothing: {_at(call.got, 'rejected')}")


def _unseen(call: Call) -> Any:
    """The answer, or nothing to show where it is right and only the arguments are not what they were."""
    return ... if goes_on(call.got, call.due) else call.got


def _names_the_cap(call: Call, sentence: str) -> Finding | None:
    target, cap = _capped(call)
    limit = [str(cap), *WORDS.get(cap, ())]
    absent = [repr(target)] if is_searched(target) and not _named(target, sentence) else []
    if not any(_named(word, sentence.lower()) for word in limit):
        absent.append(f"the limit {cap}")
    if not absent:
        return None
    message = f"the refusal for a spent cap does not name {' and '.join(absent)}: {shown(sentence)}"
    return _finding(names_event_and_state, call, message)


def _capped(call: Call) -> tuple[str, int]:
    """The state that may not be entered, and its cap."""
    machine = call.setting.machine
    target = machine.table[call.pair]
    return target, machine.caps[target]


def _times(number: int) -> str:
    return "once" if number == 1 else f"{number} times"


def _named(name: str, sentence: str) -> bool:
    """Whether `name` stands in the sentence as a word of its own (M-12)."""
    return name in sentence and bool(re.search(rf"(?<![A-Za-z0-9_]){re.escape(name)}(?![A-Za-z0-9_])", sentence))


def _why(call: Call, expected: list[str]) -> str:
    got = call.got.get("visited")
    if isinstance(got, list) and len(got) < len(expected):
        return "; from a list that does not keep every visit, no cap can be counted"
    return ""


def _at(got: dict[str, Any], key: str) -> str:
    return f"{key} {shown(got[key])}" if key in got else f"no key {key!r}"


def _answer(got: Any) -> str:
    return f"an exception, {got}" if isinstance(got, Raised) else shown(got)


def _finding(rule: Holds, call: Call, message: str) -> Finding:
    return Finding(
        rule=Rule(rule, 0).name,
        message=message,
        events=call.path,
        expected=call.due.as_snapshot(_due_sentence(call)),
        got=call.got,
        line=call.got.line if isinstance(call.got, Raised) else None,
        setting=call.setting.title,
        states=(call.before["state"],) if call.by_hand else states_on(call.setting.machine, call.path),
        before=call.before,
        machine=call.setting.machine,
        by_hand=call.by_hand,
        asked=("", (call.before, call.event), call.setting.arguments),
    )


def _due_sentence(call: Call) -> str:
    if call.due.refused == "spent":
        target, cap = _capped(call)
        return f"a sentence that names {target!r} and the limit {cap}"
    return f"a sentence that names {call.pair[1]!r} and {call.pair[0]!r}"
