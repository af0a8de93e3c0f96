"""7.5.1, 7.5.2 What each kind of unit may do in the motorised phase and in reaction."""

from __future__ import annotations

from functools import cache

from grognard.games.typhoon.data import Unit, charts

FULL, HALF, BY_HQ, BY_RAIL, NONE = "full", "half", "by_hq", "rail", "none"


@cache
def _line(side: str, kind: str, motorised: bool) -> tuple[str, str]:
    """7.5.1 The line of the chart of movement: what a kind does in the motorised phase, and in reaction.
    Supply wagons are read as trucks (6.5.4)."""
    chart = charts()["movement_phases"].by_key
    kind = "supply_truck" if kind == "supply_wagon" else kind
    for sort in ("any", "motorised" if motorised else "foot"):
        record = chart.get((side, kind, sort))
        if record is not None:
            return str(record["motorised_phase"]), str(record["reaction_phase"])
    return NONE, NONE


def in_motorised_phase(unit: Unit) -> str:
    return _line(unit.side, unit.kind, unit.motorised)[0]


def in_reaction(unit: Unit) -> str:
    return _line(unit.side, unit.kind, unit.motorised)[1]
