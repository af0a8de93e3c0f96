"""`python -m grognard.server`: the table on this machine, set up from the environment alone."""

from __future__ import annotations

import argparse

import uvicorn

from grognard.server.api import create_app
from grognard.server.limits import GREETING_LIMIT
from grognard.server.lines import Switchboard, guarded
from grognard.server.logs import set_up_logs
from grognard.server.settings import settings_from_environment
from grognard.server.store import NewerDatabaseError


def serve(host: str, port: int) -> None:
    settings = settings_from_environment()
    switchboard = Switchboard(settings.lines, frozenset(settings.proxies))
    set_up_logs()
    app = create_app(settings)
    app.state.switchboard = switchboard
    uvicorn.run(
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


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m grognard.server")
    parser.add_argument("--host", default="127.0.0.1")
    parser.add_argument("--port", type=int, default=8741)
    options = parser.parse_args()
    print(f"Grognard: http://{options.host}:{options.port}/", flush=True)
    try:
        serve(options.host, options.port)
    except NewerDatabaseError:
        raise SystemExit(
            "grognard: the database was last used by a newer Grognard than this one. Install that one again, "
            "or name another database with GROGNARD_DATABASE."
        ) from None


if __name__ == "__main__":
    main()
