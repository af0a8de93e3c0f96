"""8.3, 8.4 Odds and the modifiers of the die: what an attack by some units on some hexes is worth."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from grognard.board.board import bits, each
from grognard.games.typhoon.data import charts
from grognard.games.typhoon.rules.strength import attack_of, defence_of, support_of
from grognard.games.typhoon.rules.supply import SHORT
from grognard.games.typhoon.rules.works import (
    armour_is_stopped,
    engineer_bonus,
    fortification,
    line_holds,
)
from grognard.games.typhoon.state import AXIS, SOVIET, STAND, TyphoonState
from grognard.mechanics.pieces import members

if TYPE_CHECKING:
    from grognard.games.typhoon.game import Typhoon

COMPANIONS = ("motorised", "engineer", "motorcycle")
"""9.1.1 With whom armour makes combined arms."""
HUNTERS = ("antitank", "antiaircraft")
UNDER = -1
"""The column of odds below the table."""


class Clash(NamedTuple):
    """A combat as its odds see it."""

    targets: tuple[int, ...]
    attackers: tuple[int, ...]
    guns: tuple[int, ...] = ()
    """The attacker's guns that support it (10.1)."""
    defending_guns: tuple[int, ...] = ()
    """Those of the defender that are not in the hexes attacked."""
    supplied: bool = True
    """6.5.5 It has attack supply."""
    option: int = 0
    """8.7, 8.8 The option of the defender."""
    engineer: int = -1
    """12.3.1 The engineer who leads it, if the attacker wants so."""
    doubled: tuple[int, ...] = ()
    """13.4.4 Naval guns that fire all they have."""
    air: int = 0
    """11.5.3 What close air support of both sides adds to the die."""


class Modifier(NamedTuple):
    value: int
    case: str
    code: str


class Reckoning(NamedTuple):
    attack: Fraction
    defence: Fraction
    column: int
    """Of the combat table; UNDER below it."""
    modifiers: tuple[Modifier, ...]

    @property
    def total(self) -> int:
        """8.4.4 The modifiers together: three at most either way."""
        limit = int(str(charts()["numbers"].find("modifier_limit")["value"]))
        return max(-limit, min(limit, sum(m.value for m in self.modifiers)))


@cache
def columns() -> tuple[tuple[str, Fraction], ...]:
    """The columns of the combat table with the least ratio of each, lowest first."""
    names = [name for name in charts()["crt"].columns if name != "die"]
    return tuple(sorted(((n, Fraction(n.replace("-", "/"))) for n in names), key=lambda c: c[1]))


def column_of(attack: Fraction, defence: Fraction) -> int:
    """8.4.1, 8.4.3 The column of a ratio, rounded in the defender's favour; beyond the last on the last."""
    if not defence:
        return len(columns()) - 1
    ratio = attack / defence
    return sum(ratio >= least for _, least in columns()) - 1


def column_name(column: int) -> str:
    return columns()[column][0] if column >= 0 else f"<{columns()[0][0]}"


def result_of(column: int, die: int) -> str:
    """8.4.1c A cell of the combat table."""
    return str(charts()["crt"].find(row_of(die))[columns()[column][0]])


def row_of(die: int) -> int:
    """8.4.4 The row of a die that is modified and may leave 1 to 10."""
    return max(-2, min(13, die))


@cache
def effect(name: str) -> int:
    """A line of the chart of combat effects."""
    return int(str(charts()["combat_effects"].find(name)["value"]))


# Who defends


def defenders(game: Typhoon, state: TyphoonState, targets: Iterable[int], side: int) -> list[int]:
    """8.2.3 Everybody of a side in the hexes attacked; 8.1.5 but for those who have fought already."""
    found: list[int] = []
    for cell in targets:
        found += members(state.fighters(side, cell) & ~state.fought)
    return found


def _defence(game: Typhoon, state: TyphoonState, clash: Clash, side: int) -> Fraction:
    """8.4.1b, 10.1.2, 10.2.1, 10.2.2"""
    line = 0
    support = sum((_support(game, state, gun, clash) for gun in clash.defending_guns), Fraction(0))
    for cell in clash.targets:
        here = state.fighters(side, cell) & ~state.fought
        troops = here & ~game.guns
        if not troops:
            line += sum(defence_of(game, state, gun) for gun in members(here))
            continue
        line += sum(defence_of(game, state, unit) for unit in members(troops))
        support += sum(
            _support(game, state, gun, clash) for gun in members(here & game.guns) if fires(game, state, gun)
        )
    return line + min(Fraction(line), support)


def fires(game: Typhoon, state: TyphoonState, gun: int) -> bool:
    """10.2.4, 13.4.1, 7.8.4b Whether a gun can support a defence: supplied, no siege gun, not overrun."""
    if game.units[gun].special == "siege":
        return False
    return not (state.unsupplied | state.overrun) >> gun & 1


def _support(game: Typhoon, state: TyphoonState, gun: int, clash: Clash) -> Fraction:
    """10.1, 13.4.2, 13.4.4 The support of a gun; into woods in rain it is halved (published errata)."""
    value = Fraction(support_of(game, state, gun))
    if game.units[gun].special == "siege" and (
        is_place(game, clash.targets) or fortified(game, state, clash)
    ):
        value *= 2
    if gun in clash.doubled:
        value *= 2
    if all(game.woods >> cell & 1 and state.sky.in_hex(True) == "rain" for cell in clash.targets):
        value /= 2
    return value


# Who attacks


def _halvings(game: Typhoon, state: TyphoonState, unit: int, clash: Clash) -> int:
    """8.3.2, 8.3.6a, 8.3.6b, 9.1.3 How often the attack of a unit is halved."""
    cell = state.where[unit]
    water = all(_side(game, cell, t, "major_river") or _side(game, cell, t, "lake") for t in clash.targets)
    pond = game.board.info[cell].terrain == "pond"
    if game.armour >> unit & 1:
        return int(water or pond or is_place(game, clash.targets))
    return int(water) + int(pond)


def attack_points(game: Typhoon, state: TyphoonState, clash: Clash) -> Fraction:
    """8.3.2 The attack strength of all units, fractions kept, at least one."""
    total = sum(
        (
            Fraction(attack_of(game, state, unit), 2 ** _halvings(game, state, unit, clash))
            for unit in clash.attackers
        ),
        Fraction(0),
    )
    return max(Fraction(1), total)


def _side(game: Typhoon, a: int, b: int, feature: str) -> bool:
    return game.board.side_has(a, b, feature)


def is_place(game: Typhoon, targets: Iterable[int]) -> bool:
    """Whether a city or major city is among the hexes attacked."""
    return bool(bits(targets) & (game.cities | game.major_cities))


def fortified(game: Typhoon, state: TyphoonState, clash: Clash) -> bool:
    """12.1.8, 12.2.1, 12.2.5 Whether a fortification that is not destroyed helps the defender."""
    side = state.side(clash.attackers[0])
    fort = bool(bits(clash.targets) & state.forts[1 - side])
    return bool(fortification(game.sides[side], _line(game, state, clash), fort))


def _line(game: Typhoon, state: TyphoonState, clash: Clash) -> bool:
    """12.2.1 Whether all attack across an intact fortified line."""
    sites = [t for t in clash.targets if game.lines >> t & 1 and not state.broken_lines >> t & 1]
    cells = sorted({state.where[unit] for unit in clash.attackers})
    return bool(sites) and all(line_holds(game.board, t, cells) for t in clash.targets)


# Modifiers


def reckon(game: Typhoon, state: TyphoonState, clash: Clash) -> Reckoning:
    """8.4.1 What a combat is worth before the die is thrown."""
    side = state.side(clash.attackers[0])
    own = attack_points(game, state, clash)
    guns = sum((_support(game, state, gun, clash) for gun in clash.guns), Fraction(0))
    attack = own + min(own, guns)
    defence = _defence(game, state, clash, 1 - side)
    return Reckoning(attack, defence, column_of(attack, defence), modifiers(game, state, clash))


def modifiers(game: Typhoon, state: TyphoonState, clash: Clash) -> tuple[Modifier, ...]:
    side = state.side(clash.attackers[0])
    found = [
        *_ground(game, state, clash, side),
        *_river(game, state, clash, side),
        *_arms(game, state, clash, side),
    ]
    if clash.option == STAND:
        found.append(Modifier(effect("no_retreat"), "8.8.2", "no-retreat"))
    if clash.engineer >= 0:
        place, fort = is_place(game, clash.targets), fortified(game, state, clash)
        found.append(Modifier(engineer_bonus(place, fort, 1), "12.3.1", "engineer"))
    if not clash.supplied:
        found.append(Modifier(effect("no_attack_supply"), "6.5.7", "no-attack-supply"))
    if any(state.unsupplied >> unit & 1 for unit in defenders(game, state, clash.targets, 1 - side)):
        found.append(Modifier(effect("unsupplied_defender"), "6.3.5", "unsupplied-defender"))
    if state.sky.weather == "arctic" and side == AXIS:
        found.append(Modifier(effect("arctic_axis"), "8.4.4", "arctic"))
    if clash.air:
        found.append(Modifier(clash.air, "11.5.3", "close-support"))
    return tuple(found)


def _ground(game: Typhoon, state: TyphoonState, clash: Clash, side: int) -> list[Modifier]:
    """8.3.1, 8.3.4, 8.3.6c Terrain of the hexes attacked: it counts if one of them has it."""
    cells = bits(clash.targets)
    found = []
    major = "major_city_soviet" if side == SOVIET else "major_city_axis"
    for hexes, name, case in (
        (game.hills, "hills", "8.3.3"),
        (game.woods, "woods", "8.3.3"),
        (game.cities, "city", "8.3.6"),
        (game.major_cities, major, "8.3.6"),
    ):
        if cells & hexes:
            found.append(Modifier(effect(name), case, name.replace("_", "-")))
    return found


def _river(game: Typhoon, state: TyphoonState, clash: Clash, side: int) -> list[Modifier]:
    """8.3.3, 12.2.1 A river helps if everybody attacks across one, or across the line where there is none."""
    river = effect("river")
    wet, dry = True, False
    line = side == AXIS
    for target in clash.targets:
        intact = line and game.lines >> target & 1 and not state.broken_lines >> target & 1
        for unit in clash.attackers:
            cell = state.where[unit]
            if not _side(game, cell, target, "river"):
                dry = True
                wet = wet and bool(intact) and _side(game, cell, target, "fortified")
    found = []
    if fortified(game, state, clash):
        found.append(Modifier(effect("fortified"), "12.1.8", "fortified"))
    if wet and not (dry and found):
        found.append(Modifier(river, "8.3.3", "river"))
    return found


def _arms(game: Typhoon, state: TyphoonState, clash: Clash, side: int) -> list[Modifier]:
    found = []
    if combined_arms(game, state, clash):
        found.append(Modifier(effect("combined_arms"), "9.1.1", "combined-arms"))
    if side == AXIS:
        for _ in range(integrity(game, state, clash.attackers, clash.supplied)):
            found.append(Modifier(effect("integrity"), "9.2.1", "integrity"))
    return found


def combined_arms(game: Typhoon, state: TyphoonState, clash: Clash) -> bool:
    """9.1.1 to 9.1.4, 12.2.2"""
    units, side = game.units, state.side(clash.attackers[0])
    tanks = [u for u in clash.attackers if game.armour >> u & 1]
    if not tanks or not any(units[u].kind in COMPANIONS for u in clash.attackers):
        return False
    if any(units[u].kind in HUNTERS for u in defenders(game, state, clash.targets, 1 - side)):
        return False
    if bits(clash.targets) & (game.hills | game.woods | state.forts[1 - side]) or is_place(
        game, clash.targets
    ):
        return False
    if state.sky.weather in SHORT:
        return False
    tank_cells = sorted({state.where[u] for u in tanks})
    if all(_side(game, cell, t, "major_river") for cell in tank_cells for t in clash.targets):
        return False
    stopped = [
        armour_is_stopped(game.board, t, tank_cells, bool(game.lines >> t & 1 & ~(state.broken_lines >> t)))
        for t in clash.targets
    ]
    return side != AXIS or not all(stopped)


def whole_divisions(
    game: Typhoon, state: TyphoonState, units: Sequence[int], fed: bool = False
) -> tuple[list[str], list[str]]:
    """9.2.3 Panzer divisions, and motorised ones, that are whole enough among some units. Attack supply makes
    good for a marker Unsupplied (6.5.5)."""
    here = {unit for unit in units if fed or not state.unsupplied >> unit & 1}
    panzer, motorised = [], []
    for name, elements in game.elements.items():
        present = [u for u in elements if u in here]
        if len(present) < 3:
            continue
        kinds = [game.units[u].kind for u in present]
        if any(game.units[u].kind == "armour" for u in elements):
            if "armour" in kinds and "motorised" in kinds:
                panzer.append(name)
        else:
            motorised.append(name)
    return panzer, motorised


def integrity(game: Typhoon, state: TyphoonState, units: Sequence[int], fed: bool = False) -> int:
    """9.2.1, 9.2.2 How many divisions claim it: motorised ones only beside a panzer division."""
    panzer, motorised = whole_divisions(game, state, units, fed)
    return len(panzer) + len(motorised) if panzer else 0


def hexes_of(state: TyphoonState, units: Iterable[int]) -> list[int]:
    return each(bits(state.where[unit] for unit in units))
