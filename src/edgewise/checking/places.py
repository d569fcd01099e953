"""Where a question is asked from: a snapshot, the student's own where the run was right so far, else made by hand."""

from __future__ import annotations

from operator import is_
from typing import Any, NamedTuple

from edgewise.checking.steps import Due, Setting, snapshot
from edgewise.checking.values import same

SNAPSHOT = ("state", "visited", "rejected")


class Place(NamedTuple):
    """A snapshot to ask from: the student's own object where the run was right so far, else made by hand (None)."""

    given: dict[str, Any]
    path: tuple[str, ...] = ()
    own: Any = None
    by_hand: bool = False

    def other(self, **changes: Any) -> Place:
        """The same place with another history or rejection, made by hand."""
        return Place({**self.given, **changes}, self.path, None, True)


def made(state: str, visited: list[str], path: tuple[str, ...] = ()) -> Place:
    """A place that the check made itself."""
    return Place({"state": state, "visited": visited, "rejected": None}, path, None, True)


def as_it_was(given: Any, before: dict[str, Any]) -> bool:
    """Whether a snapshot still holds what it held: the very same objects, or else equal ones of the same types."""
    if type(given) is dict and len(given) == len(before) == len(SNAPSHOT):
        visited, known = given.get("visited"), before["visited"]
        if (
            given.get("state") is before["state"]
            and given.get("rejected", ...) is before["rejected"]
            and type(visited) is list
            and len(visited) == len(known)
            and all(map(is_, visited, known))
        ):
            return True
    now = snapshot(given)
    return now == before and (len(before) == len(SNAPSHOT) or same(now, before))


def goes_on(got: Any, expected: Due) -> bool:
    """Whether the run can go on from here: state and history are right, and there is a rejection to read."""
    return (
        type(got) is dict
        and got.get("state") == expected.state
        and got.get("visited") == expected.visited
        and type(got["state"]) is str
        and type(got["visited"]) is list
        and (got.get("rejected", ...) is None or isinstance(got.get("rejected"), str))
    )


def other_names(setting: Setting) -> tuple[str, ...]:
    """Names close to the declared ones, and far from them; none is declared."""
    declared = dict.fromkeys(event for _, event in setting.machine.table)
    near = [
        other
        for name in declared
        for other in (
            name.upper(),
            name.capitalize(),
            f" {name}",
            f"{name} ",
            name[:-1],
            f"{name}_again",
            name.replace("_", " "),
            name.replace("_", "-"),
            name.replace("_", ""),
        )
    ]
    far = ["", " ", "None", "zdarzenie końcowe", 'a "quoted" name', *setting.machine.states]
    return tuple(name for name in dict.fromkeys((*near, *far)) if name not in declared)
