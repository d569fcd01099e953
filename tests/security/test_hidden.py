"""What lies inside a readable folder and is to be kept: the packaged course, above all."""

from pathlib import Path

import pytest

import edgewise
from edgewise.grading.confinement import NAMESPACES, Policy, root
from edgewise.grading.workers.asking import Cell
from edgewise.grading.workers.pool import Workers

PACKAGE = Path(edgewise.__file__).parent
KEPT = PACKAGE / "checking" / "mutants"
LOOK = f"""
import os
found = []
for path in ({str(KEPT / "__init__.py")!r}, {str(PACKAGE / "checking" / "report.py")!r}):
    try: found.append(len(open(path).read()) > 0)
    except OSError as error: found.append(type(error).__name__)
found
"""


@pytest.mark.parametrize(
    ("without", "hidden", "found"),
    [
        (frozenset(), (), [True, True]),
        (frozenset(), (str(KEPT),), ["FileNotFoundError", True]),
        (frozenset(NAMESPACES), (), [True, True]),
        (frozenset(NAMESPACES), (str(KEPT),), ["PermissionError", True]),
    ],
    ids=["all layers, shown", "all layers, hidden", "no namespaces, shown", "no namespaces, hidden"],
)
def test_a_hidden_folder_is_kept_and_its_neighbours_are_read(without, hidden, found):
    with Workers(Policy(without=without, hidden=hidden)) as workers, workers.worker(20) as worker:
        outputs = worker.run([Cell("a", LOOK)], cell_seconds=5).outputs["a"]

    assert outputs[0]["data"]["text/plain"] == str(found)


def test_the_packaged_course_is_hidden_wherever_the_package_lies(tmp_path, monkeypatch):
    course = tmp_path / "edgewise" / "_course"
    course.mkdir(parents=True)
    monkeypatch.setattr(edgewise, "__file__", str(tmp_path / "edgewise" / "__init__.py"))

    assert root.hidden() == (str(course),)


def test_a_folder_with_something_hidden_is_replaced_by_what_else_stands_in_it(tmp_path):
    for name in ("edgewise/_course/checks", "edgewise/draw", "numpy"):
        (tmp_path / name).mkdir(parents=True)
    course = f"{tmp_path}/edgewise/_course"

    assert sorted(root.rules([str(tmp_path)], [course])) == [
        (str(tmp_path), True),
        (f"{tmp_path}/edgewise", True),
        (f"{tmp_path}/edgewise/draw", False),
        (f"{tmp_path}/numpy", False),
    ]


def test_no_readable_path_lies_in_another_and_none_holds_the_course():
    paths = root.readable()
    inside = [path for path in paths for other in paths if path != other and path.startswith(f"{other}/")]
    course = PACKAGE.parents[1] / "course.yml"

    assert (inside, [path for path in paths if str(course).startswith(f"{path}/")]) == ([], [])
