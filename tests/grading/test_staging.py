"""What nbgrader gets to see of a submission."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from edgewise.grading.plugins.staging import stage
from edgewise.grading.reading.note import plain
from tests.submissions.conftest import Handed, course, handed, honest  # noqa: F401  (fixtures)


def staged(handed: Handed, folder: Path) -> dict[str, list[str]]:  # noqa: F811
    stage(handed.read(), folder)
    found = {path.relative_to(folder).as_posix(): path for path in sorted(folder.rglob("*")) if path.is_file()}
    return {
        name: [cell["id"] for cell in json.loads(path.read_text("utf-8"))["cells"]] if name.endswith(".ipynb") else []
        for name, path in found.items()
    }


CELLS = {
    "graph.ipynb": ["goal", "setup", "step", "step-check", "why"],
    "storm.ipynb": ["goal", "setup", "cap", "cap-check", "recap"],
}


def test_an_honest_submission_is_staged_as_it_is(handed: Handed, tmp_path: Path) -> None:  # noqa: F811
    (handed.folder / "timestamp.txt").write_text("2026-09-30 22:00:00 UTC", encoding="utf-8")
    (handed.folder / "data").mkdir()
    (handed.folder / "data/plan.csv").touch()

    assert staged(handed, tmp_path / "staged") == {**CELLS, "data/plan.csv": [], "timestamp.txt": []}


def test_what_was_not_handed_in_is_left_away(handed: Handed, tmp_path: Path) -> None:  # noqa: F811
    handed.file.unlink()

    assert staged(handed, tmp_path / "staged") == {"storm.ipynb": CELLS["storm.ipynb"]}


def test_of_nothing_everything_is_staged_with_a_note(handed: Handed, tmp_path: Path) -> None:  # noqa: F811
    handed.file.unlink()
    (handed.folder / "storm.ipynb").unlink()

    assert staged(handed, tmp_path / "staged") == {name: ["how-this-was-read", *cells] for name, cells in CELLS.items()}


def test_the_notes_id_is_its_own(handed: Handed, tmp_path: Path) -> None:  # noqa: F811
    handed.change(lambda handed: handed.cell("goal").update(id="how-this-was-read", source="Mine."))
    (handed.folder / "notes.ipynb").touch()

    assert staged(handed, tmp_path / "staged")["graph.ipynb"][:2] == ["how-this-was-read-", "how-this-was-read"]


def test_a_file_that_steers_the_grader_is_not_staged(handed: Handed, tmp_path: Path) -> None:  # noqa: F811
    for name in ("course.yml", "sitecustomize.py", "edgewise.py", "ipython_config.py"):
        (handed.folder / name).touch()
    (handed.folder / "checks").mkdir()
    (handed.folder / "checks/ch08_e3.py").touch()
    (handed.folder / "passwd").symlink_to("/etc/passwd")

    assert set(staged(handed, tmp_path / "staged")) == set(CELLS)


@pytest.mark.parametrize(
    ("sentence", "markdown"),
    [
        ("graph, 'ch08-e3': was deleted", "graph, 'ch08-e3': was deleted"),
        ("'<script>' `x` [a](b)", "'&#60;script&#62;' &#96;x&#96; &#91;a&#93;(b)"),
        ("&lt; $x$ **b** \\", "&#38;lt; &#36;x&#36; &#42;&#42;b&#42;&#42; &#92;"),
    ],
)
def test_a_sentence_shows_what_it_says_and_nothing_else(sentence: str, markdown: str) -> None:
    assert plain(sentence) == markdown
