"""JupyterLab as a student first sees it: in their own folder, on a notebook, with nothing in the way."""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

from edgewise.course import Course, CourseError, load_course
from edgewise.my_sessions import FOLDER, hand_out, has_sources, needs_build, newest, release_folder

SETTINGS = Path(__file__).resolve().parent / "jupyterlab_settings"
"""JupyterLab's defaults here: no news pop-up, every cell in the page, nbgrader's menus (an instructor's) away."""

INSTRUCTORS = (
    "nbgrader.server_extensions.formgrader",
    "nbgrader.server_extensions.validate_assignment",
    "nbgrader.server_extensions.assignment_list",
    "nbgrader.server_extensions.course_list",
)
"""Server extensions that a student's JupyterLab does without: they cost two seconds at its start."""

NO_SOURCES = (
    "The notebooks of session {session} are not beside course.yml. `edgewise lab` works in a checkout of the "
    "repository; elsewhere, `check` works in any notebook that you open with `jupyter lab`."
)
NO_JUPYTERLAB = "JupyterLab is not installed here; `pip install 'edgewise[student]'` brings it."
NO_NBGRADER = (
    "The students' version of session {session} has to be built first, and nbgrader is not installed here; "
    "`make lab` sets up everything."
)


class LabError(RuntimeError):
    """JupyterLab cannot be opened on a session; the message says what is possible instead."""


def open_lab(
    folder: Path | None = None,
    *,
    port: int | None = None,
    browser: bool = True,
    say: Callable[[str], None] | None = None,
    run: Callable[[list[str]], int] | None = None,
) -> int:
    """Hands out the newest session and serves it until the user ends it; returns JupyterLab's exit status.

    `folder` is where the student's copies lie, my-sessions/ beside course.yml if left out; `run` starts the
    server. Raises LabError, with every problem if course.yml has some.
    """
    try:
        course = load_course()
    except CourseError as error:
        raise LabError(str(error)) from None
    copies = (course.root / FOLDER if folder is None else folder).resolve()
    say = say or _say
    prepare(course, copies, say)
    session = newest(course)
    first = f"{session.id}/{session.notebooks[0].name}.ipynb"
    say(f"Opening {first} in {copies.name}/; Ctrl-C ends JupyterLab.")
    return (run or _run)(arguments(copies, first, port=port, browser=browser, root=_is_root()))


def prepare(course: Course, copies: Path, say: Callable[[str], None]) -> None:
    """Builds the newest session's release where that is needed, and hands it out. Raises LabError."""
    session = newest(course)
    if not has_sources(course, session):
        raise LabError(NO_SOURCES.format(session=session.number))
    if importlib.util.find_spec("jupyterlab") is None:
        raise LabError(NO_JUPYTERLAB)
    if needs_build(course, session):
        if importlib.util.find_spec("nbgrader") is None:
            raise LabError(NO_NBGRADER.format(session=session.number))
        say(f"Building the students' version of session {session.number} …")
        try:
            _build(course, session.id)
        except LabError as error:
            if not (copies / session.id).is_dir():
                raise
            say(f"{error}\nYour copies are there, so they are opened as they are.")
            return
    for sentence in hand_out(release_folder(course, session), copies):
        say(sentence)


def arguments(folder: Path, first: str, *, port: int | None, browser: bool, root: bool) -> list[str]:
    """JupyterLab's command line: rooted in `folder`, open on `first`, on `port` or the next free one.

    JupyterLab prints the address itself, and opens a browser unless told not to or there is none.
    """
    return [
        f"--ServerApp.root_dir={folder}",
        f"--LabApp.default_url=/lab/tree/{first}",
        f"--LabApp.app_settings_dir={SETTINGS}",
        "--LabApp.extension_manager=readonly",
        f"--ServerApp.jpserver_extensions={dict.fromkeys(INSTRUCTORS, False)}",
        "--ServerApp.answer_yes=True",  # Ctrl-C ends it, without a question
        "--log-level=ERROR",
        *([f"--ServerApp.port={port}"] if port is not None else []),
        *([] if browser else ["--no-browser"]),
        *(["--allow-root"] if root else []),
    ]


def _build(course: Course, session: str) -> None:
    """Raises LabError with every reason why there is no release."""
    from edgewise.release import BuildError, build

    try:
        build(course, session)
    except BuildError as error:
        raise LabError(f"There is no students' version to open:\n{error}") from None


def _say(sentence: str) -> None:
    """Print at once, so that what we say comes before what JupyterLab says."""
    print(sentence, flush=True)


def _run(command: list[str]) -> int:
    """JupyterLab in this process's place, so that whoever ends the one ends the other; on Windows, beneath it."""
    program = [sys.executable, "-m", "jupyterlab", *command]
    if os.name == "posix":
        os.execv(sys.executable, program)  # noqa: S606
    with subprocess.Popen(program) as server:  # noqa: S603
        while True:
            try:
                return server.wait()
            except KeyboardInterrupt:  # it reached JupyterLab as well, which asks before it ends
                continue


def _is_root() -> bool:
    return hasattr(os, "geteuid") and os.geteuid() == 0
