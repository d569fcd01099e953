"""The sample class: who hands in what, and every step that nbgrader takes with it."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ruamel.yaml import YAML

from edgewise.course import Course, Session, load_course
from edgewise.release import build

ROOT = Path(__file__).resolve().parent.parent
ANSWERS = Path(__file__).resolve().parent / "answers"
SESSION = "ch08"
DUE = "2026-09-30 23:59 +02:00"
IN_TIME = "2026-09-29 18:00:00 UTC"
LATE = "2026-10-02 09:00:00 UTC"
MARK = ".made-by-demo"


@dataclass(frozen=True, slots=True)
class Student:
    """What one hands in. The answers stand in demo/answers/<id>/, one file an exercise."""

    id: str
    says: str
    notebooks: tuple[str, ...]
    timestamp: str | None = IN_TIME  # None: came in a zip, which knows no time


GRAPH, STORMS, PARTIAL = ALL = ("five-state-machine", "retry-storms", "partial-failures")
STUDENTS = (
    Student("ada", "right, by table", ALL),
    Student("ben", "right, by match, refuses in German", ALL),
    Student("chloe", "right, if by if", (GRAPH, PARTIAL)),
    Student("dana", "right, a class; handed in late", (GRAPH, STORMS), LATE),
    Student("emil", "accepts everything", (GRAPH,)),
    Student("fay", "rewrites visited, cap off by one", (GRAPH, STORMS)),
    Student("gus", "raises, sells half an answer", (GRAPH, PARTIAL)),
    Student("hana", "says nothing, overdraws the budget", (GRAPH, STORMS)),
    Student("ivo", "the release, untouched", ALL),
    Student("june", "right, a closure; half done; by zip", (GRAPH,), None),
)


@dataclass(frozen=True, slots=True)
class Row:
    """One student's result: points by exercise (None: to be read by a person, or not handed in)."""

    student: str
    points: Mapping[str, float | None]
    to_read: tuple[str, ...]
    late_seconds: float


class DemoError(RuntimeError):
    """A step that nbgrader did not finish, or a folder that is not the demo's to empty."""


def run(folder: Path, students: Iterable[Student] = STUDENTS, say: Callable[[str], None] = print) -> list[Row]:
    """The class from release to export in `folder`, which is emptied first if an earlier demo made it."""
    students = tuple(students)
    say(f"A course of its own in {folder.name}/, due {DUE}")
    course = prepare(folder)
    say("Releasing: nbgrader generate_assignment")
    release = build(course, SESSION)
    zipped = sum(student.timestamp is None for student in students)
    say(f"Handing in: {len(students)} students, {zipped} of them in a zip")
    for student in students:
        hand_in(course, release, student)
    for verb in (["zip_collect", SESSION], ["autograde", SESSION], ["generate_feedback", SESSION], ["export"]):
        say(f"nbgrader {' '.join(verb)}")
        nbgrader(course, verb)
    return results(course, students)


def prepare(folder: Path) -> Course:
    """A new course root in `folder`: the project's course.yml with a due date, its checks and notebooks."""
    if folder.exists():
        if not (folder / MARK).is_file():
            raise DemoError(f"{folder} was not made by the demo; move it away, or name another folder")
        shutil.rmtree(folder)
    folder.mkdir(parents=True)
    (folder / MARK).touch()
    own = load_course(ROOT / "course.yml")
    for name in ("checks", own.layout.source):
        shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns("__pycache__", ".*"))
    shutil.copy(ROOT / "nbgrader_config.py", folder)
    yaml = YAML()
    data = yaml.load(ROOT / "course.yml")
    data["course"] = "sample-class"
    data["sessions"][SESSION]["due"] = DUE
    yaml.dump(data, folder / "course.yml")
    return load_course(folder / "course.yml")


def hand_in(course: Course, release: Path, student: Student) -> None:
    """Put the student's notebooks where they are collected from: submitted/, or a downloaded zip."""
    made = {name: answered(release / f"{name}.ipynb", student.id) for name in student.notebooks}
    if student.timestamp is None:
        archive = course.root / "build/downloaded" / SESSION / "archive"
        archive.mkdir(parents=True, exist_ok=True)
        with zipfile.ZipFile(archive / f"{student.id}.zip", "w") as file:
            for name, text in made.items():
                file.writestr(f"{student.id}_{name}.ipynb", text)
        return
    folder = course.root / course.layout.submitted / student.id / SESSION
    folder.mkdir(parents=True)
    (folder / "timestamp.txt").write_text(student.timestamp, encoding="utf-8")
    for name, text in made.items():
        (folder / f"{name}.ipynb").write_text(text, encoding="utf-8")


def answered(path: Path, student: str) -> str:
    """The released notebook with the student's answers in its answer cells; what has no file stays untouched."""
    raw: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    for cell in raw["cells"]:
        grade_id = cell["metadata"].get("nbgrader", {}).get("grade_id", "")
        for suffix in (".py", ".md"):
            answer = ANSWERS / student / f"{grade_id.replace('-', '_')}{suffix}"
            if grade_id and answer.is_file():
                cell["source"] = answer.read_text(encoding="utf-8").rstrip("\n")
    return json.dumps(raw)


def nbgrader(course: Course, words: list[str]) -> None:
    """One verb, from the course's root, without the settings of whoever runs it. Raises DemoError."""
    with tempfile.TemporaryDirectory() as home:
        environment = {**os.environ, "IPYTHONDIR": home, "JUPYTER_CONFIG_DIR": home, "NO_COLOR": "1"}
        done = subprocess.run(
            [sys.executable, "-W", "ignore", "-m", "nbgrader", *words],
            cwd=course.root, env=environment, capture_output=True, text=True, check=False,
        )  # fmt: skip
    if done.returncode:
        last = "\n".join((done.stdout + done.stderr).splitlines()[-12:])
        raise DemoError(f"nbgrader {' '.join(words)} ended with {done.returncode}:\n{last}")


def results(course: Course, students: Iterable[Student]) -> list[Row]:
    """What the gradebook holds about each student."""
    from nbgrader.api import Gradebook, MissingEntry

    session = course.session(SESSION)
    rows = []
    with Gradebook(f"sqlite:///{course.root / course.layout.database}", course.course) as gradebook:
        for student in students:
            try:
                submission = gradebook.find_submission(session.id, student.id)
            except MissingEntry:
                raise DemoError(f"the gradebook holds nothing of {student.id!r}") from None
            rows.append(_row(session, student, submission))
    return rows


def _row(session: Session, student: Student, submission: Any) -> Row:
    grades = {grade.name: grade for notebook in submission.notebooks for grade in notebook.grades}
    points: dict[str, float | None] = {}
    to_read = []
    for exercise in session.exercises:
        grade = grades[exercise.id if exercise.written else f"{exercise.id}-check"]
        handed_in = exercise.notebook in student.notebooks
        points[exercise.id] = grade.auto_score if handed_in else None
        if grade.needs_manual_grade:
            to_read.append(exercise.id)
    return Row(student.id, points, tuple(to_read), submission.total_seconds_late)
