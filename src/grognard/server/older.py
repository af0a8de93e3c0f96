"""Tables of other releases, opened: played on with the data they were made with, or shown as they fit."""

from __future__ import annotations

import json
from typing import Any

from grognard.kernel import Match
from grognard.server.archive import Opened, StaleTableError
from grognard.server.chain import Chain
from grognard.server.journal import Entry, Stage
from grognard.server.logbook import Logbook
from grognard.server.releases import Releases, fit
from grognard.server.store import Store, TableRow


def open_older(store: Store, releases: Releases, row: TableRow) -> Opened:
    """A table that was made with other data or rules than those in use, or that these rules refuse."""
    stored = store.journal(row.id)
    how = fit(releases, row, stored)
    if how is None:
        raise StaleTableError(row.game)
    match: Match[Any] = Match(how.game, row.scenario, row.options, row.seed)
    match.replay(how.words)
    # Answers that were read anew are others, and nothing is known of the orders that they were part of.
    joined = store.joined(row.id) if how.words == stored else set[int]()
    match.join(joined)
    chain = Chain()
    chain.grow(0, how.words)
    if not how.pinned and (row.rules != how.game.rules_version or how.words != stored):
        row = _renewed(store, row, how.game.rules_version, how.words, joined, chain)
    match.kept = match.length
    row = row._replace(length=match.length)
    book = Logbook(how.game, {})
    opened = Opened(how.game, row, store.seats(row.id), match, store.plans(row.id), chain, book)
    return opened._replace(pinned=how.pinned, older=how.game is not releases.games.get(row.game))


def _renewed(
    store: Store, row: TableRow, rules: str, words: list[list[str]], joined: set[int], chain: Chain
) -> TableRow:
    """Write down that a table has gone over to the present rules, and its journal as they read it."""
    stage = Stage(row.turn, row.phase, row.actor, row.over)
    entry = Entry(row.id, row.length, 0, words, stage, seen=False, changes=row.changes, chain=chain.last)
    if store.write([entry._replace(joined=joined)])[0]:
        store.update(row.id, rules=rules)
    return store.table(row.id) or row


def raw_save(store: Store, row: TableRow) -> str:
    """A table as it was stored, for reading elsewhere: nothing of it is understood here any more."""
    head = {
        "format": 2,
        "game": row.game,
        "rules": row.rules,
        "data": row.data,
        "scenario": row.scenario,
        "options": row.options,
        "seed": row.seed,
        "hash": "",
        "actions": store.journal(row.id),
    }
    return json.dumps(head, ensure_ascii=False, indent=1) + "\n"
