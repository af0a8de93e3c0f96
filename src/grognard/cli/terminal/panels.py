"""What the terminal shows of a position: faces for the map, stacks, choices, odds, supply. Each is a function
of a view and of facts; none keeps anything."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from grognard.board import Board
from grognard.cli.terminal.hexmap import Face
from grognard.cli.terminal.parts import letters, marked, marks_at, part_name
from grognard.cli.words import TerminalWords
from grognard.kernel import CHANCE, Game
from grognard.kernel.advice import Forecast, Supply, Way
from grognard.kernel.table import DEAD, TO_COME, Table, UnitView
from grognard.kernel.text import Catalogue, signed

SIDE_STYLES = ("black on #a8b0a0", "white on #9c3b26", "white on #35506b")
MARKS = (("city", "@"), ("town", "o"), ("village", "."))
FEW = 15
"""Up to this many choices are listed one by one, with a number to type."""
BAR = 24
WARNINGS = ("warning", "danger")


def units_at(table: Table) -> dict[str, list[UnitView]]:
    """The units on the map by hex number."""
    found: dict[str, list[UnitView]] = {}
    for unit in table.units:
        if unit["hex"] is not None:
            found.setdefault(unit["hex"], []).append(unit)
    return found


def faces(game: Game[Any], table: Table, words: TerminalWords) -> dict[int, Face]:
    """What is written in each hex of the map: place, stack, markers."""
    board = game.board
    stacks, markers = units_at(table), marked(game, table)
    found = {}
    for cell, info in board.info.items():
        below, style = "", ""
        if info.number in stacks:
            below, style = _stack_mark(game, stacks[info.number], words)
        below += markers.get(info.number, "")
        found[cell] = Face(_place(board, cell, words.language), below, style)
    return found


def _place(board: Board, cell: int, language: str) -> str:
    info = board.info[cell]
    mark = next((m for word, m in MARKS if any(word in feature for feature in info.features)), "")
    return mark + board.name(cell, language)


def legend(game: Game[Any], words: TerminalWords) -> str:
    """What the letters on the map mean."""
    warnings = [badge.id for badge in game.badges if badge.tone in WARNINGS]
    names = ", ".join(game.catalogue.template("badges", id_, words.language) for id_ in warnings)
    entries = [words("map", "legend"), *([f"! {names}"] if names else [])]
    entries += [f"{letter} {part_name(game, id_, words)}" for id_, letter in letters(game).items()]
    return "   ".join(entries)


def _stack_mark(game: Game[Any], units: Sequence[UnitView], words: TerminalWords) -> tuple[str, str]:
    """Side, number and strength in defence: 'G3:14', or 'S2:4?' when some of it is unknown; '!' marks a
    stack in trouble."""
    side = units[0]["side"]
    known = sum(unit.get("defence", 0) for unit in units)
    hidden = any("defence" not in unit for unit in units)
    strength = ("?" if not known else f"{known}?") if hidden else str(known)
    letter = side_name(game, side, words)[0].upper()
    troubled = {badge.id for badge in game.badges if badge.tone in WARNINGS}
    warning = "!" if any(troubled & set(unit["badges"]) for unit in units) else ""
    return f"{letter}{len(units)}:{strength}{warning}", SIDE_STYLES[game.sides.index(side)]


def reach_faces(
    game: Game[Any], table: Table, ways: Mapping[int, Way], words: TerminalWords
) -> dict[int, Face]:
    """The map with the points left in every hex that can be reached."""
    found = faces(game, table, words)
    for cell, way in ways.items():
        found[cell] = found[cell]._replace(
            below=f">{game.points.text(way.points_left)}", style="bold black on #d8b04a"
        )
    return found


def side_name(game: Game[Any], side: str, words: TerminalWords) -> str:
    name = game.catalogue.template("words", side, words.language)
    return name[:1].upper() + name[1:]


def heading(game: Game[Any], state: Any, table: Table, words: TerminalWords) -> str:
    """Turn, phase, whose decision, points: the bar at the top."""
    parts = [words("play", "turn", turn=game.turn(state))]
    actor, points = game.actor(state), table.scores
    parts += game.phase(state).names.get(words.language, ())
    if actor is not None and actor != CHANCE:
        parts.append(words("play", "decides", side=side_name(game, game.sides[actor], words)))
    if points:
        parts.append(
            words("play", "points")
            + " "
            + ", ".join(f"{side_name(game, side, words)} {value}" for side, value in points.items())
        )
    return " · ".join(parts)


def unit_line(game: Game[Any], unit: UnitView, words: TerminalWords) -> str:
    """One unit: what to type for it, its name, strengths and what affects it."""
    name = game.unit_name(game.unit_index(unit["id"]), words.language)
    if "defence" not in unit:
        strength = words("unit", "unknown")
    elif unit["attack"] == unit["defence"]:
        strength = str(unit["attack"])
    else:
        strength = f"{unit['attack']}-{unit['defence']}"
    notes = [game.catalogue.template("kinds", unit["kind"], words.language)]
    notes += [game.catalogue.template("badges", badge, words.language) for badge in unit["badges"]]
    if unit["status"] == TO_COME:
        notes.append(words("unit", "to-come", turn=unit["turn"]))
    elif unit["status"] == DEAD:
        notes.append(words("unit", "dead"))
    elif unit["hex"]:
        notes.append(unit["hex"])
    return f"{unit['id']:<10} {name:<18} {strength:>5}  {', '.join(notes)}"


def hex_lines(game: Game[Any], table: Table, cell: int, words: TerminalWords) -> list[str]:
    """All about one hex: ground, sides, markers, stack."""
    board, language = game.board, words.language
    info = board.info[cell]
    vocabulary = board.settings.get("features", {})
    names = [board.settings["terrains"][info.terrain][language]]
    names += [vocabulary[f][language] for f in sorted(info.features)]
    lines = [f"{game.hex_name(cell, language)}: {', '.join(names)}"]
    for there in board.adjacent[cell]:
        sides = board.sides.get((min(cell, there), max(cell, there)), {})
        if sides:
            written = ", ".join(
                vocabulary[f][language] + (f" ({s.names[language]})" if s.names.get(language) else "")
                for f, s in sides.items()
            )
            lines.append(f"  {words('hex', 'towards', hex=board.number(there))}: {written}")
    lines += [f"  {mark}" for mark in marks_at(game, table, info.number, words)]
    stack = units_at(table).get(info.number, [])
    lines += [f"  {unit_line(game, unit, words)}" for unit in stack]
    if not stack:
        lines.append(f"  {words('hex', 'empty')}")
    return lines


# Choices


def typed(verbs: Catalogue, words: Sequence[str], language: str) -> str:
    """An action as a person types it."""
    return " ".join([verbs.template("typed", words[0], language), *words[1:]])


def choice_lines(
    game: Game[Any], verbs: Catalogue, options: Sequence[Sequence[str]], words: TerminalWords
) -> list[str]:
    """What can be answered: each choice with its number when they are few, else a line for each verb."""
    language = words.language
    if len(options) <= FEW:
        return [
            f"{number:>3}. {typed(verbs, option, language)}{_gloss(game, option, words)}"
            for number, option in enumerate(options, 1)
        ]
    lines = []
    by_verb: dict[str, list[Sequence[str]]] = {}
    for option in options:
        by_verb.setdefault(option[0], []).append(option)
    for verb, group in by_verb.items():
        word = verbs.template("typed", verb, language)
        about = verbs.template("verbs", verb, language)
        first = list(dict.fromkeys(option[1] for option in group if len(option) > 1))
        shown = ", ".join(first[:18]) + (" ..." if len(first) > 18 else "")
        lines.append(f"  {word:<11} {about}" + (f" ({len(first)}): {shown}" if first else ""))
    return lines


def _gloss(game: Game[Any], option: Sequence[str], words: TerminalWords) -> str:
    """Names for the numbers and ids of a choice, where they say more."""
    action = game.decode(list(option))
    kinds = game.argument_kinds(option[0])
    found = []
    for kind, value in zip(kinds, action[1:], strict=True):
        if kind == "unit":
            name = game.unit_name(value, words.language)
            found += [name] if name.casefold().replace(" ", "-") not in option else []
        elif kind == "hex" and game.board.name(value, words.language):
            found.append(game.board.name(value, words.language))
    return f"  ({', '.join(found)})" if found else ""


# Odds and supply


def forecast_lines(game: Game[Any], forecast: Forecast, words: TerminalWords) -> list[str]:
    """The odds panel: strengths, each shift with its case, columns, and the chance of every result."""
    lines = [
        f"{words('odds', 'attack')}: {_spread(forecast.attack, words)}",
        f"{words('odds', 'defence')}: {_spread(forecast.defence, words)}",
    ]
    for shift in forecast.shifts:
        name = game.catalogue.template("shifts", shift.code, words.language)
        sure = "" if shift.chance > 0.9999 else f", {_percent(shift.chance)}"
        lines.append(f"  {signed(shift.columns)}  {name} ({shift.case}{sure})")
    columns = ", ".join(
        name if chance > 0.9999 else f"{name} {_percent(chance)}" for name, chance in forecast.columns
    )
    lines.append(f"{words('odds', 'column')}: {columns}")
    lines.append(words("odds", "results"))
    lines += [
        f"  {result:<5} {_percent(chance):>5}  {'#' * round(chance * BAR)}"
        for result, chance in forecast.results
    ]
    return lines


def _spread(spread: Iterable[tuple[float, float]], words: TerminalWords) -> str:
    values = list(spread)
    if len(values) == 1:
        return str(values[0][0])
    mean = sum(value * chance for value, chance in values)
    return words("odds", "spread", low=values[0][0], high=values[-1][0], mean=f"{mean:.1f}")


def _percent(chance: float) -> str:
    return f"{100 * chance:.0f}%"


def supply_lines(game: Game[Any], unit: int, supply: Supply, words: TerminalWords) -> list[str]:
    """How supply reaches a unit, or that it does not."""
    name = game.unit_name(unit, words.language)
    if not supply.supplied:
        return [words("supply", "none", unit=name, case=supply.case)]
    lines = [words("supply", "some", unit=name, case=supply.case)]
    if supply.line:
        way = ", ".join(game.board.number(cell) for cell in supply.line)
        lines.append("  " + words("supply", "line", points=game.points.text(supply.points), way=way))
    if supply.road:
        way = ", ".join(game.board.number(cell) for cell in supply.road)
        lines.append("  " + words("supply", "road", way=way))
    end = supply.road or supply.line
    last = words("supply", "on-source")
    if end:
        last = words("supply", "source", hex=game.hex_name(end[-1], words.language))
    return [*lines, f"  {last}"]
