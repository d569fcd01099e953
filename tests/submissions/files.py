"""Odd files: what stands where a notebook should, before any cell is looked at."""

from __future__ import annotations

import contextlib
import os
import socket
from functools import partial

from tests.submissions.conftest import Handed
from tests.submissions.table import odd

of_file = partial(odd, "File", written=False)


def text(handed: Handed) -> str:
    return handed.file.read_text(encoding="utf-8")


@of_file(problems=("graph: 'graph.ipynb' is empty; nothing of it could be graded",), survive=False)
def empty(handed: Handed) -> None:
    handed.file.write_bytes(b"")


@of_file(problems=("graph: 'graph.ipynb' is empty; nothing of it could be graded",), survive=False)
def only_nuls(handed: Handed) -> None:
    handed.file.write_bytes(bytes(5_000))


@of_file(problems=("graph: 'graph.ipynb' is no JSON from line 1 on; nothing of it could be graded",), survive=False)
def not_json(handed: Handed) -> None:
    handed.file.write_text("def step(state, event):\n    return state\n", encoding="utf-8")


@of_file(
    "graph, 'ch08-w1': was deleted; the released cell was put back",
    problems=("graph: 'graph.ipynb' is damaged; the 4 cells that could be read went on",),
    survive=False,
)
def truncated(handed: Handed) -> None:
    handed.file.write_text(text(handed)[: text(handed).index('"ch08-w1"')], encoding="utf-8")


@of_file(problems=("graph: 'graph.ipynb' is no JSON from line 1 on; nothing of it could be graded",), survive=False)
def truncated_in_the_first_cell(handed: Handed) -> None:
    handed.file.write_text(text(handed)[:40], encoding="utf-8")


@of_file("graph: goes on after the notebook's end; the rest was left out")
def two_notebooks_in_one_file(handed: Handed) -> None:
    handed.file.write_text(text(handed) * 2, encoding="utf-8")


@of_file(problems=("graph: 'graph.ipynb' is damaged; the 5 cells that could be read went on",))
def merge_markers_between_cells(handed: Handed) -> None:
    at = text(handed).index(', {"cell_type": "markdown", "id": "why"')
    handed.file.write_text(f"{text(handed)[:at]},\n<<<<<<< HEAD\n{text(handed)[at + 1 :]}", encoding="utf-8")


@of_file(
    problems=("graph: 'graph.ipynb' holds a list where a notebook is a mapping; nothing of it could be graded",),
    survive=False,
)
def a_list(handed: Handed) -> None:
    handed.file.write_text("[1, 2, 3]", encoding="utf-8")


@of_file(
    problems=("graph: 'graph.ipynb' holds no list of cells, so it is no notebook; nothing of it could be graded",),
    survive=False,
)
def an_empty_object(handed: Handed) -> None:
    handed.file.write_text("{}", encoding="utf-8")


@of_file("graph: begins with a byte order mark; it was skipped")
def byte_order_mark(handed: Handed) -> None:
    handed.file.write_bytes(b"\xef\xbb\xbf" + handed.file.read_bytes())


@of_file("graph: is written in UTF-16, not in UTF-8; it was read as UTF-16")
def utf_16(handed: Handed) -> None:
    handed.file.write_bytes(text(handed).encode("utf-16"))


@of_file("graph: is written in UTF-16, not in UTF-8; it was read as UTF-16")
def utf_16_without_a_mark(handed: Handed) -> None:
    handed.file.write_bytes(text(handed).encode("utf-16-be"))


@of_file("graph: is written in Windows-1252, not in UTF-8; it was read as Windows-1252")
def windows_1252(handed: Handed) -> None:
    handed.file.write_bytes(text(handed).replace("# A graph", "# Ein Graph für sich").encode("cp1252"))


@of_file("graph: is written in Latin-1, not in UTF-8; it was read as Latin-1")
def latin_1(handed: Handed) -> None:
    handed.file.write_bytes(text(handed).replace("# A graph", "# \x81 für sich").encode("latin-1"))


@odd("File", "graph, cell 2: holds half a character; it was replaced by '�'")
def half_a_character(handed: Handed) -> None:
    handed.cell("setup")["source"] += ["\n# \ud83d"]


@of_file("graph, cell 1: holds half a character; it was replaced by '�'")
def half_a_character_as_bytes(handed: Handed) -> None:
    handed.file.write_bytes(text(handed).replace("# A graph", "# \ud83d").encode("utf-8", "surrogatepass"))


@odd("File", "graph, 'ch08-e3': holds NUL characters; they were left out")
def nuls_in_the_source(handed: Handed) -> None:
    handed.cell("step")["source"][0] = "\0" + handed.cell("step")["source"][0]


@of_file()
def control_characters_in_the_json(handed: Handed) -> None:
    handed.file.write_text(text(handed).replace("# A graph", "# \x01\t"), encoding="utf-8")


@of_file(problems=("graph: 'graph.ipynb' is nested too deep to be read; nothing of it could be graded",), survive=False)
def deep_json(handed: Handed) -> None:
    handed.file.write_text("[" * 100_000, encoding="utf-8")


@of_file(
    "graph, 'setup': was deleted; the released cell was put back",
    problems=("graph: 'graph.ipynb' is damaged; the 4 cells that could be read went on",),
)
def a_deep_output(handed: Handed) -> None:
    deep = "[" * 100_000 + "]" * 100_000
    handed.file.write_text(text(handed).replace('"outputs": []', f'"outputs": {deep}', 1), encoding="utf-8")


@of_file()
def a_number_of_5000_digits(handed: Handed) -> None:
    number = f'"execution_count": {"9" * 5_000}'
    handed.file.write_text(text(handed).replace('"execution_count": null', number), encoding="utf-8")


@odd("File", "graph, 'ch08-e3-check': told nbgrader 'points' is nan; the course's word counts")
def nan_where_a_number_belongs(handed: Handed) -> None:
    handed.cell("step-check")["metadata"]["nbgrader"]["points"] = float("nan")
    handed.raw["nbformat_minor"] = 5
    handed.cell("step")["execution_count"] = float("inf")


@of_file(problems=("graph: 'graph.ipynb' is a folder, not a file; nothing of it could be graded",), survive=False)
def a_directory(handed: Handed) -> None:
    handed.file.unlink()
    handed.file.mkdir()


@of_file(problems=("graph: 'graph.ipynb' is a FIFO, not a file; nothing of it could be graded",), survive=False)
def a_fifo(handed: Handed) -> None:
    handed.file.unlink()
    os.mkfifo(handed.file)


@of_file(problems=("graph: 'graph.ipynb' is a socket, not a file; nothing of it could be graded",), survive=False)
def a_socket(handed: Handed) -> None:
    handed.file.unlink()
    with contextlib.chdir(handed.folder), socket.socket(socket.AF_UNIX) as bound:  # a socket's path has to be short
        bound.bind(handed.file.name)


@of_file(problems=("graph: 'graph.ipynb' is a link, not a file; nothing of it could be graded",), survive=False)
def a_dangling_link(handed: Handed) -> None:
    handed.file.unlink()
    handed.file.symlink_to("nowhere")


@of_file(problems=("graph: 'graph.ipynb' is a link, not a file; nothing of it could be graded",), survive=False)
def a_link_to_a_file_outside(handed: Handed) -> None:
    handed.file.rename(handed.folder.parent / "another.ipynb")
    handed.file.symlink_to(handed.folder.parent / "another.ipynb")


@of_file("'more' is a link, not a file; it was left out", survive=False)
def a_link_to_a_folder_outside(handed: Handed) -> None:
    handed.file.rename(handed.folder.parent / "graph.ipynb")
    (handed.folder / "more").symlink_to(handed.folder.parent)


@odd("File")
def old_output_of_20_megabytes(handed: Handed) -> None:
    handed.cell("setup")["outputs"] = [{"output_type": "stream", "name": "stdout", "text": "tick\n" * 4_000_000}]


@of_file(problems=("graph: 'graph.ipynb' is larger than 32 MB; nothing of it could be graded",), survive=False)
def too_large(handed: Handed) -> None:
    with handed.file.open("ab") as file:
        file.truncate(40 * 2**20)


@of_file(
    problems=("graph: 'graph.ipynb' holds more than 2,000,000 lists and mappings; nothing of it could be graded",),
    survive=False,
)
def too_many_parts(handed: Handed) -> None:
    handed.file.write_text(f"[{'[],' * 2_000_001}[]]", encoding="utf-8")
