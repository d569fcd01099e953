"""A real Chromium, a checkout of its own, and the servers a student and an instructor would start in it."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sysconfig
import threading
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, sync_playwright

ROOT = Path(__file__).resolve().parents[2]
COURSE = ("course.yml", "nbgrader_config.py", "notebooks", "checks")
NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
NO_CHROMIUM = (
    "The browser tests need Chromium, and none is on the PATH; on Debian: apt-get install chromium fonts-liberation"
)
NO_NETWORK = "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE localhost, EXCLUDE 127.0.0.1"
FOR_TESTS = {
    "LabApp": {"expose_app_in_browser": True},
    "KernelManager": {"transport": "ipc"},  # ipykernel warns about TCP, and a warning is an error here
}


@dataclass(frozen=True)
class Server:
    """A running JupyterLab: where it answers, the word that opens it, and what it printed until then."""

    address: str
    token: str
    printed: tuple[str, ...]

    def url(self, path: str) -> str:
        """`path` with the token, which JupyterLab takes."""
        return f"{self.address}{path}{'&' if '?' in path else '?'}token={self.token}"

    def signed_in(self, path: str) -> str:
        """`path` by way of the login, which leaves a cookie: formgrader's own requests carry no token."""
        return f"{self.address}login?next=/{path}&token={self.token}"


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    executable = next(filter(None, map(shutil.which, NAMES)), None)
    if executable is None:
        pytest.exit(NO_CHROMIUM, returncode=1)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=executable, args=["--no-sandbox", NO_NETWORK])
        yield browser
        browser.close()


@pytest.fixture
def page(chromium: Browser) -> Iterator[Page]:
    """A page in a profile of its own, with the wide screen of a laptop."""
    context = chromium.new_context(viewport={"width": 1280, "height": 900})
    context.set_default_timeout(60_000)  # a loaded machine is no fault
    yield context.new_page()
    context.close()


@pytest.fixture(scope="session")
def checkout(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the course, so that no test builds or grades in the repository."""
    folder = tmp_path_factory.mktemp("checkout")
    for name in COURSE:
        source = ROOT / name
        if source.is_dir():
            shutil.copytree(source, folder / name)
        elif source.is_file():
            shutil.copy(source, folder / name)
    return folder


@pytest.fixture(scope="session")
def lab(checkout: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """`edgewise lab`, as `make lab` runs it."""
    command = [str(Path(sysconfig.get_path("scripts")) / "edgewise"), "lab", "--no-browser"]
    yield from serving(command, checkout, tmp_path_factory.mktemp("lab"))


def serving(command: list[str], folder: Path, home: Path) -> Iterator[Server]:
    """A server that `command` starts in `folder`; it ends, with its kernels, when the tests do."""
    (home / "config").mkdir()
    (home / "config/jupyter_server_config.json").write_text(json.dumps(FOR_TESTS))
    places = {
        "JUPYTER_CONFIG_DIR": "config",
        "JUPYTER_DATA_DIR": "data",
        "JUPYTER_RUNTIME_DIR": "runtime",
        "JUPYTERLAB_SETTINGS_DIR": "settings",
        "JUPYTERLAB_WORKSPACES_DIR": "workspaces",
        "IPYTHONDIR": "ipython",
    }
    environment = os.environ | {name: str(home / place) for name, place in places.items()}
    process = subprocess.Popen(
        command, cwd=folder, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    )
    with process:
        try:
            yield started(process, home / "runtime")
        finally:
            process.terminate()


def started(process: subprocess.Popen[str], runtime: Path) -> Server:
    """The server, as soon as it has printed its address."""
    printed = []
    for line in process.stdout:
        printed.append(line.rstrip())
        if "token=" in line and "127.0.0.1" in line:
            break
    else:
        pytest.fail("the server ended before it served:\n" + "\n".join(printed), pytrace=False)
    threading.Thread(target=process.stdout.read, daemon=True).start()
    facts = written(process, runtime)
    return Server(facts["url"], facts["token"], tuple(printed))


def written(process: subprocess.Popen[str], runtime: Path) -> dict[str, Any]:
    """What the server writes down about itself, once that is whole: it may print its address before."""
    while process.poll() is None:
        for path in runtime.glob("jpserver-*.json"):
            with suppress(json.JSONDecodeError):
                return json.loads(path.read_text())
        time.sleep(0.05)
    pytest.fail("the server ended before it wrote down where it serves", pytrace=False)
