"""ch08-e6: `retrieval_event` and `draft`, which carry a partial failure to the reader.

Goal: the decision between hits and no_hits, and an answer that names the sources it lacks. Out of scope: how an
answer is worded. Points: 0.2 for the event's name, 0.2 for its flag, and for the draft 0.1 each for answer,
citations and confidence, 0.15 each for the review and the missing sources.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import product
from typing import Any

from edgewise.answer import draft as library_draft
from edgewise.checking.cases import Case, CaseCheck, Subject, gives
from edgewise.checking.exercise import Hints, Misconception, Rule
from edgewise.retrieval import retrieval_event

Passages = Sequence[dict[str, str]]
Names = Sequence[str]

WIKI = {"id": "w1", "source": "wiki", "text": "A graph has nodes and edges."}
MANUAL = {"id": "m4", "source": "manual", "text": "A cap bounds a loop."}


def draft(found: Passages, failed: Names) -> dict[str, Any]:
    """The right draft, as the dict the exercise asks for."""
    return library_draft(found, failed).as_dict()


EVENT_CASES = (
    Case(([WIKI], []), {"name": "hits", "partial": False}),
    Case(([WIKI], ["archive"]), {"name": "hits", "partial": True}),
    Case(([], []), {"name": "no_hits", "partial": False}),
    Case(([], ["archive", "wiki"]), {"name": "no_hits", "partial": True}),
)

DRAFT_CASES = (
    Case(
        ([WIKI, MANUAL], []),
        {
            "answer": "A graph has nodes and edges.",
            "citations": ["w1", "m4"],
            "confidence": "high",
            "needs_human_review": False,
            "missing": [],
        },
    ),
    Case(
        ([MANUAL], ["archive"]),
        {
            "answer": "A cap bounds a loop.",
            "citations": ["m4"],
            "confidence": "low",
            "needs_human_review": True,
            "missing": ["archive"],
        },
    ),
    Case(
        ([], []),
        {"answer": None, "citations": [], "confidence": "low", "needs_human_review": False, "missing": []},
    ),
    Case(
        ([], ["wiki", "archive"]),
        {
            "answer": None,
            "citations": [],
            "confidence": "low",
            "needs_human_review": True,
            "missing": ["wiki", "archive"],
        },
    ),
)


def inputs() -> Iterator[tuple[tuple[Any, ...], dict[str, Any]]]:
    """Up to three passages from two sources, with up to three failed sources, the small ones first."""
    texts = ("One.", "Two.", "Three.")
    found = [
        [{"id": f"p{place}{source}", "source": source, "text": texts[place]} for place, source in enumerate(sources)]
        for length in range(4)
        for sources in product(("wiki", "manual"), repeat=length)
    ]
    failed: tuple[list[str], ...] = ([], ["archive"], ["archive", "news"], ["news", "archive", "mail"])
    for passages, names in sorted(product(found, failed), key=lambda pair: len(pair[0]) + len(pair[1])):
        yield (passages, names), {}


names_the_event = gives("Decides between hits and no_hits", "retrieval_event", key="name")
flags_the_event = gives("Flags the event when a source failed", "retrieval_event", key="partial")
answers = gives("Answers with the first passage, or with None", "draft", key="answer")
cites = gives("Cites every passage in order", "draft", key="citations")
trusts = gives("Is confident only when something was found and nothing failed", "draft", key="confidence")
asks_a_person = gives("Asks for a person when a source failed", "draft", key="needs_human_review")
names_the_missing = gives("Names the sources that failed", "draft", key="missing")


def event(**changes: Callable[[Passages, Names], Any]) -> Callable[[Passages, Names], dict[str, Any]]:
    """A `retrieval_event` with some keys answered otherwise."""
    return lambda found, failed: {
        **retrieval_event(found, failed),
        **{key: answer(found, failed) for key, answer in changes.items()},
    }


def drafted(**changes: Callable[[Passages, Names], Any]) -> Callable[[Passages, Names], dict[str, Any]]:
    """A `draft` with some keys answered otherwise."""
    return lambda found, failed: {
        **draft(found, failed),
        **{key: answer(found, failed) for key, answer in changes.items()},
    }


MISCONCEPTIONS = (
    Misconception(
        "one failure spoils all",
        "with something found the event is 'hits', even when a source failed; the flag says the rest.",
        event(name=lambda found, failed: "hits" if found and not failed else "no_hits"),
        names_the_event,
        "retrieval_event",
    ),
    Misconception(
        "always a hit",
        "without a passage the event is 'no_hits'; 'hits' would lead to an answer from nothing.",
        event(name=lambda found, failed: "hits"),
        names_the_event,
        "retrieval_event",
    ),
    Misconception(
        "partial means empty",
        "`partial` is about sources that failed, not about how much was found.",
        event(partial=lambda found, failed: not found),
        flags_the_event,
        "retrieval_event",
    ),
    Misconception(
        "only half is partial",
        "when every source is down `partial` is True as well: nothing was found is not the same as nobody was asked.",
        event(partial=lambda found, failed: bool(found and failed)),
        flags_the_event,
        "retrieval_event",
    ),
    Misconception(
        "the names in the flag",
        "`partial` is True or False; the names of the failed sources travel in `missing`.",
        event(partial=lambda found, failed: list(failed)),
        flags_the_event,
        "retrieval_event",
    ),
    Misconception(
        "half an answer sold as whole",
        "a source failed, so a person has to look: `needs_human_review` is True, even with a passage in hand.",
        drafted(needs_human_review=lambda found, failed: not found and bool(failed)),
        asks_a_person,
        "draft",
    ),
    Misconception(
        "nothing found needs a person",
        "a search that reached every source and found nothing is complete; review is for sources that failed.",
        drafted(needs_human_review=lambda found, failed: bool(failed) or not found),
        asks_a_person,
        "draft",
    ),
    Misconception(
        "sure of nothing",
        "with no passage there is nothing to be confident about: 'low'.",
        drafted(confidence=lambda found, failed: "low" if failed else "high"),
        trusts,
        "draft",
    ),
    Misconception(
        "sure of half",
        "with a source missing the confidence is 'low', whatever the others said.",
        drafted(confidence=lambda found, failed: "high" if found else "low"),
        trusts,
        "draft",
    ),
    Misconception(
        "an empty answer",
        "without a passage the answer is None; an empty text looks like an answer.",
        drafted(answer=lambda found, failed: found[0]["text"] if found else ""),
        answers,
        "draft",
    ),
    Misconception(
        "sources for citations",
        "a citation is a passage's id, so that the reader finds the very passage.",
        drafted(citations=lambda found, failed: [passage["source"] for passage in found]),
        cites,
        "draft",
    ),
    Misconception(
        "one citation",
        "every passage is cited, not the first alone.",
        drafted(citations=lambda found, failed: [passage["id"] for passage in found[:1]]),
        cites,
        "draft",
    ),
    Misconception(
        "the missing are counted",
        "`missing` holds the names; a reader can act on a name, not on a number.",
        drafted(missing=lambda found, failed: len(failed)),
        names_the_missing,
        "draft",
    ),
)

HINTS = Hints(
    by_rule={
        names_the_event: "Only `found` decides between 'hits' and 'no_hits'. What failed is another question, with a "
        "key "
        "of its own.",
        flags_the_event: "`partial` is True when at least one source failed, else False; how much was found does not "
        "matter.",
        answers: "With passages: the first one's text. Without: None, which nobody can take for an answer.",
        cites: "One id for each passage, in the order in which they came.",
        trusts: "Two things make the confidence low. Which? Everything else is high.",
        asks_a_person: "A person has to look when the answer may lack something: when a source failed. Nothing found "
        "by "
        "sources that all answered is a complete result.",
        names_the_missing: "The names of the failed sources, in order, for whoever repairs them.",
    },
    neighbour="A librarian asks two catalogues for a map. One lists map 12; the other's line is dead. Something was "
    "found, so there is a map to hand over, and not everybody was asked. The slip says: map 12, shelf mark 12, "
    "confidence low, please ask a librarian, missing: the branch catalogue. Had both lines been dead, there would be "
    "no "
    "map on the slip, and two names under missing.",
)

CHECK = CaseCheck(
    subjects=(
        Subject("retrieval_event", retrieval_event, EVENT_CASES, inputs),
        Subject("draft", draft, DRAFT_CASES, inputs),
    ),
    rules=(
        Rule(names_the_event, 0.2, "retrieval_event"),
        Rule(flags_the_event, 0.2, "retrieval_event"),
        Rule(answers, 0.1, "draft"),
        Rule(cites, 0.1, "draft"),
        Rule(trusts, 0.1, "draft"),
        Rule(asks_a_person, 0.15, "draft"),
        Rule(names_the_missing, 0.15, "draft"),
    ),
    hints=HINTS,
    misconceptions=MISCONCEPTIONS,
)
