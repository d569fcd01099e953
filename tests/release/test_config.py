"""nbgrader's settings: what course.yml makes of them, and what a broken one does."""

from __future__ import annotations

import asyncio
import os
import re
import sysconfig
from pathlib import Path

import pytest
from traitlets.config import Config
from traitlets.utils.importstring import import_item

from edgewise.course import CourseError
from edgewise.release.config import ZIPPED, configure


@pytest.fixture
def settings(small, monkeypatch: pytest.MonkeyPatch) -> Config:
    monkeypatch.setenv("PATH", "/usr/bin")
    c = Config()
    configure(c, small.root)
    return c


def test_every_folder_comes_from_the_layout(settings: Config, small) -> None:
    steps = ("source", "release", "submitted", "autograded", "feedback", "solution")
    folders = {step: settings.CourseDirectory[f"{step}_directory"] for step in steps}

    assert folders == {"source": "notebooks"} | {step: f"build/{step}" for step in steps[1:]}


def test_the_folder_of_the_gradebook_is_there(settings: Config, small) -> None:
    database = small.root / "build/gradebook.db"

    assert (settings.CourseDirectory.db_url, database.parent.is_dir()) == (f"sqlite:///{database}", True)


def test_another_database_is_named_by_its_url_and_the_rest_lies_with_the_outputs(small) -> None:
    small.course_says("database: build/gradebook.db", "database: postgresql://grader@db/grades")
    c = Config()
    configure(c, small.root)
    found = (c.CourseDirectory.db_url, c.ExportPlugin.to, c.ZipCollectApp.downloaded_directory)

    assert found == ("postgresql://grader@db/grades", str(small.root / "build/grades.csv"), "build/downloaded")


def test_limits_and_penalties_come_from_course_yml(settings: Config) -> None:
    found = (settings.CourseDirectory.course_id, settings.Execute.timeout, settings.LateSubmissionPlugin.penalty_method)

    assert found == ("small", 30, "none")


def test_a_check_cell_can_neither_be_skipped_nor_deleted(settings: Config) -> None:
    assert (settings.NotebookClient.skip_cells_with_tag, settings.OverwriteCells.add_missing_cells) == ("", True)


def test_formgrader_and_feedback_show_what_a_student_wrote_by_way_of_us(settings: Config) -> None:
    exporter = settings.HTMLExporter
    dotted = [*exporter.preprocessors, *exporter.filters.values(), settings.ExportApp.plugin_class]

    assert exporter.sanitize_html is True
    assert [import_item(name).__name__ for name in dotted] == [
        "Harmless",
        "markdown2html",
        "clean_html",
        "strip_files_prefix",
        "Grades",
    ]


def test_alembic_is_found_where_nothing_was_activated(settings: Config, small) -> None:
    configure(Config(), small.root)  # nbgrader loads its settings more than once

    assert os.environ["PATH"].split(os.pathsep) == [sysconfig.get_path("scripts"), "/usr/bin"]


def test_a_broken_course_ends_the_command(small, capsys: pytest.CaptureFixture[str]) -> None:
    small.course_says("late: none", "late: never")
    with pytest.raises(SystemExit) as caught:
        configure(Config(), small.root)

    assert (caught.value.code, capsys.readouterr().err.splitlines()) == (
        2,
        [
            "course.yml:13: 'late' of the course is 'never'; possible: none or zero",
            "nbgrader stops here: course.yml has to be put right first.",
        ],
    )


def test_a_broken_course_leaves_a_running_server_up(small) -> None:
    small.course_says("late: none", "late: never")

    async def request() -> None:
        configure(Config(), small.root)

    with pytest.raises(CourseError):
        asyncio.run(request())


@pytest.mark.parametrize(
    ("path", "student", "notebook"),
    [
        ("/kit/extracted/ada_five-state-machine.ipynb", "ada", "five-state-machine"),
        ("/kit/extracted/class/ada_five-state-machine.ipynb", "ada", "five-state-machine"),
        ("/kit/extracted/ada/five-state-machine.ipynb", "ada", "five-state-machine"),
        ("/kit/extracted/ada lovelace/retry-storms.ipynb", "ada lovelace", "retry-storms"),
        (r"C:\kit\extracted\ada\retry-storms.ipynb", "ada", "retry-storms"),
    ],
)
def test_a_downloaded_file_says_whose_it_is(path: str, student: str, notebook: str) -> None:
    match = re.match(ZIPPED, path)

    assert match is not None and match.groupdict() == {"student_id": student, "file_id": notebook}


def test_the_roots_own_settings_load(monkeypatch: pytest.MonkeyPatch) -> None:
    path = Path(__file__).parent.parent.parent / "nbgrader_config.py"
    c = Config()
    exec(compile(path.read_text(encoding="utf-8"), path, "exec"), {"__file__": str(path), "get_config": lambda: c})

    assert c.CourseDirectory.course_id == "loops-and-graphs"
