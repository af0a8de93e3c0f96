"""Single numbers of a rulebook, by name, each with its provenance."""

from __future__ import annotations

from grognard.files import Provenance, Row


class Numbers(dict[str, int]):
    """The numbers of a table with the columns id and value."""

    def __init__(self, rows: list[Row]) -> None:
        super().__init__()
        self.provenance: dict[str, Provenance] = {}
        for row in rows:
            # Bounds that keep every price and turn within a byte, as positions store them.
            low, high = (1, 10) if row.text("id").endswith("_factor") else (0, 250)
            self[row.text("id")] = row.integer("value", low, high)
            self.provenance[row.text("id")] = row.provenance()
