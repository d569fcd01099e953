"""How far workers are confined, and how a layer is told."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

_SENTENCES = {
    "user": (
        "A worker is a user without rights: it owns no file but its own.",
        "Workers run with the rights of the user who grades.",
    ),
    "processes": (
        "A worker sees no other process, and none of its own outlives it.",
        "A worker can see that other processes run; its own are ended as a group.",
    ),
    "files": (
        "A worker sees Python and the system's programs, read-only, and its own folder in memory; no course, no home.",
        "A worker can see the names of other files.",
    ),
    "network": (
        "A worker has a network of its own, which leads nowhere.",
        "A worker shares the machine's network.",
    ),
    "memory": (
        "A worker shares no memory and no queues with others.",
        "A worker may meet shared memory and queues of others.",
    ),
    "host": ("A worker has a host name of its own.", "A worker shares the machine's host name."),
    "landlock": (
        "Landlock allows reading Python and the system's programs, writing the private folder, and no more.",
        "Landlock is not on: files are kept by the other layers alone.",
    ),
    "seccomp": (
        "A filter refuses system calls that open sockets, look into processes or change the machine.",
        "No filter refuses system calls.",
    ),
    "privileges": (
        "A worker can gain no rights, by no program.",
        "A worker may gain rights through programs that grant some.",
    ),
    "limits": (
        "Memory, processor time, files and their size, and processes are limited.",
        "Memory and processor time are not limited; the deadline alone ends a worker.",
    ),
    "parent": ("A worker ends when its parent does.", "A worker may outlive its parent."),
    "folder": (
        "A worker works in an empty folder of its own.",
        "A worker works in a folder that others use too.",
    ),
    "environment": (
        "A worker's environment holds a path to programs, and nothing of yours.",
        "A worker reads your environment variables.",
    ),
}

LAYERS = tuple(_SENTENCES)

ENVIRONMENT = {"PATH": "/usr/local/bin:/usr/bin:/bin", "LANG": "C.UTF-8", "PYTHONHASHSEED": "0"}
"""All that a worker's environment holds. The seed makes sets of texts come in the same order in every run."""

NAMESPACES = ("user", "processes", "files", "network", "memory", "host")


@dataclass(frozen=True, slots=True)
class Policy:
    """The bounds of one worker; `without` names layers to leave off, `hidden` paths that no worker may read."""

    memory_megabytes: int = 1024
    folder_megabytes: int = 64
    file_megabytes: int = 16
    files: int = 256
    processes: int = 64
    without: frozenset[str] = frozenset()
    hidden: tuple[str, ...] = ()

    @classmethod
    def told(cls, data: dict[str, Any]) -> Policy:
        """A policy from its fields as JSON gives them back."""
        return cls(**{**data, "without": frozenset(data["without"]), "hidden": tuple(data["hidden"])})


class Layer(NamedTuple):
    """One layer of confinement, and whether it is on."""

    name: str
    on: bool

    @property
    def sentence(self) -> str:
        """What holds, or what does not."""
        return _SENTENCES[self.name][0 if self.on else 1]


def layers(on: dict[str, bool]) -> tuple[Layer, ...]:
    """Every layer, in a fixed order; those not named are off."""
    return tuple(Layer(name, on.get(name, False)) for name in LAYERS)
