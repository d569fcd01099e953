"""A client of a Dask scheduler: joined without a word of Dask's own, where the versions that matter are the same."""

from __future__ import annotations

import logging
import warnings
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from typing import Any

from distributed import Client
from distributed.versions import VersionMismatchWarning

from edgewise.grading.gradebook.jobs import JobError

CONNECT_SECONDS = 10.0

SAME = ("python", "distributed", "edgewise")
"""What has to be of one version everywhere."""


@contextmanager
def joined(address: str) -> Iterator[Any]:
    """A client of the scheduler at `address`, closed in the end. Raises JobError."""
    with _silent():
        client = _client(address)
        try:
            unlike = next(_unlike_any(client, address), None)
            if unlike is not None:
                raise JobError(unlike)
            yield client
        finally:
            with suppress(Exception):  # a scheduler that is gone cannot be left in order
                client.close(timeout=CONNECT_SECONDS)


def _client(address: str) -> Any:
    try:
        return Client(address, timeout=CONNECT_SECONDS, set_as_default=False)  # type: ignore[no-untyped-call]
    except ValueError:
        raise JobError(f"{address!r} is no address of a Dask scheduler; possible: tcp://host:8786") from None
    except (OSError, RuntimeError):
        raise JobError(f"no Dask scheduler answers at {address}; `dask scheduler` starts one") from None


def _unlike_any(client: Any, address: str) -> Iterator[str]:
    """A sentence for each node that has other versions than this machine."""
    try:
        found = client.get_versions(packages=["edgewise"])
    except (OSError, RuntimeError):
        raise JobError(f"the Dask scheduler at {address} was lost; nothing was begun") from None
    here = found["client"]
    yield from unlike(f"scheduler at {address}", found["scheduler"], here)
    for worker, there in sorted(found["workers"].items()):
        yield from unlike(f"worker at {worker}", there, here)


def unlike(name: str, there: Mapping[str, Any], here: Mapping[str, Any]) -> Iterator[str]:
    """A sentence where a node has other versions than this machine."""
    for package in SAME:
        theirs, ours = (side["packages"].get(package) for side in (there, here))
        if theirs != ours:
            yield f"the Dask {name} has {package} {theirs or '(none)'}, this machine {ours}; install the same on both"
            return


@contextmanager
def _silent() -> Iterator[None]:
    """Dask logs nothing: what there is to say is in sentences of ours."""
    loggers = [logging.getLogger(name) for name in ("distributed", "distributed.client", "asyncio")]
    before = [logger.level for logger in loggers]
    try:
        for logger in loggers:
            logger.setLevel(logging.CRITICAL + 1)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", VersionMismatchWarning)  # ours is an error
            yield
    finally:
        for logger, level in zip(loggers, before, strict=True):
            logger.setLevel(level)
