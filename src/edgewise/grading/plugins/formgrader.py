"""formgrader's pages, where nbgrader has no setting: names in them are escaped, and every course is shown harmlessly.

Imported by a Jupyter server with formgrader alone; `install` puts three things in the place of nbgrader's.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from nbconvert.exporters import HTMLExporter
from nbgrader.server_extensions.formgrader.base import BaseHandler
from nbgrader.server_extensions.formgrader.handlers import SubmissionFilesHandler

from edgewise.grading.plugins.harmless import inert

SERVERS = ("base_url", "url_prefix")
"""Addresses that the server itself made, for scripts that add to them."""

POLICY = "sandbox; default-src 'none'; img-src 'self' data:; style-src 'unsafe-inline'"
"""How a browser opens a file that a student handed in: as one of another site, in which nothing runs."""


def render(handler: Any, name: str, **values: Any) -> str:
    """The page of a template. nbgrader's templates escape nothing, and a link can hold any name."""
    page: str = handler.settings["nbgrader_jinja2_env"].get_template(name).render(**_inert(values))
    return page


def _inert(values: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value if name in SERVERS else _inert_value(value) for name, value in values.items()}


def _inert_value(value: Any) -> Any:
    if isinstance(value, str):
        return inert(value)
    return _inert(value) if type(value) is dict else value


def exporter(handler: Any) -> Any:
    """What turns a notebook into a page. nbgrader makes it when the server starts, before it knows the course."""
    if not handler.settings["nbgrader_exporter"].sanitize_html:
        config = handler.settings["nbgrader_formgrader"].config
        handler.settings["nbgrader_exporter"] = HTMLExporter(config=config)  # type: ignore[no-untyped-call]
    return handler.settings["nbgrader_exporter"]


def install() -> None:
    """Put these in the place of nbgrader's, for every page that the server is asked for from now on."""
    BaseHandler.render = render
    BaseHandler.exporter = property(exporter)
    SubmissionFilesHandler.content_security_policy = POLICY
