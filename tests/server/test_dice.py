"""The dice can be checked by anybody: here with hashlib alone, as a stranger would from the description."""

from __future__ import annotations

from hashlib import sha256
from random import Random

from tests.server.table import Client, good, play_on


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
    table = client.table()
    german, soviet = table.seat("german"), table.seat("soviet")
    promised = german.state()["commitment"]
    state = play_on([german, soviet], Random(31), 150)
    assert state["commitment"] == promised
    for seat in (german, soviet, table.watch):
        assert seat.get("/rolls").status_code == 403
    good(soviet.post("/resign"))
    told = good(table.watch.get("/rolls"))
    assert told["seed"] == german.state()["seed"]
    assert told["commitment"] == promised == sha256(f"commit/{told['seed']}".encode()).hexdigest()
    rolls = told["rolls"]
    assert len(rolls) >= 5
    assert [roll["draw"] for roll in rolls] == list(range(len(rolls)))
    for roll in rolls:
        number = draw(told["seed"], roll["draw"], sum(weight for _, weight in roll["weights"]))
        drawn = [answer for answer, weight in roll["weights"] for _ in range(weight)][number]
        assert drawn == roll["answer"]
    dice = [die["value"] for line in german.log() for die in line["dice"]]
    assert dice and dice == [int(roll["answer"][1]) for roll in rolls if roll["answer"][0] == "roll"]


def test_seeds_are_not_repeated_and_not_guessable(quick_client: Client) -> None:
    seats = [quick_client.table(hotseat=True).seat("german") for _ in range(5)]
    seeds = {good(seat.post("/resign"))["seed"] for seat in seats}
    assert len(seeds) == 5
    assert all(len(bytes.fromhex(seed)) == 16 for seed in seeds)
