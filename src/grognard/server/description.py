"""The description of the doors (OpenAPI), with what goes over the socket described as well."""

from __future__ import annotations

from typing import Any

from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi

from grognard.server import wire

REFERENCE = "#/components/schemas/{model}"


def describe(app: FastAPI) -> dict[str, Any]:
    found = get_openapi(title=app.title, version=app.version, routes=app.routes)
    schemas = found["components"]["schemas"]
    for model in (wire.Greeting, wire.LayersWish, wire.SocketMessage):
        described = model.model_json_schema(ref_template=REFERENCE)
        schemas |= described.pop("$defs", {})
        schemas[model.__name__] = described
    found["components"]["schemas"] = dict(sorted(schemas.items()))
    return found
