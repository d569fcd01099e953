"""Odd metadata: what a student's cells tell nbgrader, and the kernel."""

from __future__ import annotations

from functools import partial

from tests.submissions.conftest import Handed
from tests.submissions.table import odd, plain, told

of_metadata = partial(odd, "nbgrader metadata")


@of_metadata("graph, 'ch08-e3': had lost its name, the grade_id; it was found by its id")
def empty_nbgrader(handed: Handed) -> None:
    handed.cell("step")["metadata"]["nbgrader"] = {}


@of_metadata("graph, 'ch08-e3-check': had lost its name, the grade_id; it was found by its id")
def null_nbgrader(handed: Handed) -> None:
    handed.cell("step-check")["metadata"]["nbgrader"] = None


@of_metadata("graph, 'ch08-w1': had lost its name, the grade_id; it was found by its id")
def nbgrader_is_a_list(handed: Handed) -> None:
    handed.cell("why")["metadata"]["nbgrader"] = ["ch08-w1"]


def version(value: object) -> None:
    @of_metadata(f"graph, 'ch08-e3': told nbgrader 'schema_version' is {value!r}; the course's word counts")
    def schema_version(handed: Handed) -> None:
        told(handed, "step")["schema_version"] = value


for one in (0, 1, 2, 4, "3"):
    version(one)


@of_metadata("graph, 'ch08-e3': told nbgrader no 'schema_version'; the course's word counts")
def no_schema_version(handed: Handed) -> None:
    del told(handed, "step")["schema_version"]


def points(value: object, said: str) -> None:
    @of_metadata(f"graph, 'ch08-e3-check': told nbgrader 'points' is {said}; the course's word counts")
    def points_changed(handed: Handed) -> None:
        told(handed, "step-check")["points"] = value


points("2", "'2'")
points(None, "null")
points(-1, "-1")
points(float("nan"), "nan")
points(100, "100")
points([10], "a list")
points(True, "true")


@of_metadata(
    "graph, 'ch08-e3-check': told nbgrader 'grade' is false, 'solution' is true, 'locked' is false; "
    "the course's word counts"
)
def flags_flipped(handed: Handed) -> None:
    told(handed, "step-check").update(grade=False, solution=True, locked=False)


@of_metadata("graph, 'ch08-w1': told nbgrader 'solution' is false, 'task' is true; the course's word counts")
def an_answer_made_a_task(handed: Handed) -> None:
    told(handed, "why").update(task=True, solution=False)


@of_metadata("graph, 'ch08-e3': told nbgrader an unknown 'extra_credit'; the course's word counts")
def unknown_keys(handed: Handed) -> None:
    told(handed, "step")["extra_credit"] = 100


@of_metadata(
    "graph, cell 6: names itself 'bonus' to nbgrader, which the course does not know; it stayed as a plain cell"
)
def an_unknown_grade_id(handed: Handed) -> None:
    told(handed, "step")
    cell = plain("mine", "1 + 1")
    cell["metadata"] = {"nbgrader": {**told(handed, "step-check"), "grade_id": "bonus"}}
    handed.cells.append(cell)


@of_metadata("graph, 'ch08-e3-check': carried the tag 'skip-execution'; nothing of it counts")
def a_tag(handed: Handed) -> None:
    handed.cell("step-check")["metadata"]["tags"] = ["skip-execution"]


@of_metadata("graph, 'ch08-e3-check': carried 'skip-execution' for tags; nothing of it counts")
def tags_that_are_no_list(handed: Handed) -> None:
    handed.cell("step-check")["metadata"]["tags"] = "skip-execution"


@of_metadata("graph, 'ch08-e3': carried the tags 'raises-exception', a mapping; nothing of it counts")
def two_tags(handed: Handed) -> None:
    handed.cell("step")["metadata"]["tags"] = ["raises-exception", {}]


@of_metadata("graph: names no kernel; the course's 'python3' runs it")
def no_kernelspec(handed: Handed) -> None:
    del handed.raw["metadata"]["kernelspec"]


@of_metadata("graph: names no kernel; the course's 'python3' runs it")
def null_kernelspec(handed: Handed) -> None:
    handed.raw["metadata"]["kernelspec"] = None


@of_metadata("graph: names the kernel 'julia-1.11'; the course's 'python3' runs it")
def unknown_kernelspec(handed: Handed) -> None:
    handed.raw["metadata"]["kernelspec"]["name"] = "julia-1.11"


@of_metadata("graph, 'ch08-e3-check': was changed; the released text stands again")
def a_changed_check(handed: Handed) -> None:
    handed.cell("step-check")["source"] = "10.0"
