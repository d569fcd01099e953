"""The answer contract of session 3: what an answer says about itself, and drafting one from what was found.

The statements cited as M-… stand in docs/statements.md.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal


@dataclass(frozen=True, slots=True)
class Answer:
    """An answer that can be acted on: its text, what it rests on, and what a reader has to know beside it.

    `answer` is None when there is none. `citations` are passage ids, best first. `missing` names the sources
    that were asked and did not answer.
    """

    answer: str | None
    citations: tuple[str, ...]
    confidence: Literal["low", "high"]
    needs_human_review: bool
    missing: tuple[str, ...] = ()

    @property
    def note(self) -> str:
        """The sentence for the reader: what the answer rests on, and which sources it lacks (M-37)."""
        absent = " and ".join(map(repr, self.missing))
        if self.answer is None and self.missing:
            return f"No answer: nothing was found, and {absent} did not answer, so nobody knows what is there."
        if self.answer is None:
            return "No answer: every source was asked, and none of them has anything on this."
        if self.missing:
            return f"Part of an answer: {absent} did not answer. A person should look at it before anyone acts on it."
        return f"Rests on {', '.join(self.citations)}; every source answered."

    def as_dict(self) -> dict[str, Any]:
        """The same five fields as a dict, with lists for the sequences."""
        return {
            "answer": self.answer,
            "citations": list(self.citations),
            "confidence": self.confidence,
            "needs_human_review": self.needs_human_review,
            "missing": list(self.missing),
        }


def draft(found: Sequence[Mapping[str, str]], failed: Sequence[str]) -> Answer:
    """The answer that `found` supports, with the names in `failed` carried along (M-37).

    A passage in `found` has `id`, `source` and `text`. A real drafter writes prose here; this one quotes the
    first passage, because what travels with the text is the point.
    """
    return Answer(
        answer=found[0]["text"] if found else None,
        citations=tuple(passage["id"] for passage in found),
        confidence="low" if failed or not found else "high",
        needs_human_review=bool(failed),
        missing=tuple(failed),
    )
