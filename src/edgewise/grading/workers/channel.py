"""Messages between judge and worker: length-prefixed JSON. The bytes are somebody else's: odd ones raise Malformed."""

from __future__ import annotations

import json
import os
import select
import struct
from time import monotonic
from typing import Any

LARGEST = 8 * 2**20
"""The most bytes of one message."""

MOST_ITEMS = 1_000_000
"""The most brackets and commas of one message: a few bytes of JSON may become many bytes of memory."""

_LENGTH = struct.Struct("!I")


class Malformed(ValueError):  # noqa: N818  # what the bytes are, not what went wrong with us
    """Bytes that are no message of ours."""


class Channel:
    """Messages over a pair of file descriptors, which may be the same one."""

    def __init__(self, reader: int, writer: int) -> None:
        self._reader = reader
        self._writer = writer
        self._until: float | None = None

    def wait_for(self, seconds: float) -> None:
        """Wait so long from now for all messages together; where that is over, each raises TimeoutError, an OSError.

        The end of the other side ends a conversation too, but not while a process that it left behind holds it open.
        """
        if hasattr(select, "poll"):
            self._until = monotonic() + seconds
            for descriptor in {self._reader, self._writer}:
                os.set_blocking(descriptor, False)

    def send(self, message: Any) -> None:
        """Send one message. Raises Malformed when it is too large, OSError when nobody is there."""
        self.send_text(json.dumps(message, separators=(",", ":"), allow_nan=False))

    def send_text(self, text: str) -> None:
        """Send one message that is JSON already."""
        self.send_bytes(text.encode())

    def send_bytes(self, data: bytes) -> None:
        """Send one message that the other side knows how to read."""
        if len(data) > LARGEST:
            raise Malformed(f"a message has {len(data):,} bytes, the most is {LARGEST:,}")
        left = memoryview(_LENGTH.pack(len(data)) + data)
        while left:
            try:
                left = left[os.write(self._writer, left) :]
            except BlockingIOError:
                self._wait(self._writer, select.POLLOUT)

    def receive(self) -> Any:
        """The next message; None at the end. Raises Malformed."""
        data = self.receive_bytes()
        message = parse(data) if data else None
        if data and message is None:
            raise Malformed("a message says nothing")
        return message

    def receive_bytes(self) -> bytes:
        """The next message as it came; empty at the end. Raises Malformed."""
        head = self._read(_LENGTH.size)
        if not head:
            return b""
        (length,) = _LENGTH.unpack(head)
        if not 0 < length <= LARGEST:
            raise Malformed(f"a message announces {length:,} bytes, the most is {LARGEST:,}")
        return self._read(length)

    def _read(self, length: int) -> bytes:
        parts, left = [], length
        while left:
            try:
                part = os.read(self._reader, min(left, 2**18))
            except BlockingIOError:
                self._wait(self._reader, select.POLLIN)
                continue
            if not part:
                if left == length == _LENGTH.size:
                    return b""
                raise Malformed("a message ends in its middle")
            parts.append(part)
            left -= len(part)
        return b"".join(parts)

    def _wait(self, descriptor: int, event: int) -> None:
        ready = select.poll()
        ready.register(descriptor, event)
        left = None if self._until is None else max(0.0, 1_000 * (self._until - monotonic()))
        if not ready.poll(left):
            raise TimeoutError("nobody answers any more")


def parse(data: bytes) -> Any:
    """The JSON in `data`. Raises Malformed for anything else, and for more items than a message may have."""
    items = _items(data)
    if items > MOST_ITEMS:
        items = sum(map(_items, data.replace(rb"\\", b"").replace(rb"\"", b"").split(b'"')[::2]))  # outside of texts
    if items > MOST_ITEMS:
        raise Malformed(f"a message has {items:,} items, the most is {MOST_ITEMS:,}")
    try:
        return json.loads(data, parse_constant=_no_constant)
    except (ValueError, RecursionError) as error:
        raise Malformed(f"a message is no JSON of ours: {error}") from None


def _items(data: bytes) -> int:
    return data.count(b",") + data.count(b"[") + data.count(b"{")


def _no_constant(name: str) -> Any:
    raise ValueError(f"{name} stands for no value")
