"""Odd cells: duplicated, split, deleted, renamed, retyped, in another order."""

from __future__ import annotations

from functools import partial

from tests.submissions.conftest import Handed
from tests.submissions.kit import STEP_ANSWER
from tests.submissions.table import copied, insert, odd, plain, told

of_metadata = partial(odd, "nbgrader metadata")


@of_metadata("graph, 'ch08-e3': is there 2 times; the last that holds an answer was kept, 1 stayed as a plain cell")
def a_copied_answer_before_the_last(handed: Handed) -> None:
    insert(handed, "step", copied(handed, "step", "def step(state, event):\n    return None"), after=0)


@of_metadata(
    "graph, 'ch08-e3': is there 2 times; the last that holds an answer was kept, 1 that said nothing new was left out"
)
def an_untouched_copy_after_the_answer(handed: Handed) -> None:
    stub = "def step(state: dict, event: dict) -> dict:\n"
    stub += '    """Return the snapshot after the event."""\n    # YOUR CODE HERE\n    raise NotImplementedError()'
    insert(handed, "step", copied(handed, "step", stub))


@of_metadata(
    "graph, 'ch08-e3': is there 2 times; the last that holds an answer was kept, 1 stayed as a plain cell",
    "graph, 'ch08-e3-check': stood in another place; it stands where it was released again",
)
def the_answer_in_a_copy_below_its_check(handed: Handed) -> None:
    insert(handed, "step-check", copied(handed, "step"))
    handed.cell("step")["source"] = "def step(state, event):\n    return 1"


@of_metadata(
    "graph, 'ch08-e3': is there 3 times; the last that holds an answer was kept, 2 that said nothing new were left out"
)
def three_alike(handed: Handed) -> None:
    insert(handed, "step", copied(handed, "step"))
    insert(handed, "step", copied(handed, "step", id="third"))


@of_metadata("graph, 'ch08-e3-check': is there 2 times; one was kept, 1 that said nothing new was left out")
def a_copied_check(handed: Handed) -> None:
    insert(handed, "why", copied(handed, "step-check"))


@of_metadata("graph, 'ch08-e3-check': is there 2 times; one was kept, 1 stayed as a plain cell")
def a_copied_check_with_other_text(handed: Handed) -> None:
    insert(handed, "step-check", copied(handed, "step-check", "10.0"))


@of_metadata("graph, 'ch08-w1': is there 2 times; the last that holds an answer was kept, 1 stayed as a plain cell")
def a_copied_written_answer(handed: Handed) -> None:
    insert(handed, "why", copied(handed, "why", "A first thought."), after=0)


@of_metadata("graph, 'ch08-e3': was split into 2 cells; they were joined again")
def a_split_answer(handed: Handed) -> None:
    first, second = STEP_ANSWER[: STEP_ANSWER.index("    return")], STEP_ANSWER[STEP_ANSWER.index("    return") :]
    handed.cell("step")["source"] = first.rstrip("\n")
    insert(handed, "step", copied(handed, "step", second))


@of_metadata(
    "graph, 'ch08-e3-check': is there 2 times; one was kept, 1 stayed as a plain cell",
    "graph, 'ch08-e3-check': was changed; the released text stands again",
)
def a_split_check(handed: Handed) -> None:
    handed.cell("step-check")["source"] = "check("
    insert(handed, "step-check", copied(handed, "step-check", '"ch08-e3", step)'))


@of_metadata("graph, 'ch08-e3-check': was deleted; the released cell was put back")
def a_deleted_check(handed: Handed) -> None:
    handed.cells.remove(handed.cell("step-check"))


@of_metadata("graph, 'ch08-e3': was deleted; the released cell was put back", survive=False)
def a_deleted_answer(handed: Handed) -> None:
    handed.cells.remove(handed.cell("step"))


@of_metadata("graph, 'ch08-w1': was deleted; the released cell was put back", survive=False)
def a_deleted_written_answer(handed: Handed) -> None:
    handed.cells.remove(handed.cell("why"))


@of_metadata("graph, 'setup': was deleted; the released cell was put back")
def a_deleted_import(handed: Handed) -> None:
    handed.cells.remove(handed.cell("setup"))


@of_metadata("graph, 'ch08-e3': was deleted; the released cell was put back", survive=False)
def a_deleted_answer_defined_in_another(handed: Handed) -> None:
    handed.cells.remove(handed.cell("step"))
    handed.cell("setup")["source"] += ["\n", *STEP_ANSWER.splitlines(keepends=True)]


@of_metadata("graph, 'ch08-e3': was named 'ch08-e3-old'; it was found by its id")
def a_renamed_answer(handed: Handed) -> None:
    told(handed, "step")["grade_id"] = "ch08-e3-old"


@of_metadata("graph, 'ch08-w1': was named 'ch08-e3'; it was found by its id")
def an_answer_named_after_another(handed: Handed) -> None:
    told(handed, "why")["grade_id"] = "ch08-e3"


@of_metadata(
    "graph, 'ch08-e3': had lost its name, the grade_id; it was found by what it holds",
    "graph, 'ch08-w1': had lost its name, the grade_id; it was found by where it stands",
)
def an_answer_cut_and_pasted(handed: Handed) -> None:
    handed.cell("step").update(id="f00", metadata={})
    handed.cell("why").update(id="f01", metadata={})


@of_metadata("graph, 'ch08-e3': had lost its name, the grade_id; it was found by what it holds")
def an_answer_written_anew_elsewhere(handed: Handed) -> None:
    handed.cells.remove(handed.cell("step"))
    handed.cells.insert(1, plain("new", STEP_ANSWER))


@of_metadata(
    "graph, 'ch08-e3-check': had lost its name, the grade_id; it was found by what it holds",
    "graph, 'ch08-e3-check': was changed; the released text stands again",
)
def a_check_written_anew(handed: Handed) -> None:
    handed.cell("step-check").update(id="f00", metadata={}, source='check("ch08-e3", step) ')


@of_metadata(
    "graph, 'ch08-e3': had lost its name, the grade_id; it was found by its id",
    "graph, 'ch08-e3-check': had lost its name, the grade_id; it was found by its id",
    "graph, 'ch08-w1': had lost its name, the grade_id; it was found by its id",
)
def everything_without_nbgrader(handed: Handed) -> None:
    for cell in handed.cells:
        cell["metadata"] = {}


@of_metadata("graph, 'ch08-e3-check': was a markdown cell; it is a code cell again")
def a_check_made_text(handed: Handed) -> None:
    handed.cell("step-check")["cell_type"] = "markdown"


@of_metadata("graph, 'ch08-e3': was a raw cell; it is a code cell again")
def an_answer_made_text(handed: Handed) -> None:
    handed.cell("step")["cell_type"] = "raw"


@of_metadata("graph, 'ch08-w1': was a code cell; it is a markdown cell again")
def a_written_answer_made_code(handed: Handed) -> None:
    handed.cell("why")["cell_type"] = "code"


@of_metadata("graph, 'ch08-e3-check': stood in another place; it stands where it was released again")
def a_check_before_its_answer(handed: Handed) -> None:
    check = handed.cell("step-check")
    handed.cells.remove(check)
    insert(handed, "step", check, after=0)


@of_metadata(
    "graph, 'ch08-e3': stood in another place; it stands where it was released again",
    "graph, 'ch08-e3-check': stood in another place; it stands where it was released again",
    "graph, 'setup': stood in another place; it stands where it was released again",
)
def everything_upside_down(handed: Handed) -> None:
    handed.cells.reverse()
