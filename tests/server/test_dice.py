"""The dice can be checked by anybody: here with hashlib alone, as a stranger would from the description."""

from __future__ import annotations

from hashlib import sha256
from random import Random

from tests.server.table import Client, good, offered, play_on


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
