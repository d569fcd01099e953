"""A grading that is killed before each call that changes a file or the gradebook, and what the next run makes of it.

Run as a process of its own: `python -m tests.grading.kills FOLDER GRADEBOOK`. Prints one JSON object.
"""

from __future__ import annotations

import json
import os
import shutil
import signal
import sqlite3
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from types import FrameType
from typing import Any

from edgewise.grading.gradebook.database import opened
from edgewise.grading.gradebook.record import Stamp
from edgewise.grading.gradebook.rows import Sqlite
from edgewise.grading.gradebook.writer import MARK, Writer
from tests.grading.fake import Class, outcome

CHANGING = {"rename", "replace", "mkdir", "rmdir", "unlink", "chmod", "write", "open", "execute"}


def main() -> None:
    """What was found after a kill before each call, once for a first grading and once for a second."""
    root, gradebook = Path(sys.argv[1]), Path(sys.argv[2])
    found = {}
    for which, points in (("first", ()), ("second", (7,))):
        ends: set[str] = set()
        kills = 0
        while True:
            shutil.rmtree(root, ignore_errors=True)
            school = Class.made(root, gradebook)
            (school.hand_in("ada") / "notes.txt").write_text("mine", encoding="utf-8")
            for given in points:
                grade(school, given)
            if not killed(school, 9, kills):
                break
            kills += 1
            ends.add(json.dumps([after_the_kill(school), after_the_next_run(school)]))
        found[which] = {"many": kills > 40, "ends": [json.loads(end) for end in sorted(ends)]}
    print(json.dumps(found))


@contextmanager
def writing(school: Class) -> Iterator[tuple[Sqlite, Writer]]:
    with opened(school.root / "build/gradebook.db", "ch08") as connection:
        gradebook = Sqlite(connection, school.session, late="none")
        gradebook.prepare()
        yield gradebook, Writer(school.root / "build/autograded", "ch08", gradebook)


def grade(school: Class, points: int) -> None:
    """What a run does with one submission; the stamp is what it earns, so that every other one is new."""
    with writing(school) as (gradebook, writer):
        writer.prepare()
        before = gradebook.recorded("ada")
        known = before.grading if before else None
        if not writer.stands("ada", known) or (before and before.stamp["submission"] != str(points)):
            folder = school.root / "build/submitted/ada/ch08"
            made = outcome(folder, {"points": points, "files": ["notes.txt"]})
            writer.write("ada", made, Stamp(str(points), "", "", "", ""), known)


def killed(school: Class, points: int, calls: int) -> bool:
    """Whether a grading was killed before its call of that number; False where it has no more."""
    child = os.fork()
    if child == 0:
        left = calls

        def count(_frame: FrameType, event: str, called: Any) -> None:
            nonlocal left
            if event == "c_call" and called.__name__ in CHANGING:
                if left == 0:
                    os.kill(os.getpid(), signal.SIGKILL)
                left -= 1

        sys.setprofile(count)
        grade(school, points)
        sys.setprofile(None)
        os._exit(0)
    status = os.waitpid(child, 0)[1]
    assert status in (0, signal.SIGKILL), status
    return status != 0


def after_the_kill(school: Class) -> dict[str, Any]:
    """What the gradebook holds before anybody mends anything: rows are whole, or not there."""
    with closing(sqlite3.connect(school.root / "build/gradebook.db")) as connection:
        whole = connection.execute("pragma integrity_check").fetchone()[0]
    return {"integrity": whole, "rows": [list(row[4:]) for row in school.rows()]}


def after_the_next_run(school: Class) -> dict[str, Any]:
    """What is there after the grading was run once more."""
    with writing(school) as (gradebook, writer):
        writer.prepare()
        before = gradebook.recorded("ada")
        writer.stands("ada", before.grading if before else None)
        mended = {"a folder stands": school.graded("ada").is_dir()} if before else {}
    grade(school, 9)
    mark = json.loads((school.graded("ada") / MARK).read_text(encoding="utf-8"))
    with writing(school) as (gradebook, writer):
        after = gradebook.recorded("ada")
    assert after is not None
    return {
        **mended,
        "rows": [list(row[4:]) for row in school.rows()],
        "files": list(school.files()),
        "notebook": (school.graded("ada") / "graph.ipynb").read_text(encoding="utf-8"),
        "alike": mark["grading"] == after.grading,
    }


if __name__ == "__main__":
    main()
