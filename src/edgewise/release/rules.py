"""What lint asks of one notebook, its files aside: each rule yields (cell or None, line or None, sentence)."""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterable
from typing import NamedTuple

from edgewise.course import Exercise
from edgewise.release.notebook import BEGIN, END, Cell, Notebook, released, solutions

SLUG = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
KEYS = ("schema_version", "grade", "solution", "locked", "task", "grade_id", "points", "checksum", "cell_type")
HIDDEN = ("BEGIN HIDDEN TESTS", "END HIDDEN TESTS", "BEGIN MARK SCHEME", "END MARK SCHEME", "AUTOTEST")


class Finding(NamedTuple):
    """One sentence, the cell and the line in it that it is about."""

    cell: Cell | None
    line: int | None
    sentence: str


Findings = Iterable[Finding]


def findings(notebook: Notebook, exercises: tuple[Exercise, ...]) -> list[Finding]:
    """Everything that does not fit in the notebook, its exercises being those of course.yml."""
    return [
        *_form(notebook),
        *_ids(notebook),
        *_metadata(notebook),
        *_unlisted(notebook, exercises),
        *(found for exercise in exercises for found in _exercise(notebook, exercise)),
        *_delimiters(notebook),
        *_survivors(notebook),
        *_first_import(notebook, exercises),
    ]


# --- The notebook as a file -------------------------------------------------------------------------


def _form(notebook: Notebook) -> Findings:
    if notebook.version != (4, 5):
        major, minor = notebook.version
        yield Finding(None, None, f"is in format {major}.{minor}; possible: 4.5, whose cells have ids")
    spec = notebook.metadata.get("kernelspec", {})
    if (spec.get("name"), spec.get("language")) != ("python3", "python"):
        got = f"{spec.get('name')!r} in {spec.get('language')!r}"
        yield Finding(None, None, f"names the kernel {got}; nbgrader needs 'python3' in 'python'")


def _ids(notebook: Notebook) -> Findings:
    for number, cell in enumerate(notebook.cells, 1):
        if not SLUG.fullmatch(cell.id) or re.fullmatch(r"[0-9a-f-]{8,}", cell.id):
            yield Finding(cell, None, f"cell {number} needs an id that can be read, of a-z, 0-9 and '-'")
    for id_, count in Counter(cell.id for cell in notebook.cells if cell.id).items():
        if count > 1:
            again = [cell for cell in notebook.cells if cell.id == id_][1]
            yield Finding(again, None, f"{count} cells have this id; one id names one cell")


# --- What the cells say to nbgrader -----------------------------------------------------------------


def _metadata(notebook: Notebook) -> Findings:
    for cell in notebook.cells:
        if cell.graded is None:
            continue
        for key in ("grade", "solution", "locked"):
            if not isinstance(cell.graded.get(key), bool):
                yield Finding(cell, None, f"nbgrader's {key!r} is {cell.graded.get(key)!r}; possible: true or false")
        if cell.graded.get("schema_version") != 3:
            got = cell.graded.get("schema_version")
            yield Finding(cell, None, f"nbgrader's 'schema_version' is {got!r}; possible: 3")
        if not re.fullmatch(r"[a-zA-Z0-9_-]+", cell.grade_id):
            yield Finding(
                cell, None, f"nbgrader's 'grade_id' is {cell.grade_id!r}; possible: letters, digits, '-', '_'"
            )
        for key in sorted(set(cell.graded) - set(KEYS)):
            yield Finding(cell, None, f"nbgrader does not know {key!r}; possible: {', '.join(map(repr, KEYS))}")
        if cell.graded.get("task"):
            yield Finding(cell, None, "is a manual task; a written answer is a cell with grade and solution")
        if cell.tags and (cell.is_grade or cell.is_solution):
            said = ", ".join(map(repr, cell.tags))
            yield Finding(
                cell, None, f"carries {said}; a tag can keep a graded cell from running, and then it earns all"
            )
    counted = Counter(cell.grade_id for cell in notebook.cells if cell.grade_id)
    for grade_id in [one for one, count in counted.items() if count > 1]:
        again = [cell for cell in notebook.cells if cell.grade_id == grade_id][1]
        yield Finding(again, None, f"{counted[grade_id]} cells have the grade_id {grade_id!r}; nbgrader keeps the last")


def _unlisted(notebook: Notebook, exercises: tuple[Exercise, ...]) -> Findings:
    listed = {id_ for one in exercises for id_ in (one.id, *([] if one.written else [f"{one.id}-check"]))}
    for cell in notebook.cells:
        if (cell.is_grade or cell.is_solution) and cell.grade_id not in listed:
            yield Finding(cell, None, f"nbgrader would grade {cell.grade_id!r}, which course.yml does not list here")


def _exercise(notebook: Notebook, exercise: Exercise) -> Findings:
    answers = [cell for cell in notebook.cells if cell.grade_id == exercise.id]
    if not answers:
        yield Finding(None, None, f"has no answer cell for {exercise.id!r} (the grade_id), and course.yml lists it")
    if exercise.written:
        for cell in answers:
            yield from _flags(cell, "markdown", grade=True, solution=True, locked=False)
            yield from _points(cell, exercise)
        return
    for cell in answers:
        yield from _flags(cell, "code", grade=False, solution=True, locked=False)
        yield from _stub(cell, exercise)
    checks = [cell for cell in notebook.cells if cell.grade_id == f"{exercise.id}-check"]
    if not checks:
        yield Finding(None, None, f"has no check cell '{exercise.id}-check' (the grade_id), so {exercise.id!r} earns 0")
    for cell in checks:
        yield from _flags(cell, "code", grade=True, solution=False, locked=True)
        yield from _points(cell, exercise)
        yield from _check_source(cell, exercise)
        before = notebook.cells[notebook.cells.index(cell) - 1] if cell is not notebook.cells[0] else None
        if answers and before not in answers:
            yield Finding(cell, None, f"does not stand right after the answer cell {answers[0].id!r}")


def _flags(cell: Cell, kind: str, **wanted: bool) -> Findings:
    if cell.kind != kind:
        yield Finding(cell, None, f"is a {cell.kind} cell; possible: {kind}")
    for key, value in wanted.items():
        if cell.graded is not None and cell.graded.get(key) is not value:
            yield Finding(cell, None, f"nbgrader's {key!r} has to be {str(value).lower()} in this cell")


def _points(cell: Cell, exercise: Exercise) -> Findings:
    points = cell.graded.get("points") if cell.graded else None
    if isinstance(points, bool) or points != exercise.points:
        yield Finding(cell, None, f"gives {points!r} points, and course.yml gives {exercise.points:g}")


def _check_source(cell: Cell, exercise: Exercise) -> Findings:
    wanted = f'check("{exercise.id}", {", ".join(exercise.objects)})'
    if cell.source != wanted:
        yield Finding(
            cell,
            None,
            f"holds {_short(cell.source)}, which nbgrader could score by accident; it has to be exactly {wanted!r}",
        )


def _short(source: str) -> str:
    said = repr(source)
    return said if len(said) <= 80 else f"{said[:76]} …"


# --- What students get ------------------------------------------------------------------------------


def _stub(cell: Cell, exercise: Exercise) -> Findings:
    if BEGIN not in cell.source:
        yield Finding(cell, None, f"has no '### {BEGIN}', so students get none of it, not even the 'def' line")
        return
    try:
        body = ast.parse(released(cell)).body
    except SyntaxError as error:
        yield Finding(cell, None, f"is no Python once the solution is out: {error.msg}")
        return
    bound = {name for statement in body for name in _bound(statement)}
    for name in exercise.objects:
        if name not in bound:
            yield Finding(cell, None, f"does not define {name!r} once the solution is out, and the check needs it")


def _bound(statement: ast.stmt) -> Iterable[str]:
    """The names that a statement at the top of a cell defines."""
    if isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        yield statement.name
    else:
        for node in ast.walk(statement):
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
                yield node.id


def _delimiters(notebook: Notebook) -> Findings:
    for cell in notebook.cells:
        inside = False
        for number, line in enumerate(cell.source.split("\n"), 1):
            for mark in HIDDEN:
                if mark in line:
                    yield Finding(cell, number, f"holds {mark!r}; nothing is hidden from students here")
            if not (BEGIN in line or END in line):
                continue
            if not cell.is_solution:
                yield Finding(cell, number, "holds a solution's delimiter, and nbgrader does not know it as a solution")
            elif inside == (BEGIN in line):
                yield Finding(cell, number, f"'{BEGIN}' and '{END}' do not take turns here")
            inside = BEGIN in line
        if inside:
            yield Finding(cell, None, f"'{BEGIN}' has no '{END}'")


def _survivors(notebook: Notebook) -> Findings:
    secret: dict[str, Cell] = {}
    for cell in notebook.cells:
        for _, line in solutions(cell) if cell.is_solution else ():
            if _telling(line):
                secret.setdefault(" ".join(line.split()), cell)
    for shown in notebook.cells:
        for number, line in enumerate(released(shown).split("\n"), 1):
            held = " ".join(line.split())
            owner = next((cell for told, cell in secret.items() if told in held), None)
            if owner is not None:
                yield Finding(shown, number, f"holds a line of the solution in cell {owner.id!r}: {line.strip()!r}")


def _telling(line: str) -> bool:
    """Whether a line gives something of a solution away, being longer than what any program holds."""
    code = line.split("#")[0].strip()
    return len(code) > 20 and len(re.findall(r"\w+", code)) > 2


def _first_import(notebook: Notebook, exercises: tuple[Exercise, ...]) -> Findings:
    if all(exercise.written for exercise in exercises):
        return
    for cell in notebook.cells:
        if cell.grade_id.endswith("-check") and cell.is_grade:
            yield Finding(cell, None, "no cell above it imports `check` from edgewise")
            return
        if cell.kind == "code" and re.search(r"^from edgewise import .*\bcheck\b", cell.source, re.MULTILINE):
            return
