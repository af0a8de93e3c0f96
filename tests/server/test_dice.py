"""The dice can be checked by anybody: here with hashlib alone, as a stranger would from the description."""

from __future__ import annotations

import json
import re
from hashlib import sha256
from pathlib import Path
from random import Random

import pytest
import sqlalchemy as sa

from grognard.cli.main import main
from grognard.kernel.dice import commitment, seed_at
from grognard.server.promises import entropy, rolled_anew, take_backs, with_share
from tests.server.conftest import Start
from tests.server.table import Client, Json, Seat, good, offered, play_on, wait_for_turn


def draw(seed: str, number: int, sides: int) -> int:
    """Draw a number from 0 to sides-1 as the table promises to."""
    fair = 2**64 - 2**64 % sides
    for attempt in range(1000):
        text = f"{seed}/{number}" + (f"/{attempt}" if attempt else "")
        value = int(sha256(text.encode("utf-8")).hexdigest()[:16], 16)
        if value < fair:
            return value % sides
    raise AssertionError


def test_every_roll_follows_from_the_seed_promised_at_the_start(client: Client) -> None:
    amber, cobalt = client.crossroads()
    promised = amber.state()["commitment"]
    # Cobalt fires at who comes near: one die at least.
    for seat, words in ((amber, "lift first-amber"), (amber, "tread 0202"), (amber, "tread 0302")):
        seat.play(*words.split())
    state = cobalt.play(*next(o for o in offered(cobalt.state()) if o[0] == "snipe"))
    assert state["commitment"] == promised
    for seat in (amber, cobalt):
        assert seat.get("/rolls").status_code == 403
    state = play_on([amber, cobalt], Random(31), 2000)
    assert state["over"] and state["commitment"] == promised
    told = good(amber.get("/rolls"))
    assert told["seed"] == amber.state()["seed"]
    assert told["commitment"] == promised == sha256(f"commit/{told['seed']}".encode()).hexdigest()
    rolls = told["rolls"]
    assert len(rolls) >= 2
    assert [roll["draw"] for roll in rolls] == list(range(len(rolls)))
    for roll in rolls:
        number = draw(told["seed"], roll["draw"], sum(weight for _, weight in roll["weights"]))
        drawn = [answer for answer, weight in roll["weights"] for _ in range(weight)][number]
        assert drawn == roll["answer"]
    dice = [die["value"] for line in amber.log() for die in line["dice"]]
    thrown = [roll["answer"] for roll in rolls if roll["answer"][0] in ("cast", "throw")]
    assert dice and dice == [int(value) for _, *values in thrown for value in values]


def test_seeds_are_not_repeated_and_not_guessable(quick_client: Client) -> None:
    seats = [quick_client.table("crossroads", hotseat=True).seat("amber") for _ in range(5)]
    seeds = {good(seat.post("/resign"))["seed"] for seat in seats}
    assert len(seeds) == 5
    assert all(len(bytes.fromhex(seed)) == 16 for seed in seeds)


def recomputed(told: Json) -> list[list[str]]:
    """Every random answer, as a stranger works it out from the published seed: what was added to it counts
    from the answer on that is named."""
    base = re.sub(r"@\d+:[\w-]+=[\w-]+", "", told["seed"])
    added = re.findall(r"@(\d+):([\w-]+=[\w-]+)", told["seed"])
    found = []
    for roll in told["rolls"]:
        seed = base + "".join(f"@{at}:{what}" for at, what in added if int(at) <= roll["after"])
        number = draw(seed, roll["draw"], sum(weight for _, weight in roll["weights"]))
        found.append([answer for answer, weight in roll["weights"] for _ in range(weight)][number])
    return found


def test_d1_the_promise_is_stored_and_a_seed_exchanged_later_shows(database: str, start: Start) -> None:
    """It was worked out from whatever seed was in the row: an exchanged seed verified."""
    with start(database) as client:
        table = client.table(hotseat=True)
        seat = table.seat("amber")
        assert table.promise == seat.state()["commitment"]
    engine = sa.create_engine(database)
    with engine.begin() as connection:
        connection.execute(sa.text("UPDATE tables SET seed = 'another'"))
    engine.dispose()
    with start(database) as client:
        seat = seat.at(client)
        assert seat.state()["commitment"] == table.promise
        good(seat.post("/resign"))
        told = good(seat.get("/rolls"))
    # What the browser kept does not fit what is published.
    assert told["commitment"] == table.promise != commitment(told["seed"])


def test_d2_each_players_share_is_in_the_dice(client: Client) -> None:
    """The server draws its secret first; then nobody knows the dice without the players' shares."""
    table = client.table("secrets")
    red, blue = table.seat("red"), table.seat("blue")
    before = red.state()
    assert before["dice"] == {"shares": {}, "take_backs": 0}
    assert good(red.post("/share", {"share": "ab" * 16}))["dice"]["shares"] == {"red": "ab" * 16}
    again = red.post("/share", {"share": "00" * 16})
    assert again.status_code == 422 and again.json()["code"] == "shared-already"
    # A share is no move: what one was about to answer still counts.
    assert red.state()["version"] == before["version"]
    red.play("choose", "5")
    red.play("commit")
    good(blue.post("/share", {"share": "cd" * 16}))
    for seat, number in ((blue, "7"), (red, "11"), (blue, "3")):
        seat.play("choose", number)
        seat.play("commit")
    assert table.watch.post("/share", {"share": "ef" * 16}).status_code == 403
    for bad in ("", "xyz", "AB" * 16, "ab", "0" * 65):
        assert blue.post("/share", {"share": bad}).status_code == 422
    good(blue.post("/resign"))
    told = good(table.watch.get("/rolls"))
    assert sha256(f"commit/{seed_at(told['seed'], -1)}".encode()).hexdigest() == table.promise
    assert entropy(told["seed"]) == {"red": "ab" * 16, "blue": "cd" * 16}
    assert told["rolls"] and recomputed(told) == [roll["answer"] for roll in told["rolls"]]


def test_d2_shares_are_there_after_a_restart_and_in_the_save(database: str, start: Start) -> None:
    with start(database) as client:
        seat = client.table(hotseat=True).seat("amber")
        play_on([seat], Random(1), 15)
        good(seat.post("/share", {"share": "12" * 16}))
        play_on([seat], Random(2), 15)
        last = seat.state()
    with start(database) as client:
        seat = seat.at(client)
        assert seat.state() == last and set(last["dice"]["shares"]) == {"amber", "cobalt"}
        save = good(seat.get("/save"))
        assert "@" in save["seed"]
        text = seat.get("/save").text
        made = good(client.post("/api/saves", json={"text": text, "hotseat": True}))
        other = Seat(client, made["table"], made["seats"]["amber"])
        assert other.state()["view"] == last["view"]


def test_d1_a_finished_game_is_checked_by_replaying_its_journal(
    client: Client, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Every answer is given again under the rules, every die is rolled again from the seed, and the seed is
    the one that was promised: shares of the players and take-backs included."""
    table = client.table(hotseat=True)
    seat = table.seat("amber")
    good(seat.post("/share", {"share": "ab" * 16}))
    fought(seat)
    good(seat.post("/takeback", {"to": seat.state()["moments"] - 1}))
    state = play_on([seat], Random(4), 1000)
    assert state["over"] and state["dice"]["take_backs"] == 1
    text = seat.get("/save").text

    def checked(save: str, promise: str) -> tuple[int, str]:
        file = tmp_path / "game.json"
        file.write_text(save, encoding="utf-8")
        status = main(["replay", str(file), "--promise", promise, "--lang", "en"])
        told = capsys.readouterr()
        return status, told.out + told.err

    assert checked(text, table.promise)[0] == 0
    save = json.loads(text)
    number = next(n for n, words in enumerate(save["actions"]) if words[:2] == ["chance", "cast"])
    # A die that was not rolled, and an answer that the rules refuse.
    for words in (["chance", "cast", str(int(save["actions"][number][2]) % 6 + 1)], ["amber", "dusk"]):
        forged = {**save, "actions": [*save["actions"]]}
        forged["actions"][number] = words
        status, told = checked(json.dumps(forged), table.promise)
        assert status == 1 and f"answer {number + 1}" in told
    # A whole game that is sound, but has another seed than was promised.
    other = client.table(hotseat=True).seat("amber")
    play_on([other], Random(5), 1000)
    status, told = checked(other.get("/save").text, table.promise)
    assert status == 1 and "not the one that was promised" in told


def warlike(state: Json) -> list[str]:
    """Amber's first marches up to Cobalt's first, is fired at on its way, and storms it."""
    here = next(unit["hex"] for unit in state["view"]["units"] if unit["id"] == "first-amber")
    march = ["rest"] if here == "0302" else ["tread 0302", "tread 0202", "lift first-amber", "rest"]
    fight = ["snipe first-cobalt", "abstain", "storm", "rally first-amber", "assail 0402"]
    options = offered(state)
    wanted = [words.split() for words in ("stake amber-3", "stake cobalt-1", *fight, *march, "dusk")]
    return next(words for words in wanted if words in options)


def fought(seat: Seat) -> tuple[int, list[str]]:
    """Play until an answer has rolled a die: the moment before it, and the answer."""
    while True:
        before = wait_for_turn(seat)
        assert not before["over"]
        words = warlike(before)
        lines = before["log_length"]
        seat.play(*words)
        if any(line["dice"] for line in seat.log(lines)):
            return before["moments"], words


@pytest.mark.parametrize("opponent", ["hotseat", "computer"])
def test_l5_dice_that_were_seen_are_not_rolled_again(client: Client, opponent: str) -> None:
    """Fight, look, take back, spend the bad die elsewhere: five attacks, die 5 each time."""
    # In fog the computer does not fire: the first die is that of Amber's own attack.
    fog = {"seats": {"cobalt": "random"}, "options": {"fog": True}}
    seat = client.table(**({"hotseat": True} if opponent == "hotseat" else fog)).seat("amber")
    moment, words = fought(seat)
    rolled = set()
    for times in range(1, 9):
        state = good(seat.post("/takeback", {"to": moment}))
        assert state["dice"]["take_backs"] == times and state["moments"] == moment
        seat.play(*words)
        rolled.add(next(die["value"] for line in seat.log(state["log_length"]) for die in line["dice"]))
    assert len(rolled) > 1


def test_l5_dice_before_a_take_back_stay_what_they_were(client: Client) -> None:
    seat = client.table(hotseat=True).seat("amber")
    fought(seat)
    kept = [line for line in seat.log() if line["dice"]]
    here = seat.state()["moments"]
    fought(seat)
    good(seat.post("/takeback", {"to": here}))
    assert [line for line in seat.log() if line["dice"]] == kept
    fought(seat)
    good(seat.post("/takeback", {"to": here - 1}))
    fought(seat)
    good(seat.post("/resign"))
    told = good(seat.get("/rolls"))
    assert recomputed(told) == [roll["answer"] for roll in told["rolls"]]
    assert take_backs(told["seed"]) == 2


def test_l5_another_table_from_the_middle_tells_nothing_of_this_ones_dice(client: Client) -> None:
    seat = client.table(hotseat=True).seat("amber")
    fought(seat)
    made = good(seat.post("/branch", {"to": seat.state()["moments"], "name": "what if"}))
    other = Seat(client, made["table"], made["seats"]["amber"])
    good(other.post("/resign"))
    assert other.state()["seed"] is None and other.get("/rolls").status_code == 403


def test_a_seed_and_what_was_added_to_it() -> None:
    seed = with_share(with_share("ff", 3, "red", "aa"), 9, "blue", "bb")
    assert [seed_at(seed, n) for n in (0, 3, 8, 9)] == [
        *("ff", "ff@3:red=aa", "ff@3:red=aa", "ff@3:red=aa@9:blue=bb"),
    ]
    once = rolled_anew(seed, 5)
    assert once == "ff@3:red=aa@5:blue=bb@5:again=1"
    assert rolled_anew(once, 7) == once + "@7:again=2"
    # Going back behind an earlier take-back uses its number no more.
    assert rolled_anew(once, 4) == "ff@3:red=aa@4:blue=bb@4:again=2"
    assert seed_at(rolled_anew(seed, 5), 4) == seed_at(seed, 4)
    assert commitment(once) == commitment("ff") and seed_at("a@b", -1) == "a@b"
