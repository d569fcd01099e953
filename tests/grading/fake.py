"""A class that is graded by a fake judge: what a submission's notebook says in JSON is what becomes of it."""

from __future__ import annotations

import json
import os
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Any, Self

from edgewise.checking.engine import CheckError
from edgewise.course import Course, Session, load_course
from edgewise.grading.confinement import Layer
from edgewise.grading.gradebook.batch import Asked, grade
from edgewise.grading.gradebook.jobs import Judging
from edgewise.grading.gradebook.summary import Summary
from edgewise.grading.judging.outcome import GradedNotebook, Outcome
from edgewise.grading.reading.found import Problem, Repair
from edgewise.grading.reading.released import ReleaseError
from edgewise.grading.reading.timestamp import timestamp
from tests.release.conftest import Small

ROWS = """
select s.id, sa.timestamp, n.name, sn.late_submission_penalty, b.name, g.auto_score, g.needs_manual_grade
from student s join submitted_assignment sa on sa.student_id = s.id
join submitted_notebook sn on sn.assignment_id = sa.id join notebook n on n.id = sn.notebook_id
join grade g on g.notebook_id = sn.id join base_cell b on b.id = g.cell_id
order by s.id, n.name, b.name
"""
FAULTS = {"check": CheckError, "release": ReleaseError, "bug": LookupError}


class Fake:
    """A judge that does as it is told; each submission that it begins is a line of `log`."""

    def __init__(self, log: Path) -> None:
        self.log = log

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None: ...

    def grade(self, folder: Path) -> Outcome:
        """What the notebook says: `points`, or how the grading ends."""
        said = json.loads((folder / "graph.ipynb").read_text(encoding="utf-8"))
        before = self.log.read_text(encoding="utf-8") if self.log.exists() else ""
        with self.log.open("a", encoding="utf-8") as log:
            log.write(f"{folder.parent.name!r}\n")
        if said.get("dies") or (said.get("dies once") and repr(folder.parent.name) not in before):
            os.kill(os.getpid(), 9)
        for fault, kind in FAULTS.items():
            if fault in said:
                raise kind(said[fault])
        return outcome(folder, said)


def outcome(folder: Path, said: dict[str, Any]) -> Outcome:
    """An outcome with that many points for the step; the written answer waits."""
    scores = {"ch08-e3-check": float(said["points"]), "ch08-w1": None}
    moment = timestamp(folder)
    return Outcome(
        notebooks=(GradedNotebook("graph", f"{said['points']}\n", scores, {"ch08-e3": True, "ch08-w1": True}),),
        files=tuple((name, folder / name) for name in said.get("files", ())),
        handed_in=None if isinstance(moment, str) else moment,
        points=float(said["points"]),
        max_points=13.0,
        repairs=tuple(Repair("put right", "graph", None, words) for words in said.get("repairs", ())),
        problems=tuple(Problem("odd", "graph", words, "Look at it.") for words in said.get("problems", ())),
        reports=({"exercise": "ch08-e3", "points": said["points"]},),
        layers=(Layer("user", on=True), Layer("network", on=False)),
        seconds={"run": 0.5},
    )


class Class(Small):
    """The small course, its gradebook and its submissions."""

    @classmethod
    def made(cls, root: Path, gradebook: Path) -> Self:
        """A new course in `root`, with a copy of that gradebook."""
        made = cls(root)
        (root / "build").mkdir()
        shutil.copy(gradebook, root / "build/gradebook.db")
        return made

    @property
    def course(self) -> Course:
        return load_course(self.root / "course.yml")

    @property
    def session(self) -> Session:
        return self.course.session("ch08")

    @property
    def log(self) -> Path:
        return self.root / "begun.log"

    def hand_in(self, *students: str, **said: Any) -> Path:
        """The folder of the last one's submission, which says that to the fake judge."""
        folder = self.root
        for student in students:
            folder = self.root / "build/submitted" / student / "ch08"
            folder.mkdir(parents=True, exist_ok=True)
            (folder / "graph.ipynb").write_text(json.dumps({"points": 7, **said}), encoding="utf-8")
        return folder

    def judging(self, _many: bool) -> Judging:
        return partial(Fake, self.log)

    def grade(self, *students: str, jobs: int | None = None, force: bool = False, **told: Any) -> Summary:
        """One run with fake judges."""
        return grade(self.course, self.session, Asked(students, jobs, force), judging=self.judging, **told)

    def begun(self) -> list[str]:
        """Which submissions were begun since this was asked last, in order of name."""
        lines = self.log.read_text(encoding="utf-8").splitlines() if self.log.exists() else []
        self.log.unlink(missing_ok=True)
        return sorted(line[1:-1] for line in lines)

    def graded(self, student: str) -> Path:
        return self.root / "build/autograded" / student / "ch08"

    def rows(self) -> list[tuple[Any, ...]]:
        with closing(sqlite3.connect(self.root / "build/gradebook.db")) as connection:
            return connection.execute(ROWS).fetchall()

    def files(self) -> Iterator[str]:
        """Every file and folder below the autograded one, the marks left out."""
        home = self.root / "build/autograded"
        for path in sorted(home.rglob("*")):
            if path.name != ".edgewise.json":
                yield path.relative_to(home).as_posix()
