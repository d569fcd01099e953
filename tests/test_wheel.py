"""The wheel is all a student needs: it carries the checks and course.yml."""

import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]

CHECK = """
from edgewise import check
from edgewise.machine import TRANSITIONS

def step(state, event):
    target = TRANSITIONS.get((state["state"], event["name"]))
    if target is None:
        return {**state, "rejected": f"{event['name']} is not declared in {state['state']}"}
    return {"state": target, "visited": [*state["visited"], target], "rejected": None}

print(check("ch08-e3", step), __import__("edgewise").__file__)
"""


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    build = [sys.executable, "-m", "hatchling", "build", "--target", "wheel", "--directory", str(folder)]
    subprocess.run(build, cwd=ROOT, check=True, capture_output=True)
    return next(folder.glob("*.whl"))


def test_the_wheel_carries_every_check_module_and_the_course(wheel: Path):
    carried = {
        name.removeprefix("edgewise/_course/") for name in zipfile.ZipFile(wheel).namelist() if "_course" in name
    }

    assert carried == {"course.yml", *(f"checks/{path.name}" for path in (ROOT / "checks").glob("*.py"))}


def test_the_wheel_carries_neither_notebooks_nor_tests(wheel: Path):
    tops = {name.partition("/")[0] for name in zipfile.ZipFile(wheel).namelist()}

    assert tops == {"edgewise", "edgewise-0.1.0.dist-info"}


def test_a_check_works_with_the_wheel_alone(wheel: Path, tmp_path: Path):
    installed = tmp_path / "installed"
    zipfile.ZipFile(wheel).extractall(installed)

    run = subprocess.run(
        [sys.executable, "-W", "error", "-c", CHECK],
        cwd=tmp_path,
        env={"PYTHONPATH": str(installed)},
        capture_output=True,
        text=True,
        check=False,
    )

    assert run.stdout.splitlines()[-1:] == [f"10.0 {installed / 'edgewise' / '__init__.py'}"], run.stderr
