"""Imports point one way, and `import edgewise` brings in nothing heavy."""

import ast
import json
import subprocess
import sys
from pathlib import Path

import networkx
import pytest

import edgewise

SOURCE = Path(edgewise.__file__).parent

LIBRARY = (
    *("machine", "table", "trail", "answer", "plan", "storm", "contention", "retrieval"),
    *("repair", "definition", "flow"),
)
GROUPS = {
    "library": LIBRARY,
    "draw": ("draw", "chart"),
    "course": ("course",),
    "checking": ("checking",),
    "lab": ("lab",),
    "release": ("release", "my_sessions", "serve"),
    "grading": ("grading",),
    "cli": ("cli", "__main__"),
}
MAY_IMPORT = {
    "library": (),
    "draw": ("library",),
    "course": (),
    "checking": ("library", "draw", "course"),
    "lab": ("library", "draw", "course", "checking"),
    "release": ("library", "draw", "course", "checking"),
    "grading": ("library", "draw", "course", "checking", "release"),
    "cli": tuple(GROUPS),
}
GROUP_OF = {module: group for group, modules in GROUPS.items() for module in modules}
FILES = sorted(path for path in SOURCE.rglob("*.py") if path != SOURCE / "__init__.py")
HEAVY = (
    "nbformat",
    "nbgrader",
    "jsonschema",
    "sqlalchemy",
    "pydantic",
    "IPython",
    "graphviz",
    "pygal",
    "rich",
    "typer",
)


def imported(path):
    """The modules of edgewise that a file imports, as dotted names below `edgewise`."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name.partition(".")[2] for alias in node.names if alias.name.startswith("edgewise."))
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path.relative_to(SOURCE)} has a relative import"
            if node.module == "edgewise":
                yield from (alias.name for alias in node.names)
            elif node.module and node.module.startswith("edgewise."):
                below = node.module.partition(".")[2]
                yield below
                yield from (name for alias in node.names if is_module(name := f"{below}.{alias.name}"))


def is_module(name):
    path = SOURCE.joinpath(*name.split("."))
    return path.is_dir() or path.with_suffix(".py").is_file()


def module_of(path):
    return ".".join(path.relative_to(SOURCE).with_suffix("").parts).removesuffix(".__init__")


def group_of(module):
    return GROUP_OF[module.partition(".")[0]]


@pytest.mark.parametrize("path", FILES, ids=module_of)
def test_a_module_imports_from_its_own_group_and_from_those_below(path):
    here = group_of(module_of(path))
    foreign = {module for module in imported(path) if group_of(module) not in (here, *MAY_IMPORT[here])}

    assert foreign == set()


def test_no_two_modules_of_the_library_import_each_other():
    files = [path for path in FILES if group_of(module_of(path)) == "library"]
    graph = networkx.DiGraph((module_of(path), module) for path in files for module in imported(path))

    assert list(networkx.simple_cycles(graph)) == []


def test_the_library_imports_only_the_standard_library():
    """A student may read it, and a browser may load it."""
    foreign = {
        (module_of(path), name.partition(".")[0])
        for path in FILES
        if group_of(module_of(path)) == "library"
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        for name in (
            [alias.name for alias in node.names]
            if isinstance(node, ast.Import)
            else [node.module or ""]
            if isinstance(node, ast.ImportFrom)
            else []
        )
        if name.partition(".")[0] not in (*sys.stdlib_module_names, "edgewise")
    }

    assert foreign == set()


def loaded(statement):
    """The heavy modules that a fresh interpreter has loaded after a statement."""
    program = f"import json, sys\n{statement}\nprint(json.dumps(sorted(sys.modules)))"
    out = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout
    return sorted({name.partition(".")[0] for name in json.loads(out)} & set(HEAVY))


@pytest.mark.parametrize("statement", ["import edgewise", "from edgewise.draw import draw"])
def test_the_first_import_loads_nothing_heavy(statement):
    assert loaded(statement) == []


def test_a_name_that_edgewise_does_not_have_is_answered_with_those_it_has():
    with pytest.raises(AttributeError) as caught:
        edgewise.sleep  # noqa: B018 - the look-up is what is tried

    assert str(caught.value) == (
        "edgewise has no 'sleep'; it has: MAX_VISITS, STATES, STORM, TRANSITIONS, "
        "Machine, Trail, check, hint, progress, replay, start, step, walk"
    )


ROOMS = {
    "confinement": (),
    "reading": (),
    "workers": ("confinement", "reading"),
    "judging": ("confinement", "reading", "workers"),
    "gradebook": ("confinement", "reading", "workers", "judging", "doctor"),
    "stats": ("reading", "gradebook"),
    "plugins": ("reading", "workers", "judging"),
    "doctor": ("confinement", "workers"),
}
"""The folders of grading, and what each may import of the others."""


@pytest.mark.parametrize("room", ROOMS)
def test_the_rooms_of_grading_import_one_way(room):
    home = SOURCE / "grading"
    files = [*(home / room).rglob("*.py"), *home.glob(f"{room}.py")]
    used = {name.split(".")[1] for path in files for name in imported(path) if name.startswith("grading.")}

    assert used - {room} <= set(ROOMS[room])
