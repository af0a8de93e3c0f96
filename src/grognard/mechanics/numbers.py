"""Single numbers of a rulebook, by name, each with its provenance."""

from __future__ import annotations

from grognard.files import Folder, Provenance, read_table

BYTE = (0, 250)
"""What a position can keep in a byte for each unit: prices, turns, radii."""
FACTOR = (1, 10)


class Numbers(dict[str, int]):
    """The numbers of a table with the columns id and value. A number that may be larger than a byte, or
    negative, says so in two more columns, low and high."""

    def __init__(self, folder: Folder, name: str) -> None:
        super().__init__()
        self.provenance: dict[str, Provenance] = {}
        for row in read_table(folder, name, ("id", "value", "provenance", "source"), key=("id",), more=True):
            low, high = FACTOR if row.text("id").endswith("_factor") else BYTE
            if "low" in row.cells:
                low = row.integer("low", -1_000_000, default=low)
                high = row.integer("high", -1_000_000, default=high)
            self[row.text("id")] = row.integer("value", low, high)
            self.provenance[row.text("id")] = row.provenance()
