"""How far a class is asked in grading: course.private.yml beside course.yml, optional and never released."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from edgewise.checking.exercise import Domain
from edgewise.course import Course, CourseError, shown, suggest

FILE = "course.private.yml"

DEEPEST = 5
"""The longest sequences: seven events make 19,607 of them, and every one is asked twice."""

FORMS = {"depth": f"a whole number from 1 to {DEEPEST}", "seed": "a whole number from 0 up"}


def domain_of(course: Course) -> Domain:
    """What course.private.yml says; without it the checks ask as in the notebook.

    Raises CourseError with every problem at once.
    """
    path = course.root / FILE
    try:
        text = path.read_bytes().decode("utf-8-sig")
    except FileNotFoundError:
        return Domain()
    except OSError as error:
        raise CourseError((f"{shown(path)}: cannot be read ({error.strerror or error})",)) from None
    except UnicodeDecodeError:
        raise CourseError((f"{shown(path)}: is not UTF-8; save the file as UTF-8",)) from None
    from edgewise.course.lines import Problem, read

    data, places, problems = read(text)
    if data is None and all(line.lstrip()[:1] in ("", "#") for line in text.splitlines()):
        return Domain()
    if isinstance(data, Mapping):
        problems = [*problems, *(Problem(places.get((key,), 1), words) for key, words in _unfit(data))]
    elif data is not None:
        problems = [*problems, Problem(1, f"the file is a mapping with {' and '.join(map(repr, FORMS))}")]
    if problems:
        said = sorted(problems, key=lambda problem: problem.line)
        raise CourseError(tuple(f"{shown(path)}:{problem.line}: {problem.sentence}" for problem in said))
    return Domain(**data) if data else Domain()


def _unfit(data: Mapping[Any, Any]) -> Iterator[tuple[Any, str]]:
    """Each key that is none, or whose value does not fit, and the sentence about it."""
    for key, value in data.items():
        if key not in FORMS:
            yield key, f"{key!r} is unknown here; {suggest(str(key), FORMS)}"
        elif type(value) is not int or value < (1 if key == "depth" else 0) or (key == "depth" and value > DEEPEST):
            yield key, f"{key!r} is {value!r}; it is {FORMS[key]}"
