"""Every notebook of the course: it runs again with the same outputs, and it keeps the house's form."""

from __future__ import annotations

import ast
import os
import re
import subprocess
import sys
from pathlib import Path

import nbformat
import pytest
from nbformat import NotebookNode

from edgewise.course import load_course

ROOT = Path(__file__).resolve().parent.parent
COURSE = load_course(ROOT / "course.yml")
PATHS = [
    COURSE.notebook_path(session, notebook) for session in COURSE.sessions.values() for notebook in session.notebooks
]
EXERCISES = {exercise.id: exercise for exercise in COURSE.exercises}

SKELETON = re.compile(r"Goal Picture (Round ){2,4}Recap")
UNSTABLE = re.compile(
    r"0x[0-9a-f]{6,}|/(?:home|Users|root|tmp|work|usr)/|[A-Z]:\\\\|\bWall time\b|\d ms ±|\d\d:\d\d:\d\d"
)
SLUG = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")
IMAGE_WITHOUT_TEXT = re.compile(r"!\[\s*\]\(|<img(?![^>]*\balt=)")
SVG = re.compile(r"<svg\b[^>]*>")


@pytest.fixture(params=PATHS, ids=lambda path: path.stem, scope="module")
def path(request: pytest.FixtureRequest) -> Path:
    return request.param


@pytest.fixture
def notebook(path: Path) -> NotebookNode:
    return nbformat.read(path, as_version=4)


@pytest.fixture
def code(notebook: NotebookNode) -> list[NotebookNode]:
    return [cell for cell in notebook.cells if cell.cell_type == "code"]


@pytest.fixture
def prose(notebook: NotebookNode) -> list[NotebookNode]:
    return [cell for cell in notebook.cells if cell.cell_type == "markdown"]


def lines(cell: NotebookNode) -> int:
    return sum(bool(line.strip()) for line in cell.source.splitlines())


def shown(cell: NotebookNode) -> str:
    """Every text of a cell's outputs, tracebacks included."""
    texts = []
    for output in cell.outputs:
        texts += [output.get("text", ""), *output.get("traceback", []), *map(str, output.get("data", {}).values())]
    return "\n".join(texts)


def exercise_of(cell: NotebookNode) -> str:
    """The id of the exercise whose answer a cell is, or ""."""
    marks = cell.metadata.get("nbgrader", {})
    return marks["grade_id"] if marks.get("solution") else ""


# --- It runs ----------------------------------------------------------------------------------------


def test_a_fresh_kernel_gives_the_saved_outputs(path: Path) -> None:
    command = [sys.executable, "-m", "pytest", "--nbval", "--nbval-current-env", "--nbval-cell-timeout=30"]
    quiet = ["-p", "no:cacheprovider", "-p", "no:xdist", "-q", "--rootdir", str(ROOT), str(path)]
    alone = {name: value for name, value in os.environ.items() if not name.startswith(("PYTEST_", "COV_"))}

    run = subprocess.run([*command, *quiet], cwd=ROOT, env=alone, capture_output=True, text=True, check=False)

    assert run.returncode == 0, run.stdout[-6000:]


def test_the_outputs_were_saved_by_one_run_from_top_to_bottom(code: list[NotebookNode]) -> None:
    assert [cell.execution_count for cell in code] == list(range(1, len(code) + 1))


def test_errors_are_shown_on_purpose_or_not_at_all(code: list[NotebookNode]) -> None:
    failing = [cell.id for cell in code if any(output.output_type == "error" for output in cell.outputs)]

    assert [
        cell.id for cell in code if cell.id in failing and "raises-exception" not in cell.metadata.get("tags", [])
    ] == []


def test_nothing_is_written_to_stderr(code: list[NotebookNode]) -> None:
    assert [cell.id for cell in code if any(output.get("name") == "stderr" for output in cell.outputs)] == []


def test_no_output_holds_an_address_a_path_or_a_time(code: list[NotebookNode]) -> None:
    assert {cell.id: found.group() for cell in code if (found := UNSTABLE.search(shown(cell)))} == {}


def test_every_check_of_the_solutions_earns_its_points(code: list[NotebookNode]) -> None:
    checks = [cell for cell in code if cell.metadata.get("nbgrader", {}).get("grade")]
    results = [output for cell in checks for output in cell.outputs if output.output_type == "execute_result"]

    earned = [float(result.data["text/plain"]) for result in results]

    assert earned == [float(cell.metadata.nbgrader.points) for cell in checks]


# --- It keeps the form ------------------------------------------------------------------------------


def test_the_headings_follow_the_skeleton(prose: list[NotebookNode]) -> None:
    titles = [line[3:] for cell in prose for line in cell.source.splitlines() if line.startswith("## ")]
    words = [title.split()[0] for title in titles if not title.startswith("Exercise")]

    assert SKELETON.fullmatch(" ".join(words)), titles


def test_every_round_asks_for_a_prediction_and_explains(prose: list[NotebookNode]) -> None:
    text = "\n".join(cell.source for cell in prose)
    rounds = re.split(r"^## ", text, flags=re.MULTILINE)

    silent = [part.splitlines()[0] for part in rounds if part.startswith("Round") and "**Predict" not in part]
    mute = [part.splitlines()[0] for part in rounds if part.startswith("Round") and "**Explain" not in part]

    assert (silent, mute) == ([], [])


def test_every_exercise_stands_under_a_heading_that_names_it(path: Path, prose: list[NotebookNode]) -> None:
    titles = [line for cell in prose for line in cell.source.splitlines() if line.startswith("## Exercise")]

    named = [exercise for title in titles for exercise in EXERCISES if exercise in title]

    assert named == [exercise.id for exercise in EXERCISES.values() if exercise.notebook == path.stem]


def test_nine_cells_in_ten_have_ten_lines_and_none_over_25(code: list[NotebookNode]) -> None:
    sizes = sorted(map(lines, code))

    assert sizes[int(0.9 * (len(sizes) - 1))] <= 10
    assert sizes[-1] <= 25


def test_a_cell_defines_one_function_or_as_many_as_its_exercise_lists(code: list[NotebookNode]) -> None:
    found = {}
    for cell in code:
        defined = [
            node.name for node in ast.parse(cell.source).body if isinstance(node, ast.FunctionDef | ast.ClassDef)
        ]
        exercise = EXERCISES.get(exercise_of(cell))
        if len(defined) > max(1, len(exercise.objects) if exercise else 0):
            found[cell.id] = defined

    assert found == {}


def test_text_comes_at_least_every_four_code_cells(notebook: NotebookNode) -> None:
    kinds = "".join("c" if cell.cell_type == "code" else " " for cell in notebook.cells)

    assert max(map(len, kinds.split())) <= 4


def test_there_are_10_to_25_words_of_text_per_line_of_code(code: list[NotebookNode], prose: list[NotebookNode]) -> None:
    words = sum(len(re.findall(r"\w+", cell.source)) for cell in prose)

    assert 10 <= words / sum(map(lines, code)) <= 25


def test_every_picture_says_in_words_what_it_shows(code: list[NotebookNode], prose: list[NotebookNode]) -> None:
    drawn = [tag for cell in code for tag in SVG.findall(shown(cell))]

    assert [cell.id for cell in prose if IMAGE_WITHOUT_TEXT.search(cell.source)] == []
    assert [tag for tag in drawn if 'role="img"' not in tag or "aria-label=" not in tag] == []


def test_cells_have_readable_ids_of_their_own(notebook: NotebookNode) -> None:
    ids = [cell.id for cell in notebook.cells]

    assert [name for name in ids if not SLUG.fullmatch(name) or re.fullmatch(r"[0-9a-f]{8}", name)] == []
    assert len(set(ids)) == len(ids)


def test_the_metadata_hold_the_kernel_and_no_trace_of_a_run(notebook: NotebookNode) -> None:
    kernel = (notebook.nbformat, notebook.nbformat_minor, notebook.metadata.kernelspec.name)

    assert kernel == (4, 5, "python3")
    assert [cell.id for cell in notebook.cells if set(cell.metadata) - {"nbgrader", "tags"}] == []
