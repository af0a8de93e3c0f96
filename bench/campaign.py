"""A game of Second Front's size that nobody plays: 5,000 units on its map of 6,565 hexes, and a journal of
300,000 answers. What a click costs at the end of it, how long the table takes to open, what it needs in
memory, and how long a look at its past takes; all in processor time, one core.

    python -m bench.campaign [answers]
"""

from __future__ import annotations

import asyncio
import gc
import json
import secrets
import sys
import tempfile
import time
import tracemalloc
from array import array
from collections.abc import Mapping
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any

from grognard.board import Board, load_board
from grognard.games.listing import game_folder
from grognard.kernel import (
    AGAIN,
    Action,
    Answer,
    Decision,
    Flow,
    Game,
    Match,
    Outcome,
    Refusal,
    Role,
    Scenario,
    State,
    Verb,
    ask,
    procedure,
    refusal,
    step,
)
from grognard.kernel.events import EventKind, Family
from grognard.kernel.fields import numbers, octets, value
from grognard.kernel.table import Table
from grognard.kernel.text import Catalogue
from grognard.server import archive, past, present, views
from grognard.server.chain import Chain
from grognard.server.changes import changes
from grognard.server.logbook import Logbook
from grognard.server.room import HUMAN, hash_token
from grognard.server.rooms import Rooms
from grognard.server.serving import collect_seldom
from grognard.server.store import SeatRow, Store, TableRow
from grognard.server.workbench import Premises
from grognard.server.workshop import Workshop

UNITS = 5000
IN_HAND = 1000
"""Units that may move in a phase: an army group's. Phases follow each other through all of them."""
PHASE = 3000
"""Answers in a phase."""
FIELDS = (numbers("where"), octets("moved"), value("held"), value("answers"), value("phase"))


class CampaignState(State, fields=FIELDS):
    __slots__ = ("answers", "held", "moved", "phase", "where")

    def __init__(self) -> None:
        super().__init__()
        self.where = array("i", [0] * UNITS)
        self.moved = bytearray(UNITS)
        self.held = -1
        self.answers = 0
        self.phase = 0


class March(Decision["Campaign", CampaignState]):
    name, case = "march", "1.1"
    verbs = {
        "take": Verb(("unit",), Role.TAKE),
        "step": Verb(("hex",), Role.STEP),
        "halt": Verb((), Role.HALT),
    }

    def actor(self, game: Campaign, state: CampaignState) -> int:
        return state.phase % 2

    def options(self, game: Campaign, state: CampaignState, side: int) -> list[Action]:
        if state.held < 0:
            first = state.phase * IN_HAND % UNITS
            return [("take", unit) for unit in range(first, first + IN_HAND) if not state.moved[unit]]
        near = game.near[state.where[state.held]]
        return [*(("step", cell) for cell in near), ("halt",)]

    def refuse(self, game: Campaign, state: CampaignState, side: int, action: Action) -> Refusal | None:
        return None if action in self.options(game, state, side) else refusal("not-now", "1.1")

    def apply(self, game: Campaign, state: CampaignState, side: int, action: Action) -> Flow:
        state.answers += 1
        if action[0] == "take":
            state.held = action[1]
        elif action[0] == "step":
            state.where[state.held] = action[1]
            state.emit("marched", "1.1", unit=state.held, hex=action[1])
        else:
            state.moved[state.held] = 1
            state.held = -1
            if state.answers >= PHASE * (state.phase + 1):
                state.phase += 1
                state.moved = bytearray(UNITS)
                state.emit("turn", "1.0", turn=state.phase)
        return AGAIN


class Campaign(Game[CampaignState]):
    id, rules_version, sides = "campaign", "1", ("east", "west")
    procedures = {"game": procedure("game", "1.0", step("march", ask(March()), "1.1"))}
    hidden_information = False
    turn_procedure = "game"
    events = {"turn": EventKind(Family.TURN), "marched": EventKind(Family.MOVE)}
    data_digest = "bench"

    def __init__(self) -> None:
        super().__init__()
        self.board: Board = load_board(game_folder("second_front").sub("map"))
        self.cells = list(self.board.cells)
        around, there = self.board.neighbours, self.board.info
        self.near = {cell: [other for other in around[cell] if other in there] for cell in self.cells}
        self.units = [SimpleNamespace(id=f"u{n}", names={"en": f"u{n}"}) for n in range(UNITS)]
        self.scenarios: Mapping[str, Scenario] = {"all": Scenario("all", {"en": "All"})}
        self.catalogue = Catalogue()

    def set_up(self, scenario: str, options: Mapping[str, Any]) -> CampaignState:
        state = CampaignState()
        random = Random("campaign")
        for unit in range(UNITS):
            state.where[unit] = random.choice(self.cells)
        return state

    def turn(self, state: CampaignState) -> int:
        return state.phase

    def outcome(self, state: CampaignState) -> Outcome | None:
        return None

    def table(self, state: CampaignState, side: int | None) -> Table:
        number, held = self.board.number, state.held
        units: list[Any] = [
            {
                "id": unit.id,
                "side": "east" if n < UNITS // 2 else "west",
                "kind": "inf",
                "hex": number(state.where[n]),
                "status": "on-map",
                "badges": ["moved"] if state.moved[n] else ["held"] if n == held else [],
                "face": ["4", "4", "6"],
            }
            for n, unit in enumerate(self.units)
        ]
        return Table(units, {}, ())

    def tell(self, event: Any, language: str) -> str:
        return f"{event.kind} {event.facts}"

    def prompt(self, state: CampaignState, language: str, side: int | None = None) -> str:
        return "March."

    def expand(self, state: CampaignState, order: Mapping[str, Any]) -> Any:
        raise NotImplementedError


def any_action(game: Campaign, state: CampaignState, random: Random) -> Action:
    """Take somebody, walk two or three hexes, halt."""
    if state.held < 0:
        first = state.phase * IN_HAND % UNITS
        while True:
            unit = first + int(random.random() * IN_HAND)
            if not state.moved[unit]:
                return ("take", unit)
    if random.random() < 0.35:
        return ("halt",)
    return ("step", random.choice(game.near[state.where[state.held]]))


def write(store: Store, game: Campaign, answers: int) -> str:
    """A table with a journal of so many answers, and the positions that a server would have kept."""
    table, random = secrets.token_urlsafe(9), Random("journal")
    match: Match[Any] = Match(game, "all", {}, "seed")
    words: list[list[str]] = []
    chain, book, kept = Chain(), Logbook(game, {}), []
    for number in range(answers):
        side = match.state.phase % 2
        action = any_action(game, match.state, random)
        game.apply(match.state, action, side)
        match.journal.append(Answer(side, action))
        match._make_moment(f"{side}{action}")
        words.append([game.sides[side], *game.encode(action)])
        if number + 1 < answers - archive.FRESH and (number + 1) % archive.EVERY == 0:
            chain.grow(len(words) - archive.EVERY, words[-archive.EVERY :])
            book.extend(match.log)
            kept.append(archive.taken(match, chain, book))
            match.forget(archive.snapshot_of(kept[-1]))
            book = book.after(kept[-1].lines)
    chain.grow(match.before.length, words[match.before.length :])
    seats = [SeatRow(table, side, hash_token(side), HUMAN, side, True) for side in game.sides]
    seats.append(SeatRow(table, "watch", hash_token("watch"), "watch", "", True))
    now = time.time()
    row = TableRow(
        *(table, game.id, "1", game.digest("all"), "all", {}, "seed", "", False, True, "", now, now),
        chain=chain.last,
    )
    store.create(row, seats, words)
    store.keep(table, kept)
    return table


async def clicks(rooms: Rooms, table: str, most: int) -> list[tuple[float, int]]:
    """The processor time of each click, with the state for a seat, the push and its bytes."""
    room = await rooms.room(table)
    random, found = Random("clicks"), []
    before = views.seen(room, [0, 1], "en")
    for _ in range(most):
        game, state = room.game, room.match.state
        action = game.encode(any_action(game, state, random))  # type: ignore[arg-type]
        began = time.process_time()
        assert await rooms.act(room, [0, 1], room.version([0, 1]), action) is None
        now = views.seen(room, [0, 1], "en")
        lines = views.told(game, room.book, [0, 1], before["log_length"], "en")
        push = present.written({"type": "changes", **changes(before, now), "log": lines})
        found.append((time.process_time() - began, len(push)))
        before = now
    return found


async def measure(store: Store, url: str, folder: Path, game: Campaign, table: str, answers: int) -> None:
    games = {game.id: game}
    archive.edition(game)
    began, waited = time.process_time(), time.monotonic()
    opened = archive.open_table(store, games, table)
    told: dict[str, Any] = {
        "answers": answers,
        "opened_cpu_s": round(time.process_time() - began, 3),
        "opened_s": round(time.monotonic() - waited, 3),
    }
    del opened
    gc.collect()
    tracemalloc.start()
    rooms = Rooms(store, games, Workshop(Premises(url, folder, None), 0, games))
    room = await rooms.room(table)
    views.seen(room, [0, 1], "en")
    told["memory_mb"] = round(tracemalloc.get_traced_memory()[0] / 1e6, 1)
    tracemalloc.stop()
    costs = await clicks(rooms, table, 120)
    times, sizes = sorted(cost for cost, _ in costs), sorted(size for _, size in costs)
    told["click_cpu_ms"] = {
        "half": round(1000 * times[60], 2),
        "95%": round(1000 * times[114], 2),
        "most": round(1000 * times[-1], 2),
    }
    told["click_bytes"] = {"half": sizes[60], "95%": sizes[114], "most": sizes[-1]}
    looks = []
    for moment in (1, answers // 3, answers // 2, answers - 700):
        began = time.process_time()
        present.written(past.moment(store, game, room.row, [0], moment, "en"))
        looks.append(round(time.process_time() - began, 3))
    told["past_cpu_s"] = looks
    await rooms.close()
    print(json.dumps(told))


def main(answers: int) -> None:
    with tempfile.TemporaryDirectory() as folder:
        url = f"sqlite:///{folder}/games.sqlite"
        store, game = Store(url), Campaign()
        collect_seldom()
        table = write(store, game, answers)
        asyncio.run(measure(store, url, Path(folder), game, table, answers))
        store.close()


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 300_000)
