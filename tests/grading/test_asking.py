"""What the judge makes of a worker's replies: answers, or the end of the worker; no error of ours, and no heaps."""

from __future__ import annotations

import json
import marshal
from typing import Any

import pytest

from edgewise.grading.workers.answers import LONGEST_SAID, TOO_LONG, Question
from edgewise.grading.workers.asking import ROOM, ROOM_PER_QUESTION, Cell, Worker, WorkerError
from edgewise.grading.workers.channel import LARGEST, parse

ODD = "sent something that is no answer, and was stopped"
HELLO = {"layers": [], "seconds": 0}
QUESTIONS = [(0, None, marshal.dumps(("a",), 0), None), (0, 0, marshal.dumps((), 0), None)]
PACKED = marshal.dumps(QUESTIONS)


class Told:
    """A channel to a worker that has its replies ready, as JSON, and notes what it is asked."""

    def __init__(self, *replies: str) -> None:
        self.replies = [json.dumps(HELLO), *replies]
        self.asked: list[bytes] = []

    def wait_for(self, seconds: float) -> None: ...

    def send_text(self, text: str) -> None: ...

    def send_bytes(self, data: bytes) -> None:
        self.asked.append(data)

    def receive(self) -> Any:
        return parse(self.replies.pop(0).encode())


def worker(*replies: Any) -> Worker:
    told = Told(*(reply if isinstance(reply, str) else json.dumps(reply) for reply in replies))
    return Worker(told, 10, dict, lambda: None)  # type: ignore[arg-type]


def asked(reply: Any) -> object:
    return worker(reply).ask([Question("x", 0, ([1],), {"key": 2})], seconds=5)


def followed(reply: Any) -> object:
    return worker(reply).follow("x", PACKED, len(QUESTIONS), seconds=5)


def ran(reply: Any) -> object:
    return worker(reply).run([Cell("a", "1")], cell_seconds=5)


def output(**parts: Any) -> dict[str, Any]:
    made = {"output_type": "execute_result", "execution_count": 1, "data": {}, "metadata": {}, **parts}
    return {"ran": [{"id": "a", "outputs": [made]}], "handed": {}}


@pytest.mark.parametrize(
    ("how", "reply"),
    [
        (followed, {"first": 0, "entries": [None], "ids": [0, 0]}),
        (followed, {"first": 0, "entries": ["value"], "ids": [0, 0]}),
        (followed, {"first": 0, "entries": [[["value", 1]]], "ids": [0, 0]}),
        (followed, {"first": 0, "entries": [{"value": 1}], "ids": [1]}),
        (followed, {"first": 0, "entries": [{"value": 1}], "ids": [-1]}),
        (followed, {"first": 0, "entries": [{"value": 1}], "ids": [True]}),
        (followed, {"first": 0, "entries": [{"value": 1}], "ids": [0, 0, 0]}),
        (followed, {"first": True, "entries": [{"value": 1}], "ids": [0]}),
        (followed, '{"first": 1e999, "entries": [{"value": 1}], "ids": [0]}'),
        (followed, {"first": 0, "entries": [{"value": 1, "changed": [[1, 2]]}], "ids": [0]}),
        (followed, {"first": 0, "entries": [{"value": 1, "changed": [["key", 2]]}], "ids": [0]}),
        (followed, {"first": 0, "entries": [{"value": {"$int": "10"}}], "ids": [0]}),
        (asked, {"first": 0, "answers": []}),
        (asked, {"first": 0, "answers": [{"value": 1}, {"value": 1}]}),
        (asked, {"first": 0, "answers": [{"value": 1, "changed": [[1, 2]]}]}),
        (asked, {"first": 0, "answers": [{"value": 1, "changed": [[-1, 2]]}]}),
        (asked, {"first": 0, "answers": [{"value": 1, "changed": [["other", 2]]}]}),
        (asked, {"first": 0, "answers": [{"value": 1, "changed": [[[], 2]]}]}),
        (asked, '{"first": 1e999, "answers": [{"value": 1}]}'),
        (asked, {"first": 0, "answers": [{"raised": ["Name", 5, None]}]}),
        (ran, '{"ran": [{"id": "a", "outputs": [{"output_type": "execute_result", "execution_count": 1e999}]}]}'),
        (ran, output(execution_count="1")),
        (ran, output(data=5)),
        (ran, {"ran": [], "handed": {"x": [["function", True]]}}),
    ],
)  # fmt: skip
def test_a_reply_that_is_no_answer_ends_the_worker(how: Any, reply: Any) -> None:
    with pytest.raises(WorkerError) as caught:
        how(reply)

    assert str(caught.value) == ODD


def test_a_change_of_what_was_handed_over_is_an_answer() -> None:
    (answer,) = worker({"first": 0, "answers": [{"value": 1, "changed": [[0, [2]], ["key", 3]]}]}).ask(
        [Question("x", 0, ([1],), {"key": 2})], seconds=5
    )

    assert answer.changed == {0: [2], "key": 3}


def test_an_answer_that_is_everybodys_is_made_anew_as_often_as_there_is_room() -> None:
    count, size = 10_000, 100_000
    entry = {"value": "x" * size}
    packed = marshal.dumps([QUESTIONS[0]] * count)
    reply = {"first": 0, "entries": [entry], "ids": [0] * count}
    got = worker(reply).follow("x", packed, count, seconds=5)
    room = ROOM + count * ROOM_PER_QUESTION

    assert (len(got.ids) - 1, got.answer(len(got.ids) - 1).stopped) == (room // len(marshal.dumps(entry, 0)), TOO_LONG)


def test_answers_one_by_one_have_the_same_room_together() -> None:
    entry = {"first": 0, "answers": [{"value": ["x" * 100] * 60_000}]}
    asking = worker(entry, entry, entry)
    got = [asking.ask([Question("x", 0, ())], seconds=5)[0] for _ in range(3)]

    assert [answer.stopped for answer in got] == [None, None, TOO_LONG]


def test_one_exercise_takes_no_room_from_another() -> None:
    entry = {"first": 0, "answers": [{"value": ["x" * 100] * 60_000}]}
    asking = worker(entry, entry, entry)
    got = [asking.ask([Question(exercise, 0, ())], seconds=5)[0] for exercise in ("x", "x", "y")]

    assert [answer.stopped for answer in got] == [None, None, None]


def test_sentences_are_cut_that_a_student_will_read() -> None:
    long = "x" * 5_000
    reply = {"first": 0, "answers": [{"raised": [long, long, long]}]}
    told = worker(reply, {"fit": long}, {"line": long})
    question = Question("x", 0, ())
    (answer,) = told.ask([question], seconds=5)
    said = (*(answer.raised or ()), told.unfit("x", 0, "step", 2, []), told.last_line(question, seconds=5))

    assert {len(text or "") for text in said} == {LONGEST_SAID}


def test_a_value_is_read_once_so_that_it_cannot_be_two() -> None:
    told = worker({"value": 1}, {"value": 2})

    assert (told.value("x", 0), told.value("x", 0)) == (1, 1)


def test_a_large_file_goes_over_in_parts() -> None:
    channel = Told(*['{"written": true}'] * 2)
    Worker(channel, 10, dict, lambda: None).put("data", bytes(LARGEST + 5))  # type: ignore[arg-type]

    assert [len(part) for part in channel.asked] == [LARGEST, 5]


def test_more_code_than_a_message_holds_ends_the_worker_and_is_named() -> None:
    with pytest.raises(WorkerError) as caught:
        worker().run([Cell("a", "x" * LARGEST)], cell_seconds=5)

    assert str(caught.value) == "was handed cells of more than 8 MB, and was stopped"
