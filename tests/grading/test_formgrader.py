"""Where nbgrader has no setting: formgrader's other pages, and a course that is opened after the server was."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest
from jinja2 import DictLoader, Environment, FileSystemLoader
from nbconvert.exporters import HTMLExporter
from nbgrader.server_extensions.formgrader.base import BaseHandler
from nbgrader.server_extensions.formgrader.handlers import SubmissionFilesHandler, template_path
from traitlets.config import Config

from edgewise.grading.plugins.formgrader import POLICY, exporter, install, render

from .hostile import dangers

TEMPLATES = Environment(loader=FileSystemLoader([template_path]))  # as nbgrader makes it
PAGES = {
    "manage_students_assignments.tpl": ("student_id",),
    "manage_students_notebook_submissions.tpl": ("student_id", "assignment_id"),
    "manage_submissions.tpl": ("assignment_id",),
    "gradebook_notebook_submissions.tpl": ("assignment_id", "notebook_id"),
}


def handler(**settings: Any) -> Any:
    return SimpleNamespace(settings={"nbgrader_jinja2_env": TEMPLATES, **settings})


@pytest.mark.parametrize("page", PAGES)
def test_a_name_in_an_address_is_no_html(page: str) -> None:
    named = dict.fromkeys(PAGES[page], "</script><img src=x onerror=probe()>")
    plain = dangers(TEMPLATES.get_template(page).render(base_url="", course_dir=""))

    theirs = dangers(TEMPLATES.get_template(page).render(base_url="", course_dir="", **named)) - plain
    ours = dangers(render(handler(), page, base_url="", course_dir="", **named)) - plain
    runs = {danger for danger in ours if not danger.startswith("a href=/formgrader/")}

    assert (theirs["img onerror"] > 0, runs) == (True, set())


@pytest.mark.parametrize(
    ("student", "assignment", "lines"),
    [
        ('";probe();"', "ch08", ['var student_id = "&quot;;probe();&quot;";', 'var assignment_id = "ch08";']),
        ("\\", ";probe()//", ['var student_id = "&#92;";', 'var assignment_id = ";probe()//";']),
        ("a\nb", "\u2028", ['var student_id = "a b";', 'var assignment_id = " ";']),
        ("o'brien & co", "ch08", ['var student_id = "o\'brien & co";', 'var assignment_id = "ch08";']),
    ],
    ids=["quotes", "a backslash before the next name", "line ends", "an honest name"],
)
def test_a_name_in_an_address_ends_no_string_of_a_script(student: str, assignment: str, lines: list[str]) -> None:
    page = render(
        handler(),
        "manage_students_notebook_submissions.tpl",
        base_url="",
        student_id=student,
        assignment_id=assignment,
    )

    assert [line for line in page.split("\n") if line.startswith("var ") and "base_url" not in line] == lines


def test_names_within_a_value_are_escaped_too_and_the_servers_addresses_are_not() -> None:
    template = "{{ one.student }} {{ one.base_url }} {{ url_prefix }} {{ many }}"
    page = handler(nbgrader_jinja2_env=Environment(loader=DictLoader({"page": template})))
    values = {"one": {"student": "<b>", "base_url": "/<b>"}, "url_prefix": "a\\b", "many": 3}

    assert render(page, "page", **values) == "&lt;b&gt; /<b> a\\b 3"


def test_a_course_that_is_opened_later_is_shown_harmlessly_too() -> None:
    stock = HTMLExporter()
    later = SimpleNamespace(config=Config({"HTMLExporter": {"sanitize_html": True, "template_name": "classic"}}))
    asked = handler(nbgrader_exporter=stock, nbgrader_formgrader=later)

    first, second = exporter(asked), exporter(asked)

    assert (first.sanitize_html, first.template_name, second is first) == (True, "classic", True)


def test_the_three_stand_in_the_place_of_nbgraders(monkeypatch: pytest.MonkeyPatch) -> None:
    for owner, name in ((BaseHandler, "render"), (BaseHandler, "exporter")):
        monkeypatch.setattr(owner, name, None)
    monkeypatch.setattr(SubmissionFilesHandler, "content_security_policy", None)
    install()

    assert (BaseHandler.render, BaseHandler.exporter.fget, SubmissionFilesHandler.content_security_policy) == (
        render,
        exporter,
        POLICY,
    )
