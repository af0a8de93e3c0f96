"""The application: the doors put together, with the guards round them."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from functools import cache
from inspect import signature
from typing import Any

from fastapi import FastAPI
from starlette.middleware.gzip import GZipMiddleware

from grognard.kernel import Game
from grognard.kernel.registry import game_ids, load_game
from grognard.server.accounts import Accounts
from grognard.server.deadlines import keep_time
from grognard.server.description import describe
from grognard.server.doors import (
    accounts,
    advice,
    exhibits,
    games,
    live,
    notices,
    operation,
    past,
    people,
    seats,
    tables,
)
from grognard.server.doors.games import make_kits
from grognard.server.doors.page import add_errors, add_page
from grognard.server.doors.quick import QuickAnswers
from grognard.server.hosts import Hosts
from grognard.server.limits import BODY_LIMIT, SAVE_LIMIT, BodyLimit, SecurityHeaders
from grognard.server.metrics import Figures, Gauge
from grognard.server.notices import Postman
from grognard.server.pictures import Maps, Pictures, start_drawing
from grognard.server.quotas import Meter, Quotas, Turnstile
from grognard.server.resuming import resume_computers
from grognard.server.rooms import Rooms
from grognard.server.settings import ServerSettings
from grognard.server.store import Store
from grognard.server.workbench import Premises, guests
from grognard.server.workshop import Workshop

DOORS = (games, exhibits, accounts, tables, seats, notices, past, advice, people, live, operation)


def _without_telemetry() -> dict[str, Any]:
    """Newer frameworks look for somebody who measures them, with every request. Our figures are our own."""
    if "telemetry" not in signature(FastAPI.__init__).parameters:
        return {}
    return {"telemetry": {"tracing": False, "metrics": False, "logs": False}}


def create_app(settings: ServerSettings, games: Mapping[str, Game[Any]] | None = None) -> FastAPI:
    """The application, with the games that are installed or named in the settings unless others are given."""
    store = Store(settings.database)
    if games is None:
        games = {id_: load_game(id_, settings.overrides) for id_ in settings.games or game_ids()}
    pictures = Pictures(settings.cache, Maps(games, settings.overrides))

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        premises = Premises(settings.database, settings.cache, settings.overrides, guests(games))
        app.state.rooms = Rooms(store, games, Workshop(premises, settings.helpers, games))
        app.state.rooms.scribe.timed = app.state.figures.wrote
        made = make_kits(games if settings.draw_ahead else (), app.state.kits, app.state.rooms.workshop)
        making = asyncio.create_task(made)
        drawing = start_drawing(settings.cache, settings.overrides) if settings.draw_ahead else None
        await asyncio.to_thread(app.state.rooms.releases.keep_current)
        clocks = asyncio.create_task(keep_time(app.state.rooms))
        app.state.postman = Postman(app.state.rooms, settings, app.state.at_home)
        round_ = asyncio.create_task(app.state.postman.go_round())
        resuming = asyncio.create_task(resume_computers(app.state.rooms, app.state.at_home))
        yield
        if drawing is not None:
            # What is half drawn is drawn again another time.
            drawing.terminate()
        tasks = (making, resuming, clocks, round_)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await app.state.rooms.close()
        store.close()

    # No pages of documentation: theirs run other people's scripts on our address.
    app = FastAPI(
        title="Grognard",
        version="1",
        lifespan=lifespan,
        docs_url=None,
        redoc_url=None,
        openapi_url=None,
        **_without_telemetry(),
    )
    app.state.store = store
    app.state.accounts = Accounts(store)
    # Which tables are this server's own, if there are several.
    app.state.at_home = lambda table: True
    app.state.games = games
    app.state.settings = settings
    app.state.pictures = pictures
    app.state.kits = {}
    app.state.exhibits = {}
    for door in DOORS:
        # The doors themselves, which are the same for every application: including a router makes all of them
        # again, and each request is then matched router by router.
        app.router.routes.extend(door.router.routes)
    add_page(app)
    add_errors(app)
    _add_guards(app, settings)
    app.openapi = cache(lambda: describe(app))  # type: ignore[method-assign]
    return app


def _add_guards(app: FastAPI, settings: ServerSettings) -> None:
    """What stands round the doors; the last one is met first."""
    app.add_middleware(BodyLimit, limit=BODY_LIMIT, more={"/api/saves": SAVE_LIMIT})
    app.add_middleware(GZipMiddleware, minimum_size=1000, compresslevel=5)
    app.add_middleware(QuickAnswers, whole=app)
    app.state.meter = Meter(settings.quotas or Quotas({}))
    if settings.quotas is not None:
        app.add_middleware(Turnstile, meter=app.state.meter)
    if settings.hosts is not None:
        app.add_middleware(Hosts, names=settings.hosts)
    app.add_middleware(SecurityHeaders)
    app.state.figures = Figures()
    app.add_middleware(Gauge, figures=app.state.figures)
