"""What this machine offers for grading: which layers confine a worker here, and which programs were found."""

from __future__ import annotations

import os
import platform
import shutil
from collections.abc import Callable
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from typing import Any

from edgewise.grading.confinement import Layer, Policy
from edgewise.grading.workers.pool import Workers, ZygoteError

PROGRAMS = {"dot": ("dot",), "chromium": ("chromium", "chromium-browser", "google-chrome")}
SECONDS = 20.0


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """The layers that are on, or why no worker could be made; what was found, None for what was not."""

    layers: tuple[Layer, ...]
    found: dict[str, str | None]
    problem: str | None = None

    @property
    def status(self) -> int:
        """0 when every layer is on, 1 when some are not, 2 when no worker could be made."""
        if self.problem is not None:
            return 2
        return 0 if all(layer.on for layer in self.layers) else 1

    @property
    def text(self) -> str:
        """What holds, what does not, and what was found: a sentence a line."""
        return "\n".join(
            (*self._confinement(), "", *(f"{name}: {said or 'not found'}" for name, said in self.found.items()))
        )

    def _confinement(self) -> list[str]:
        if self.problem is not None:
            return [f"Submissions can't be run here: {self.problem}."]
        on = [f"  {layer.sentence}" for layer in self.layers if layer.on]
        off = [f"  {layer.sentence}" for layer in self.layers if not layer.on]
        lines = [f"Confinement: {len(on)} of {len(self.layers)} layers are on.", *on]
        return [*lines, "Not protected:", *off] if off else [*lines, "Every layer is on."]

    def as_json(self) -> dict[str, Any]:
        """The same as data."""
        layers = [{"name": layer.name, "on": layer.on, "sentence": layer.sentence} for layer in self.layers]
        return {"status": self.status, "problem": self.problem, "layers": layers, "found": self.found}


def summary(layers: tuple[Layer, ...]) -> str:
    """One line about the confinement that grading ran under."""
    off = [layer.name for layer in layers if not layer.on]
    if not off:
        return f"Confinement: all {len(layers)} layers were on."
    return f"Confinement: {len(layers) - len(off)} of {len(layers)} layers were on; not protected: {', '.join(off)}."


def diagnose(
    policy: Policy | None = None,
    *,
    which: Callable[[str], str | None] = shutil.which,
    forks: bool = hasattr(os, "fork"),
) -> Diagnosis:
    """What is on and what is there, found out by making one worker."""
    found = _found(which)
    try:
        with Workers(policy, forks=forks) as workers, workers.worker(SECONDS) as worker:
            return Diagnosis(worker.layers or (), found)
    except ZygoteError as error:
        return Diagnosis((), found, str(error))


def _found(which: Callable[[str], str | None]) -> dict[str, str | None]:
    programs = {
        name: next((path for path in map(which, candidates) if path), None) for name, candidates in PROGRAMS.items()
    }
    packages = {name: _version(name) for name in ("edgewise", "nbgrader", "jupyterlab", "ipython")}
    return {"python": platform.python_version(), **packages, **programs}


def _version(package: str) -> str | None:
    try:
        return version(package)
    except PackageNotFoundError:
        return None
