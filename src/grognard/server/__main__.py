"""`python -m grognard.server`: the table on this machine."""

from __future__ import annotations

import argparse

import uvicorn

from grognard.server.api import create_app
from grognard.server.limits import GREETING_LIMIT
from grognard.server.settings import settings_from_environment


def main() -> None:
    parser = argparse.ArgumentParser(prog="grognard serve")
    parser.add_argument("--host", default="127.0.0.1")
    parser.add_argument("--port", type=int, default=8741)
    options = parser.parse_args()
    app = create_app(settings_from_environment())
    print(f"Grognard: http://{options.host}:{options.port}/", flush=True)
    uvicorn.run(
        app,
        host=options.host,
        port=options.port,
        log_level="warning",
        server_header=False,
        # Clients only greet over a WebSocket.
        ws_max_size=GREETING_LIMIT,
    )


if __name__ == "__main__":
    main()
