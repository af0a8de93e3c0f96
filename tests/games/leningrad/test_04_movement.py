"""4.0 Movement."""

from __future__ import annotations

from tests.games.leningrad.table import Table
from tests.rules import rule


@rule("leningrad", "4.1", "4.2", "4.9")
def test_a_unit_pays_for_the_terrain_it_enters() -> None:
    table = Table("german-movement", {"1-inf": "0512"}, terrain={"0612": "marsh"}, turn=3)
    table.do("pick 1-inf", "step 0612")
    assert table.left("1-inf") == 6 - 2
