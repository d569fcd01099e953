"""Code that a grader stumbles over: it comes out as it was written."""

from __future__ import annotations

from functools import partial

from tests.submissions.conftest import Handed
from tests.submissions.table import insert, odd, plain

of_code = partial(odd, "Code")


def written(name: str, source: str) -> None:
    def code(handed: Handed) -> None:
        handed.cell("step")["source"] = source

    code.__name__ = name
    of_code(survive=False)(code)


for named, code in {
    "a_syntax_error": "def step(state event):\n",
    "non_breaking_spaces": "def step(state, event):\n\N{NO-BREAK SPACE}   return state",
    "tabs_mixed": "def step(state, event):\n\tif state:\n        return state",
    "merge_markers": "<<<<<<< HEAD\ndef step(): ...\n=======\n>>>>>>> theirs",
    "async_def": "async def step(state, event):\n    return state",
    "another_name": "def my_step(state, event):\n    return state",
    "magics": "%matplotlib inline\n!ls",
    "bash": "%%bash\nls",
    "windows_line_ends": "def step(state, event):\r\n    return state\r\n",
    "50000_lines": "x = 1\n" * 50_000,
    "a_blank_answer": " \n",
}.items():
    written(named, code)


@of_code()
def defined_in_another_cell(handed: Handed) -> None:
    insert(handed, "step", plain("mine", "def step(state, event):\n    return state"))


@of_code()
def defined_below_the_check(handed: Handed) -> None:
    insert(handed, "step-check", plain("mine", "def step(state, event):\n    return state"))


@of_code()
def an_exception_in_an_unrelated_cell(handed: Handed) -> None:
    insert(handed, "setup", plain("mine", "1 / 0"))
