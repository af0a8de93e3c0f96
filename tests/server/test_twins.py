"""Differential secrecy, for every game of the registry: two tables that differ only in a secret give the
other side and the spectators the same bytes, by every door and over the socket.

The secret is the seed (any game: dice and draws to come), what a side hides (a position in which everything
that the onlooker may not know is otherwise), or what a side writes in secret.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import pytest

from grognard.kernel import Action, Game, Match
from grognard.kernel.actions import EVERYONE
from grognard.kernel.registry import game_ids, load_game
from grognard.server.api import create_app
from grognard.server.present import owners
from grognard.server.room import Room
from grognard.server.rooms import Rooms
from grognard.server.settings import ServerSettings
from tests.server.table import Client, Live, Seat, Table, good, offered
from tests.server.test_secrets import seeded_table

load = cache(load_game)
SECRET = [id_ for id_ in game_ids() if load(id_).hidden_information]
ANSWERS = 14
"""How far a game is followed."""
SEEDS = {"second_front": ("s0", "s16")}
"""Two seeds for a game that begins with dice, which must fall alike."""
BEFORE_A_DIE = {"typhoon": 1, "second_front": 2}
"""How many answers a game takes before its first die, where those are few: aircraft are readied early."""
LONGEST = 900
"""After so many answers at random something is hidden, or somebody writes in secret, or never."""

Given = tuple[int, Action]
Led = tuple[str, tuple[Given, ...]]
"""A scenario, and answers given in it."""


@contextmanager
def serving(game: Game[Any], folder: Path, pictures: Path) -> Iterator[Client]:
    settings = ServerSettings(f"sqlite:///{folder / 'games.sqlite'}", pictures, draw_ahead=False)
    with Client(create_app(settings, {game.id: game})) as client:
        yield client


class Twin:
    """One of two tables, and those who look on: a side's seat and the spectators' bench."""

    def __init__(
        self,
        client: Client,
        game: Game[Any],
        scenario: str,
        seed: str,
        onlooker: int,
        stack: ExitStack,
        accounts: str = "",
        given: Sequence[Given] = (),
    ) -> None:
        self.client, self.game = client, game
        self.table: Table = seeded_table(client, seed, game.id, scenario)
        if given:
            assert client.portal is not None
            client.portal.call(self._lead, given)
        self.seats = [self.table.seat(side) for side in game.sides]
        self.own = ""
        """The session of who looks on, if people have accounts."""
        if accounts:
            self.seats = [self._with_account(seat, f"{accounts}{n}") for n, seat in enumerate(self.seats)]
            self.own = str(self.seats[onlooker].token)
        self.onlookers: list[Seat] = [self.seats[onlooker], self.table.watch]
        self.ears: list[Live] = [stack.enter_context(seat.live()) for seat in self.onlookers]
        for ear in self.ears:
            ear.next()

    def _with_account(self, seat: Seat, name: str) -> Seat:
        """The same seat, taken by the session of an account."""
        wish = {"name": name, "passphrase": "a horse and a boat"}
        session = good(self.client.post("/api/account", json=wish))["session"]
        body = {"table": self.table.id, "token": seat.token}
        good(self.client.post("/api/account/seats", json=body, headers=_bearer(session)))
        return Seat(self.client, self.table.id, session)

    async def _lead(self, given: Sequence[Given]) -> None:
        """Answers, all of them at once."""
        rooms: Rooms = self.client.app.state.rooms  # type: ignore[attr-defined]
        room = await rooms.room(self.table.id)
        async with rooms._changing(room) as match:
            for side, action in given:
                assert match.act(side, action) is None
            await rooms._write(room)

    @property
    def room(self) -> Room:
        assert self.client.portal is not None
        room: Room = self.client.portal.call(self.client.app.state.rooms.room, self.table.id)  # type: ignore[attr-defined]
        return room

    def replace(self, state: Any) -> None:
        """Another position, which nobody who looks on may tell from the one that was there."""
        room = self.room

        def put() -> None:
            state.log = room.match.log
            room.match.state = state
            room.shown = room.position()
            room.tell()

        assert self.client.portal is not None
        self.client.portal.call(put)

    def play(self, side: int, action: Action) -> None:
        """Give an answer, and wait until all have heard what comes of it: pushes that are late are joined."""
        self.seats[side].play(*self.game.encode(action))
        self.listen()

    def listen(self) -> None:
        for seat, ear in zip(self.onlookers, self.ears, strict=True):
            version = seat.state()["version"]
            while ear.state["version"] != version:
                ear.next()

    def told(self, every_door: bool = False) -> list[str]:
        """What those who look on can get, and have been sent."""
        found = []
        self.listen()
        for seat, ear in zip(self.onlookers, self.ears, strict=True):
            moments = ear.state["moments"]
            doors = ["", "/log"]
            if every_door:
                doors += ["/moments", "/rolls", "/save", "/chat", "/note", "/marks", "/line", "/since"]
                doors += [f"/at/{moment}" for moment in (0, moments, moments + 1)]
            answers = [seat.get(door) for door in doors]
            found += [f"{answer.status_code} {answer.text}" for answer in answers]
            found += ear.texts
        if self.own:
            doors = ["/games", "/export"] if every_door else ["/games"]
            own = [self.client.get(f"/api/account{door}", headers=_bearer(self.own)) for door in doors]
            found += [f"{answer.status_code} {answer.text}" for answer in own]
        return [self._without_names(text) for text in found]

    def _without_names(self, text: str) -> str:
        """What tells any two tables apart, made alike without a change of length; of times, the number of
        digits is as it comes."""
        text = text.replace(self.table.id, "T" * len(self.table.id))
        text = re.sub(r'"(\d+)-[0-9a-f]{10}"', r'"\1-0000000000"', text)
        text = re.sub(r'"commitment":"[0-9a-f]{64}"', f'"commitment":"{"0" * 64}"', text)
        # Lines of talk are numbered through all tables.
        text = re.sub(r'"id":"[\w-]{16}"', '"id":"0"', text)
        text = re.sub(r'"name":"(one|two)(\d)"', r'"name":"own\2"', text)
        return re.sub(r'"(updated|at|id|created|seen|since)":[\d.]+', r'"\1":0', text)


def _bearer(token: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {token}"}


@contextmanager
def twins(
    game: Game[Any],
    folder: Path,
    pictures: Path,
    onlooker: int,
    seeds: tuple[str, str] = ("same", "same"),
    led: Led | None = None,
    accounts: tuple[str, str] = ("", ""),
) -> Iterator[tuple[Twin, Twin]]:
    scenario, given = led or (next(iter(game.scenarios)), ())
    with serving(game, folder, pictures) as client, ExitStack() as stack:
        one, two = (
            Twin(client, game, scenario, seed, onlooker, stack, names, given)
            for seed, names in zip(seeds, accounts, strict=True)
        )
        yield one, two


def led_to(game: Game[Any], there: Callable[[Any], bool]) -> Led | None:
    """A scenario and answers at random that lead to a position of a kind."""
    for scenario in game.scenarios:
        match: Match[Any] = Match(game, scenario, seed="same")
        random, given = Random(scenario), list[Given]()
        while not match.state.over and len(given) < LONGEST:
            if there(match.state):
                return scenario, tuple(given)
            side = random.choice(sorted(game.must_act(match.state)))
            given.append((side, random.choice(game.options(match.state, side))))
            assert match.act(*given[-1]) is None
    return None


def sealed(game: Game[Any], state: Any) -> bool:
    return bool(getattr(game.decision(state), "secret", False))


def hides(game: Game[Any], onlooker: int) -> Callable[[Any], bool]:
    """Whether something is hidden from a side that has been done, not only begun."""

    def there(state: Any) -> bool:
        if sealed(game, state):
            return False
        imagined = game.imagine(state, onlooker, Random(onlooker))
        return bool(imagined.fingerprint() != state.fingerprint())

    return there


def asked_about(twin: Twin, seed: float) -> list[str]:
    """What those who look on are told if they ask about the position: sets of hexes, units of either side,
    hexes, and what they are offered."""
    game, random, found = twin.game, Random(seed), list[str]()
    of = owners(game)
    sides = [[None], game.sides]
    questions: list[dict[str, Any]] = [
        {"ask": "layer", "layer": layer.id, "side": side}
        for layer in game.layers
        for side in sides[layer.sided]
    ]
    for unit in random.sample(sorted(of), min(6, len(of))):
        questions += [{"ask": "reach", "units": [unit]}, {"ask": "supply", "unit": unit}]
        questions += [{"ask": "strengths", "unit": unit}]
    for cell in random.sample(game.board.cells, 3):
        questions.append({"ask": "what-if", "hex": game.board.number(cell)})
    for seat in twin.onlookers:
        answers = offered(seat.state())
        for words in random.sample(answers, min(4, len(answers))):
            questions += [{"ask": "why", "action": words}, {"ask": "ahead", "action": words}]
    for seat in twin.onlookers:
        told = [seat.post("/ask", question) for question in questions]
        found += [f"{answer.status_code} {answer.text}" for answer in told]
    return found


def rolls(game: Game[Any], state: Any, side: int, action: Action) -> bool:
    """Whether an answer leads to a die or a draw."""
    after = state.clone()
    game.apply(after, action, side)
    return bool(game.settle(after, "any"))


def reveals(game: Game[Any], one: Any, two: Any, side: int, action: Action, onlooker: int) -> bool:
    """Whether an answer lays open by the rules what differs: a marker that is turned over, say."""
    shown = []
    for state in (one, two):
        after = state.clone()
        after.log = []
        game.apply(after, action, side)
        shown.append(heard(game, after, onlooker))
    return bool(shown[0] != shown[1])


def heard(game: Game[Any], state: Any, viewer: int) -> str:
    """All that a side is told of a position and of what has just happened."""
    events = [str(e) for e in state.log or () if e.audience in (EVERYONE, viewer)]
    asked = game.shown_actors(state, viewer)
    return json.dumps([game.view(state, viewer), events, asked, game.prompt(state, "en", viewer)])


def common(
    game: Game[Any], one: Any, two: Any, random: Random, plain: bool = False, onlooker: int = 0
) -> tuple[int, Action] | None:
    """An answer that can be given at both tables; a plain one rolls no die and lays nothing open."""
    for side in sorted(game.must_act(one)):
        options = game.options(one, side)
        random.shuffle(options)
        for action in options:
            if game.refuse(two, action, side) is not None:
                continue
            rolled = plain and any(rolls(game, state, side, action) for state in (one, two))
            if not rolled and not (plain and reveals(game, one, two, side, action, onlooker)):
                return side, action
    return None


@pytest.mark.parametrize("id_", game_ids())
def test_dice_and_draws_to_come_do_not_show(id_: str, tmp_path: Path, pictures: Path) -> None:
    """Two seeds, the same answers, up to the first die: so also what an untried unit will turn out to be."""
    game = load(id_)
    random = Random(1)
    with twins(game, tmp_path, pictures, 0, SEEDS.get(id_, ("one", "two"))) as (one, two):
        assert one.room.match.state.fingerprint() == two.room.match.state.fingerprint()
        for _ in range(ANSWERS):
            state = one.room.match.state
            found = common(game, state, state, random, plain=True)
            if found is None:
                break
            for twin in (one, two):
                twin.play(*found)
        assert one.room.match.length >= BEFORE_A_DIE.get(id_, 4)
        assert one.table.promise != two.table.promise
        assert one.told(every_door=True) == two.told(every_door=True)


@pytest.mark.parametrize("onlooker", [0, 1])
@pytest.mark.parametrize("id_", SECRET)
def test_what_a_side_hides_does_not_show(id_: str, onlooker: int, tmp_path: Path, pictures: Path) -> None:
    game = load(id_)
    led = led_to(game, hides(game, onlooker))
    assert led is not None, "nothing is ever hidden from this side"
    random, differing = Random(onlooker), 0
    with twins(game, tmp_path, pictures, onlooker, led=led) as (one, two):
        for _ in range(3 * ANSWERS):
            real = one.room.match.state
            if real.over or differing > 2:
                break
            imagined = game.imagine(real, onlooker, random)
            if not sealed(game, real) and imagined.fingerprint() != real.fingerprint():
                # The same is done at both tables, at one of them with other secrets.
                two.replace(imagined)
                assert one.told(every_door=differing == 0) == two.told(every_door=differing == 0)
                assert asked_about(one, differing) == asked_about(two, differing)
                found = common(game, real, imagined, random, plain=True, onlooker=onlooker)
                if found is not None:
                    for twin in (one, two):
                        twin.play(*found)
                    assert one.told() == two.told()
                    differing += 1
                two.replace(one.room.match.state.clone())
            found = common(game, one.room.match.state, two.room.match.state, random)
            if found is None:
                break
            for twin in (one, two):
                twin.play(*found)
            assert one.told() == two.told()
        assert differing, "the secrets were never others"


def writing(
    game: Game[Any], state: Any, writer: int, random: Random, like: Sequence[Action] = ()
) -> tuple[list[Action], Any]:
    """A way to answer a sealed question, and what comes of it; like another one, but for one answer."""
    state, way, other = state.clone(), list[Action](), random.randrange(len(like) or 1)
    state.log = []
    question = game.decision(state)
    while writer in game.must_act(state) and game.decision(state) is question:
        options = game.options(state, writer)
        if len(way) < len(like) and len(way) != other and like[len(way)] in options:
            action = like[len(way)]
        else:
            verb = like[other][0] if len(way) == other < len(like) else None
            action = random.choice([o for o in options if verb in (None, o[0])] or options)
        way.append(action)
        game.apply(state, action, writer)
        game.settle(state, "same")
    return way, state


def two_ways(
    game: Game[Any], state: Any, writer: int, random: Random
) -> tuple[list[Action], list[Action]] | None:
    """Two ways to answer a sealed question of which the others are told the same by the rules."""
    for _ in range(20):
        first, after = writing(game, state, writer, random)
        for _ in range(10):
            second, other = writing(game, state, writer, random, like=first)
            alike = heard(game, after, 1 - writer) == heard(game, other, 1 - writer)
            if sorted(first) != sorted(second) and alike:
                return first, second
    return None


@pytest.mark.parametrize("onlooker", [0, 1])
@pytest.mark.parametrize("id_", SECRET)
def test_what_a_side_writes_does_not_show(id_: str, onlooker: int, tmp_path: Path, pictures: Path) -> None:
    """Not what it is, nor how many answers it takes, nor that it is done, until all have written."""
    game, writer = load(id_), 1 - onlooker

    def writes(state: Any) -> bool:
        if not sealed(game, state) or writer not in game.must_act(state):
            return False
        # Where any hex may be named, two like ways are not found soon; the answers after that are as secret.
        few = 1 < len(game.options(state, writer)) <= 60
        return few and two_ways(game, state, writer, Random(1)) is not None

    led = led_to(game, writes)
    if led is None:
        pytest.skip("this side never writes in secret in this game")
    with twins(game, tmp_path, pictures, onlooker, led=led) as (one, two):
        before = one.told()
        assert two.told() == before
        ways = two_ways(game, one.room.match.state, writer, Random(1))
        assert ways is not None
        alone = game.must_act(one.room.match.state) == {writer}
        for twin, way in zip((one, two), ways, strict=True):
            for action in way:
                twin.play(writer, action)
        assert one.room.match.written() != two.room.match.written()
        if alone:
            # Everybody knows that this is done; the next question may be on the table.
            before = one.told()
        assert one.told() == two.told() == before
        assert one.told(every_door=True) == two.told(every_door=True)
        assert asked_about(one, 1) == asked_about(two, 1)
        # Whatever was pushed meanwhile would have come before this.
        for twin in (one, two):
            good(twin.seats[writer].post("/chat", {"text": "done"}))
            for ear in twin.ears:
                ear.until(lambda message: bool(message["chat"]))
        assert one.told() == two.told()


def test_a_wager_is_not_told_after_it_has_been_compared(tmp_path: Path, pictures: Path) -> None:
    """Crossroads 2.1: two or three, against one, is the same to everybody, to the end of the turn."""
    game = load("crossroads")
    random = Random(3)
    with twins(game, tmp_path, pictures, 1) as (one, two):
        for twin, token in ((one, "amber-2"), (two, "amber-3")):
            twin.seats[0].play("stake", token)
            twin.seats[1].play("stake", "cobalt-1")
        for _ in range(ANSWERS):
            assert one.told() == two.told()
            state, other = (twin.room.match.state for twin in (one, two))
            found = common(game, state, other, random)
            if found is None or state.turn > 1:
                break
            for twin in (one, two):
                twin.play(*found)


@pytest.mark.parametrize("onlooker", [0, 1])
def test_with_accounts_no_more_is_told(onlooker: int, tmp_path: Path, pictures: Path) -> None:
    """Seats taken by sessions, and what an account lists and exports, say no more of a wager than a token."""
    game, writer = load("crossroads"), 1 - onlooker
    with twins(game, tmp_path, pictures, onlooker, accounts=("one", "two")) as (one, two):
        before = one.told()
        assert two.told() == before
        options = game.options(one.room.match.state, writer)
        one.play(writer, options[0])
        two.play(writer, options[-1])
        assert one.room.match.written() != two.room.match.written()
        assert one.told() == two.told() == before
        assert one.told(every_door=True) == two.told(every_door=True)
