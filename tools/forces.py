# ruff: noqa: E501
"""Writes docs/second-front-forces.md: the orders of battle counted by type, force and date, beside history.
`python tools/forces.py` after a change of the books; a test compares the page with them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from pathlib import Path

from grognard.files.schema import Record
from grognard.games.second_front.books import (
    LAND,
    OFF_MAP,
    STARTS,
    board,
    books,
    on_map,
    owners,
    stacks,
    turns,
)

PAGE = Path(__file__).parents[1] / "docs" / "second-front-forces.md"

HEAD = """# Second Front: the forces counted

Made by `tools/forces.py` from the orders of battle in `src/grognard/games/second_front/oob/`; a test holds the page to them.
Units, dates and ratings are our reconstruction (see [designers.md](designers.md) on provenance). Figures of history are from the
standard works, mostly from memory; those with a source were found published.
"""

HISTORY = [
    ("Jul I 43", "Axis", "German divisions in the West", "42 to 44"),
    ("Jul I 43", "Axis", "German divisions in Italy and the islands", "5 to 6"),
    (
        "Jul I 43",
        "Axis",
        "Italian divisions at home, in Corsica and southern France",
        "about 60, some 20 of them coastal",
    ),
    ("Apr I 44", "Axis", "German divisions in the West", "about 55, with reserve divisions"),
    ("Apr I 44", "Axis", "German divisions in Italy", "22 to 24"),
    ("Apr I 44", "Allied", "Allied divisions in Italy", "about 21"),
    ("Apr I 44", "Allied", "Allied divisions in Great Britain", "about 35"),
]

DIFFERENCES = """## Differences from the drafts' own counts

- *Allied events: 347, not 392.* Twenty lines with sizes of garrisons are gone: they gave other numbers than the chart
  of Allied garrisons, which is the only place now. So are seven of monthly production, which the chart of replacements
  contradicted (British armour 4 against 2.5 a month, for one), twelve of air points, now a chart, and eight dated rules
  that the calendar has. Two lines with what is in stock at the start dates are left of them.
- *Axis events: 746, not 771.* Eight lines of points given up to the East and seven of the Soviet advance are gone, since
  two charts gave other numbers and dates; seven of air points are a chart now, and three dated rules stand in the calendar.
- *Axis set-up of April 1944.* Twenty-one units of the South still stood where the Allies had been for months (Sicily, Sardinia,
  Corsica, Calabria, Naples, Foggia, Capua). They stand in Lazio, Abruzzi, Tuscany and the north now; none was taken away.
- *Front of April 1944.* The drafts put both sides into Anzio, Naples, Foggia and Gaeta. Anzio is a beachhead of two hexes, the
  Allies hold the left bank of the Garigliano, Venafro, the upper Sangro and Ortona, the Germans Gaeta, Cassino and the Maiella.
- *Sectors spread.* Stacks of up to 34 counters were sectors, not hexes. They are spread so that every stack is legal (8A); what
  found no room in the beachhead waits near Naples.
- *Ports.* The fortification and the mines of Hoek van Holland lie in the hex of The Hague, the mines of Gela off Licata: there are
  ports there.
- *Beside history.* The 49 German divisions in the West in July 1943 count five that form and two reserve divisions; the 45 in
  Great Britain nine reserve divisions and a replacement centre that never left; the 24 in Italy the replacement centre and
  divisions that had just landed at Naples.
- *Rulings* are a page of their own in both languages, not a table.
"""


def table(head: Iterable[str], rows: Iterable[Iterable[object]]) -> str:
    lines = ["| " + " | ".join(head) + " |"]
    lines.append("|" + "---|" * (lines[0].count("|") - 1))
    lines += ["| " + " | ".join(map(str, row)) + " |" for row in rows]
    return "\n".join(lines) + "\n"


def force(unit: Record, side: str) -> str:
    return str(unit["nation"] if side == "Axis" else unit["force"])


def there(unit: Record, start: str) -> bool:
    """Whether a unit is in play when a scenario begins, on the map or off it; counters in the pool are not."""
    columns = STARTS[start]
    pool = unit.values.get(f"{columns}_status") == "counter pool"
    return unit[f"{columns}_theatre"] is not None and not pool


def divisions(start: str, side: str, what: str) -> int:
    columns = STARTS[start]
    found = 0
    for unit in books()[LAND[side]].records:
        if unit["size"] != "XX" or not there(unit, start) or "agra" in str(unit["id"]):
            continue
        theatre, place = unit[f"{columns}_theatre"], str(unit[f"{columns}_place"] or "")
        status = unit.values.get(f"{columns}_status")
        german = force(unit, side) == "German"
        found += {
            "German divisions in the West": german and theatre == "West" and status != "garrison",
            "German divisions in Italy and the islands": german
            and theatre == "South"
            and status != "garrison",
            "German divisions in Italy": german and theatre == "South" and status != "garrison",
            "Italian divisions at home, in Corsica and southern France": force(unit, side) == "Italian",
            "Allied divisions in Italy": place.startswith(("Italy", "Anzio"))
            and force(unit, side) != "Italian",
            "Allied divisions in Great Britain": place.startswith("England"),
        }[what]
    return found


def by_force() -> str:
    rows = []
    for side in LAND:
        records = books()[LAND[side]].records
        for name in dict.fromkeys(force(unit, side) for unit in records):
            mine = [unit for unit in records if force(unit, side) == name]
            starting = [sum(there(unit, start) for unit in mine) for start in STARTS]
            xx = [sum(there(unit, start) and unit["size"] == "XX" for unit in mine) for start in STARTS]
            rows.append((side, name, len(mine), starting[0], xx[0], starting[1], xx[1]))
    head = ("side", "force", "counters", "Jul I 43", "divisions", "Apr I 44", "divisions")
    return table(head, rows)


def by_type() -> str:
    found: dict[str, Counter[str]] = {}
    for side in LAND:
        for unit in books()[LAND[side]].records:
            counts = found.setdefault(str(unit["type"]), Counter())
            counts[side] += 1
            for start in STARTS:
                counts[f"{side} {start}"] += there(unit, start)
    columns = [name for side in LAND for name in (side, *(f"{side} {start}" for start in STARTS))]
    order = sorted(found, key=lambda kind: (-sum(found[kind][side] for side in LAND), kind))
    rows = [(kind, *(found[kind][name] or "" for name in columns)) for kind in order]
    return table(("type", *columns), rows)


def on_the_map() -> str:
    rows = []
    for start in STARTS:
        found, owner = stacks(start), Counter(owners(start).values())
        for side in LAND:
            units = [unit for _, unit in on_map(start, side)]
            hexes = sum(side in sides for sides in found.values())
            most = max(len(sides[side]) for sides in found.values() if side in sides) if hexes else 0
            rows.append((start, side, len(units), hexes, most, owner[side]))
    return table(("start", "side", "counters on the map", "hexes", "largest stack", "land hexes owned"), rows)


def by_turn() -> str:
    names = {number: name for name, number in turns().items()}
    counts: dict[int, Counter[str]] = {number: Counter() for number in names}
    for unit in books()["allied_land"].records:
        if unit["arrive_turn"]:
            counts[turns()[unit["arrive_turn"]]]["Allied in"] += 1
    leaving = {"withdraw", "disband", "air withdraw", "naval withdraw"}
    for event in books()["allied_events"].records:
        if event["kind"] in leaving:
            counts[turns()[event["turn"]]]["Allied out"] += 1
    arriving = {"reinforce", "arrive", "complete", "add to garrison"}
    for event in books()["axis_events"].records:
        if event["verb"] in arriving and "do not execute" not in str(event["binding"]):
            counts[turns()[event["turn"]]]["Axis in"] += 1
        elif event["verb"] == "withdraw" or event["to"] in ("East", "North", "South-East"):
            counts[turns()[event["turn"]]]["Axis out"] += 1
    columns = ("Axis in", "Axis out", "Allied in", "Allied out")
    rows = [(names[number], *(counts[number][c] or "" for c in columns)) for number in sorted(counts)]
    return table(("turn", *columns), rows)


def page() -> str:
    history = [
        (start, side, what, divisions(start, side, what), known) for start, side, what, known in HISTORY
    ]
    parts = [
        HEAD,
        "## By force\n\nCounters in all, and those in play at the two start dates, on the map or off it.\n",
        by_force(),
        "## Divisions beside history\n",
        table(("date", "side", "what", "ours", "history"), history),
        f"## On the map\n\n{len(board().cells)} hexes. Off the map: {', '.join(sorted(OFF_MAP))}, and the boxes.\n",
        on_the_map(),
        DIFFERENCES,
        "## By turn\n\nLand units that arrive, and units that leave for good or for a theatre outside the game.\n",
        by_turn(),
        "## By type\n",
        by_type(),
    ]
    return "\n".join(parts)


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
