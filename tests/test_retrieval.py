"""Sources that may be down, and the one decision between hits and no_hits (M-35, M-36)."""

from itertools import product

import pytest

from edgewise.retrieval import Source, SourceDown, gather, retrieval_event

HANDBOOK = Source("handbook", ("A laptop may be kept for 14 days.", "A book may be kept for 30 days."))
NOTICES = Source("notices", ("The reading room closes at six.", "In June a laptop may be kept for 3 days."))
QUESTION = "How long may I keep a laptop?"


def test_a_source_gives_the_passages_that_share_a_word_with_the_question() -> None:
    assert NOTICES.search(QUESTION) == [
        {"id": "notices-2", "source": "notices", "text": "In June a laptop may be kept for 3 days."}
    ]


def test_the_passage_with_more_shared_words_comes_first() -> None:
    ids = [passage["id"] for passage in HANDBOOK.search("book kept 30 days")]

    assert ids == ["handbook-2", "handbook-1"]


def test_passages_that_match_alike_keep_their_order() -> None:
    ids = [passage["id"] for passage in HANDBOOK.search("days")]

    assert ids == ["handbook-1", "handbook-2"]


def test_letter_case_and_short_words_do_not_count() -> None:
    assert [HANDBOOK.search("LAPTOP"), HANDBOOK.search("may a for")] == [HANDBOOK.search("laptop"), []]


def test_a_source_that_is_switched_off_says_that_it_did_not_answer() -> None:
    with pytest.raises(SourceDown) as caught:
        HANDBOOK.switched_off().search(QUESTION)

    assert (str(caught.value), caught.value.name) == ("the source 'handbook' did not answer", "handbook")


def test_switching_off_leaves_the_source_as_it_was() -> None:
    HANDBOOK.switched_off()

    assert HANDBOOK.up


def test_gather_asks_every_source_in_order() -> None:
    found, failed = gather(QUESTION, [NOTICES, HANDBOOK])

    assert ([passage["id"] for passage in found], failed) == (["notices-2", "handbook-1"], [])


def test_a_source_that_is_down_costs_the_others_nothing() -> None:
    found, failed = gather(QUESTION, [HANDBOOK.switched_off(), NOTICES])

    assert ([passage["id"] for passage in found], failed) == (["notices-2"], ["handbook"])


def test_with_every_source_down_all_of_them_are_named() -> None:
    assert gather(QUESTION, [NOTICES.switched_off(), HANDBOOK.switched_off()]) == ([], ["notices", "handbook"])


def test_a_source_with_a_bug_is_not_taken_for_one_that_is_down() -> None:
    class Broken:
        name = "broken"

        def search(self, question: str) -> list[dict[str, str]]:
            raise ZeroDivisionError(question)

    with pytest.raises(ZeroDivisionError):
        gather(QUESTION, [Broken()])


@pytest.mark.parametrize(
    ("found", "failed", "event"),
    [
        ([], [], {"name": "no_hits", "partial": False}),
        (["passage"], [], {"name": "hits", "partial": False}),
        ([], ["handbook"], {"name": "no_hits", "partial": True}),
        (["passage"], ["handbook"], {"name": "hits", "partial": True}),
    ],
)
def test_hits_says_whether_anything_was_found_and_partial_whether_a_source_failed(
    found: list[str], failed: list[str], event: dict[str, object]
) -> None:
    assert retrieval_event([{"id": name} for name in found], failed) == event


def test_every_way_two_sources_can_be_up_or_down_gives_the_event_it_should() -> None:
    events = {
        (up_first, up_second): retrieval_event(
            *gather(QUESTION, [s if up else s.switched_off() for s, up in ((HANDBOOK, up_first), (NOTICES, up_second))])
        )
        for up_first, up_second in product([True, False], repeat=2)
    }

    assert events == {
        (True, True): {"name": "hits", "partial": False},
        (True, False): {"name": "hits", "partial": True},
        (False, True): {"name": "hits", "partial": True},
        (False, False): {"name": "no_hits", "partial": True},
    }
