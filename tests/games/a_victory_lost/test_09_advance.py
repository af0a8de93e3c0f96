"""9.6 Advances."""

from __future__ import annotations

from tests.games.a_victory_lost.table import Table
from tests.rules import rule


def victorious(attackers: dict[str, str], others: dict[str, str] | None = None, **more: object) -> Table:
    """Attackers who are about to advance into 0908: its lone defender is dead."""
    table = Table(
        "soviet-combat",
        {**attackers, "ge-22pz": "0908", **(others or {})},
        strengths={"su-1gm": "50-9", "su-2gm": "50-9", "su-3g": "50", "ge-22pz": "1-1/-"},
        **more,  # type: ignore[arg-type]
    )
    table.do("target 0908", *(f"join {u}" for u in attackers if not u.startswith("hq")), "fight", "roll 6")
    return table


@rule("a_victory_lost", "9.6", "9.6.1")
def test_infantry_advances_one_hex_and_mechanised_units_two() -> None:
    table = victorious({"su-1gm": "1008", "su-3g": "1008"})
    assert (table.asked, table.actor) == ("advance-unit", "soviet")
    table.do("advance su-3g")
    assert table.asked == "advance-unit"
    table.do("advance su-1gm")
    assert table.asked == "advance-on"
    table.do("on 0808")
    assert (table.where("su-3g"), table.where("su-1gm")) == ("0908", "0808")


@rule("a_victory_lost", "9.6.1")
def test_there_is_no_advance_into_a_hex_that_is_held() -> None:
    table = Table(
        "soviet-combat", {"su-1gm": "1008", "ge-6pz": "0908"}, strengths={"su-1gm": "9-9", "ge-6pz": "9-3"}
    )
    table.do("target 0908", "join su-1gm", "fight", "roll 3")  # -
    assert table.asked == "choose-target"


@rule("a_victory_lost", "9.6.2")
def test_an_advance_is_optional_and_ignores_zones() -> None:
    table = victorious({"su-1gm": "1008", "su-3g": "1008"}, {"ge-6pz": "0807"})
    table.do("hold")
    assert table.where("su-1gm") == "1008"
    table = victorious({"su-1gm": "1008", "su-3g": "1008"}, {"ge-6pz": "0807"}).do(
        "advance su-1gm", "on 0808"
    )
    assert table.where("su-1gm") == "0808"


@rule("a_victory_lost", "9.6.3")
def test_the_first_hex_is_the_one_attacked_and_the_second_any_but_the_forbidden() -> None:
    table = victorious(
        {"su-1gm": "1008", "su-2gm": "1007"},
        {"ge-6pz": "0909"},
        terrain={"0807": "sea"},
        sides={"0808/0908": "impassable"},
    )
    table.do("advance su-1gm")
    assert table.where("su-1gm") == "0908"
    assert table.offered("on") == {"0907", "1007", "1008"}
    assert table.refused("on 0807") == ("no-second-hex", "9.6.3")
    assert table.refused("on 0808") == ("no-second-hex", "9.6.3")
    assert table.refused("on 0909") == ("no-second-hex", "9.6.3")
    table.do("on 0907", "advance su-2gm", "on 1008")  # different hexes
    assert (table.where("su-1gm"), table.where("su-2gm")) == ("0907", "1008")


@rule("a_victory_lost", "9.6.3", "5.0.4")
def test_stacking_counts_where_each_advance_ends() -> None:
    table = victorious({"su-1gm": "1008", "su-2gm": "1008", "su-3g": "1007"})
    table.do("advance su-3g", "advance su-2gm", "stay", "advance su-1gm")
    assert table.refused("stay") == ("stacking", "5.0.1")
    assert "stay" not in table.options
    # The question offers no stay, and says why.
    assert "(5.0.4)" in table.game.prompt(table.state, "en")
    assert "(5.0.4)" in table.game.prompt(table.state, "fr")
    table.do("on 0808")
    table = victorious({"su-1gm": "1008", "su-2gm": "1008", "su-3g": "1007"})
    table.do("advance su-1gm")
    assert "stay" in table.options
    table.do("stay", "advance su-2gm", "stay")
    assert table.asked == "choose-target"  # no room for the infantry


@rule("a_victory_lost", "9.6.4", "12.1")
def test_an_advancing_unit_overruns_an_hq() -> None:
    table = victorious({"su-1gm": "1008"}, {"hq-4pza": "0808"}).do("advance su-1gm", "on 0808")
    assert (table.asked, table.actor) == ("reposition-hq", "axis")
    table.do(sorted(table.options)[0])
    assert table.where("su-1gm") == "0808"


@rule("a_victory_lost", "9.6.5")
def test_a_major_river_without_a_bridge_ends_the_advance() -> None:
    table = victorious({"su-1gm": "1008"}, sides={"0908/1008": "major_river"}).do("advance su-1gm")
    assert table.asked == "choose-target"
    assert table.where("su-1gm") == "0908"
    table = victorious({"su-1gm": "1008"}, sides={"0908/1008": "major_river+bridge"}).do("advance su-1gm")
    assert table.asked == "advance-on"


@rule("a_victory_lost", "9.6.5")
def test_a_major_river_without_a_bridge_bars_the_second_hex() -> None:
    sides = {"0808/0908": "major_river", "0807/0908": "major_river+bridge"}
    table = victorious({"su-1gm": "1008"}, sides=sides).do("advance su-1gm")
    assert table.refused("on 0808") == ("advance-over-river", "9.6.5")
    table.do("on 0807")
