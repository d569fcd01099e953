"""The files of a new exercise: its line in course.yml, its check module, its cells. Nothing is overwritten."""

from __future__ import annotations

import json
import keyword
import math
import re
from pathlib import Path
from typing import Any

from edgewise.course import Course, Exercise, Notebook, Session, form, suggest
from edgewise.release.files import named
from edgewise.release.listing import ListingError, listed
from edgewise.release.notebook import NotebookError, read
from edgewise.release.skeleton import MARK, cells, module

ID = re.compile(r"[a-z0-9]+(-[a-z0-9]+)+")
WRITTEN = re.compile(r"[a-z0-9]+-w\d+")
"""The ids of written answers: ch08-w4."""


class NewError(ValueError):
    """Nothing was laid out; the message says what is possible instead."""


def lay_out(
    course: Course,
    id_: str,
    *,
    title: str | None = None,
    notebook: str | None = None,
    name: str = "answer",
    points: float = 2,
) -> tuple[str, ...]:
    """The files that were written, as messages name them. Raises NewError, and nothing is written then.

    `notebook` is the session's last one if left out; `name` is the function the exercise asks for.
    """
    session = _session(course, id_)
    place = _notebook(session, notebook)
    _look_over(title, name, points)
    is_written = bool(WRITTEN.fullmatch(id_))
    objects = () if is_written else (name,)
    exercise = Exercise(id_, title or f"{MARK} a title", float(points), objects, is_written, session.id, place.name)
    texts = {
        course.notebook_path(session, place): _with_cells(course, session, place, exercise),
        course.path: _with_entry(course, exercise),
    }
    check = {} if is_written else {course.check_path(exercise): module(exercise).encode()}
    return _write(course, check, texts)


def _session(course: Course, id_: str) -> Session:
    """The session a new id belongs to. Raises NewError for an id that can't be used."""
    if not ID.fullmatch(id_):
        raise NewError(f"{id_!r} cannot be used; {form.KEYS['exercises']}")
    session, _, short = id_.partition("-")
    if session not in course.sessions:
        raise NewError(f"{id_!r} begins with no session's id; {suggest(session, course.sessions)}")
    there = next((exercise for exercise in course.exercises if exercise.id == id_), None)
    if there:
        free = _free(course.sessions[session], short[0])
        raise NewError(f"{id_!r} is there already, in {there.notebook!r}; free is {free!r}")
    return course.sessions[session]


def _free(session: Session, letter: str) -> str:
    """The first id of this kind that comes after all others."""
    found = [re.fullmatch(rf"{session.id}-{letter}(\d+)", exercise.id) for exercise in session.exercises]
    return f"{session.id}-{letter}{max((int(one[1]) for one in found if one), default=0) + 1}"


def _notebook(session: Session, name: str | None) -> Notebook:
    if name is None:
        return session.notebooks[-1]
    for notebook in session.notebooks:
        if notebook.name == name.removesuffix(".ipynb"):
            return notebook
    possible = tuple(notebook.name for notebook in session.notebooks)
    raise NewError(f"{name!r} is not a notebook of {session.id!r}; {suggest(name, possible)}")


def _look_over(title: str | None, name: str, points: float) -> None:
    if title is not None and (not title.strip() or not title.isprintable()):
        raise NewError(f"{title!r} cannot be a title; possible: a line of text")
    if not name.isidentifier() or keyword.iskeyword(name):
        raise NewError(f"{name!r} cannot be a function's name; possible: a name such as 'answer'")
    if not (points > 0 and math.isfinite(points)):
        raise NewError(f"an exercise gives {points:g} points; possible: a number above 0")


def _with_cells(course: Course, session: Session, notebook: Notebook, exercise: Exercise) -> bytes:
    """The notebook with the exercise's cells at its end."""
    path = course.notebook_path(session, notebook)
    if not path.is_file():
        raise NewError(f"{named(course, path)} is not there, and the exercise stands at its end; write it first")
    try:
        content, raw = read(path)
    except NotebookError as error:
        raise NewError(f"{named(course, path)} cannot be read as a notebook: {error}") from None
    new = cells(exercise)
    taken = {cell.id for cell in content.cells} | {cell.grade_id for cell in content.cells}
    clash = next((cell["id"] for cell in new if cell["id"] in taken), None)
    if clash:
        raise NewError(f"{named(course, path)} holds a cell {clash!r} already; nothing is overwritten")
    return _as_it_was(path.read_bytes(), raw, {**raw, "cells": [*raw["cells"], *new]})


def _as_it_was(old: bytes, raw: dict[str, Any], new: dict[str, Any]) -> bytes:
    """The new notebook, written in the way the old one was, as far as that can be told."""
    for indent in (1, 2, 4, None):
        for end in (b"\n", b""):
            if _dumped(raw, indent) + end == old:
                return _dumped(new, indent) + end
    return _dumped(new, 1) + b"\n"


def _dumped(raw: dict[str, Any], indent: int | None) -> bytes:
    return json.dumps(raw, indent=indent, ensure_ascii=False).encode()


def _with_entry(course: Course, exercise: Exercise) -> bytes:
    """course.yml with the exercise's line."""
    text = course.path.read_bytes().decode("utf-8-sig")
    mark = "\ufeff" if course.path.read_bytes().startswith(b"\xef\xbb\xbf") else ""
    try:
        return (mark + listed(text, course.path, exercise)).encode()
    except ListingError as error:
        raise NewError(str(error)) from None


def _write(course: Course, new: dict[Path, bytes], changed: dict[Path, bytes]) -> tuple[str, ...]:
    """Write all files aside, then move them into place: all of them or none."""
    there = next((path for path in new if path.exists()), None)
    if there:
        raise NewError(
            f"{named(course, there)} is there already, and nothing is overwritten; move it, or take another id"
        )
    aside = {path: path.with_name(f".{path.name}.new") for path in (*new, *changed)}
    try:
        for path, content in {**new, **changed}.items():
            path.parent.mkdir(exist_ok=True)
            aside[path].write_bytes(content)
            aside[path].chmod(path.stat().st_mode if path in changed else 0o644)
        for path, made in aside.items():
            made.replace(path)
    except OSError as error:
        folder = Path(str(error.filename)).parent.name
        raise NewError(f"{folder}/ cannot be written to ({error.strerror}); nothing was laid out") from None
    finally:
        for made in aside.values():
            made.unlink(missing_ok=True)
    return tuple(named(course, path) for path in aside)
