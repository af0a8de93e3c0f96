"""Who sits where at a new table."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from typing import Any, NamedTuple

from grognard.kernel import Game
from grognard.players import player_names
from grognard.server.room import HUMAN, WATCH, hash_token
from grognard.server.store import SeatRow

OFFERED = ("recruit", "regular", "veteran", "greedy", "random")
"""Opponents as they are offered to people: those who plan, and the simple ones. Others may be asked for by
name."""


class NewTable(NamedTuple):
    """What somebody asked for."""

    game: str
    scenario: str
    options: Mapping[str, Any]
    seats: Mapping[str, str]
    """Side -> `human` or a computer player's name."""
    name: str = ""
    listed: bool = False
    hotseat: bool = False
    owner: str = ""
    """What the maker is called."""
    side: str = ""
    """The side that the maker plays; the first that a person plays, if none is named."""
    teacher: bool = False
    """Whether the computer tells its plans while the game is played."""
    seed: str = ""
    maker: str = ""
    """A hash of the address that it was asked for from."""
    pace: int = 0
    """How many seconds an answer may take; 0: any."""
    leave: int = 0
    """How many seconds of leave each player may take."""


class Seating(NamedTuple):
    """The seats of a new table, the tokens of the maker, and what the others can sit down with."""

    rows: list[SeatRow]
    tokens: dict[str, str]
    """Side (or `watch`) -> token."""
    invitations: dict[str, str]
    """Side -> a word that can be exchanged for a token, once."""
    host: str


def places(game: Game[Any], wish: NewTable, table_id: str) -> Seating:
    """The seats of a new table. The maker takes the one asked for (all of them when two play at one
    screen). The others are for friends: by a link each, which whoever uses it first uses up, or, at a listed
    table, for whoever comes first."""
    tokens: dict[str, str] = {}
    invitations: dict[str, str] = {}
    found: list[SeatRow] = []
    maker = new_token()
    people = [side for side in game.sides if wish.seats.get(side, HUMAN) == HUMAN]
    if wish.side and wish.side not in people:
        raise ValueError(f"no person plays {wish.side[:40]!r}")
    own = people if wish.hotseat else [wish.side] if wish.side else people[:1]
    for side in game.sides:
        kind = wish.seats.get(side, HUMAN)
        if kind != HUMAN:
            if kind not in player_names():
                raise ValueError(f"no player {kind[:40]!r}")
            found.append(SeatRow(table_id, side, "", kind, kind, True))
        elif side in own:
            tokens[side] = maker
            found.append(SeatRow(table_id, side, hash_token(maker), HUMAN, wish.owner, True))
        elif wish.listed:
            found.append(SeatRow(table_id, side, "", HUMAN, "", False))
        else:
            invitations[side] = new_token()
            found.append(SeatRow(table_id, side, "", HUMAN, "", False, hash_token(invitations[side])))
    host = next(iter(tokens), "")
    tokens[WATCH] = new_token()
    found.append(SeatRow(table_id, WATCH, hash_token(tokens[WATCH]), WATCH, "", True))
    return Seating(found, tokens, invitations, host)


def new_token() -> str:
    return secrets.token_urlsafe(24)
