"""How well an exercise tells apart those who do well elsewhere from those who do not."""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt


@dataclass(slots=True)
class Discrimination:
    """The corrected item-total correlation, added up one student at a time.

    The product-moment correlation between the points of the item and the points of all other items, the item itself
    being left out of the total; where an item gives all or nothing, that is the corrected point-biserial one.
    Source: S. Henrysson, "Correction of item-total correlations in item analysis", Psychometrika 28 (1963), 211-218.

    Sums of products around running means lose no digits to large totals: B. P. Welford, "Note on a method for
    calculating corrected sums of squares and products", Technometrics 4 (1962), 419-420.
    """

    count: int = 0
    _item: float = 0.0
    _rest: float = 0.0
    _items: float = 0.0
    _rests: float = 0.0
    _products: float = 0.0

    def add(self, item: float, rest: float) -> None:
        """Count one student with so many points for the item, and so many for the rest."""
        self.count += 1
        item_before, rest_before = item - self._item, rest - self._rest
        self._item += item_before / self.count
        self._rest += rest_before / self.count
        self._items += item_before * (item - self._item)
        self._rests += rest_before * (rest - self._rest)
        self._products += item_before * (rest - self._rest)

    @property
    def value(self) -> float | None:
        """From -1 to 1; None where it is undefined: fewer than two students, or all alike in one of the two."""
        spread = sqrt(self._items) * sqrt(self._rests)
        if self.count < 2 or spread == 0:
            return None
        return max(-1.0, min(1.0, self._products / spread))
