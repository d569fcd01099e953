"""`edgewise lab` up to the moment JupyterLab starts; the server itself is in tests/browser."""

import importlib.util
import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from edgewise import cli, release, serve
from edgewise.course import Course, load_course
from edgewise.serve import LabError, arguments, open_lab, prepare

COURSE = """\
course: shop
title: A shop
layout: {source: notebooks, release: build/release, submitted: build/submitted, autograded: build/autograded,
         feedback: build/feedback, solution: build/solution, database: build/gradebook.db, exchange: build/exchange}
limits: {cell_seconds: 30, check_seconds: 5, file_seconds: 20, memory_megabytes: 1024}
late: none
sessions:
  ch08:
    number: 8
    title: Now
    date: 2026-09-23
    notebooks:
      machine: {title: Machine, exercises: {ch08-e1: {title: One, objects: [one], points: 1}}}
      storms: {title: Storms, exercises: {ch08-e2: {title: Two, objects: [two], points: 1}}}
"""
NOTEBOOKS = ("machine.ipynb", "storms.ipynb")


@pytest.fixture
def course(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Course:
    """A checkout with two notebooks, in the working folder; building copies the sources."""
    (tmp_path / "course.yml").write_text(COURSE)
    for name in NOTEBOOKS:
        path = tmp_path / "notebooks/ch08" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(name)

    def built(course: Course, session: str) -> None:
        release = course.root / "build/release" / session
        release.mkdir(parents=True, exist_ok=True)
        for name in NOTEBOOKS:
            (release / name).write_text(f"released {name}")

    monkeypatch.setattr(serve, "_build", built)
    monkeypatch.chdir(tmp_path)
    return load_course(tmp_path / "course.yml")


@pytest.fixture
def without(monkeypatch: pytest.MonkeyPatch):
    """Makes a package look as if it were not installed."""
    real = importlib.util.find_spec

    def hide(package: str) -> None:
        monkeypatch.setattr(importlib.util, "find_spec", lambda name: None if name == package else real(name))

    return hide


def test_a_first_run_builds_hands_out_and_opens_the_first_notebook(course: Course) -> None:
    said: list[str] = []
    commands: list[list[str]] = []

    status = open_lab(say=said.append, run=lambda command: commands.append(command) or 0)

    assert status == 0
    assert said == [
        "Building the students' version of session 8 …",
        "ch08/machine.ipynb is ready",
        "ch08/storms.ipynb is ready",
        "Opening ch08/machine.ipynb in my-sessions/; Ctrl-C ends JupyterLab.",
    ]
    assert f"--ServerApp.root_dir={course.root / 'my-sessions'}" in commands[0]
    assert "--LabApp.default_url=/lab/tree/ch08/machine.ipynb" in commands[0]


def test_a_second_run_says_only_that_it_opens(course: Course) -> None:
    said: list[str] = []
    open_lab(say=lambda _: None, run=lambda _: 0)

    open_lab(say=said.append, run=lambda _: 0)

    assert said == ["Opening ch08/machine.ipynb in my-sessions/; Ctrl-C ends JupyterLab."]


def test_it_works_from_inside_the_students_folder(course: Course, monkeypatch: pytest.MonkeyPatch) -> None:
    prepare(course, course.root / "my-sessions", say=lambda _: None)
    monkeypatch.chdir(course.root / "my-sessions/ch08")

    assert open_lab(say=lambda _: None, run=lambda _: 3) == 3


def test_another_folder_may_hold_the_copies(course: Course, tmp_path: Path) -> None:
    open_lab(tmp_path / "elsewhere", say=lambda _: None, run=lambda _: 0)

    assert sorted(path.name for path in (tmp_path / "elsewhere/ch08").iterdir()) == ["machine.ipynb", "storms.ipynb"]


def test_outside_a_checkout_it_says_what_is_possible(course: Course) -> None:
    (course.root / "notebooks/ch08/storms.ipynb").unlink()

    with pytest.raises(LabError) as caught:
        open_lab(run=lambda _: 0)

    assert str(caught.value) == (
        "The notebooks of session 8 are not beside course.yml. `edgewise lab` works in a checkout of the "
        "repository; elsewhere, `check` works in any notebook that you open with `jupyter lab`."
    )


def test_without_jupyterlab_it_says_how_to_get_it(course: Course, without) -> None:
    without("jupyterlab")

    with pytest.raises(LabError) as caught:
        open_lab(run=lambda _: 0)

    assert str(caught.value) == "JupyterLab is not installed here; `pip install 'edgewise[student]'` brings it."


def test_without_nbgrader_a_release_that_must_be_built_says_so(course: Course, without) -> None:
    without("nbgrader")

    with pytest.raises(LabError) as caught:
        open_lab(run=lambda _: 0)

    assert str(caught.value) == (
        "The students' version of session 8 has to be built first, and nbgrader is not installed here; "
        "`make lab` sets up everything."
    )


def test_without_nbgrader_a_release_that_is_there_is_enough(course: Course, without) -> None:
    open_lab(say=lambda _: None, run=lambda _: 0)
    without("nbgrader")

    assert open_lab(say=lambda _: None, run=lambda _: 0) == 0


def test_a_release_that_cannot_be_built_says_every_reason(course: Course, monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(*_: object) -> None:
        raise release.BuildError("one thing", "another thing")

    monkeypatch.undo()
    monkeypatch.setattr(release, "build", refused)
    monkeypatch.chdir(course.root)

    with pytest.raises(LabError) as caught:
        open_lab(say=lambda _: None, run=lambda _: 0)

    assert str(caught.value) == "There is no students' version to open:\none thing\nanother thing"


def test_a_course_with_problems_says_them(course: Course) -> None:
    course.path.write_text(COURSE.replace("course: shop\n", ""))

    with pytest.raises(LabError) as caught:
        open_lab(run=lambda _: 0)

    assert str(caught.value).startswith("course.yml:")


def test_the_command_ends_with_2_and_the_sentence_alone(course: Course) -> None:
    (course.root / "notebooks/ch08/machine.ipynb").unlink()

    run = CliRunner().invoke(cli.app, ["lab"])

    assert (run.exit_code, run.stdout, run.stderr) == (2, "", serve.NO_SOURCES.format(session=8) + "\n")


def test_the_command_hands_on_its_options_and_jupyterlabs_status(
    course: Course, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    commands: list[list[str]] = []
    monkeypatch.setattr(serve, "_run", lambda command: commands.append(command) or 5)

    run = CliRunner().invoke(cli.app, ["lab", "--no-browser", "--port", "8899", "--folder", str(tmp_path / "mine")])

    assert run.exit_code == 5
    assert {"--no-browser", "--ServerApp.port=8899", f"--ServerApp.root_dir={tmp_path / 'mine'}"} <= set(commands[0])


def test_a_port_a_missing_browser_and_root_reach_jupyterlab(tmp_path: Path) -> None:
    plain = arguments(tmp_path, "ch08/machine.ipynb", port=None, browser=True, root=False)

    told = arguments(tmp_path, "ch08/machine.ipynb", port=8899, browser=False, root=True)

    assert [argument for argument in told if argument not in plain] == [
        "--ServerApp.port=8899",
        "--no-browser",
        "--allow-root",
    ]


def test_the_first_view_has_no_news_and_no_instructors_menus() -> None:
    settings = {path.name: json.loads(path.read_text()) for path in serve.SETTINGS.iterdir()}

    assert settings == {
        "overrides.json": {
            "@jupyterlab/apputils-extension:notification": {"fetchNews": "false", "checkForUpdates": False},
            "@jupyterlab/notebook-extension:tracker": {"windowingMode": "none"},
        },
        "page_config.json": {"disabledExtensions": {"@jupyter/nbgrader": True}},
    }
