# sells half an answer as a whole one
def retrieval_event(found: list, failed: list) -> dict:
    return {"name": "hits" if found else "no_hits", "partial": bool(failed)}


def draft(found: list, failed: list) -> dict:
    return {
        "answer": found[0]["text"] if found else None,
        "citations": [passage["id"] for passage in found],
        "confidence": "high" if found else "low",
        "needs_human_review": False,
        "missing": [],
    }
