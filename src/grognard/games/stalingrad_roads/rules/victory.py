"""How scenarios are won."""

from __future__ import annotations

from typing import TYPE_CHECKING

from grognard.board.board import bits, each
from grognard.games.stalingrad_roads.rules.command import supplied_units
from grognard.games.stalingrad_roads.rules.fortress import supplied_in_stalingrad
from grognard.games.stalingrad_roads.rules.ground import held_by
from grognard.games.stalingrad_roads.rules.pocket import pocket_closed
from grognard.games.stalingrad_roads.rules.withdrawals import late_withdrawals
from grognard.games.stalingrad_roads.state import AXIS, ON_POINTS, SOVIET, STAVKA, SUDDEN, RoadsState
from grognard.kernel import Flow, Outcome
from grognard.mechanics.zones import zone

if TYPE_CHECKING:
    from grognard.games.stalingrad_roads.game import StalingradRoads

SMALL_PLACES = ("1333", "1433", "1129", "1624")
LARGE_PLACES = ("1125", "1023", "0729")
WEST_EDGE = ("1701", "1901", "2301", "2601", "0001", "0201", "0401", "0501", "0701")
WEST_EDGE_DNIEPER = ("0801", "0901", "1101", "1301", "1401")


def score_soviet_turn(game: StalingradRoads, state: RoadsState) -> Flow:
    """S2.17 The pocket not closed at the end of a Soviet turn."""
    if game.plan(state).victory == "uranus" and not pocket_closed(game, state):
        _score(game, state, "pocket-open")
    return None


def score_axis_turn(game: StalingradRoads, state: RoadsState) -> Flow:
    """S2.17 Nobody supplied in Stalingrad at the end of an Axis turn, and the pocket closed."""
    if (
        game.plan(state).victory == "uranus"
        and not supplied_in_stalingrad(game, state)
        and pocket_closed(game, state)
    ):
        _score(game, state, "pocket-closed")
    if game.plan(state).victory == "wintergewitter" and relieved(game, state):
        state.ending, state.winner = SUDDEN, AXIS
        state.emit("relieved", "S1.6")
    return None


def relieved(game: StalingradRoads, state: RoadsState) -> bool:
    """S1.6 A supplied German armoured unit next to the pocket."""
    pocket = game.plan(state).pocket
    cells = zone(game.board, game.data.passable, pocket) & state.occupied[AXIS] & ~pocket
    units = bits(u for cell in each(cells) for u in each(state.at[cell]) if game.units[u].kind == "panzer")
    return bool(supplied_units(game, state, AXIS, units))


def wintergewitter_verdict(game: StalingradRoads, state: RoadsState) -> tuple[int | None, str]:
    """S1.6"""
    if state.soviet_hexes >> game.board.cell("0729") & 1:
        return SOVIET, "soviet-decisive"
    plan = game.plan(state)
    cells = plan.goal & ~plan.pocket & state.occupied[AXIS]
    germans = bits(
        u
        for cell in each(cells)
        for u in each(state.at[cell])
        if game.units[u].nation == "german" and not game.units[u].hq
    )
    if supplied_units(game, state, AXIS, germans):
        return AXIS, "axis-minor"
    return SOVIET, "soviet-minor"


def _score(game: StalingradRoads, state: RoadsState, line: str) -> None:
    points = game.scenario(state).points[line]
    state.points += points
    state.emit("scored", "S2.17", score=points, word_line=line)


def held_hexes(game: StalingradRoads, state: RoadsState, side: int) -> tuple[int, int]:
    """The hexes with units of a side, and those where one of them is supplied."""
    units = game.units_of[side] & ~game.hqs
    fed = supplied_units(game, state, side, units)
    everywhere = bits(state.where[u] for u in each(units) if state.where[u] >= 0)
    return everywhere, bits(state.where[u] for u in each(fed) if state.where[u] >= 0)


def final_lines(game: StalingradRoads, state: RoadsState) -> list[tuple[str, int]]:
    """S2.17 The points of the last position, line by line."""
    worth = game.scenario(state).points
    there, fed = held_hexes(game, state, SOVIET)
    _, axis_fed = held_hexes(game, state, AXIS)
    found: list[tuple[str, int]] = []
    places = 0
    for name, numbers in (("small-place", SMALL_PLACES), ("large-place", LARGE_PLACES)):
        for number in numbers:
            cell = game.board.cell(number)
            places |= 1 << cell
            if fed >> cell & 1:
                found.append((name, worth[name]))
            elif there >> cell & 1:
                found.append((f"{name}-unsupplied", worth[f"{name}-unsupplied"]))
    beyond = game.board.with_feature("beyond_chir") & ~places
    between = game.board.with_feature("between_chir_and_don") & ~places
    found.append(("beyond-chir", worth["beyond-chir"] * (fed & beyond).bit_count()))
    found.append(("between-soviet", worth["between-soviet"] * (fed & between).bit_count()))
    found.append(("between-axis", worth["between-axis"] * (axis_fed & between).bit_count()))
    level = state.level if state.fortress >= 0 else 0
    found.append(("fortress-level", worth["fortress-level"] * level))
    left = sum(game.held(state, kind, STAVKA) for kind in range(len(game.supports)))
    found.append(("support", min(worth["support"] * left, worth["support-most"])))
    return [(name, points) for name, points in found if points]


def decide_in_december(game: StalingradRoads, state: RoadsState) -> Flow:
    """S3.17 The decisive victories at the end of DEC IV; S3.18 what each turn costs after FEB II."""
    if game.plan(state).victory != "campaign":
        return None
    city = game.data.stalingrad
    worth = game.scenario(state).points
    if state.turn == game.data.turn_of["DEC IV"]:
        rostov = 1 << game.board.cell("0518")
        if state.soviet_hexes & (city | rostov) == city | rostov:
            state.ending, state.winner = SUDDEN, SOVIET
        elif not state.lost_major and supplied_in_stalingrad(game, state):
            state.ending, state.winner = SUDDEN, AXIS
    if state.turn > game.data.turn_of["FEB II"]:
        if state.soviet_hexes & city != city:
            _add(state, "stalingrad-late", worth["stalingrad-late"])
        late = late_withdrawals(game, state)
        if late:
            _add(state, "late-withdrawal", max(-late, worth["late-withdrawal-most"]))
    return None


def _add(state: RoadsState, line: str, points: int) -> None:
    state.points += points
    state.emit("scored", "S3.18", score=points, word_line=line)


def campaign_lines(game: StalingradRoads, state: RoadsState) -> list[tuple[str, int]]:
    """S3.18 The points of the last position."""
    worth, data = game.scenario(state).points, game.data
    _, fed = held_hexes(game, state, SOVIET)
    _, axis_fed = held_hexes(game, state, AXIS)
    axis_there, _ = held_hexes(game, state, AXIS)
    found: list[tuple[str, int]] = []
    cities = [data.stalingrad, *(1 << c for c in each(data.major_cities & ~data.stalingrad))]
    for city in cities:
        if state.soviet_hexes & city == city:
            found.append(("major-city", worth["major-city"]))
        elif axis_there & city and not axis_fed & city:
            found.append(("major-city-cut-off", worth["major-city-cut-off"]))
    for name, numbers in (("west-edge", WEST_EDGE), ("west-edge-dnieper", WEST_EDGE_DNIEPER)):
        count = sum(fed >> game.board.cell(number) & 1 for number in numbers)
        found.append((name, worth[name] * count))
    found.append(
        ("dnieper-bend", worth["dnieper-bend"] * bool(fed & game.board.with_feature("dnieper_bend")))
    )
    found.append(("manstein-dismissed", worth["manstein-dismissed"] * state.dismissed))
    return [(name, points) for name, points in found if points]


def final_count(game: StalingradRoads, state: RoadsState) -> Flow:
    """S2.16, S2.17, S3.18 The end: an Axis decisive victory in Uranus, or the points."""
    if state.ending == SUDDEN:
        return None
    if game.plan(state).victory == "uranus":
        city = held_by(game, state, AXIS, game.data.stalingrad) == game.data.stalingrad
        if not state.declared and city and supplied_in_stalingrad(game, state):
            state.ending, state.winner = SUDDEN, AXIS
            return None
    uranus = game.plan(state).victory == "uranus"
    state.ending = ON_POINTS
    if game.plan(state).victory == "gallop":
        state.points = cities_lost(game, state)
        return None
    if game.plan(state).victory in ("backhand", "wintergewitter"):
        return None
    for line, points in final_lines(game, state) if uranus else campaign_lines(game, state):
        state.points += points
        state.emit("scored", "S2.17" if uranus else "S3.18", score=points, word_line=line)
    return None


def cities_lost(game: StalingradRoads, state: RoadsState) -> int:
    """S5.8 Major cities but Stalingrad that are Soviet, or held by the Axis out of supply."""
    there, fed = held_hexes(game, state, AXIS)
    cities = game.data.major_cities & ~game.data.stalingrad
    return (cities & (state.soviet_hexes | there & ~fed)).bit_count()


def retaken(game: StalingradRoads, state: RoadsState) -> tuple[int, int]:
    """S4.8, S4.9 Major cities and other cities that the Axis has taken back, less those it has lost."""
    start = game.plan(state).soviet_hexes
    area = game.plan(state).area & game.data.city

    def gain(cells: int) -> int:
        back = (cells & start & ~state.soviet_hexes).bit_count()
        return back - (cells & ~start & state.soviet_hexes).bit_count()

    major = game.data.major_cities & area
    return gain(major), gain(area & ~major)


def backhand_verdict(game: StalingradRoads, state: RoadsState) -> tuple[int | None, str]:
    """S4.8"""
    major, cities = retaken(game, state)
    if major <= 0:
        return SOVIET, "soviet-decisive"
    if major >= 2 or cities >= 4:
        return AXIS, "axis-decisive"
    if cities == 3:
        return AXIS, "axis-marginal"
    return (None, "draw") if cities == 2 else (SOVIET, "soviet-marginal")


LEVELS = {
    "uranus": (
        ("major", SOVIET, "soviet-major"),
        ("minor", SOVIET, "soviet-minor"),
        ("draw", None, "draw"),
        ("axis-minor", AXIS, "axis-minor"),
        ("", AXIS, "axis-major"),
    ),
    "gallop": (
        ("soviet-major", SOVIET, "soviet-major"),
        ("soviet-minor", SOVIET, "soviet-minor"),
        ("axis-minor", AXIS, "axis-minor"),
        ("", AXIS, "axis-major"),
    ),
    "campaign": (
        ("soviet-strategic", SOVIET, "soviet-strategic"),
        ("soviet-operational", SOVIET, "soviet-operational"),
        ("soviet-minor", SOVIET, "soviet-minor"),
        ("draw", None, "draw"),
        ("axis-minor", AXIS, "axis-minor"),
        ("axis-operational", AXIS, "axis-operational"),
        ("", AXIS, "axis-strategic"),
    ),
}
"""S2.18, S3.19 The levels of victory from the highest total down: line of the table, winner, name."""


def verdict(game: StalingradRoads, state: RoadsState) -> Outcome:
    points = {game.sides[SOVIET]: state.points}
    if state.ending == SUDDEN:
        return Outcome(state.winner, f"{game.sides[state.winner]}-decisive", points)
    if game.plan(state).victory == "backhand":
        winner, level = backhand_verdict(game, state)
        return Outcome(winner, level, points)
    if game.plan(state).victory == "wintergewitter":
        winner, level = wintergewitter_verdict(game, state)
        return Outcome(winner, level, points)
    worth = game.scenario(state).points
    for line, winner, level in LEVELS[game.plan(state).victory]:
        if not line or state.points >= worth[line]:
            return Outcome(winner, level, points)
    raise AssertionError("the last level has no limit")
