"""A month by correspondence: paces, leave and lost time, on a clock that the test sets. Nobody sleeps."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from grognard.server.clocks import due, leave_left, on_leave
from grognard.server.deadlines import answer_late
from grognard.server.store import SeatRow, TableRow
from tests.server.table import Client, Seat, Table, good, lay_wagers, offered

DAY = 86_400.0
START = 2_000_000_000.0
PACE, LEAVE = int(3 * DAY), int(10 * DAY)


class Calendar:
    """What time it is at a server."""

    def __init__(self, client: Client) -> None:
        self.client, self.now = client, START
        client.app.state.store.clock = lambda: self.now  # type: ignore[attr-defined]

    def after(self, days: float) -> int:
        """Let days pass; how many answers were given for those who were late."""
        self.now += days * DAY
        rooms: Any = self.client.app.state.rooms  # type: ignore[attr-defined]
        assert self.client.portal is not None
        return self.client.portal.call(answer_late, rooms, self.now)


@pytest.fixture
def calendar(client: Client) -> Iterator[Calendar]:
    usual = client.app.state.store.clock  # type: ignore[attr-defined]
    yield Calendar(client)
    client.app.state.store.clock = usual  # type: ignore[attr-defined]


def agreed(client: Client, **wish: Any) -> tuple[Table, Seat, Seat]:
    """A table by correspondence at which Amber is asked and Cobalt waits."""
    table = lay_wagers(client.table(**{"pace": PACE, "leave": LEAVE, **wish}))
    return table, table.seat("amber"), table.seat("cobalt")


def answer(seat: Seat) -> None:
    """Something that everybody sees."""
    seat.play(*offered(seat.state())[0])


def leave(seat: Seat, days: int) -> Any:
    return seat.post("/leave-of-absence", {"days": days})


def test_a_month_with_holidays_and_an_opponent_who_vanishes(client: Client, calendar: Calendar) -> None:
    table, amber, cobalt = agreed(client)
    assert amber.state()["clock"]["due"] == {"amber": START + PACE}
    # The first fortnight: an answer every two days, so nobody's time is ever up.
    for _ in range(7):
        calendar.after(2)
        asked = next(seat for seat in (amber, cobalt) if seat.state()["decision"])
        other = cobalt if asked is amber else amber
        assert other.post("/claim").json()["code"] == "not-late"
        answer(asked)
    asked = next(seat for seat in (amber, cobalt) if seat.state()["decision"])
    other = cobalt if asked is amber else amber
    side = asked.state()["you"][0]

    # A week at the sea: the clock stands for so long, and runs on with what was left of it.
    calendar.after(1)
    good(leave(asked, 7))
    clock = other.state()["clock"]
    assert clock["due"] == {side: calendar.now + 9 * DAY}
    assert clock["away"][side] == calendar.now + 7 * DAY
    calendar.after(8)
    assert other.post("/claim").status_code == 403
    # Three days of leave are left at this table, and no more.
    assert leave(asked, 4).json()["code"] == "no-leave-left"
    good(leave(asked, 2))
    calendar.after(1)
    # Back a day early: that day is not lost.
    good(leave(asked, 0))
    assert asked.state()["clock"]["taken"][side] == 8 * DAY
    assert asked.state()["clock"]["due"] == {side: calendar.now + DAY}

    # And then nothing more is heard.
    calendar.after(0.9)
    assert other.post("/claim").status_code == 403
    calendar.after(0.2)
    assert asked.post("/claim").status_code == 403, "who is waited for has nothing to claim"
    assert table.watch.post("/claim").status_code == 403
    # The other may wait as long as he likes: nothing happens by itself.
    assert calendar.after(5) == 0 and not other.state()["over"]
    state = good(other.post("/claim", lang="fr"))
    outcome = state["outcome"]
    assert state["over"] and outcome["winner"] == other.state()["you"][0]
    assert (outcome["level"], outcome["late"], outcome.get("resigned")) == ("late", side, None)
    assert calendar.now - START >= 30 * DAY
    told = [line["code"] for line in good(other.get("/chat"))]
    assert told == ["on-leave", "on-leave", "back", "claimed"]


def test_who_comes_back_late_may_still_play_if_nobody_claimed(client: Client, calendar: Calendar) -> None:
    _, amber, cobalt = agreed(client)
    calendar.after(20)
    # Leave that is asked for when the time is up does not give it back.
    good(leave(amber, 5))
    assert amber.state()["clock"]["due"] == {"amber": START + PACE}
    answer(amber)
    assert cobalt.post("/claim").status_code == 403
    assert not amber.state()["over"]


def test_nobodys_clock_runs_before_he_has_sat_down(client: Client, calendar: Calendar) -> None:
    table = client.table(pace=PACE)
    table.seat("amber").play("stake", "amber-3")
    calendar.after(30)
    assert table.seat("amber").post("/claim").status_code == 403
    cobalt = table.seat("cobalt")
    assert cobalt.state()["clock"]["due"]["cobalt"] == calendar.now + PACE
    calendar.after(2)
    assert table.seat("amber").post("/claim").status_code == 403
    calendar.after(2)
    assert good(table.seat("amber").post("/claim"))["outcome"]["late"] == "cobalt"


def test_what_is_written_in_secret_moves_no_clock_and_opens_no_claim(
    client: Client, calendar: Calendar
) -> None:
    """Both write their wagers: neither learns from the clocks whether the other one has."""
    table = client.table(pace=PACE)
    amber, cobalt = table.seat("amber"), table.seat("cobalt")
    before = cobalt.state()["clock"]
    calendar.after(1)
    amber.play("stake", "amber-3")
    assert cobalt.state()["clock"] == before
    calendar.after(1)
    assert cobalt.post("/claim").status_code == amber.post("/claim").status_code == 403
    calendar.after(2)
    # Cobalt has not written either: there is nothing that he could claim.
    assert cobalt.post("/claim").status_code == 403


def test_a_table_without_a_pace_has_no_clock(client: Client, calendar: Calendar) -> None:
    _, amber, cobalt = agreed(client, pace=0, leave=0)
    calendar.after(300)
    assert amber.state()["clock"] is None
    assert cobalt.post("/claim").status_code == leave(amber, 1).status_code == 403


ROW = TableRow("t", "g", "", "", "s", {}, "", "", False, False, "", 0, 0, pace=100, leave=50, since=1000.0)
PLACE = SeatRow("t", "amber", "", "human", "", True)


def test_leaves_of_one_wait_add_up() -> None:
    one = on_leave(ROW, PLACE, 1020, 10)
    assert one is not None and due(ROW, one) == 1110
    two = on_leave(ROW, one, 1050, 20)
    assert two is not None and due(ROW, two) == 1130
    assert leave_left(ROW, two, 1200) == 20
    longer = on_leave(ROW, two, 1060, 15)
    assert longer is not None and due(ROW, longer) == 1135 and leave_left(ROW, longer, 1200) == 15
    assert on_leave(ROW, longer, 1200, 16) is None
    # What was used up before the wait does not count in it.
    assert due(ROW._replace(since=1300.0), longer) == 1400


def test_one_word_stops_the_clocks_at_all_tables_of_an_account(client: Client, calendar: Calendar) -> None:
    made = client.post("/api/account", json={"name": "Traveller", "passphrase": "a boat and two rivers"})
    headers = {"Authorization": f"Bearer {made.json()['session']}"}
    tables = [agreed(client)[0], agreed(client, leave=int(2 * DAY))[0], agreed(client, pace=0)[0]]
    for table in tables:
        body = {"table": table.id, "token": table.tokens["amber"]}
        good(client.post("/api/account/seats", json=body, headers=headers))
    told = good(client.post("/api/account/leave-of-absence", json={"days": 5}, headers=headers))
    assert told == {"taken": [tables[0].id], "refused": [tables[1].id]}
    assert tables[0].watch.state()["clock"]["away"] == {"amber": START + 5 * DAY}
    good(client.post("/api/account/leave-of-absence", json={"days": 0}, headers=headers))
    assert tables[0].watch.state()["clock"]["taken"] == {"amber": 0, "cobalt": 0}
