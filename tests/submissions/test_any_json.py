"""Whatever becomes of an honest notebook's JSON or bytes, the reader gives every notebook of the session."""

from __future__ import annotations

import copy
import json
from typing import Any

import nbformat
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.submissions.conftest import Handed

ANY = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(st.characters(exclude_categories=())),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=8,
)
WORDS = st.sampled_from(["ch08-e3", "ch08-e3-check", "ch08-w1", "ch08-e4", "step", "code", "markdown", "", "nbgrader"])
KNOBS = settings(
    derandomize=True,
    max_examples=150,
    deadline=None,
    database=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)


def places(value: Any, here: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """The way to every value in the JSON."""
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [here, *(place for key, one in inner for place in places(one, (*here, key)))][0 if here else 1 :]


def mutated(raw: Any, draw: st.DataObject) -> Any:
    """The JSON with one value replaced, deleted, doubled or swapped."""
    *way, last = draw.draw(st.sampled_from(places(raw)))
    holder = raw
    for key in way:
        holder = holder[key]
    how = draw.draw(st.sampled_from(["replace", "word", "delete", "double", "reverse"]))
    if how == "delete":
        del holder[last]
    elif how == "double" and isinstance(holder, list):
        holder.insert(draw.draw(st.integers(0, len(holder))), copy.deepcopy(holder[last]))
    elif how == "reverse" and isinstance(holder[last], list):
        holder[last].reverse()
    else:
        holder[last] = draw.draw(WORDS if how == "word" else ANY)
    return raw


def read_and_validate(handed: Handed) -> list[str]:
    submission = handed.read()
    for notebook in submission.notebooks:
        made = notebook.as_json()
        nbformat.validate(json.loads(json.dumps(made, ensure_ascii=False).encode()))
        assert len({cell["id"] for cell in made["cells"]}) == len(made["cells"])
    assert all(sentence.sentence.isprintable() for sentence in (*submission.repairs, *submission.problems))
    return [notebook.name for notebook in submission.notebooks]


@KNOBS
@given(st.data())
def test_any_change_of_the_json_is_read(handed: Handed, data: st.DataObject) -> None:
    raw = copy.deepcopy(handed.honest["graph"])
    for _ in range(data.draw(st.integers(1, 4))):
        if places(raw):
            raw = mutated(raw, data)
    handed.write("graph", raw)

    assert read_and_validate(handed) == ["graph", "storm"]


@KNOBS
@given(st.data())
def test_any_change_of_the_bytes_is_read(handed: Handed, data: st.DataObject) -> None:
    raw = bytearray(json.dumps(handed.honest["graph"]).encode())
    at = data.draw(st.integers(0, len(raw) - 1))
    raw[at : at + data.draw(st.integers(0, 40))] = data.draw(st.binary(max_size=20))
    handed.file.write_bytes(raw)

    assert read_and_validate(handed) == ["graph", "storm"]


@pytest.mark.parametrize("depth", [500, 900, 990, 2_000])
def test_no_depth_is_too_much(handed: Handed, depth: int) -> None:
    text = json.dumps(handed.honest["graph"])
    for key in ("nbformat", "metadata", "id", "source", "grade_id", "points", "cell_type"):
        start = text.index(f'"{key}": ') + len(key) + 4
        _, end = json.JSONDecoder().raw_decode(text, start)
        handed.file.write_text(f"{text[:start]}{'[' * depth}{']' * depth}{text[end:]}", encoding="utf-8")
        assert read_and_validate(handed) == ["graph", "storm"]
