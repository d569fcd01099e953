"""`edgewise doctor` says which layers are on, what is not protected, and what was found."""

import json
import sys

import pytest
from typer.testing import CliRunner

from edgewise.cli import app
from edgewise.grading.confinement import LAYERS, NAMESPACES, Policy
from edgewise.grading.confinement.policy import Layer, layers
from edgewise.grading.doctor import Diagnosis, diagnose, summary

ALL = layers(dict.fromkeys(LAYERS, True))
SOME = layers(dict.fromkeys(LAYERS, True) | {"network": False, "seccomp": False})


def test_with_all_layers_every_sentence_says_what_holds():
    diagnosis = Diagnosis(ALL, {"python": "3.11.7", "dot": None})

    assert (diagnosis.status, diagnosis.text) == (
        0,
        """\
Confinement: 13 of 13 layers are on.
  A worker is a user without rights: it owns no file but its own.
  A worker sees no other process, and none of its own outlives it.
  A worker sees Python and the system's programs, read-only, and its own folder in memory; no course, no home.
  A worker has a network of its own, which leads nowhere.
  A worker shares no memory and no queues with others.
  A worker has a host name of its own.
  Landlock allows reading Python and the system's programs, writing the private folder, and no more.
  A filter refuses system calls that open sockets, look into processes or change the machine.
  A worker can gain no rights, by no program.
  Memory, processor time, files and their size, and processes are limited.
  A worker ends when its parent does.
  A worker works in an empty folder of its own.
  A worker's environment holds a path to programs, and nothing of yours.
Every layer is on.

python: 3.11.7
dot: not found""",
    )


def test_what_is_not_protected_is_said_last():
    diagnosis = Diagnosis(SOME, {})

    assert (diagnosis.status, diagnosis.text.split("Not protected:\n")[1].strip("\n")) == (
        1,
        "  A worker shares the machine's network.\n  No filter refuses system calls.",
    )


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("user", "Workers run with the rights of the user who grades."),
        ("processes", "A worker can see that other processes run; its own are ended as a group."),
        ("files", "A worker can see the names of other files."),
        ("network", "A worker shares the machine's network."),
        ("memory", "A worker may meet shared memory and queues of others."),
        ("host", "A worker shares the machine's host name."),
        ("landlock", "Landlock is not on: files are kept by the other layers alone."),
        ("seccomp", "No filter refuses system calls."),
        ("privileges", "A worker may gain rights through programs that grant some."),
        ("limits", "Memory and processor time are not limited; the deadline alone ends a worker."),
        ("parent", "A worker may outlive its parent."),
        ("folder", "A worker works in a folder that others use too."),
        ("environment", "A worker reads your environment variables."),
    ],
)
def test_a_layer_that_is_off_says_what_that_means(name, sentence):
    assert Layer(name, on=False).sentence == sentence


def test_where_no_worker_can_be_made_the_reason_is_said():
    diagnosis = Diagnosis((), {}, "no worker could be made: the machine refuses a new process")

    assert (diagnosis.status, diagnosis.text.strip()) == (
        2,
        "Submissions can't be run here: no worker could be made: the machine refuses a new process.",
    )


@pytest.mark.parametrize(
    ("found", "line"),
    [
        (ALL, "Confinement: all 13 layers were on."),
        (SOME, "Confinement: 11 of 13 layers were on; not protected: network, seccomp."),
    ],
)
def test_the_summary_of_a_grading_is_one_line(found, line):
    assert summary(found) == line


def test_turning_layers_off_turns_off_those_and_no_other():
    off = frozenset(NAMESPACES)
    diagnosis = diagnose(Policy(without=off), which=lambda name: f"/bin/{name}" if name == "chromium-browser" else None)

    assert {layer.name for layer in diagnosis.layers if not layer.on} == set(off)
    assert (diagnosis.found["dot"], diagnosis.found["chromium"]) == (None, "/bin/chromium-browser")


def test_the_command_says_so_in_json():
    result = CliRunner().invoke(app, ["doctor", "--json"])
    said = json.loads(result.stdout)

    assert (result.exit_code, [layer["name"] for layer in said["layers"]], said["problem"]) == (
        said["status"],
        list(LAYERS),
        None,
    )


def test_the_command_says_so_in_text():
    result = CliRunner().invoke(app, ["doctor"])

    assert result.stdout.splitlines()[-7].startswith(f"python: {sys.version_info.major}.{sys.version_info.minor}")
