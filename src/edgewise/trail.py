"""A history that only grows, and stays cheap when every snapshot of it is kept."""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import Any, overload


class Trail(Sequence[str]):
    """The names met so far, oldest first; `append` returns a longer trail and leaves this one as it was.

    Trails that grew from one another share one buffer, of which each sees its own length. Appending at the
    tip extends the buffer; appending to an older trail copies that trail's part of it first. Ten thousand
    snapshots of one run therefore cost memory in proportion to its moves (statement M-41).
    """

    __slots__ = ("_buffer", "_length")

    def __init__(self, names: Iterable[str] = ()) -> None:
        self._buffer = _Buffer(names)
        self._length = len(self._buffer.names)

    def append(self, name: str) -> Trail:
        """A trail with `name` at its end. Amortised constant time at the tip, linear from an older trail."""
        buffer = self._buffer
        if len(buffer.names) != self._length:
            buffer = _Buffer(islice(buffer.names, self._length))
        buffer.add(name)
        longer = object.__new__(Trail)
        longer._buffer = buffer
        longer._length = self._length + 1
        return longer

    def count(self, value: object) -> int:
        """How often `value` was met, by bisection: logarithmic in the number of times."""
        places = self._buffer.places.get(value) if isinstance(value, str) else None
        return bisect_left(places, self._length) if places else 0

    @overload
    def __getitem__(self, index: int) -> str: ...
    @overload
    def __getitem__(self, index: slice) -> list[str]: ...
    def __getitem__(self, index: int | slice) -> str | list[str]:
        if isinstance(index, slice):
            return [self._buffer.names[place] for place in range(*index.indices(self._length))]
        place = index + self._length if index < 0 else index
        if not 0 <= place < self._length:
            raise IndexError(f"the trail has {self._length} names; there is no name at {index}")
        return self._buffer.names[place]

    def __len__(self) -> int:
        return self._length

    def __iter__(self) -> Iterator[str]:
        return islice(self._buffer.names, self._length)

    def __contains__(self, value: object) -> bool:
        return self.count(value) > 0

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Trail | list | tuple):
            return NotImplemented
        return len(self) == len(other) and list(self) == list(other)

    __hash__ = None  # type: ignore[assignment]  # equal to a list, which has none either

    def __repr__(self) -> str:
        return f"Trail({list(self)!r})"

    def __reduce__(self) -> tuple[Any, ...]:
        return Trail, (list(self),)


class _Buffer:
    """The shared store: the names in order, and where each of them stands."""

    __slots__ = ("names", "places")

    def __init__(self, names: Iterable[str]) -> None:
        self.names: list[str] = []
        self.places: defaultdict[str, list[int]] = defaultdict(list)
        for name in names:
            self.add(name)

    def add(self, name: str) -> None:
        self.places[name].append(len(self.names))
        self.names.append(name)
