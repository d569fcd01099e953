"""Asking several sources one question, when some of them may not answer.

A passage is a dict: `{"id": "handbook-1", "source": "handbook", "text": "…"}`. The statements cited as M-…
stand in docs/statements.md.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Protocol

Passage = dict[str, str]


class SourceDown(Exception):  # noqa: N818 - it is a state of the world, and reads as one: `except SourceDown`
    """A source that was asked and did not answer; `name` says which."""

    def __init__(self, name: str) -> None:
        super().__init__(f"the source {name!r} did not answer")
        self.name = name


class Searchable(Protocol):
    """What `gather` asks of a source: a name, and a search that returns passages or raises SourceDown."""

    @property
    def name(self) -> str:
        """What the source is called in `failed` and in an answer's `missing`."""

    def search(self, question: str) -> list[Passage]:
        """The passages on `question`, best first. Raises SourceDown."""


@dataclass(frozen=True, slots=True)
class Source:
    """Texts in memory, searched by their words."""

    name: str
    texts: tuple[str, ...]
    up: bool = True

    def switched_off(self) -> Source:
        """The same source, out of order: every search of it raises SourceDown."""
        return replace(self, up=False)

    def search(self, question: str) -> list[Passage]:
        """The texts that share a word with `question`, most shared words first. Raises SourceDown.

        A text's id is the source's name and the text's place in it, from 1. Words of three letters or fewer
        ("the", "may") do not count.
        """
        if not self.up:
            raise SourceDown(self.name)
        asked = _words(question)
        hits = [(len(asked & _words(text)), place, text) for place, text in enumerate(self.texts, 1)]
        best_first = sorted((hit for hit in hits if hit[0]), key=lambda hit: (-hit[0], hit[1]))
        return [{"id": f"{self.name}-{place}", "source": self.name, "text": text} for _, place, text in best_first]


def gather(question: str, sources: Iterable[Searchable]) -> tuple[list[Passage], list[str]]:
    """What the sources have on `question`, and the names of those that did not answer (M-35).

    Every source is asked, in order; one that is down costs nobody else their passages.
    """
    found: list[Passage] = []
    failed: list[str] = []
    for source in sources:
        try:
            found += source.search(question)
        except SourceDown:
            failed.append(source.name)
    return found, failed


def retrieval_event(found: Sequence[Passage], failed: Sequence[str]) -> dict[str, Any]:
    """The event the machine gets: `{"name": "hits" or "no_hits", "partial": whether a source failed}`.

    The one place where this is decided (M-35, M-36).
    """
    return {"name": "hits" if found else "no_hits", "partial": bool(failed)}


def _words(text: str) -> set[str]:
    return set(re.findall(r"\w{4,}", text.casefold()))
