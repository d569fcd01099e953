"""The small course with a gradebook as nbgrader makes it, and a class of whatever is handed in."""

from __future__ import annotations

import os
import shutil
import sys
from datetime import datetime
from pathlib import Path

import pytest

from tests.grading.fake import Class

DUE = datetime(2026, 9, 24, 11, 0)


@pytest.fixture(scope="session")
def empty(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A gradebook with the small course's session, notebook and cells, and nobody in it."""
    path = tmp_path_factory.mktemp("gradebook") / "gradebook.db"
    scripts = str(Path(sys.executable).parent)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PATH", scripts, prepend=os.pathsep)  # nbgrader calls `alembic` by its name
        fill(f"sqlite:///{path}")
    return path


def fill(url: str) -> None:
    """Make nbgrader's tables in an empty database, and the small course's rows."""
    from nbgrader.api import Gradebook

    with Gradebook(url, "small") as gradebook:
        gradebook.add_assignment("ch08", duedate=DUE.isoformat())
        gradebook.add_notebook("graph", "ch08")
        gradebook.add_grade_cell("ch08-e3-check", "graph", "ch08", max_score=10, cell_type="code")
        gradebook.add_solution_cell("ch08-e3", "graph", "ch08")
        gradebook.add_grade_cell("ch08-w1", "graph", "ch08", max_score=3, cell_type="markdown")
        gradebook.add_solution_cell("ch08-w1", "graph", "ch08")


@pytest.fixture
def path(empty: Path, tmp_path: Path) -> Path:
    """A copy of the gradebook, to be written."""
    return Path(shutil.copy(empty, tmp_path / "gradebook.db"))


@pytest.fixture
def school(empty: Path, tmp_path: Path) -> Class:
    """The small course with that gradebook, and no submission yet."""
    return Class.made(tmp_path / "kit", empty)
