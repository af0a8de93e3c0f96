"""The parts of a table in lines: whatever a game has on it besides units, by its name in the game's texts."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from grognard.cli.words import TerminalWords
from grognard.kernel import Game
from grognard.kernel.table import (
    Area,
    Company,
    Count,
    Display,
    Flag,
    Group,
    Holders,
    Markers,
    Part,
    Pool,
    Slot,
    Table,
    Track,
)

LETTERS = {"fort": "F", "cross": "x", "star": "*", "flag": "^", "plane": "x", "ship": "s", "wheel": "w"}
"""What is written in a hex for the glyph of a marker."""
FEW = 12
"""Up to this many hexes of an area are named; of more, the number."""


def part_lines(game: Game[Any], table: Table, words: TerminalWords) -> list[str]:
    """A line or more for each part that has anything to say."""
    return [line for part in table.parts for line in _lines(game, part, words)]


def _lines(game: Game[Any], part: Part, words: TerminalWords) -> list[str]:
    name = part_name(game, part.id, words)
    side = getattr(part, "side", None)
    if side is not None:
        name = f"{name} ({_side(game, side, words)})"
    if isinstance(part, Flag):
        return [name] if part.on else []
    if isinstance(part, Pool | Display):
        held = part.groups if isinstance(part, Pool) else part.slots
        below = [line for entry in held if (line := _group(game, part.id, entry, words))]
        return [name + ":", *below] if below else []
    said = _content(game, part, words)
    return [f"{name}: {said}"] if said else []


def _content(game: Game[Any], part: Part, words: TerminalWords) -> str:
    if isinstance(part, Count):
        return str(part.value) if part.of is None else f"{part.value}/{part.of}"
    if isinstance(part, Track):
        return f"{part.value} ({part.low} .. {part.high})"
    if isinstance(part, Company):
        return _unit_names(game, part.units, words)
    if isinstance(part, Holders):
        return _holders(game, part.hexes, words)
    if isinstance(part, Markers) and part.arrows:
        return "; ".join(_aimed(game, part.arrows, hex_, words) for hex_ in part.hexes)
    if isinstance(part, Markers | Area):
        many = isinstance(part, Area) and len(part.hexes) > FEW
        return words("parts", "hexes", n=len(part.hexes)) if many else _hexes(game, part.hexes, words)
    return ""


def _group(game: Game[Any], part: str, entry: Group | Slot, words: TerminalWords) -> str:
    """A group of a pool or a slot of a display; nothing if it is empty."""
    found = [game.piece_name(piece, words.language) for piece in entry.pieces]
    if isinstance(entry, Slot) and entry.units:
        found.append(_unit_names(game, entry.units, words))
    if isinstance(entry, Group) and entry.more:
        found.append(words("parts", "more", n=entry.more))
    if not found:
        return ""
    name = game.catalogue.template("parts", f"{part}/{entry.id}", words.language)
    return f"  {name}: {', '.join(found)}"


def _holders(game: Game[Any], hexes: Mapping[str, str], words: TerminalWords) -> str:
    held: dict[str, list[str]] = {}
    for number, side in hexes.items():
        held.setdefault(side, []).append(number)
    return "; ".join(f"{_side(game, side, words)} {_hexes(game, held[side], words)}" for side in held)


def _aimed(game: Game[Any], arrows: Iterable[tuple[str, str]], target: str, words: TerminalWords) -> str:
    """Where a marker lies, and from where what it stands for comes."""
    here = _hexes(game, [target], words)
    others = [start for start, end in arrows if end == target]
    return words("parts", "aimed", hex=here, others=_hexes(game, others, words)) if others else here


def _hexes(game: Game[Any], numbers: Iterable[str], words: TerminalWords) -> str:
    return ", ".join(game.hex_name(game.board.cell(number), words.language) for number in numbers)


def _unit_names(game: Game[Any], ids: Sequence[str], words: TerminalWords) -> str:
    return ", ".join(game.unit_name(game.unit_index(id_), words.language) for id_ in ids)


def _side(game: Game[Any], side: str, words: TerminalWords) -> str:
    name = game.catalogue.template("words", side, words.language)
    return name[:1].upper() + name[1:]


def part_name(game: Game[Any], id_: str, words: TerminalWords) -> str:
    return game.catalogue.template("parts", id_, words.language)


# On the map


def letters(game: Game[Any]) -> dict[str, str]:
    """The letter of each kind of marker, by its id."""
    return {
        kind.id: LETTERS.get(kind.glyph, kind.id[:1].upper()) for kind in game.parts if kind.part is Markers
    }


def marked(game: Game[Any], table: Table) -> dict[str, str]:
    """The letters of the markers on each hex."""
    known = letters(game)
    found: dict[str, str] = {}
    for part in table.parts:
        if isinstance(part, Markers):
            for number in part.hexes:
                found[number] = found.get(number, "") + known[part.id]
    return found


def marks_at(game: Game[Any], table: Table, number: str, words: TerminalWords) -> list[str]:
    """The names of what lies on a hex: markers, areas, who holds it."""
    found = []
    for part in table.parts:
        if isinstance(part, Markers | Area) and number in part.hexes:
            found.append(part_name(game, part.id, words))
        elif isinstance(part, Holders) and number in part.hexes:
            side = _side(game, part.hexes[number], words)
            found.append(f"{part_name(game, part.id, words)}: {side}")
    return found
