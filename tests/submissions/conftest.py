"""A folder with an honest submission, for a test to spoil."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from edgewise.course import Course
from edgewise.grading.reading.submission import Submission, read
from tests.submissions import kit


@dataclass
class Handed:
    """An honest submission in `folder`; `raw` is the JSON of its first notebook, which is written by `read`."""

    folder: Path
    course: Course
    honest: dict[str, dict[str, Any]]
    raw: dict[str, Any] = field(init=False)

    def __post_init__(self) -> None:
        self.folder.mkdir(parents=True)
        self.raw = copy.deepcopy(self.honest["graph"])
        self.write("storm", self.honest["storm"])
        self.write("graph", self.raw)

    @property
    def file(self) -> Path:
        return self.folder / "graph.ipynb"

    @property
    def cells(self) -> list[Any]:
        return self.raw["cells"]

    def cell(self, id_: str) -> dict[str, Any]:
        return next(cell for cell in self.cells if cell["id"] == id_)

    def write(self, name: str, raw: object) -> None:
        (self.folder / f"{name}.ipynb").write_text(json.dumps(raw), encoding="utf-8")

    def change(self, how: Callable[[Handed], object]) -> Handed:
        """Write the first notebook again, `how` having changed `raw`."""
        how(self)
        self.write("graph", self.raw)
        return self

    def read(self) -> Submission:
        return read(self.folder, kit.session(self.course), self.course)


@pytest.fixture(scope="session")
def course(tmp_path_factory: pytest.TempPathFactory) -> Course:
    return kit.course(tmp_path_factory.mktemp("course"))


@pytest.fixture(scope="session")
def honest(course: Course, tmp_path_factory: pytest.TempPathFactory) -> dict[str, dict[str, Any]]:
    return kit.honest(kit.handed_out(course, tmp_path_factory.mktemp("nothing") / "ch08"))


@pytest.fixture
def handed(course: Course, honest: dict[str, dict[str, Any]], tmp_path: Path) -> Handed:
    return Handed(tmp_path / "ada/ch08", course, honest)
