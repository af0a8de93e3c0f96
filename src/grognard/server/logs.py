"""What the server writes about itself: one line a fact, as text or as JSON, and never a secret.

No token, no seed, no address within a table and nothing that was sent is ever written. Errors of ours are
written with the lines of the program that they came through, not with its values.
"""

from __future__ import annotations

import json
import logging
import os
import sys
import time
import traceback
from typing import Any

_requests = logging.getLogger("grognard.requests")
_EXTRA = ("method", "door", "status", "ms", "table", "game")


class JsonLines(logging.Formatter):
    """A record as one line of JSON."""

    def format(self, record: logging.LogRecord) -> str:
        stamp = time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(record.created))
        line: dict[str, Any] = {
            "time": f"{stamp}.{int(record.msecs):03d}Z",
            "level": record.levelname.lower(),
            "from": record.name,
            "text": record.getMessage(),
        }
        line |= {key: getattr(record, key) for key in _EXTRA if hasattr(record, key)}
        if record.exc_info and record.exc_info[1] is not None:
            error = record.exc_info[1]
            line["error"] = type(error).__name__
            line["at"] = [
                f"{f.filename}:{f.lineno} {f.name}" for f in traceback.extract_tb(error.__traceback__)
            ]
        return json.dumps(line, ensure_ascii=False)


def set_up_logs(style: str | None = None) -> None:
    """Write to the error channel: warnings as text or, with GROGNARD_LOG=json, all there is as JSON."""
    style = os.environ.get("GROGNARD_LOG", "text") if style is None else style
    handler = logging.StreamHandler(sys.stderr)
    if style == "json":
        handler.setFormatter(JsonLines())
    else:
        handler.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(name)s: %(message)s"))
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(logging.WARNING)
    logging.getLogger("grognard").setLevel(logging.INFO if style == "json" else logging.WARNING)


def log_request(method: str, door: str, status: int, seconds: float) -> None:
    if _requests.isEnabledFor(logging.INFO):
        facts = {"method": method, "door": door, "status": status, "ms": round(seconds * 1000, 1)}
        _requests.info("%s %s %d", method, door, status, extra=facts)
