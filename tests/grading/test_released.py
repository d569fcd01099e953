"""What submissions are held against: the release, else what the source would be released as."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from edgewise.course import load_course
from edgewise.grading.reading.released import ReleaseError, released
from edgewise.grading.reading.submission import read
from tests.release.conftest import Small


@pytest.fixture
def small(tmp_path: Path) -> Small:
    return Small(tmp_path / "kit")


def test_without_a_release_the_source_gives_what_students_would_get(small: Small) -> None:
    course = load_course(small.root / "course.yml")
    (graph,) = released(course, course.session("ch08"))

    assert [(slot.id, slot.role, slot.grade_id, slot.source.splitlines()[-1]) for slot in graph.slots] == [
        ("goal", "free", "", "After this you can write a step."),
        ("setup", "free", "", "from edgewise.machine import TRANSITIONS"),
        ("step", "answer", "ch08-e3", "    raise NotImplementedError()"),
        ("step-check", "check", "ch08-e3-check", 'check("ch08-e3", step)'),
        ("why", "written", "ch08-w1", "YOUR ANSWER HERE"),
    ]


def test_the_release_counts_before_the_source(small: Small) -> None:
    raw = json.loads(small.notebook.read_text(encoding="utf-8"))
    raw["cells"][0]["source"] = "As released."
    release = small.root / "build/release/ch08/graph.ipynb"
    release.parent.mkdir(parents=True)
    release.write_text(json.dumps(raw), encoding="utf-8")
    course = load_course(small.root / "course.yml")

    assert released(course, course.session("ch08"))[0].slots[0].source == "As released."


def test_a_course_without_notebooks_says_so(small: Small) -> None:
    small.notebook.unlink()
    course = load_course(small.root / "course.yml")
    sentence = "graph.ipynb: is not there, and there is no release; 'ch08' cannot be graded"

    with pytest.raises(ReleaseError, match=f"^{re.escape(sentence)}$"):
        read(small.root, course.session("ch08"), course)


def test_a_notebook_of_the_courses_that_is_none_is_named(small: Small) -> None:
    small.notebook.write_text("{}", encoding="utf-8")
    course = load_course(small.root / "course.yml")
    sentence = "graph.ipynb: is no notebook ('cells'); 'graph' cannot be graded"

    with pytest.raises(ReleaseError, match=f"^{re.escape(sentence)}$"):
        released(course, course.session("ch08"))
