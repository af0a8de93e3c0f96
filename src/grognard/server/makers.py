"""Whose tables are waiting: known by a hash of the address that only this database's servers can make."""

from __future__ import annotations

import asyncio
from hashlib import blake2b

from fastapi import Request

from grognard.server.quotas import asker


async def maker_of(request: Request) -> str:
    state = request.app.state
    if not getattr(state, "maker_key", ""):
        state.maker_key = await asyncio.to_thread(state.store.key, "makers")
    key = bytes.fromhex(state.maker_key)
    return blake2b(asker(request.scope).encode(), key=key, digest_size=16).hexdigest()


async def most_waiting(request: Request, maker: str) -> int:
    """How many listed tables of this maker may wait for somebody, if there are that many; else 0."""
    quotas = request.app.state.settings.quotas
    if quotas is None:
        return 0
    waiting = await asyncio.to_thread(request.app.state.store.waiting_tables, maker)
    return int(quotas.waiting_tables) if waiting >= quotas.waiting_tables else 0
