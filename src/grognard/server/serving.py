"""The server as a process: alone at an address, or one of several behind it."""

from __future__ import annotations

import gc
import socket
import sys

import uvicorn

from grognard.server.crew import HandedServer, Homing, home, run_crew
from grognard.server.limits import GREETING_LIMIT
from grognard.server.lines import Switchboard, guarded
from grognard.server.logs import set_up_logs
from grognard.server.settings import settings_from_environment
from grognard.server.store import Store


def serve(host: str, port: int, workers: int = 1) -> int:
    """Serve until a signal ends it; the exit status."""
    if workers <= 1:
        uvicorn.Server(configured(host, port)).run()
        return 0
    set_up_logs()
    # The schema is brought up to date once, and a newer one is noticed before anything is started.
    Store(settings_from_environment().database).close()
    return run_crew(serve_one, host, port, workers)


def serve_one(number: int, servers: int, door: socket.socket) -> None:
    """Be one of several servers."""
    HandedServer(configured("", 0, number, servers), door).run()


TURN = 0.001
"""Seconds for which a thread may compute before the event loop has its turn again; Python's own is five times
as much, and questions about a position are answered in threads."""


def collect_seldom() -> None:
    """Python looks for garbage after so many new objects. A state of a large table has tens of thousands, of
    which none is garbage of that kind; games and code stay as long as the server does."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(200_000, 20, 100)


def configured(host: str, port: int, number: int = 0, servers: int = 1) -> uvicorn.Config:
    # The first of several servers' processes only listens and has no need of it.
    from grognard.server.api import create_app

    settings = settings_from_environment()
    switchboard = Switchboard(settings.lines, frozenset(settings.proxies))
    set_up_logs()
    app = create_app(settings._replace(draw_ahead=settings.draw_ahead and number == 0))
    app.state.switchboard = switchboard
    collect_seldom()
    sys.setswitchinterval(TURN)
    if servers > 1:
        app.state.at_home = lambda table: home(table, servers) == number
        app.add_middleware(Homing, number=number, servers=servers)
    return uvicorn.Config(
        app,
        host=host,
        port=port,
        # set_up_logs has said where to write; requests are told of there (metrics.py).
        log_config=None,
        log_level="warning",
        access_log=False,
        server_header=False,
        http=guarded(switchboard),
        timeout_keep_alive=settings.lines.idle_seconds,
        # Whoever has not finished by then is not waited for.
        timeout_graceful_shutdown=5,
        forwarded_allow_ips=list(settings.proxies),
        # Clients only greet over a WebSocket.
        ws_max_size=GREETING_LIMIT,
    )
