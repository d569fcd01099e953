"""Right answers to ch08-e6, pairs of (retrieval_event, draft), in different styles: each earns every point."""

from collections import OrderedDict
from dataclasses import asdict, dataclass
from enum import StrEnum

from .ch08_e3 import Snapshot


def retrieval_event(found: list, failed: list) -> dict:
    return {"name": "hits" if found else "no_hits", "partial": bool(failed)}


def draft(found: list, failed: list) -> dict:
    return {
        "answer": found[0]["text"] if found else None,
        "citations": [passage["id"] for passage in found],
        "confidence": "low" if failed or not found else "high",
        "needs_human_review": bool(failed),
        "missing": list(failed),
    }


def event_by_length(found, failed):
    name = "no_hits"
    if len(found) > 0:
        name = "hits"
    return dict(partial=len(failed) != 0, name=name)  # noqa: C408


def draft_by_steps(found, failed):
    answer = {"answer": None, "citations": [], "confidence": "high", "needs_human_review": False, "missing": failed}
    for passage in found:
        if answer["answer"] is None:
            answer["answer"] = passage["text"]
        answer["citations"].append(passage["id"])
    if failed:
        answer["needs_human_review"] = True
    if answer["needs_human_review"] or answer["answer"] is None:
        answer["confidence"] = "low"
    return answer


class Confidence(StrEnum):
    LOW = "low"
    HIGH = "high"


@dataclass
class Drafted:
    answer: str | None
    citations: tuple
    confidence: Confidence
    needs_human_review: bool
    missing: tuple


def draft_as_dataclass(found, failed):
    confidence = Confidence.HIGH if found and not failed else Confidence.LOW
    first = next((passage["text"] for passage in found), None)
    return asdict(Drafted(first, tuple(passage["id"] for passage in found), confidence, failed != [], tuple(failed)))


def event_subclass(found, failed):
    return Snapshot(name={True: "hits", False: "no_hits"}[bool(found)], partial=any(True for _ in failed))


def draft_ordered(found, failed):
    return OrderedDict(reversed(draft(found, failed).items()))


ANSWERS = {
    "expressions": (retrieval_event, draft),
    "steps, and the same list handed back": (event_by_length, draft_by_steps),
    "a dataclass with tuples and an enum": (event_subclass, draft_as_dataclass),
    "other kinds of dict": (event_subclass, draft_ordered),
}
