"""40 Reinforcements, replacements, disbanding, aid, as they are played."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from grognard.games.second_front.rules.pools import PARTS, monthly, pool
from grognard.games.second_front.rules.position import piece, reduce, remove
from grognard.games.second_front.rules.rebuilding import dated, period_start, record_of, reorganisation, spare
from grognard.games.second_front.state import FrontState, Pool
from grognard.games.second_front.units import ALLIED, AXIS
from grognard.mechanics.pieces import DEAD
from tests.games.second_front.table import Table
from tests.rules import rule

GELA, INLAND, PALERMO, MESSINA, CATANIA, ENNA, CALTANISSETTA = (
    *("26:4130", "26:4129", "26:3530", "26:3823", "26:4025", "26:3928", "26:3929"),
)
US1, US3, US45, GB5, HG, LIVORNO = (
    *("US-inf-XX-1", "US-inf-XX-3", "US-inf-XX-45", "GB-inf-XX-5", "SF-G-FJ-HG", "SF-I-IT-004"),
)
NO_ARRIVALS: dict[str, object] = {"arrivals": ()}


def with_pools(*pools: Pool, dead: tuple[str, ...] = ()) -> Callable[[FrontState], None]:
    def put(state: FrontState) -> None:
        state.pools = pools
        for id_ in dead:
            state.place(Table.index(id_), DEAD)

    return put


def points(**amounts: float) -> dict[str, int]:
    return {kind: int(Fraction(str(amount)) * PARTS) for kind, amount in amounts.items()}


def initial(side: int, units: dict[str, str], *, turn: int = 2, **more: object) -> Table:
    return Table("initial", side, units, turn=turn, **{**NO_ARRIVALS, "stocks": (), **more})  # type: ignore[arg-type]


# 40B1a


@rule("second_front", "40", "40B", "40B1a", "9E")
def test_a_cadre_in_a_supplied_city_is_rebuilt_for_the_difference() -> None:
    """The 15th Panzer-Grenadiers in Messina; points of armour and infantry."""
    rich = with_pools(Pool("German", **points(infantry=20, armour=20)))
    grenadiers = "SF-G-PZG-015"
    table = initial(AXIS, {grenadiers: MESSINA, HG: ENNA}, cadres=[grenadiers, HG], before=rich)
    assert table.asked == "rebuild"
    assert table.refused(f"rebuild {LIVORNO}") == ("not-yours", "40B1a")
    table.do(f"rebuild {grenadiers}")
    unit = table.game.units[table.unit(grenadiers)]
    assert unit.cadre is not None and not table.has(grenadiers, table.state.reduced)
    left = pool(table.state, "German")
    spent = Fraction(40 * PARTS - left.infantry - left.armour, PARTS)
    assert spent == unit.face.attack - unit.cadre.attack and left.armour < 20 * PARTS, "both kinds"
    assert table.refused(f"rebuild {grenadiers}") == ("no-cadre", "40B1a")


@rule("second_front", "40B1a")
def test_a_cadre_next_to_the_enemy_or_in_the_country_is_not_rebuilt() -> None:
    rich = with_pools(Pool("American", **points(infantry=20)))
    table = initial(ALLIED, {US1: GELA, US3: "26:4030", HG: INLAND}, cadres=[US1], before=rich)
    assert table.asked != "rebuild"
    field = initial(
        ALLIED, {US1: "26:4228", US3: "26:3931", US45: "26:4326"}, cadres=[US1, US45], before=rich
    )
    assert field.asked == "rebuild" and field.refused(f"rebuild {US1}") == ("cannot-rebuild-here", "40B1a")
    poor = with_pools(Pool("American", **points(infantry=1)), Pool("British", **points(resources=1)))
    short = initial(ALLIED, {US45: "26:4326"}, cadres=[US45], before=poor)
    assert short.refused(f"rebuild {US45}") == ("not-enough-points", "40B1a")


@rule("second_front", "40B1a", "40B1")
def test_an_eliminated_unit_comes_back_in_a_city_whole_or_as_a_cadre() -> None:
    rich = with_pools(Pool("American", **points(infantry=12)), dead=(US3,))
    table = initial(ALLIED, {US1: "26:4326", HG: ENNA}, before=rich)
    assert table.refused(f"bring-back {US3} {PALERMO}") == ("no-city", "40B1")
    assert table.refused(f"bring-back {US1} 26:4326") == ("not-in-box", "40B1a")
    table.do(f"replace-cadre {US3} 26:4326")
    assert table.where(US3) == "26:4326" and table.has(US3, table.state.reduced)
    assert pool(table.state, "American").infantry == (12 - 4) * PARTS
    whole = initial(ALLIED, {US1: "26:4326"}, before=rich)
    whole.do(f"bring-back {US3} 26:4326")
    assert pool(whole.state, "American").infantry == (12 - 9) * PARTS


@rule("second_front", "40B3", "40B1a")
def test_points_serve_their_own_nationality() -> None:
    """Canadians take Canadian infantry; the armour of the Empire is one pool."""
    pools = with_pools(Pool("British", **points(infantry=50, armour=5)), dead=("CA-inf-XX-1", US3))
    table = initial(ALLIED, {GB5: "26:4326", US45: "26:4228"}, cadres=[GB5], before=pools)
    assert table.refused("bring-back CA-inf-XX-1 26:4326") == ("not-enough-points", "40B1a")
    assert table.refused(f"bring-back {US3} 26:4326") == ("not-enough-points", "40B1a")
    table.do(f"rebuild {GB5}")


# 40B2, 40B3


@rule("second_front", "40B2", "40B3")
def test_one_re_of_engineers_a_month() -> None:
    """A regiment in July; the next in August."""
    sappers = ("US-eng-III-19", "US-eng-III-36")
    rich = with_pools(Pool("American", **points(infantry=50)), dead=sappers)
    table = initial(ALLIED, {US45: "26:4326"}, before=rich, cadres=[US45])
    table.do(f"bring-back {sappers[0]} 26:4326")
    assert table.refused(f"bring-back {sappers[1]} 26:4326") == ("replaced-enough", "40B3")
    assert [period_start(turn, 2) for turn in (1, 2, 3, 4)] == [1, 1, 3, 3]
    assert [period_start(turn, 6) for turn in (1, 6, 7)] == [1, 1, 7]

    def august(state: FrontState) -> None:
        rich(state)
        state.replaced = (("American", "engineer", 2, 4),)

    later = initial(ALLIED, {US45: "26:4326"}, before=august, turn=3)
    later.do(f"bring-back {sappers[1]} 26:4326")


@rule("second_front", "40B3")
def test_american_rangers_are_never_replaced() -> None:
    rich = with_pools(Pool("American", **points(infantry=50)), dead=("US-rgr-II-1",))
    table = initial(ALLIED, {US45: "26:4326"}, cadres=[US45], before=rich)
    assert table.refused("bring-back US-rgr-II-1 26:4326") == ("never-replaced", "40B3")


# 40B1


@rule("second_front", "40B1", "40B1b", "40B1c", "40B3")
def test_the_first_turn_of_a_month_brings_production() -> None:
    """August: the American line of the Mediterranean gives 5, 3, 4 and 1."""
    table = initial(ALLIED, {US1: "26:4326"}, turn=3)
    found = pool(table.state, "American")
    assert found[1:] == tuple(each * PARTS for each in (5, 3, 4, 1)), "infantry, armour, resources, repairs"
    assert pool(table.state, "Canadian").infantry == PARTS // 2
    july = initial(ALLIED, {US1: "26:4326"}, turn=2)
    assert pool(july.state, "American") == Pool("American"), "Jul II is no first turn"


@rule("second_front", "40B1b", "12E")
def test_resource_points_wait_in_the_pool_and_are_placed_in_a_city() -> None:
    table = initial(ALLIED, {US1: "26:4326"}, turn=3)
    assert table.refused(f"stockpile {PALERMO}") == ("no-city", "40B1b")
    table.do("stockpile 26:4326")
    assert table.state.resources == ((table.cell("26:4326"), ALLIED, 1),)
    assert pool(table.state, "American").resources == 3 * PARTS
    poor = initial(
        ALLIED, {US1: "26:4326"}, cadres=[US1], before=with_pools(Pool("American", **points(infantry=9)))
    )
    assert poor.refused("stockpile 26:4326") == ("no-pool", "40B1b")


@rule("second_front", "40B1", "40B2")
def test_lost_cities_take_half_a_point_each_from_a_district() -> None:
    """Sicily gives half a point of infantry while the Axis has all its cities, and nothing with one less."""
    table = initial(AXIS, {HG: ENNA}, turn=3, allied=[])
    assert monthly(table.game, table.state, AXIS)["Italian"]["infantry"] == PARTS // 2
    table.state.owned = table.state.owned[AXIS] & ~(1 << table.cell(PALERMO)), table.state.owned[ALLIED]
    assert monthly(table.game, table.state, AXIS)["Italian"]["infantry"] == 0
    assert monthly(table.game, table.state, AXIS)["German"]["infantry"] == 2 * PARTS, "what Germany sends"


@rule("second_front", "40B2")
def test_germany_gives_to_other_theatres_first() -> None:
    """In July 1943 the East takes 12 and 12: a single district has nothing left."""
    table = initial(AXIS, {"SF-G-PZG-015": "16A:1620"}, turn=3, districts=["wk_vi"], monthly=({}, {}))
    assert monthly(table.game, table.state, AXIS)["German"]["infantry"] == 0


# 40B4


@rule("second_front", "40B4")
def test_losses_in_combat_give_back_infantry_in_the_next_initial_phase() -> None:
    def lost(state: FrontState) -> None:
        state.isolated = 1 << first.unit(US45)
        remove(first.game, state, first.unit(US3), "9C")
        reduce(first.game, state, first.unit(US1), "13")
        remove(first.game, state, first.unit(US45), "9C")
        remove(first.game, state, first.unit(GB5), "12D")

    units = {US1: "26:4326", US3: "26:4326", US45: "26:4228", GB5: "26:4226"}
    first = Table("movement", ALLIED, units)
    table = initial(ALLIED, units, before=lost)
    assert pool(table.state, "American").infantry == (9 + 9 - 4) * PARTS // 5, (
        "the isolated one gives nothing"
    )
    assert pool(table.state, "British").infantry == 0, "nor does attrition"
    assert table.state.salvage == ()


# 40C


@rule("second_front", "40C")
def test_a_brittle_division_comes_back_as_a_weaker_one() -> None:
    """Livorno, 4-8, comes back as a division of 3-6."""
    rich = with_pools(Pool("Italian", **points(infantry=9)), dead=(LIVORNO,))
    table = initial(AXIS, {HG: ENNA}, before=rich)
    weaker = spare(table.game, table.state, table.game.units[table.unit(LIVORNO)], "3-6")
    assert weaker is not None
    table.do(f"bring-back {LIVORNO} {MESSINA}")
    assert table.where(LIVORNO) is None and table.state.where[table.unit(LIVORNO)] != DEAD
    assert table.state.where[weaker] == table.cell(MESSINA)
    assert pool(table.state, "Italian").infantry == (9 - 3) * PARTS
    cadre = initial(AXIS, {LIVORNO: MESSINA}, cadres=[LIVORNO], before=rich_italians())
    cadre.do(f"rebuild {LIVORNO}")
    assert cadre.here(MESSINA) == {cadre.game.units[weaker].id}


def rich_italians() -> Callable[[FrontState], None]:
    return with_pools(Pool("Italian", **points(infantry=9)))


# 40A1, 40A2


@rule("second_front", "40A1")
def test_units_leave_when_the_order_of_battle_says_so() -> None:
    """Turn by turn: a unit whose turn of withdrawal has come leaves, or another of its kind does."""
    game = Table("movement", ALLIED, {US1: GELA}).game
    unit, turn = next((u, t) for u, t in game.departing.items() if game.units[u].side == ALLIED and t > 2)
    id_ = game.units[unit].id
    table = initial(ALLIED, {id_: "26:4326", US1: GELA}, turn=turn)
    assert table.asked == "withdraw" and table.refused(f"withdraw {US1}") == ("not-withdrawn", "40A1")
    table.do(f"withdraw {id_}")
    assert table.where(id_) is None and table.state.where[unit] != DEAD, "it is no loss"
    before = initial(ALLIED, {id_: "26:4326", US1: GELA}, turn=turn - 1)
    assert before.asked != "withdraw"
    gone = initial(ALLIED, {US1: GELA}, turn=turn, before=with_pools(dead=(id_,)))
    price = sum(gone.state.pools[0][1:3]) if gone.state.pools else 0
    assert gone.state.where[unit] not in (DEAD, -1) and price != 0, "out of the box, and paid for"


@rule("second_front", "40A1")
def test_a_conversion_waits_for_a_city() -> None:
    game = Table("movement", ALLIED, {US1: GELA}).game
    dates = dated(game, "convert_turn")
    unit = next(
        u
        for u in dates
        if game.units[u].side == ALLIED
        and game.units[u].face.movement
        and record_of(game.units[u])["convert_to"]
    )
    into = str(record_of(game.units[unit])["convert_to"])
    table = initial(ALLIED, {game.units[unit].id: "26:4326"}, turn=dates[unit])
    assert table.where(into) == "26:4326" and table.where(game.units[unit].id) is None
    country = initial(ALLIED, {game.units[unit].id: "26:4327", US1: "26:4326"}, turn=dates[unit])
    assert country.where(into) is None


@rule("second_front", "40A2")
def test_a_german_division_may_reorganise() -> None:
    """From Jul I 43 divisions of 7-6 may become 5-7-6: 2 points, to be used later."""
    old = "SF-G-INF-076"
    rich = with_pools(Pool("German", **points(resources=1)))
    table = initial(AXIS, {old: MESSINA}, before=rich)
    found = reorganisation(table.game, table.state, table.unit(old))
    assert found is not None and found[1] == -2
    assert table.refused(f"reorganise {LIVORNO}") == ("not-yours", "40A2")
    table.do(f"reorganise {old}")
    assert table.here(MESSINA) == {table.game.units[found[0]].id}
    assert piece(table.game, table.state, found[0]).face == (5, 7, 6)
    assert table.state.owing[0].infantry == 2 * PARTS and pool(table.state, "German").infantry == 0


# 40D


@rule("second_front", "40D", "40D1")
def test_disbanding_gives_points_in_the_next_turn() -> None:
    """A British division of 8-8 gives 8 and 3 more; an American one what it costs."""
    cadre = "US-inf-XX-45"
    some = with_pools(Pool("American", **points(infantry=9)))
    table = initial(
        ALLIED, {GB5: "26:4226", US1: GELA, cadre: "26:4326", HG: INLAND}, cadres=[cadre], before=some
    )
    assert table.refused(f"disband {US1}") == ("cannot-disband", "40D1"), "in an enemy zone"
    table.do(f"disband {GB5}")
    attack = table.game.units[table.unit(GB5)].face.attack
    assert pool(table.state, "British").infantry == 0 and table.where(GB5) is None
    assert table.state.where[table.unit(GB5)] != DEAD, "it is no loss"
    owed = {each.force: each.infantry for each in table.state.owing}
    assert owed["British"] == (attack + 3) * PARTS


@rule("second_front", "40D3")
def test_armour_points_go_to_another_force_in_the_next_phase() -> None:
    some = with_pools(Pool("American", **points(infantry=9, armour=2)), Pool("Italian", **points(armour=3)))
    table = initial(ALLIED, {US1: "26:4326"}, cadres=[US1], before=some)
    assert table.refused("aid american american") == ("no-such-aid", "40D3")
    assert table.refused("aid british american") == ("no-armour-points", "40D3")
    table.do("aid american french")
    assert pool(table.state, "American").armour == PARTS and pool(table.state, "French").armour == 0
    assert [(each.force, each.armour) for each in table.state.owing if each.armour] == [("French", PARTS)]
    axis = with_pools(Pool("Italian", **points(infantry=3, armour=3)))
    italians = initial(AXIS, {LIVORNO: MESSINA}, cadres=[LIVORNO], before=axis)
    assert italians.refused("aid italian german") == ("italians-give-nothing", "40D3")


@rule("second_front", "40", "40A")
def test_who_appears_in_a_hungry_city_is_as_hungry() -> None:
    rich = with_pools(Pool("American", **points(infantry=12)), dead=(US3,))
    table = initial(ALLIED, {US1: "26:4326"}, before=rich)
    table.state.hunger[table.unit(US1)] = 5
    table.do(f"bring-back {US3} 26:4326")
    assert table.state.hunger[table.unit(US3)] == 5 and not table.has(US3, table.state.fed)
