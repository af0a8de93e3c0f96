"""Playing on from a moment of the past as another table; giving again all that was taken back."""

from __future__ import annotations

from tests.server.table import Client, Json, Table, good, wait_for_turn


def marched(table: Table) -> int:
    """The wagers of both sides, then two marches of Amber; the moment at which they began."""
    for side, token in (("amber", "amber-3"), ("cobalt", "cobalt-1")):
        if side in {**table.tokens, **table.invitations}:
            table.seat(side).play("stake", token)
    begun: int = wait_for_turn(table.seat("amber"))["moments"]
    for unit, hex_ in (("first-amber", "0202"), ("amber-wagon", "0102")):
        for words in (("lift", unit), ("tread", hex_), ("rest",)):
            table.seat("amber").play(*words)
    return begun


def branch(table: Table, side: str, to: int) -> Table:
    made: Json = good(table.seat(side).post("/branch", {"to": to, "name": "Brumont, again"}))
    return Table(table.client, made)


def test_a_branch_goes_on_from_its_moment(client: Client) -> None:
    table = client.table("crossroads", hotseat=True)
    begun = marched(table)
    other = branch(table, "amber", begun + 3)
    state = other.seat("amber").state()
    assert (state["moments"], state["name"]) == (begun + 3, "Brumont, again")
    units = {unit["id"]: unit["hex"] for unit in state["view"]["units"]}
    assert (units["first-amber"], units["amber-wagon"]) == ("0202", "0101")
    # The first table is as it was.
    assert table.seat("amber").state()["moments"] == begun + 6
    other.seat("amber").play("lift", "amber-wagon")
    assert table.seat("amber").state()["moments"] == begun + 6


def test_a_branch_keeps_the_computer_in_its_seat(client: Client) -> None:
    table = client.table("crossroads", seats={"cobalt": "random"}, teacher=True)
    marched(table)
    other = branch(table, "amber", 0)
    state = other.seat("amber").state()
    assert state["players"]["cobalt"]["kind"] == "random"
    assert (state["you"], state["teacher"], state["moments"]) == (["amber"], True, 0)


def test_two_people_have_no_branches_before_the_end(client: Client) -> None:
    """The dice to come are those of the first table."""
    table = client.table("crossroads")
    marched(table)
    assert table.seat("amber").post("/branch", {"to": 1}).status_code == 422
    assert table.watch.post("/branch", {"to": 1}).status_code == 403
    table.seat("cobalt").post("/resign")
    assert branch(table, "amber", 1).seat("amber").state()["you"] == ["amber", "cobalt"]


def test_no_branch_from_a_moment_that_never_was(client: Client) -> None:
    table = client.table("crossroads", hotseat=True)
    assert table.seat("amber").post("/branch", {"to": 9}).status_code == 422


def test_all_that_was_taken_back_is_given_again(client: Client) -> None:
    table = client.table("crossroads", hotseat=True)
    begun = marched(table)
    seat = table.seat("amber")
    before = seat.state()
    good(seat.post("/undo", {"to": "phase"}))
    assert seat.state()["moments"] == begun
    good(seat.post("/redo", {"to": "all"}))
    assert seat.state()["version"] == before["version"]


def test_moments_say_how_far_the_log_had_come(client: Client) -> None:
    table = client.table("crossroads", hotseat=True)
    marched(table)
    seat = table.seat("amber")
    found = good(seat.get("/moments"))
    assert len(found["lines"]) == found["length"] + 1
    assert found["lines"][-1] == len(seat.log())
    assert found["lines"] == sorted(found["lines"])
