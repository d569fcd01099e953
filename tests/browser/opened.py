"""A notebook opened in JupyterLab, with the few things a student does to it."""

from __future__ import annotations

from dataclasses import dataclass, field

from playwright.sync_api import Locator, Page

WIDGET = "jupyterapp.shell.currentWidget"
CELLS = f"{WIDGET}.content.widgets"
KERNEL = f"{WIDGET}.context.sessionContext.session.kernel"


@dataclass(frozen=True)
class Opened:
    """One notebook in one page; `faults` are the exceptions the page did not catch."""

    page: Page
    faults: list[str] = field(default_factory=list)

    @classmethod
    def at(cls, page: Page, url: str) -> Opened:
        """The notebook at `url`, once its kernel is ready."""
        opened = cls(page)
        page.on("pageerror", lambda error: opened.faults.append(str(error)))
        page.goto(url)
        page.wait_for_selector("#jupyterlab-splash", state="detached")
        page.wait_for_selector(".jp-Notebook .jp-CodeCell")
        page.wait_for_function(f"{WIDGET}?.context?.sessionContext?.session?.kernel?.status === 'idle'")
        return opened

    def run_all(self) -> None:
        """Runs every cell and waits for the last; JupyterLab stops at the first error that is not meant."""
        self.page.evaluate("jupyterapp.commands.execute('notebook:run-all-cells')")
        self.page.wait_for_function(
            f"{KERNEL}.status === 'idle' && {CELLS}.every(cell => cell.model.executionState !== 'running')"
        )

    def counts(self) -> list[int | None]:
        """The execution count of each code cell, None where it has not run."""
        return self.page.evaluate(
            f"{CELLS}.filter(cell => cell.model.type === 'code').map(cell => cell.model.executionCount)"
        )

    def cell(self, name: str) -> Locator:
        """The cell with this id."""
        number = self.page.evaluate(f"name => {CELLS}.findIndex(cell => cell.model.id === name)", name)
        return self.page.locator(".jp-Notebook .jp-Cell").nth(number)

    def write(self, name: str, source: str) -> None:
        """Replaces a cell's text as one does by hand, and runs it."""
        self.cell(name).locator(".cm-content").click()
        self.page.keyboard.press("ControlOrMeta+A")
        self.page.keyboard.insert_text(source)
        self.run(name)

    def run(self, name: str) -> str:
        """Runs a cell with Ctrl+Enter; the text of its outputs, as the page shows it."""
        cell = self.cell(name)
        before = self.page.evaluate(f"{CELLS}.map(cell => cell.model.executionCount)")
        cell.locator(".cm-content").click()
        self.page.keyboard.press("ControlOrMeta+Enter")
        self.page.wait_for_function(
            f"""([name, before]) => {{
                const widgets = {CELLS}, at = widgets.findIndex(cell => cell.model.id === name);
                const count = widgets[at].model.executionCount;
                return count !== null && count !== before[at] && {KERNEL}.status === 'idle';
            }}""",
            arg=[name, before],
        )
        return "\n".join(cell.locator(".jp-OutputArea-output").all_inner_texts())

    def kernel(self) -> str:
        """The kernel's id: a kernel that died and came back keeps it, one that was replaced does not."""
        return self.page.evaluate(f"{KERNEL}.id")

    def theme(self, name: str) -> None:
        """Changes to 'JupyterLab Light' or 'JupyterLab Dark', and waits until it shows."""
        self.page.evaluate("theme => jupyterapp.commands.execute('apputils:change-theme', {theme})", name)
        self.page.wait_for_selector(f"body[data-jp-theme-name='{name}']", state="attached")
