"""40B1 Production: what each force receives on the first turn of a month, and what it has."""

from __future__ import annotations

import re
from collections.abc import Mapping
from fractions import Fraction
from typing import TYPE_CHECKING

from grognard.board.board import each
from grognard.games.second_front.books import charts, turns
from grognard.games.second_front.rules.ground import marked
from grognard.games.second_front.rules.replacements import Cost, production, special
from grognard.games.second_front.rules.supply import CITIES
from grognard.games.second_front.state import FrontState, Pool
from grognard.games.second_front.units import ALLIED, AXIS, Unit
from grognard.kernel import Flow

if TYPE_CHECKING:
    from grognard.games.second_front.game import SecondFront

PARTS = 20
"""Points are kept in twentieths."""
PRODUCERS = {"Germany": "German", "Italy": "Italian", "RSI": "RSI"}
EMPIRE = frozenset({"British", "Canadian", "Indian", "New Zealand", "South African", "Colonial"})
"""Whose armour comes from one pool (40B3)."""
FRENCH = {"Armée d'Afrique": "French African", "Colonial": "French colonial", "Legion": "French colonial"}
ENGLISH = frozenset({"Colonial"})
"""40B3: those who take English infantry."""
KINDS = ("infantry", "armour", "resources", "naval")


def infantry_force(unit: Unit) -> str:
    """40B3: whose infantry points a unit takes."""
    if unit.nation == "French":
        return FRENCH.get(unit.service, "French metropolitan")
    return "British" if unit.nation in ENGLISH else unit.nation


def armour_force(unit: Unit) -> str:
    if unit.nation in EMPIRE:
        return "British"
    return "French" if unit.nation == "French" else unit.nation


def pool(state: FrontState, force: str) -> Pool:
    return next((each_ for each_ in state.pools if each_.force == force), Pool(force))


def with_points(pools: tuple[Pool, ...], force: str, **points: int) -> tuple[Pool, ...]:
    """Some more points, or fewer, for a force."""
    known = {each_.force: each_ for each_ in pools}
    before = known.get(force, Pool(force))
    known[force] = before._replace(**{kind: getattr(before, kind) + more for kind, more in points.items()})
    return tuple(known[name] for name in sorted(known))


def twentieths(points: Fraction) -> int:
    found = points * PARTS
    return int(found)


def can_pay(state: FrontState, unit: Unit, price: Cost) -> bool:
    """40B1a: armour and infantry points of its own nationality."""
    return pool(state, infantry_force(unit)).infantry >= twentieths(price.infantry) and pool(
        state, armour_force(unit)
    ).armour >= twentieths(price.armour)


def pay(state: FrontState, unit: Unit, price: Cost) -> None:
    """40A1: a withdrawal may leave a debt."""
    state.pools = with_points(state.pools, infantry_force(unit), infantry=-twentieths(price.infantry))
    state.pools = with_points(state.pools, armour_force(unit), armour=-twentieths(price.armour))


def owe(state: FrontState, unit: Unit, price: Cost) -> None:
    """40A1, 40D1: points that can be used from the next initial phase on."""
    state.owing = with_points(state.owing, infantry_force(unit), infantry=twentieths(price.infantry))
    state.owing = with_points(state.owing, armour_force(unit), armour=twentieths(price.armour))


# 40B4


def salvage(game: SecondFront, state: FrontState, unit: int, to_cadre: bool) -> None:
    """40B4: what a loss in combat gives back in its side's next initial phase."""
    counter = game.units[unit]
    side = AXIS if state.side_units[AXIS] >> unit & 1 else ALLIED
    for points in special([(counter, to_cadre, bool(state.isolated >> unit & 1))]).values():
        known = {(owner, name): sum_ for owner, name, sum_ in state.salvage}
        key = side, infantry_force(counter)
        known[key] = known.get(key, 0) + twentieths(points)
        state.salvage = tuple((*key_, sum_) for key_, sum_ in sorted(known.items()))


# 40B1


def receive(game: SecondFront, state: FrontState) -> Flow:
    """What the phasing side may use from now on: points owed to it, special replacements, and on the first
    turn of a month its production."""
    mine = {unit.nation for unit in game.units if unit.side == state.active} | {
        infantry_force(unit) for unit in game.units if unit.side == state.active
    }
    for entry in state.owing:
        if entry.force in mine:
            state.pools = with_points(state.pools, entry.force, **_points(entry))
    state.owing = tuple(entry for entry in state.owing if entry.force not in mine)
    for side, force, points in state.salvage:
        if side == state.active and points:
            state.pools = with_points(state.pools, force, infantry=points)
            state.emit(
                "special-replacements", "40B4", text_force=force, text_points=str(Fraction(points, PARTS))
            )
    state.salvage = tuple(entry for entry in state.salvage if entry[0] != state.active)
    if game.turn_name(state).split()[1] == "I":
        for force, made in monthly(game, state, state.active).items():
            state.pools = with_points(state.pools, force, **made)
    return None


def _points(entry: Pool) -> dict[str, int]:
    return {kind: getattr(entry, kind) for kind in KINDS}


def monthly(
    game: SecondFront, state: FrontState, side: int, turn: str | None = None
) -> Mapping[str, dict[str, int]]:
    """By force, in twentieths: of the districts in play, of the theatre, and what the scenario sends, on this
    turn or one to come."""
    found: dict[str, dict[str, int]] = {}

    def add(force: str, amounts: Mapping[str, Fraction]) -> None:
        known = found.setdefault(force, dict.fromkeys(KINDS, 0))
        for kind, amount in amounts.items():
            known[kind] += twentieths(amount)

    now = turns()[turn or game.turn_name(state)]
    columns = {"infantry": "infantry_rp", "armour": "armour_rp", "resources": "resource_points"}
    if side == AXIS:
        for row in charts()["axis_production"].records:
            cells = district(game, str(row["district"])) & game.plan(state).area
            if cells and _runs(row["from_turn"], row["last_turn"], now):
                amounts = {kind: Fraction(str(row[column])) for kind, column in columns.items()}
                amounts["naval"] = Fraction(str(row["naval_repair_points"]))
                add(PRODUCERS.get(str(row["producer"]), "German"), reduced(game, state, cells, amounts))
        return {force: _sent_away(force, made, now) for force, made in found.items()} | _sent(
            game, state, AXIS
        )
    for row in charts()["allied_replacements"].records:
        theatre = str(row["theatre"])
        here = theatre in game.plan(state).theatres[ALLIED] or theatre.startswith("both")
        if here and _runs(row["from_turn"], row["last_turn"], now):
            amounts = {kind: Fraction(str(row[f"{name}_month"])) for kind, name in columns.items()}
            amounts["naval"] = Fraction(str(row["naval_repair_points_month"]))
            add(re.sub(r" \(.*", "", str(row["force"])), amounts)
    return {**found, **_sent(game, state, ALLIED)}


def _sent(game: SecondFront, state: FrontState, side: int) -> dict[str, dict[str, int]]:
    return {
        force: {kind: twentieths(Fraction(str(points))) for kind, points in zip(KINDS, sent, strict=True)}
        for force, sent in game.plan(state).monthly[side].items()
    }


def _sent_away(force: str, made: dict[str, int], now: int) -> dict[str, int]:
    """40B2: what Germany gives to other theatres first, though never more than it has."""
    if force != "German":
        return made
    for row in charts()["axis_withdrawals"].records:
        if _runs(row["from_turn"], row["last_turn"], now):
            for kind, column in (("infantry", "infantry_rp"), ("armour", "armour_rp")):
                made[kind] = max(made[kind] - twentieths(Fraction(str(row[column]))), 0)
    return made


def _runs(first: object, last: object, now: int) -> bool:
    number = turns()
    return bool(first) and number[str(first)] <= now <= (number[str(last)] if last else now)


def district(game: SecondFront, name: str) -> int:
    """The hexes of a district of the charts: `Wk VI`, `Sicilia`, `Bohemia-Moravia`."""
    feature = "district_" + name.split(" (")[0].lower().replace(" ", "_").replace("-moravia", "")
    return marked(game.board, feature)


def reduced(
    game: SecondFront, state: FrontState, cells: int, amounts: Mapping[str, Fraction]
) -> dict[str, Fraction]:
    """40B1: half a point less of everything for each city that is isolated or the enemy's."""
    cities = list(each(cells & marked(game.board, *CITIES)))
    lost = sum(not (state.owned[AXIS] & state.open_land[AXIS]) >> city & 1 for city in cities)
    return {kind: production(amount, len(cities), lost) for kind, amount in amounts.items()}
