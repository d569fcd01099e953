"""ch08-e3: the step of the five-state machine."""

from __future__ import annotations

from edgewise.checking.exercise import REFUSED, Script
from edgewise.checking.machines import MachineCheck
from edgewise.checking.rules import RULES, follows_every_edge, refuses_without_moving
from edgewise.checking.steps import Setting
from edgewise.machine import STATES, TRANSITIONS, Machine

SCRIPTS = (
    Script(
        "The answer walk, and what comes after the end",
        events=(
            ("plan_ready", "retrieving"),
            ("hits", "answering"),
            ("answered", "done"),
            ("plan_ready", REFUSED),
        ),
    ),
)

CHECK = MachineCheck(
    settings=(Setting(Machine(TRANSITIONS, states=STATES), scripts=SCRIPTS, foreign=("shipped",)),),
    rules=RULES,
    follows=follows_every_edge,
    refuses=refuses_without_moving,
)
