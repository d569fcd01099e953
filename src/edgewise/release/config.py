"""course.yml → nbgrader's settings: what nbgrader_config.py at the root calls."""

from __future__ import annotations

import asyncio
import importlib
import os
import sys
import sysconfig
from pathlib import Path
from typing import Any

from edgewise.course import FILE, Course, CourseError, load_course
from edgewise.release.ignored import IGNORED

STEPS = ("source", "release", "submitted", "autograded", "feedback", "solution")

GENERATE = [
    "IncludeHeaderFooter",
    "InstantiateTests",
    "LockCells",
    "ClearSolutions",
    "ClearOutput",
    "CheckCellMetadata",
    "ComputeChecksums",
    "SaveCells",
    "ClearHiddenTests",
    "ClearMarkScheme",
    "ComputeChecksums",
    "CheckCellMetadata",
]
SANITIZE = ["ClearOutput", "DeduplicateIds", "OverwriteKernelspec", "OverwriteCells", "CheckCellMetadata"]

HARMLESS = "edgewise.grading.plugins.harmless"
"""By its name: nbgrader imports it, where it makes a page."""

AUTOGRADE = [  # without Execute, and without nbconvert's own, which is off
    "IgnorePattern",
    "LimitOutput",
    "SaveAutoGrades",
    "AssignLatePenalties",
    "CheckCellMetadata",
]

ZIPPED = r".*[/\\](?P<student_id>[^/\\_]+)[/\\_](?P<file_id>[a-z0-9-]+)\.ipynb$"
"""`zip_collect`: ada_five-state-machine.ipynb, or five-state-machine.ipynb in ada.zip or in a folder ada."""


def configure(c: Any, root: Path) -> None:
    """Settings `c` for the course in `root`. nbgrader runs this two or three times a command.

    nbgrader would only log an exception here and go on with its defaults, in other folders; so a course.yml
    with problems ends the command instead.
    """
    try:
        course = load_course(root / FILE)
    except CourseError as error:
        _stop(error)
    _folders(c, course)
    _grading(c, course)
    _show_harmless(c)
    _repair_first()
    course.beside.mkdir(parents=True, exist_ok=True)
    _show_alembic()


def _stop(error: CourseError) -> None:
    print(*error.problems, "nbgrader stops here: course.yml has to be put right first.", sep="\n", file=sys.stderr)
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        raise SystemExit(2) from None
    raise error  # inside a running Jupyter server: it refuses the request and stays up


def _folders(c: Any, course: Course) -> None:
    layout = course.layout
    c.CourseDirectory.root = str(course.root)
    c.CourseDirectory.course_id = course.course
    for step in STEPS:
        setattr(c.CourseDirectory, f"{step}_directory", getattr(layout, step))
    c.CourseDirectory.db_url = course.database_url
    c.CourseDirectory.ignore = IGNORED
    c.Exchange.root = str(course.root / layout.exchange)
    c.ZipCollectApp.downloaded_directory = str(course.beside.relative_to(course.root) / "downloaded")
    c.FileNameCollectorPlugin.named_regexp = ZIPPED
    c.ExportPlugin.to = str(course.beside / "grades.csv")
    c.ExportApp.plugin_class = "edgewise.grading.plugins.export.Grades"


def _grading(c: Any, course: Course) -> None:
    c.GenerateAssignment.preprocessors = ["edgewise.release.guard.Listed", *_stock(GENERATE)]
    c.Autograde.sanitize_preprocessors = ["edgewise.release.guard.DueDate", *_stock(SANITIZE)]
    c.Autograde.autograde_preprocessors = ["edgewise.grading.plugins.judged.Judged", *_stock(AUTOGRADE)]
    c.Execute.timeout = course.limits.cell_seconds
    c.NotebookClient.skip_cells_with_tag = ""  # a check cell that is skipped would earn everything
    c.OverwriteCells.add_missing_cells = True  # a deleted check cell runs all the same
    c.LateSubmissionPlugin.penalty_method = course.late


def _show_harmless(c: Any) -> None:
    """For formgrader and generate_feedback, which both ask HTMLExporter: nothing that a student wrote runs."""
    c.HTMLExporter.preprocessors = [f"{HARMLESS}.Harmless"]
    c.HTMLExporter.filters = {
        name: f"{HARMLESS}.{name}" for name in ("markdown2html", "clean_html", "strip_files_prefix")
    }
    c.HTMLExporter.sanitize_html = True  # HTML outputs go through clean_html, scripts and widgets are left out
    if "nbgrader.server_extensions.formgrader.handlers" in sys.modules:
        importlib.import_module("edgewise.grading.plugins.formgrader").install()


def _repair_first() -> None:
    """In nbgrader's own processes: let it read submissions as edgewise does, for which it has no setting."""
    if "nbgrader.apps" in sys.modules:
        importlib.import_module("edgewise.grading.plugins.converter").install()


def _stock(names: list[str]) -> list[str]:
    return [f"nbgrader.preprocessors.{name}" for name in names]


def _show_alembic() -> None:
    """Put the interpreter's own scripts on PATH: for a new gradebook nbgrader calls `alembic` by its name."""
    scripts = sysconfig.get_path("scripts")
    known = os.environ.get("PATH", "").split(os.pathsep)
    if scripts not in known:
        os.environ["PATH"] = os.pathsep.join([scripts, *filter(None, known)])
