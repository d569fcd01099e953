"""IPython as a notebook's kernel has it, without a kernel: cells in, the outputs that nbformat knows out."""

from __future__ import annotations

import builtins
import contextlib
import io
import signal
import subprocess
import sys
from collections.abc import Iterable, Iterator
from types import FrameType
from typing import Any

from IPython.core.displayhook import DisplayHook
from IPython.core.displaypub import DisplayPublisher
from IPython.core.error import StdinNotImplementedError
from IPython.core.inputtransformer2 import TransformerManager
from IPython.core.interactiveshell import InteractiveShell
from traitlets.config import Config

MOST_CHARACTERS = 200_000
"""The most characters kept of what one cell shows; what comes after is counted, not kept."""

MOST_OUTPUTS = 200


class CellTimeout(BaseException):
    """Raised inside a cell that runs for too long; no Exception, so that `except Exception` lets it by."""


class Outputs:
    """The outputs of one cell, in nbformat's shape and within bounds."""

    def __init__(self) -> None:
        self.kept: list[dict[str, Any]] = []
        self._left = MOST_CHARACTERS
        self._is_cut = False

    def add(self, output: dict[str, Any], size: int) -> None:
        """Keep an output, if there is room."""
        if len(self.kept) < MOST_OUTPUTS and size <= self._left:
            self._left -= size
            self.kept.append(output)
        else:
            self._cut()

    def write(self, name: str, text: str) -> None:
        """Keep what was printed, joined to what was printed before."""
        kept = text[: self._left]
        last = self.kept[-1] if self.kept else {}
        if last.get("name") == name:
            last["text"] += kept
            self._left -= len(kept)
        elif kept:
            self.add({"output_type": "stream", "name": name, "text": kept}, len(kept))
        if len(kept) < len(text):
            self._cut()

    def _cut(self) -> None:
        if not self._is_cut:
            self._is_cut = True
            text = f"… the rest is left out: a cell may show {MOST_CHARACTERS:,} characters in {MOST_OUTPUTS} outputs\n"
            self.kept.append({"output_type": "stream", "name": "stdout", "text": text})


class _Stream(io.TextIOBase):
    """Standard output or error of the cell that runs now."""

    encoding = "utf-8"

    def __init__(self, shell: CellShell, name: str) -> None:
        self._shell = shell
        self._name = name

    def writable(self) -> bool:
        """Yes."""
        return True

    def write(self, text: str) -> int:
        """Keep what is printed, as far as there is room. Raises TypeError for what is no text."""
        if not isinstance(text, str):
            raise TypeError(f"write() argument must be str, not {type(text).__name__}")
        self._shell.outputs.write(self._name, str.__str__(text))
        return len(text)


class _Hook(DisplayHook):
    """Takes the value of a cell's last expression."""

    def write_output_prompt(self) -> None:
        """No prompt: a notebook draws its own."""

    def write_format_data(self, format_dict: Any, md_dict: Any = None) -> None:
        """Keep the value in all the forms it has."""
        number, shown = self.prompt_count, _size(format_dict)
        output = {"output_type": "execute_result", "execution_count": number, "data": format_dict, "metadata": md_dict}
        _outputs_of(self).add(output, shown)

    def finish_displayhook(self) -> None:
        """Nothing to end: nothing is printed."""
        self._is_active = False


class _Publisher(DisplayPublisher):
    """Takes what a cell displays."""

    def publish(self, data: Any, metadata: Any = None, *_more: Any, **_keywords: Any) -> None:
        """Keep what is displayed."""
        output = {"output_type": "display_data", "data": dict(data), "metadata": dict(metadata or {})}
        _outputs_of(self).add(output, _size(data))

    def clear_output(self, wait: bool = False) -> None:  # noqa: ARG002  # IPython's signature
        """Drop what the cell has shown so far."""
        _outputs_of(self).kept.clear()


def _outputs_of(part: Any) -> Outputs:
    outputs: Outputs = part.shell.outputs
    return outputs


class _Transformer(TransformerManager):
    """IPython's own, which remembers the cells it has read: those of the course come again and again.

    What it makes of a text depends on its three lists alone; with other lists than at the start it reads anew.
    """

    def __init__(self) -> None:
        super().__init__()  # type: ignore[no-untyped-call]
        self._known: dict[str, str] = {}
        self._at_first = self._lists()

    def _lists(self) -> tuple[list[Any], ...]:
        return [*self.cleanup_transforms], [*self.line_transforms], [*self.token_transformers]

    def transform_cell(self, cell: str) -> str:
        """The cell as Python."""
        if cell not in self._known or self._lists() != self._at_first:
            made: str = super().transform_cell(cell)
            if self._lists() != self._at_first:
                return made
            self._known[cell] = made
        return self._known[cell]


class CellShell(InteractiveShell):
    """An IPython shell whose cells leave their outputs in `outputs`."""

    displayhook_class = _Hook
    display_pub_class = _Publisher
    outputs = Outputs()

    def _showtraceback(self, etype: Any, evalue: Any, stb: Any) -> None:
        lines = [str(line)[:20_000] for line in stb]
        output = {"output_type": "error", "ename": _said(etype.__name__), "evalue": _said(evalue), "traceback": lines}
        self.outputs.add(output, sum(map(len, lines)))

    def system_piped(self, cmd: str) -> None:
        """Run a shell command; IPython's own way needs a terminal."""
        ended = subprocess.run(  # noqa: S602  # `!command` in a student's cell, in a confined worker
            self.var_expand(cmd, depth=1),  # type: ignore[no-untyped-call]
            shell=True,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
            check=False,
        )
        print(ended.stdout, end="")
        self.user_ns["_exit_code"] = ended.returncode

    system = system_piped

    def ask_exit(self) -> None:
        """Nothing: there is no terminal to leave, and the cells that follow count."""

    def raw_input(self, *_arguments: object) -> str:
        """No answer: nobody is there."""
        raise StdinNotImplementedError(
            "raw_input was called, but this frontend does not support input requests."
        )  # as a notebook says that runs without its reader

    def run(self, source: str, seconds: float) -> list[dict[str, Any]]:
        """The outputs of one cell."""
        self.outputs = Outputs()
        builtins.input = self.raw_input
        sys.stdout, sys.stderr = _Stream(self, "stdout"), _Stream(self, "stderr")
        try:
            with _time_limit(seconds):
                self.run_cell(source, store_history=True)  # type: ignore[no-untyped-call]
        except CellTimeout as late:
            self._showtraceback(CellTimeout, late, [f"CellTimeout: {late}"])
        return self.outputs.kept

    def rehearse(self, sources: Iterable[str]) -> None:
        """Run cells that leave no name: what they import and cache is there from now on."""
        for source in sources:
            self.run(source, 60)
        self.reset(new_session=True)  # type: ignore[no-untyped-call]
        sys.stdout, sys.stderr = sys.__stdout__, sys.__stderr__


def make_shell() -> CellShell:
    """The process's shell, with no history, no colours and nothing of the user's own settings."""
    config = Config()
    config.HistoryManager.enabled = False
    config.InteractiveShell.colors = "nocolor"
    config.BaseIPythonApplication.ignore_old_config = True
    shell: CellShell = CellShell.instance(config=config, input_transformer_manager=_Transformer())
    shell.rehearse(_FIRST)
    return shell


_FIRST = ("1 / 0", "def missing(", "print([1], {'a': 1})", "%time None")
"""Cells that make IPython import what it needs for the first of a kind, so that no worker waits for it."""


@contextlib.contextmanager
def _time_limit(seconds: float) -> Iterator[None]:
    """Raise CellTimeout in what runs for too long, again and again until it gives way."""
    if not hasattr(signal, "setitimer"):
        yield
        return

    def ring(_number: int, _frame: FrameType | None) -> None:
        raise CellTimeout(f"the cell ran for more than {seconds:g} s and was stopped")

    signal.signal(signal.SIGALRM, ring)
    signal.setitimer(signal.ITIMER_REAL, seconds, 0.1)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, signal.SIG_IGN)


def _said(value: Any) -> str:
    """An exception's message or name, which may be student code."""
    try:
        return str.__str__(str(value))[:20_000]
    except Exception:  # an exception that can't be printed has no message
        return ""


def _size(data: Any) -> int:
    return sum(len(item) if isinstance(item, str | bytes) else 1_000 for item in dict.values(data))
