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
    teacher: bool = False
    """Whether the computer tells its plans while the game is played."""
    seed: str = ""


def places(game: Game[Any], wish: NewTable, table_id: str) -> tuple[list[SeatRow], dict[str, str]]:
    """The seats of a new table, and the tokens of those that are given out. The maker takes the first human
    one (all of them when two play at one screen). The others are for friends: by a link each, or, at a listed
    table, for whoever comes first."""
    tokens: dict[str, str] = {}
    found: list[SeatRow] = []
    maker = new_token()
    for side in game.sides:
        kind = wish.seats.get(side, HUMAN)
        if kind != HUMAN:
            if kind not in player_names():
                raise ValueError(f"no player {kind[:40]!r}")
            found.append(SeatRow(table_id, side, "", kind, kind, True))
        elif wish.hotseat or maker not in tokens.values():
            tokens[side] = maker
            found.append(SeatRow(table_id, side, hash_token(maker), HUMAN, wish.owner, True))
        elif wish.listed:
            found.append(SeatRow(table_id, side, "", HUMAN, "", False))
        else:
            tokens[side] = new_token()
            found.append(SeatRow(table_id, side, hash_token(tokens[side]), HUMAN, "", True))
    tokens[WATCH] = new_token()
    found.append(SeatRow(table_id, WATCH, hash_token(tokens[WATCH]), WATCH, "", True))
    return found, tokens


def new_token() -> str:
    return secrets.token_urlsafe(24)
