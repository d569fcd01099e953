"""The child process of `limited`: reads a request, runs a student's file, checks what it hands in, answers in JSON.

Runs as `python -m edgewise.checking.child`. What the file prints goes nowhere; the answer goes out on a copy of
the standard output, made before the file runs.
"""

from __future__ import annotations

import os
import sys
import traceback
import types
from json import dump, load, loads
from pathlib import Path
from typing import Any

import edgewise
from edgewise.checking import notebook
from edgewise.checking.engine import CheckError, examine, load_check, unasked
from edgewise.checking.limited import Checked
from edgewise.course import Course, CourseError, Exercise, load_course

ANSWER = "answer_file"
"""The name a .py file runs under: its own may be `json` or `edgewise`, which we need ourselves."""


class Handed:
    """Stands in for `check` while the file runs, and keeps what the exercise was handed first."""

    def __init__(self, exercise: str) -> None:
        self.exercise = exercise
        self.objects: tuple[object, ...] | None = None

    def __call__(self, exercise: str, *objects: object) -> float:
        """Keep the objects; the points come later."""
        if exercise == self.exercise and self.objects is None:
            self.objects = objects
        return 0.0


def main() -> None:
    """Answer the one request on the standard input."""
    request = load(sys.stdin)
    out = os.fdopen(os.dup(1), "w", encoding="utf-8")
    nowhere = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1, 2):
        os.dup2(nowhere, stream)
    error = None
    checked = Checked({}, "")
    try:
        course = load_course(Path(request["course"]))
        exercise = course.exercise(request["exercise"])
        load_check(course.check_path(exercise))  # while the modules it needs are as they should be
        _limit(course)
        checked = answer(course, exercise, Path(request["file"]))
    except (CheckError, CourseError) as problem:
        error = str(problem)
    dump({"report": checked.data, "text": checked.text, "error": error}, out)
    out.flush()
    os._exit(0)  # a thread the file started must not keep us


def answer(course: Course, exercise: Exercise, file: Path) -> Checked:
    """The report on what `file` hands in."""
    handed = Handed(exercise.id)
    edgewise.check = notebook.check = handed
    vars(edgewise).update(walk=_shows_nothing, hint=_shows_nothing, progress=_shows_nothing)
    sys.path.append(str(file.parent))
    run = _run_notebook if file.suffix == ".ipynb" else _run_script
    names, trouble = run(file, handed)
    objects = handed.objects
    if objects is None:
        absent = [name for name in exercise.objects if name not in names]
        if trouble and (absent or file.suffix == ".py"):
            return Checked.of(unasked(exercise, trouble))
        if absent:
            missing = " and ".join(f"`{name}`" for name in absent)
            reason = f"{file.name} does not define {missing}; the exercise asks for it by that name"
            if file.suffix == ".ipynb" and file.stem != exercise.notebook:
                reason = f"{file.name} does not define {missing}; {exercise.id} is in {exercise.notebook}.ipynb"
            return Checked.of(unasked(exercise, reason))
        objects = tuple(names[name] for name in exercise.objects)
    return Checked.of(examine(exercise, objects, course))


def _shows_nothing(*_arguments: object, **_keywords: object) -> None:
    """Stands in for what shows something to a reader; here nobody reads."""


def _limit(course: Course) -> None:
    """Bound memory and processor time, where the platform can."""
    try:
        import resource
    except ImportError:
        return
    memory = course.limits.memory_megabytes * 2**20
    seconds = course.limits.file_seconds + 1
    for kind, limit in ((resource.RLIMIT_AS, memory), (resource.RLIMIT_CPU, seconds), (resource.RLIMIT_CORE, 0)):
        _, most = resource.getrlimit(kind)
        resource.setrlimit(kind, (limit if most == resource.RLIM_INFINITY else min(limit, most), most))


def _run_script(file: Path, handed: Handed) -> tuple[dict[str, Any], str | None]:  # noqa: ARG001  # as for notebooks
    """The names a .py file defines, and what it raised."""
    module = types.ModuleType(ANSWER)
    module.__file__ = str(file)
    sys.modules[ANSWER] = module
    try:
        exec(_compiled(file), module.__dict__)  # noqa: S102  # a student's file, limited
    except BaseException as error:  # whatever the file does is its answer
        return module.__dict__, _trouble(error, file)
    return module.__dict__, None


def _compiled(file: Path) -> types.CodeType:
    """The file's code. Raises SyntaxError, also where Python before 3.11.4 calls it a ValueError."""
    try:
        return compile(file.read_bytes(), str(file), "exec")
    except ValueError as error:
        raise SyntaxError(str(error)) from None


def _run_notebook(file: Path, handed: Handed) -> tuple[dict[str, Any], str | None]:
    """The names a notebook's cells define up to its check, and the first exception on the way."""
    from IPython.core.interactiveshell import InteractiveShell
    from traitlets.config import Config

    try:
        cells = _code_cells(loads(file.read_bytes().decode("utf-8-sig")))
    except (ValueError, RecursionError) as error:
        return {}, f"{file.name} is not a notebook: {error}"
    shell: Any = InteractiveShell.instance(config=Config({"HistoryManager": {"enabled": False}}))
    trouble = None
    for number, source in cells:
        result = shell.run_cell(source, store_history=False)
        raised = result.error_before_exec or result.error_in_exec
        if raised is not None and trouble is None:
            trouble = f"{file.name}, cell {number}: {_said(raised)}"
        if handed.objects is not None:
            break
    return shell.user_ns, trouble


def _code_cells(data: Any) -> list[tuple[int, str]]:
    """The number and the source of each code cell. Raises ValueError where there are none to be found."""
    cells = data.get("cells") if isinstance(data, dict) else None
    if not isinstance(cells, list):
        raise ValueError("it has no list of cells")  # one kind of error for every odd file
    found = []
    for number, cell in enumerate(cells, 1):
        if isinstance(cell, dict) and cell.get("cell_type") == "code":
            source = cell.get("source")
            found.append((number, "".join(map(str, source)) if isinstance(source, list) else str(source)))
    return found


def _trouble(error: BaseException, file: Path) -> str:
    """What a .py file raised, with its line."""
    if isinstance(error, SyntaxError) and error.filename == str(file):
        return f"{file.name}:{error.lineno}: {_said(error)}"
    lines = [frame.lineno for frame in traceback.extract_tb(error.__traceback__) if frame.filename == str(file)]
    where = f"{file.name}:{lines[-1]}" if lines else file.name
    return f"{where}: {_said(error)}"


def _said(error: BaseException) -> str:
    """An exception as Python prints it; of a SyntaxError, the message without the name it has for the file."""
    message = str(error.msg if isinstance(error, SyntaxError) else error)
    return f"{type(error).__name__}: {message}" if message else type(error).__name__


if __name__ == "__main__":
    main()
