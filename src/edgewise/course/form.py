"""What course.yml may hold: the form of each part, and the sentence for what does not fit."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from datetime import date, datetime
from pathlib import Path, PurePosixPath
from types import MappingProxyType
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, StringConstraints, ValidationError

from edgewise import course as model
from edgewise.course.database import LEAVE_OUT, POSSIBLE, fits, has_password, is_url
from edgewise.course.lines import Problem, Where


def _date(value: object) -> date:
    if isinstance(value, str) and re.fullmatch(r"\d{4}-\d\d-\d\d", value):
        return date.fromisoformat(value)
    raise ValueError


def _moment(value: object) -> datetime:
    if isinstance(value, str) and re.fullmatch(r"\d{4}-\d\d-\d\d[ T]\d\d:\d\d(:\d\d)? ?([+-]\d\d:\d\d|Z)", value):
        return datetime.fromisoformat(value.replace(" +", "+").replace(" -", "-").replace(" Z", "Z"))
    raise ValueError


def _below(value: str) -> str:
    path = PurePosixPath(value)
    if path.is_absolute() or ".." in path.parts or "\\" in value or not path.parts:
        raise ValueError
    return value


def _database(value: str) -> str:
    if not is_url(value):
        return _below(value)
    if not fits(value):
        raise ValueError
    return value


def _named(value: str) -> str:
    if not value.isidentifier():
        raise ValueError
    return value


Day = Annotated[date, BeforeValidator(_date)]
Moment = Annotated[datetime | None, BeforeValidator(_moment)]
Words = Annotated[str, StringConstraints(pattern=r"\S")]
Folder = Annotated[str, AfterValidator(_below)]
Database = Annotated[str, AfterValidator(_database)]
Name = Annotated[str, AfterValidator(_named)]
Count = Annotated[int, Field(ge=1)]
Slug = Annotated[str, StringConstraints(pattern=r"^[a-z0-9]+(-[a-z0-9]+)*$")]
SessionId = Annotated[str, StringConstraints(pattern=r"^[a-z][a-z0-9]*$")]


class _Form(BaseModel):
    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)


class _Exercise(_Form):
    title: Words = Field(description="a line of text")
    objects: list[Name] = Field(default=[], description="a list of Python names, in the order `check` takes them")
    points: float = Field(gt=0, allow_inf_nan=False, description="a number above 0")
    written: bool = Field(default=False, description="true or false")


class _Notebook(_Form):
    title: Words
    exercises: dict[Slug, _Exercise] = Field(default={}, description="a mapping from exercise ids to exercises")


class _Session(_Form):
    number: Count = Field(description="a whole number from 1 up")
    title: Words
    date: Day = Field(description="a day such as 2026-09-23")
    due: Moment = Field(default=None, description="a moment with its offset from UTC, such as 2026-09-30 23:59 +02:00")
    notebooks: dict[Slug, _Notebook] = Field(min_length=1, description="a mapping from notebook names to notebooks")


class _Layout(_Form):
    source: Folder
    release: Folder
    submitted: Folder
    autograded: Folder
    feedback: Folder
    solution: Folder
    database: Database
    exchange: Folder


class _Limits(_Form):
    cell_seconds: Count
    check_seconds: Count
    file_seconds: Count
    memory_megabytes: Count


class _Course(_Form):
    course: Slug = Field(description="a short name of a-z, 0-9 and '-'")
    title: Words
    layout: _Layout = Field(description="a mapping from nbgrader's steps to folders")
    limits: _Limits = Field(description="a mapping from limits to whole numbers")
    late: Literal["none", "zero"] = Field(description="none or zero")
    sessions: dict[SessionId, _Session] = Field(min_length=1, description="a mapping from session ids to sessions")


WANTED = {
    **dict.fromkeys(_Layout.model_fields, "a path below course.yml's folder"),
    "database": POSSIBLE,
    **dict.fromkeys(_Limits.model_fields, "a whole number from 1 up"),
    **{
        name: field.description
        for form in (_Exercise, _Notebook, _Session, _Course)
        for name, field in form.model_fields.items()
        if field.description
    },
}
KEYS = {
    "sessions": "a session id is a letter followed by letters or digits, all lower case, such as 'ch08'",
    "notebooks": "a notebook's name is made of a-z, 0-9 and '-', such as 'retry-storms'",
    "exercises": "an exercise id is made of a-z, 0-9 and '-', such as 'ch08-e3'",
}
PARTS: dict[str, type[_Form]] = {"layout": _Layout, "limits": _Limits}
LISTED: dict[str, type[_Form]] = {"sessions": _Session, "notebooks": _Notebook, "exercises": _Exercise}


def course(data: Any, path: Path, places: Mapping[Where, int]) -> tuple[model.Course | None, list[Problem]]:
    """The course, or None, and every problem with `data`; `places` holds the line of each place in it."""
    found = [Problem(_line(where, places), sentence) for where, sentence in _rules(data)]
    try:
        form = _Course.model_validate(data)
    except ValidationError as error:
        found += [_problem(dict(one), places) for one in error.errors(include_url=False, include_context=False)]
        return None, found
    return _built(form, path), found


def _line(where: Where, places: Mapping[Where, int]) -> int:
    """The line of the nearest place on the way to `where` that the file has."""
    while where and where not in places:
        where = where[:-1]
    return places.get(where, 1)


# --- Sentences for what has the wrong form ----------------------------------------------------------


def _problem(error: dict[str, Any], places: Mapping[Where, int]) -> Problem:
    where, kind = error["loc"], error["type"]
    if where and where[-1] == "[key]":
        name, parent = where[-2], where[-3]
        return Problem(_line(where[:-1], places), f"{name!r} cannot be used as a name here; {KEYS[parent]}")
    if kind == "extra_forbidden":
        *_, key = where
        known = _form(where[:-1]).model_fields
        return Problem(_line(where, places), f"{key!r} is not known in {_part(where)}; {model.suggest(key, known)}")
    if kind == "missing":
        wanted = _wanted(where)
        return Problem(_line(where[:-1], places), f"{where[-1]!r} is missing in {_part(where)}; possible: {wanted}")
    place = f"{where[-1]!r} of {_part(where)}" if where and isinstance(where[-1], str) else _item(where)
    return Problem(_line(where, places), f"{place} is {_said(error['input'])}; possible: {_wanted(where)}")


def _form(where: Where) -> type[_Form]:
    """The form of the part that stands at `where`."""
    if not where:
        return _Course
    if where[-1] in PARTS and len(where) == 1:
        return PARTS[str(where[-1])]
    return LISTED[str(where[-2])]


def _wanted(where: Where) -> str:
    names = [name for name in where if isinstance(name, str)]
    if len(names) > 1 and names[-2] in LISTED:
        return f"a mapping with {', '.join(map(repr, LISTED[names[-2]].model_fields))}"
    if not names:
        return f"a mapping with {', '.join(map(repr, _Course.model_fields))}"
    return str(WANTED[names[-1]])


def _part(where: Where) -> str:
    """The name of what holds the last key of `where`."""
    return repr(where[-2]) if len(where) > 1 else "the course"


def _item(where: Where) -> str:
    if not where:
        return "the file"
    return f"item {int(where[-1]) + 1} of {where[-2]!r} of {where[-3]!r}"


def _said(value: object) -> str:
    if value is None:
        return "empty"
    if isinstance(value, dict):
        return "a mapping" if value else "an empty mapping"
    if isinstance(value, list):
        return "a list" if value else "an empty list"
    if isinstance(value, bool):
        return str(value).lower()
    said = repr(value)
    return said if len(said) <= 80 else f"{said[:76]} …"


# --- Rules between parts; each takes the raw data, so that one problem hides no other ---------------


def _rules(data: Any) -> Iterable[tuple[Where, str]]:
    yield from _folders(data)
    first: dict[str, str] = {}
    for session, _, days in _items(data, ("sessions",)):
        yield from _days(days, ("sessions", session))
        for notebook, place, part in _items(days, ("sessions", session, "notebooks")):
            for exercise, where, held in _items(part, (*place, "exercises")):
                if exercise in first:
                    yield where, f"exercise {exercise!r} is listed a second time; first in {first[exercise]!r}"
                first.setdefault(exercise, notebook)
                if not exercise.startswith(f"{session}-"):
                    yield where, f"exercise {exercise!r} does not begin with its session's id, {f'{session}-'!r}"
                yield from _kind(held, exercise, where)


def _items(part: Any, where: Where) -> Iterable[tuple[str, Where, Any]]:
    """Name, place and value of each entry of the mapping that `part` holds under the last key of `where`."""
    held = part.get(where[-1]) if isinstance(part, dict) else None
    for name, value in held.items() if isinstance(held, dict) else ():
        yield name, (*where, name), value


def _kind(held: Any, exercise: str, where: Where) -> Iterable[tuple[Where, str]]:
    if not isinstance(held, dict):
        return
    objects, written = held.get("objects", []), held.get("written", False)
    if written is True and objects:
        yield (*where, "objects"), f"{exercise!r} is written and lists objects; an exercise has one or the other"
    if written is False and objects == []:
        yield where, f"{exercise!r} lists no objects and is not written; possible: objects: [step], or written: true"
    names = [name for name in objects if isinstance(name, str)] if isinstance(objects, list) else []
    for name in sorted({name for name in names if names.count(name) > 1}):
        yield (*where, "objects"), f"{exercise!r} lists the object {name!r} more than once"


def _days(session: Any, where: Where) -> Iterable[tuple[Where, str]]:
    try:
        held, due = _date(session["date"]), _moment(session["due"])
    except (KeyError, TypeError, ValueError):
        return  # the form's problem
    if due.date() < held:
        yield (*where, "due"), f"{where[-1]!r} is due on {due.date()}, before its own date, {held}"


def _folders(data: Any) -> Iterable[tuple[Where, str]]:
    layout = [(name, where, value) for name, where, value in _items(data, ("layout",)) if _text(value)]
    urls = [(where, value) for name, where, value in layout if name == "database" and is_url(value)]
    yield from ((where, LEAVE_OUT) for where, value in urls if has_password(value))
    folders = [(name, where, PurePosixPath(value)) for name, where, value in layout if (where, value) not in urls]
    for position, (name, where, path) in enumerate(folders):
        for other, _, taken in folders[:position]:
            if path == taken or taken in path.parents or path in taken.parents:
                yield where, f"{name!r} of 'layout' overlaps with {other!r}; each step needs a folder of its own"


def _text(value: object) -> bool:
    return isinstance(value, str)


# --- From the form to the course --------------------------------------------------------------------


def _built(form: _Course, path: Path) -> model.Course:
    return model.Course(
        path=path,
        course=form.course,
        title=form.title,
        layout=model.Layout(**form.layout.model_dump()),
        limits=model.Limits(**form.limits.model_dump()),
        late=form.late,
        sessions=MappingProxyType({id_: _session(id_, session) for id_, session in form.sessions.items()}),
    )


def _session(id_: str, form: _Session) -> model.Session:
    notebooks = tuple(
        model.Notebook(name, notebook.title, tuple(_exercises(id_, name, notebook)))
        for name, notebook in form.notebooks.items()
    )
    return model.Session(id_, form.number, form.title, form.date, form.due, notebooks)


def _exercises(session: str, notebook: str, form: _Notebook) -> Iterable[model.Exercise]:
    for id_, one in form.exercises.items():
        yield model.Exercise(id_, one.title, one.points, tuple(one.objects), one.written, session, notebook)
