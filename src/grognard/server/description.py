"""The description of the doors (OpenAPI), with what goes over the socket described as well, and links: which
answer holds what another door asks for."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi

from grognard.server import wire

REFERENCE = "#/components/schemas/{model}"
MAKING = ("/api/tables", "/api/saves", "/api/tables/{table}/branch")
"""Where tables are made: what is answered names the table."""
ACTING = ("/actions", "/orders", "/undo", "/redo", "/takeback", "/resign")
"""What changes a table is answered with its state, from which one acts again."""


def describe(app: FastAPI) -> dict[str, Any]:
    found = get_openapi(title=app.title, version=app.version, routes=app.routes)
    schemas = found["components"]["schemas"]
    for model in (wire.Greeting, wire.LayersWish, wire.SocketMessage):
        described = model.model_json_schema(ref_template=REFERENCE)
        schemas |= described.pop("$defs", {})
        schemas[model.__name__] = described
    found["components"]["schemas"] = dict(sorted(schemas.items()))
    _link(found["paths"])
    return found


def _link(paths: dict[str, Any]) -> None:
    """From a new table to all of its doors; from its state to those that change it."""
    doors = dict(_doors(paths))
    to_table = {
        name: {"operationId": name, "parameters": {"table": "$response.body#/table"}}
        for name in doors.values()
    }
    for path in MAKING:
        paths[path]["post"]["responses"]["201"]["links"] = to_table
    same = {"table": "$request.path.table"}
    onward = {
        name: {"operationId": name, "parameters": same}
        for (path, method), name in doors.items()
        if method == "post" and path.endswith(ACTING)
    }
    acted = doors["/api/tables/{table}/actions", "post"]
    onward[acted]["requestBody"] = {
        "action": "$response.body#/decision/main",
        "version": "$response.body#/version",
    }
    for path, method in doors:
        if (path, method) == ("/api/tables/{table}", "get") or (method == "post" and path.endswith(ACTING)):
            paths[path][method]["responses"]["200"]["links"] = onward


def _doors(paths: dict[str, Any]) -> Iterator[tuple[tuple[str, str], str]]:
    """The doors of a table, and what they are called."""
    for path, methods in paths.items():
        for method, operation in methods.items():
            if "{table}" in path:
                yield (path, method), operation["operationId"]
