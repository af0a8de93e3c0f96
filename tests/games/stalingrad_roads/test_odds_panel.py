"""What the odds panel is told: every shift and every change of a result, with its case."""

from __future__ import annotations

from grognard.kernel.advice import Forecast
from tests.games.stalingrad_roads.table import Table
from tests.rules import rule


def forecast(table: Table, target: str, *units: str) -> Forecast:
    assert table.game.adviser is not None
    found = table.game.adviser.forecast(table.state, [table.cell(target)], [table.unit(u) for u in units], {})
    assert isinstance(found, Forecast)
    for shift in found.shifts:
        for language in ("en", "fr"):
            assert table.game.catalogue.has("shifts", shift.code)
            assert table.game.catalogue.template("shifts", shift.code, language)
    return found


@rule("stalingrad_roads", "8.5.6", "14.1")
def test_shifts_and_superiority_are_named() -> None:
    units = {"g-14-pz": "1529", "g-44": "1529", "s-45": "1629", "hq-6a": "1333"}
    table = Table("axis-combat", units, attached={"a-artillery-2": "g-44"})
    named = {(s.code, s.columns, s.case) for s in forecast(table, "1629", "g-14-pz", "g-44").shifts}
    assert ("a-artillery-2", 1, "8.5.6") in named
    assert ("superiority-overwhelming", 0, "14.1") in named
    calm = Table("axis-combat", units, superiority=0)
    assert "14.1" not in {s.case for s in forecast(calm, "1629", "g-14-pz", "g-44").shifts}


@rule("stalingrad_roads", "8.10.2", "8.5.2")
def test_results_are_those_of_the_hex() -> None:
    units = {"g-44": "1334", "s-1-tk": "1234", "s-26-tk": "1234", "s-4-tk": "1234", "hq-stalingrad": "1235"}
    table = Table("soviet-combat", units, superiority=0, reduced=["g-44"])
    found = forecast(table, "1334", "s-1-tk", "s-26-tk", "s-4-tk")
    assert {("results-major_city", "8.10.2"), ("shelter-major_city", "8.5.2")} <= {
        (s.code, s.case) for s in found.shifts
    }
    # In a major city the weaker exploitation results mean nothing, and retreats are shorter.
    assert not {code.split("/")[1] for code, _ in found.results} & {"E2", "E3"}
    assert not any(code.endswith("DR3") for code, _ in found.results)
    assert abs(sum(chance for _, chance in found.results) - 1) < 1e-9
    (share,) = found.defenders
    assert ("reduced", "1.3.1") in share.reasons
