"""The answer contract: what travels with a text (M-37)."""

from dataclasses import FrozenInstanceError

import pytest

from edgewise.answer import Answer, draft

LOAN = {"id": "handbook-1", "source": "handbook", "text": "A laptop may be kept for 14 days."}
NOTICE = {"id": "notices-2", "source": "notices", "text": "In June a laptop may be kept for 3 days."}


def test_an_answer_that_lacks_nothing_says_so() -> None:
    answer = draft([LOAN, NOTICE], [])

    assert answer == Answer(LOAN["text"], ("handbook-1", "notices-2"), "high", needs_human_review=False)


def test_missing_is_empty_by_default() -> None:
    assert Answer("yes", (), "high", needs_human_review=False).missing == ()


def test_a_failed_source_makes_the_answer_low_and_names_itself() -> None:
    answer = draft([LOAN], ["notices"])

    assert answer == Answer(LOAN["text"], ("handbook-1",), "low", needs_human_review=True, missing=("notices",))


def test_nothing_found_is_low_and_needs_no_person() -> None:
    assert draft([], []) == Answer(None, (), "low", needs_human_review=False)


def test_nobody_asked_is_not_the_same_as_nothing_found() -> None:
    answer = draft([], ["handbook", "notices"])

    assert answer == Answer(None, (), "low", needs_human_review=True, missing=("handbook", "notices"))


def test_as_a_dict_it_has_the_five_fields_with_lists() -> None:
    assert draft([LOAN], ["notices"]).as_dict() == {
        "answer": LOAN["text"],
        "citations": ["handbook-1"],
        "confidence": "low",
        "needs_human_review": True,
        "missing": ["notices"],
    }


def test_an_answer_cannot_be_changed_afterwards() -> None:
    answer = draft([LOAN], ["notices"])

    with pytest.raises(FrozenInstanceError):
        answer.needs_human_review = False  # type: ignore[misc]


def test_a_draft_keeps_neither_of_the_lists_it_was_given() -> None:
    found, failed = [LOAN], ["notices"]
    answer = draft(found, failed)
    found.append(NOTICE)
    failed.clear()

    assert (answer.citations, answer.missing) == (("handbook-1",), ("notices",))


@pytest.mark.parametrize(
    ("found", "failed", "note"),
    [
        ([LOAN, NOTICE], [], "Rests on handbook-1, notices-2; every source answered."),
        (
            [LOAN],
            ["notices"],
            "Part of an answer: 'notices' did not answer. A person should look at it before anyone acts on it.",
        ),
        ([], [], "No answer: every source was asked, and none of them has anything on this."),
        (
            [],
            ["handbook", "notices"],
            "No answer: nothing was found, and 'handbook' and 'notices' did not answer, so nobody knows what is there.",
        ),
    ],
)
def test_the_note_tells_the_reader_what_the_answer_rests_on(
    found: list[dict[str, str]], failed: list[str], note: str
) -> None:
    assert draft(found, failed).note == note
