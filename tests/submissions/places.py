"""Odd places: what lies in the folder beside the notebooks, and under which names; odd timestamps."""

from __future__ import annotations

import copy
import os
from functools import partial

from tests.submissions.conftest import Handed
from tests.submissions.table import odd

of_place = partial(odd, "Place", written=False)
around = partial(odd, "Around", written=False)


@of_place("graph: was handed in as 'graph (1).ipynb'; it was read from there")
def renamed(handed: Handed) -> None:
    handed.file.rename(handed.folder / "graph (1).ipynb")


@of_place("graph: was handed in as 'fsm.ipynb'; it was read from there")
def renamed_beyond_recognition(handed: Handed) -> None:
    handed.file.rename(handed.folder / "fsm.ipynb")


@of_place(
    "graph: was handed in as 'Untitled.IPYNB'; it was read from there",
    "graph, 'ch08-e3': had lost its name, the grade_id; it was found by its id",
    "graph, 'ch08-e3-check': had lost its name, the grade_id; it was found by its id",
    "graph, 'ch08-w1': had lost its name, the grade_id; it was found by its id",
)
def renamed_with_no_name_left_in_it(handed: Handed) -> None:
    for cell in handed.cells:
        cell["metadata"] = {}
    handed.write("graph", handed.raw)
    handed.file.rename(handed.folder / "Untitled.IPYNB")


@of_place(
    "graph: was handed in as 'storm.ipynb'; it was read from there",
    "storm: was handed in as 'graph.ipynb'; it was read from there",
)
def named_after_the_other(handed: Handed) -> None:
    handed.file.rename(handed.folder / "other.ipynb")
    (handed.folder / "storm.ipynb").rename(handed.file)
    (handed.folder / "other.ipynb").rename(handed.folder / "storm.ipynb")


@of_place("graph: was handed in as 'ch08/graph.ipynb'; it was read from there")
def nested_one_folder_down(handed: Handed) -> None:
    (handed.folder / "ch08").mkdir()
    handed.file.rename(handed.folder / "ch08/graph.ipynb")


@of_place("graph: 'graph-Copy1.ipynb' holds answers too; it was left out")
def two_of_one(handed: Handed) -> None:
    (handed.folder / "graph-Copy1.ipynb").write_bytes(handed.file.read_bytes())


@of_place(
    "graph: was handed in as 'graph-Copy1.ipynb'; it was read from there",
    "graph: 'graph.ipynb' holds no answer; it was left out",
)
def answers_in_the_copy(handed: Handed) -> None:
    handed.file.rename(handed.folder / "graph-Copy1.ipynb")
    untouched = copy.deepcopy(handed.raw)
    del untouched["cells"][2:]
    handed.write("graph", untouched)


@of_place(
    "graph: was handed in as 'graph-Copy1.ipynb'; it was read from there",
    "graph: 'graph.ipynb' is empty; it was left out",
)
def an_empty_one_and_a_copy(handed: Handed) -> None:
    handed.file.rename(handed.folder / "graph-Copy1.ipynb")
    handed.file.write_bytes(b"")


@of_place(survive=False)
def one_is_missing(handed: Handed) -> None:
    handed.file.unlink()


@of_place(problems=("The submission holds no notebook of ch08.",), survive=False)
def none(handed: Handed) -> None:
    handed.file.unlink()
    (handed.folder / "storm.ipynb").unlink()


@of_place(problems=("The submission's folder cannot be opened (No such file or directory).",), survive=False)
def no_folder(handed: Handed) -> None:
    none(handed)
    handed.folder.rmdir()


@of_place(problems=("The submission's folder cannot be opened (it is a link).",), survive=False)
def the_folder_is_a_link(handed: Handed) -> None:
    handed.folder.rename(handed.folder.parent / "elsewhere")
    handed.folder.symlink_to(handed.folder.parent / "elsewhere")


@of_place("'notes.ipynb' is no notebook of ch08; it was left out")
def extra_files(handed: Handed) -> None:
    (handed.folder / "helper.py").write_text("x = 1\n", encoding="utf-8")
    (handed.folder / "notes.ipynb").write_text("{}", encoding="utf-8")


@of_place(
    "'a00.ipynb' is no notebook of ch08; it was left out",
    "'a01.ipynb' is no notebook of ch08; it was left out",
    "'a02.ipynb' is no notebook of ch08; it was left out",
    "'a03.ipynb' is no notebook of ch08; it was left out",
    "'a04.ipynb' is no notebook of ch08; it was left out",
    "25 more notebooks beside the session's; left out too",
)
def a_thousand_extra_notebooks(handed: Handed) -> None:
    for number in range(30):
        (handed.folder / f"a{number:02}.ipynb").write_bytes(handed.file.read_bytes() if number == 25 else b"{}")


@of_place(problems=("The submission holds more than 2,000 files; the others were not looked at.",))
def too_many_files(handed: Handed) -> None:
    (handed.folder / "data").mkdir()
    for number in range(2_001):
        (handed.folder / f"data/{number}").touch()


@of_place()
def macos_leavings(handed: Handed) -> None:
    (handed.folder / "__MACOSX").mkdir()
    (handed.folder / "__MACOSX/._graph.ipynb").write_bytes(b"\0\5\26\7")
    (handed.folder / "._graph.ipynb").write_bytes(b"\0\5\26\7")
    (handed.folder / ".ipynb_checkpoints").mkdir()
    (handed.folder / ".ipynb_checkpoints/graph-checkpoint.ipynb").write_bytes(handed.file.read_bytes())


@of_place(
    "'Edgewise.py' would stand in for the course's own; it was left out",
    "'course.yml' would stand in for the course's own; it was left out",
    "'edgewise' would stand in for the course's own; it was left out",
    "'sitecustomize.py' would stand in for the course's own; it was left out",
)
def a_package_that_shadows_ours(handed: Handed) -> None:
    (handed.folder / "edgewise").mkdir()
    (handed.folder / "edgewise/__init__.py").write_text("def check(*_):\n    return 10.0\n", encoding="utf-8")
    for name in ("sitecustomize.py", "course.yml", "Edgewise.py"):
        (handed.folder / name).touch()


@of_place("'data.csv' is a FIFO, not a file; it was left out", "'passwd' is a link, not a file; it was left out")
def links_beside_the_notebook(handed: Handed) -> None:
    (handed.folder / "passwd").symlink_to("/etc/passwd")
    os.mkfifo(handed.folder / "data.csv")


@of_place("graph: was handed in as 'graph \\udcff.ipynb'; it was read from there")
def a_name_that_is_not_unicode(handed: Handed) -> None:
    handed.file.rename(handed.folder / os.fsdecode(b"graph \xff.ipynb"))


# --- Around ---


def stamped(handed: Handed, content: bytes) -> None:
    (handed.folder / "timestamp.txt").write_bytes(content)


@around(problems=("timestamp.txt is empty; nothing counts as late.",))
def an_empty_timestamp(handed: Handed) -> None:
    stamped(handed, b"\n")


@around(problems=("timestamp.txt holds '������������', which is no moment; nothing counts as late.",))
def a_binary_timestamp(handed: Handed) -> None:
    stamped(handed, bytes(range(128, 140)))


@around(problems=("timestamp.txt holds 'yesterday', which is no moment; nothing counts as late.",))
def a_malformed_timestamp(handed: Handed) -> None:
    stamped(handed, b"yesterday")


@around(problems=("timestamp.txt holds '2026-02-30 10:00:00 UTC', which is no moment; nothing counts as late.",))
def a_timestamp_of_no_day(handed: Handed) -> None:
    stamped(handed, b"2026-02-30 10:00:00 UTC")


@around(
    problems=(
        "timestamp.txt holds '2026-02-20 10:00:00 ../../../etc/passwd', which is no moment; nothing counts as late.",
    )
)
def a_timestamp_in_a_zone_that_is_a_path(handed: Handed) -> None:
    stamped(handed, b"2026-02-20 10:00:00 ../../../etc/passwd")


@around()
def a_timestamp_with_an_offset(handed: Handed) -> None:
    stamped(handed, b"2026-09-30 23:59:00 +0200")


@around(problems=("timestamp.txt is too large; nothing counts as late.",))
def a_timestamp_of_a_megabyte(handed: Handed) -> None:
    stamped(handed, b" " * 2**20)


@around(problems=("timestamp.txt is a FIFO, not a file; nothing counts as late.",))
def a_timestamp_that_is_a_fifo(handed: Handed) -> None:
    os.mkfifo(handed.folder / "timestamp.txt")


@of_place("'film.mp4' is too large; it was left out")
def a_film(handed: Handed) -> None:
    with (handed.folder / "film.mp4").open("wb") as file:
        file.truncate(80 * 2**20)
