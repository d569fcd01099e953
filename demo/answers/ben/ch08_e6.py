def retrieval_event(found: list, failed: list) -> dict:
    name = "hits" if found else "no_hits"
    return {"name": name, "partial": len(failed) > 0}


def draft(found: list, failed: list) -> dict:
    return {
        "answer": found[0]["text"] if found else None,
        "citations": [passage["id"] for passage in found],
        "confidence": "low" if failed or not found else "high",
        "needs_human_review": bool(failed),
        "missing": list(failed),
    }
