"""What a new exercise is made of: a check module that works, its cells, and the marks of what is to be filled in."""

from __future__ import annotations

import contextlib
from collections.abc import Iterable
from typing import Any

from edgewise.course import Course, Exercise, Session, lines
from edgewise.release.files import named
from edgewise.release.notebook import NotebookError, read

MARK = "FILL IN"

MODULE = '''\
"""{id}: `{name}`, FILL IN what it is about.

Goal: FILL IN what a right answer does. Out of scope: FILL IN what is not asked for. Points: all for the one rule.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from edgewise.checking.cases import Case, CaseCheck, Subject, gives
from edgewise.checking.exercise import Hints, Misconception, Rule


def right(number: int) -> int:
    """FILL IN the right answer: others are compared with it."""
    return 2 * number


# FILL IN questions that a person can read, each beside its answer.
CASES = (Case((3,), 6),)


def inputs() -> Iterator[tuple[tuple[Any, ...], dict[str, Any]]]:
    """FILL IN more questions, arguments and keywords, the small ones first."""
    for number in range(20):
        yield (number,), {{}}


doubles = gives("FILL IN the rule as the student reads it", "{name}")


def squares(number: int) -> int:
    """FILL IN a likely wrong answer."""
    return number * number


MISCONCEPTIONS = (
    Misconception(
        "FILL IN its name",
        "FILL IN the sentence for those whose answer behaves like it.",
        squares,
        doubles,
    ),
)

HINTS = Hints(
    by_rule={{doubles: "FILL IN what helps with this rule, short of the solution."}},
    neighbour="FILL IN a case beside this one, worked through.",
)

CHECK = CaseCheck(
    subjects=(Subject("{name}", right, CASES, inputs),),
    rules=(Rule(doubles, 1.0, "{name}"),),
    hints=HINTS,
    misconceptions=MISCONCEPTIONS,
)
'''

TASK = """\
## Exercise · {id} · {title}

**Write** `{name}(number)`. FILL IN what it takes and gives, with one example that is not among the check's cases."""

ANSWER = '''\
def {name}(number: int) -> int:
    """FILL IN what it gives."""
    ### BEGIN SOLUTION
    return 2 * number  # FILL IN the solution
    ### END SOLUTION'''

WRITTEN_TASK = """\
## Exercise · {id} · {title}

Your instructor reads this one. FILL IN the question. Double-click the text below to write over it."""

WRITTEN = "### BEGIN SOLUTION\nFILL IN a good answer\n### END SOLUTION"


def module(exercise: Exercise) -> str:
    """A check module that runs, lints and proves, with the marks of what to fill in."""
    return MODULE.format(id=exercise.id, name=exercise.objects[0])


def cells(exercise: Exercise) -> list[dict[str, Any]]:
    """The cells of the exercise: the task, the answer and its check, or the task and the written answer."""
    if exercise.written:
        task = WRITTEN_TASK.format(id=exercise.id, title=exercise.title)
        answer = _cell(exercise.id, "markdown", WRITTEN, grade=True, solution=True, points=_number(exercise.points))
        return [_cell(f"{exercise.id}-task", "markdown", task), answer]
    name = exercise.objects[0]
    task = TASK.format(id=exercise.id, title=exercise.title, name=name)
    check, points = f'check("{exercise.id}", {name})', _number(exercise.points)
    return [
        _cell(f"{exercise.id}-task", "markdown", task),
        _cell(exercise.id, "code", ANSWER.format(name=name), solution=True),
        _cell(f"{exercise.id}-check", "code", check, grade=True, locked=True, points=points),
    ]


def _number(points: float) -> float:
    """The points as a person writes them: 2, not 2.0."""
    return int(points) if points == int(points) else points


def _cell(id_: str, kind: str, source: str, **flags: Any) -> dict[str, Any]:
    """A cell as nbformat writes it; with flags, one that nbgrader knows."""
    marks = {"grade": False, "grade_id": id_, "locked": False, "schema_version": 3, "solution": False, "task": False}
    metadata = {"nbgrader": dict(sorted({**marks, **flags}.items()))} if flags else {}
    run: dict[str, Any] = {} if kind == "markdown" else {"execution_count": None, "outputs": []}
    cell = {"cell_type": kind, "id": id_, "metadata": metadata, "source": source.splitlines(keepends=True), **run}
    return dict(sorted(cell.items()))


def unfilled(course: Course, session: Session) -> Iterable[str]:
    """A sentence for each place of the session's exercises that is still to be filled in."""
    _, places, _ = lines.read(course.path.read_text(encoding="utf-8-sig"))
    for exercise in session.exercises:
        where = ("sessions", session.id, "notebooks", exercise.notebook, "exercises", exercise.id, "title")
        if MARK in exercise.title:
            yield f"{course.path.name}:{places[where]}: {exercise.title}"
        path = course.check_path(exercise)
        if not exercise.written and path.is_file():
            for number, line in _marked(path.read_text(encoding="utf-8")):
                yield f"{named(course, path)}:{number}: {line}"
    for notebook in session.notebooks:
        path = course.notebook_path(session, notebook)
        with contextlib.suppress(NotebookError):  # named by lint already
            for cell in read(path)[0].cells:
                for number, line in _marked(cell.source):
                    yield f"{named(course, path)}: cell {cell.id!r}, line {number}: {line}"


def _marked(text: str) -> Iterable[tuple[int, str]]:
    """The number of each line with the mark, and what it asks for, up to a quote that ends it."""
    lines = enumerate(text.splitlines(), 1)
    return [(number, line[line.index(MARK) :].partition('"')[0]) for number, line in lines if MARK in line]
