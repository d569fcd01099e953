"""Everything that does not fit between course.yml, the notebooks and the checks, one sentence each."""

from __future__ import annotations

from collections.abc import Iterable

from edgewise.course import Course, Notebook, Session
from edgewise.release import pictures, rules, wording
from edgewise.release.files import misplaced, named
from edgewise.release.notebook import NotebookError, read
from edgewise.release.skeleton import unfilled


def problems(course: Course, *, sessions: Iterable[str] | None = None, measured: bool = True) -> tuple[str, ...]:
    """Every problem, in the order of course.yml; empty if all fits.

    `sessions` narrows it to some. `measured` also runs each answer cell twice: the unedited stub has to earn
    nothing and the solution everything, which takes a second or two an exercise; and each misconception has to be
    told from the others. Raises UnknownSessionError.
    """
    chosen = [course.session(id_) for id_ in (course.sessions if sessions is None else sessions)]
    found = misplaced(course)
    for session in chosen:
        for notebook in session.notebooks:
            found += of_notebook(course, session, notebook)
        found += [*wording.findings(course, session), *unfilled(course, session)]
    if measured:
        from edgewise.release.measure import earned, unlike

        found += [*earned(course, chosen), *unlike(course, chosen)]
    return tuple(dict.fromkeys(found))


def of_notebook(course: Course, session: Session, notebook: Notebook) -> list[str]:
    """What does not fit in one notebook, measurements aside."""
    path = course.notebook_path(session, notebook)
    if not path.is_file():
        return []  # a missing file is named by `misplaced`
    name = named(course, path)
    try:
        content, _ = read(path)
    except NotebookError as error:
        return [f"{name}: cannot be read as a notebook: {error}"]
    found = [*rules.findings(content, notebook.exercises), *pictures.findings(content, path.parent)]
    place = {id(cell): number for number, cell in enumerate(content.cells)}
    found.sort(key=lambda one: (-1 if one.cell is None else place[id(one.cell)], one.line or 0))
    return [f"{name}: {_where(one)}{one.sentence}" for one in found]


def _where(finding: rules.Finding) -> str:
    if finding.cell is None:
        return ""
    line = f", line {finding.line}" if finding.line else ""
    return f"cell {finding.cell.id!r}{line}: "
