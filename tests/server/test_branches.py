"""Playing on from a moment of the past as another table; giving again all that was taken back."""

from __future__ import annotations

from tests.server.table import Client, Json, Table, good


def marched(table: Table) -> None:
    seat = table.seat("german")
    for unit in ("1-inf", "11-inf"):
        for words in (("pick", unit), ("step", "0212"), ("halt",)):
            seat.play(*words)


def branch(table: Table, side: str, to: int) -> Table:
    made: Json = good(table.seat(side).post("/branch", {"to": to, "name": "Luga, from turn 1"}))
    return Table(table.client, made)


def test_a_branch_goes_on_from_its_moment(client: Client) -> None:
    table = client.table(hotseat=True)
    marched(table)
    other = branch(table, "german", 3)
    state = other.seat("german").state()
    assert (state["moments"], state["name"]) == (3, "Luga, from turn 1")
    units = {unit["id"]: unit["hex"] for unit in state["view"]["units"]}
    assert (units["1-inf"], units["11-inf"]) == ("0212", "0112")
    # The first table is as it was.
    assert table.seat("german").state()["moments"] == 6
    other.seat("german").play("pick", "11-inf")
    assert table.seat("german").state()["moments"] == 6


def test_a_branch_keeps_the_computer_in_its_seat(client: Client) -> None:
    table = client.table(seats={"soviet": "random"}, teacher=True)
    marched(table)
    other = branch(table, "german", 0)
    state = other.seat("german").state()
    assert state["players"]["soviet"]["kind"] == "random"
    assert (state["you"], state["teacher"], state["moments"]) == (["german"], True, 0)


def test_two_people_have_no_branches_before_the_end(client: Client) -> None:
    """The dice to come are those of the first table."""
    table = client.table()
    marched(table)
    assert table.seat("german").post("/branch", {"to": 1}).status_code == 422
    assert table.watch.post("/branch", {"to": 1}).status_code == 403
    table.seat("soviet").post("/resign")
    assert branch(table, "german", 1).seat("german").state()["you"] == ["german", "soviet"]


def test_no_branch_from_a_moment_that_never_was(client: Client) -> None:
    table = client.table(hotseat=True)
    assert table.seat("german").post("/branch", {"to": 9}).status_code == 422


def test_all_that_was_taken_back_is_given_again(client: Client) -> None:
    table = client.table(hotseat=True)
    marched(table)
    seat = table.seat("german")
    before = seat.state()
    good(seat.post("/undo", {"to": "phase"}))
    assert seat.state()["moments"] == 0
    good(seat.post("/redo", {"to": "all"}))
    assert seat.state()["version"] == before["version"]


def test_moments_say_how_far_the_log_had_come(client: Client) -> None:
    table = client.table(hotseat=True)
    marched(table)
    seat = table.seat("german")
    found = good(seat.get("/moments"))
    assert len(found["lines"]) == found["length"] + 1
    assert found["lines"][-1] == len(seat.log())
    assert found["lines"] == sorted(found["lines"])
