"""The page itself, and what is answered when something goes wrong."""

from __future__ import annotations

import logging
from pathlib import Path

import sqlalchemy as sa
from fastapi import FastAPI, HTTPException, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import FileResponse, JSONResponse, PlainTextResponse, Response
from fastapi.staticfiles import StaticFiles
from starlette.convertors import StringConvertor, register_url_convertor
from starlette.routing import Route

from grognard.server.archive import StaleTableError, UnknownTableError
from grognard.server.doors.visits import PinnedError
from grognard.server.quotas import refused
from grognard.server.rooms import SeatError
from grognard.server.scribe import ConflictError

STORAGE_WAIT = 5.0
"""Seconds after which whoever could not be served may try again."""

_log = logging.getLogger(__name__)

STATIC = Path(__file__).parents[1] / "static"


class _PageAddress(StringConvertor):
    """Any address that is not one of the doors'."""

    regex = "(?!api(?:/|$)).*"


register_url_convertor("page", _PageAddress())


def add_page(app: FastAPI) -> None:
    if (STATIC / "assets").is_dir():
        app.mount("/assets", StaticFiles(directory=STATIC / "assets"), name="assets")

    @app.get("/sw.js", include_in_schema=False)
    async def worker() -> Response:
        """What shows pushed messages while no page is open; from the root, so that it is for all pages."""
        if not (STATIC / "sw.js").is_file():
            return PlainTextResponse("The page has not been built: run `make page`.", status_code=503)
        return FileResponse(STATIC / "sw.js", headers={"Cache-Control": "no-cache"})

    @app.get("/icon.svg", include_in_schema=False)
    async def icon() -> Response:
        return FileResponse(STATIC / "icon.svg", headers={"Cache-Control": "max-age=86400"})

    @app.get("/{path:page}", include_in_schema=False)
    async def page(path: str) -> Response:
        index = STATIC / "index.html"
        if not index.is_file():
            return PlainTextResponse("The page has not been built: run `make page`.", status_code=503)
        return FileResponse(index, headers={"Cache-Control": "no-cache"})


def add_errors(app: FastAPI) -> None:
    @app.exception_handler(UnknownTableError)
    async def unknown(request: Request, error: UnknownTableError) -> JSONResponse:
        return JSONResponse({"detail": "no such table"}, status_code=404)

    @app.exception_handler(StaleTableError)
    async def stale(request: Request, error: StaleTableError) -> JSONResponse:
        return refused("unknown-game", 410, request.scope)

    @app.exception_handler(PinnedError)
    async def pinned(request: Request, error: PinnedError) -> JSONResponse:
        return refused(str(error), 410, request.scope)

    @app.exception_handler(ConflictError)
    async def conflict(request: Request, error: ConflictError) -> JSONResponse:
        return JSONResponse({"detail": "another server plays this table"}, status_code=409)

    @app.exception_handler(SeatError)
    async def no_seat(request: Request, error: SeatError) -> JSONResponse:
        return refused("seat-taken", 410 if str(error) == "invitation" else 409, request.scope)

    @app.exception_handler(OSError)
    @app.exception_handler(sa.exc.OperationalError)
    @app.exception_handler(sa.exc.InterfaceError)
    @app.exception_handler(sa.exc.TimeoutError)
    async def no_storage(request: Request, error: Exception) -> JSONResponse:
        _log.error("games cannot be kept: %s", type(error).__name__, exc_info=error)
        return refused("storage", 503, request.scope, STORAGE_WAIT)

    @app.exception_handler(Exception)
    async def fault(request: Request, error: Exception) -> JSONResponse:
        return refused("fault", 500, request.scope)

    @app.exception_handler(405)
    async def other_method(request: Request, error: HTTPException) -> JSONResponse:
        # A door may be several routes, one a method; the router names the first's only.
        routes = [r for r in app.routes if isinstance(r, Route) and r.path_regex.match(request.url.path)]
        allowed = {method for route in routes for method in route.methods or ()}
        return JSONResponse(
            {"detail": error.detail}, status_code=405, headers={"Allow": ", ".join(sorted(allowed))}
        )

    @app.exception_handler(RequestValidationError)
    async def invalid(request: Request, error: RequestValidationError) -> JSONResponse:
        # Only where and why: what was sent is not echoed.
        problems = [
            {"loc": [str(part) for part in e["loc"]], "msg": e["msg"], "type": e["type"]}
            for e in error.errors()
        ]
        return JSONResponse({"detail": problems}, status_code=422)
