"""For whoever runs the server: whether it is well, and its figures."""

from __future__ import annotations

import asyncio

import sqlalchemy as sa
from fastapi import APIRouter, HTTPException, Request
from fastapi.responses import JSONResponse, PlainTextResponse, Response

from grognard import __version__
from grognard.server import metrics, wire
from grognard.server.doors.visits import answers
from grognard.server.quotas import refused
from grognard.server.store import Store

router = APIRouter()

PATIENCE = 5.0
"""Seconds in which a database that is well answers."""


@router.get("/api/health", responses=answers(wire.Health))
async def health(request: Request) -> Response:
    """Whether games can be read and written here now."""
    try:
        await asyncio.wait_for(asyncio.to_thread(_ask, request.app.state.store), PATIENCE)
    except (sa.exc.SQLAlchemyError, OSError, TimeoutError):
        return refused("storage", 503, request.scope, PATIENCE)
    return JSONResponse({"status": "ok", "version": __version__})


@router.get("/openapi.json", include_in_schema=False)
async def description(request: Request) -> Response:
    """Of all doors. It is made when it is first asked for, beside what else is asked meanwhile."""
    return JSONResponse(await asyncio.to_thread(request.app.openapi))


@router.get("/metrics", include_in_schema=False)
async def figures(request: Request) -> Response:
    if not metrics.may_read(request, request.app.state.settings.metrics_word):
        raise HTTPException(404)
    told = metrics.text(request.app)
    return PlainTextResponse(told, media_type="text/plain; version=0.0.4; charset=utf-8")


def _ask(store: Store) -> None:
    with store.engine.connect() as connection:
        connection.execute(sa.text("SELECT 1 FROM tables LIMIT 1"))
