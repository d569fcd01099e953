"""A release is looked over before it takes the old one's place, and the old one stays where it is not made."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from edgewise.course import load_course
from edgewise.release import BuildError, build, generate
from edgewise.release.notebook import stubbed
from tests.release.conftest import notebook


@pytest.fixture
def made(small, monkeypatch: pytest.MonkeyPatch):
    """Build with a stand-in for nbgrader, whose release `change` has changed; what the build says, or nothing."""
    old = small.root / "build/release/ch08"
    old.mkdir(parents=True)
    (old / "graph.ipynb").write_text("the old one", encoding="utf-8")

    def run(change=lambda raw: None) -> tuple[str, ...]:
        def stand_in(course: Any, session: Any, aside: Path) -> None:
            raw = stubbed(notebook())
            text = change(raw)
            (aside / session.id).mkdir(parents=True)
            (aside / session.id / "graph.ipynb").write_text(text or json.dumps(raw), encoding="utf-8")

        monkeypatch.setattr(generate, "_generate", stand_in)
        try:
            build(load_course(small.root / "course.yml"), "ch08")
        except BuildError as error:
            return error.problems
        return ()

    return run


def released(small) -> str:
    return (small.root / "build/release/ch08/graph.ipynb").read_text(encoding="utf-8")


def beside(small) -> list[str]:
    return [path.name for path in (small.root / "build").iterdir()]


def test_a_new_release_takes_the_place_of_the_old_one(made, small) -> None:
    assert (made(), json.loads(released(small)), beside(small)) == ((), stubbed(notebook()), ["release"])


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (
            lambda raw: raw["cells"][2].update(source=notebook()["cells"][2]["source"]),
            "ch08/graph.ipynb: nbgrader's release holds another text than lint looked at",
        ),
        (
            lambda raw: raw["cells"][1].update(outputs=[{"output_type": "stream", "name": "stdout", "text": "x"}]),
            "ch08/graph.ipynb: nbgrader's release holds saved outputs",
        ),
        (lambda raw: "[]", "ch08/graph.ipynb: cannot be read: a notebook is one JSON object"),
    ],
    ids=["a solution left in", "an output left in", "no notebook"],
)
def test_a_release_that_is_not_as_expected_is_not_kept(made, small, change, said: str) -> None:
    assert (made(change), released(small), beside(small)) == ((said,), "the old one", ["release"])


def test_an_old_release_comes_back_where_the_new_one_cannot_be_moved(
    made, small, monkeypatch: pytest.MonkeyPatch
) -> None:
    rename = Path.rename

    def unless_new(path: Path, to: Path) -> Path:
        if path.parent.name == "release" and path.parent.parent.name.startswith(".building-"):
            raise PermissionError
        return rename(path, to)

    monkeypatch.setattr(Path, "rename", unless_new)
    with pytest.raises(PermissionError):
        made()

    assert released(small) == "the old one"


@pytest.mark.parametrize(
    ("log", "reason"),
    [
        ("[App | ERROR] Traceback\n    raise RuntimeError('x')\nRuntimeError: x\n[App | WARN] gone", "RuntimeError: x"),
        ("one\n\ntwo\nthree\nfour\n", "two three four"),
        ("", "it gave no reason"),
    ],
)
def test_the_reason_is_picked_from_nbgraders_log(log: str, reason: str) -> None:
    assert generate._reason(log) == reason
