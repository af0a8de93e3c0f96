"""Where people want to be told that it is their move: addresses of a seat or an account, and the way out of
them."""

from __future__ import annotations

import asyncio
import json
import time
from html import escape
from typing import Any

from fastapi import APIRouter, HTTPException, Request
from fastapi.responses import HTMLResponse, JSONResponse, Response

from grognard.server import present, wire
from grognard.server.addresses import MAIL, PUSH, Address
from grognard.server.doors.accounts import Entered, own_answers
from grognard.server.doors.visits import Seated, Visit, Wanted, Wants, answers, table_answers
from grognard.server.notices import Postman
from grognard.server.words import PageWords

router = APIRouter()
Owner = dict[str, str]


def postman_of(request: Request) -> Postman:
    postman: Postman = request.app.state.postman
    return postman


@router.get("/api/notices", responses=answers(wire.NoticeKinds))
async def kinds(request: Request) -> Response:
    """How this server can tell people something."""
    postman = postman_of(request)
    return JSONResponse({"mail": postman.mail is not None, "push": postman.push_key})


# Addresses of a seat


def _of_seat(visit: Visit) -> Owner:
    return {"table_id": visit.room.row.id, "side": visit.room.game.sides[visit.sides[0]]}


@router.get("/api/tables/{table}/addresses", responses=table_answers(list[wire.AddressLine]))
async def of_seat(request: Request, visit: Seated) -> Response:
    return await _list(request, _of_seat(visit))


@router.post("/api/tables/{table}/addresses", responses=table_answers(wire.AddressLine))
async def add_to_seat(request: Request, visit: Seated, wish: wire.AddressWish, wants: Wants) -> Response:
    return await _add(request, _of_seat(visit), wish, wants)


@router.delete("/api/tables/{table}/addresses/{id_}", responses=table_answers(wire.Done))
async def remove_from_seat(request: Request, visit: Seated, id_: str) -> Response:
    return await _remove(request, _of_seat(visit), id_)


# Addresses of an account


@router.get("/api/account/addresses", responses=own_answers(list[wire.AddressLine]))
async def of_account(request: Request, own: Entered) -> Response:
    return await _list(request, {"account": own.account.id})


@router.post("/api/account/addresses", responses=own_answers(wire.AddressLine))
async def add_to_account(request: Request, own: Entered, wish: wire.AddressWish, wants: Wants) -> Response:
    return await _add(request, {"account": own.account.id}, wish, wants)


@router.delete("/api/account/addresses/{id_}", responses=own_answers(wire.Done))
async def remove_from_account(request: Request, own: Entered, id_: str) -> Response:
    return await _remove(request, {"account": own.account.id}, id_)


# What both do


def _line(address: Address) -> dict[str, Any]:
    to = address.target if address.kind == MAIL else ""
    return {"id": address.id, "kind": address.kind, "mail": to, "confirmed": address.confirmed}


async def _list(request: Request, owner: Owner) -> Response:
    found = await asyncio.to_thread(lambda: postman_of(request).book.of(**owner))
    return JSONResponse([_line(address) for address in found])


async def _add(request: Request, owner: Owner, wish: wire.AddressWish, wants: Wanted) -> Response:
    postman = postman_of(request)
    if wish.push is None and postman.mail is None:
        return JSONResponse(present.denied("no-mail", wants.language), status_code=403)
    kind = MAIL if wish.push is None else PUSH
    target = wish.mail if wish.push is None else json.dumps(wish.push.model_dump(), sort_keys=True)
    made = await asyncio.to_thread(
        lambda: postman.book.add(time.time(), kind, target, wants.language, **owner)
    )
    if made is None:
        return JSONResponse(present.denied("addresses-full", wants.language), status_code=403)
    if kind == MAIL and not made.confirmed and not await postman.ask_whether_it_is_theirs(made):
        await asyncio.to_thread(postman.book.remove, made.id)
        return JSONResponse(present.denied("mail-not-sent", wants.language), status_code=503)
    return JSONResponse(_line(made))


async def _remove(request: Request, owner: Owner, id_: str) -> Response:
    book = postman_of(request).book
    found = await asyncio.to_thread(lambda: book.of(**owner))
    if id_ not in {address.id for address in found}:
        raise HTTPException(404, "no such address")
    await asyncio.to_thread(book.remove, id_)
    return JSONResponse({"done": True})


# From a letter


@router.get("/api/addresses/{id_}/{word}", response_class=HTMLResponse, include_in_schema=False)
async def manage(request: Request, id_: str, word: str) -> Response:
    """What a letter leads to. To follow the link changes nothing: mail programs do it by themselves."""
    address = await _known(request, id_, word)
    way = "stop" if address.confirmed else "confirm"
    button = (way, f"/api/addresses/{id_}/{word}/{way}")
    return _page(address.language, f"{way}-question", address, button)


@router.post("/api/addresses/{id_}/{word}/confirm", response_class=HTMLResponse, include_in_schema=False)
async def confirm(request: Request, id_: str, word: str) -> Response:
    address = await _known(request, id_, word)
    await asyncio.to_thread(postman_of(request).book.confirm, id_)
    return _page(address.language, "confirmed", address)


@router.post("/api/addresses/{id_}/{word}/stop", response_class=HTMLResponse, include_in_schema=False)
async def stop(request: Request, id_: str, word: str) -> Response:
    address = await _known(request, id_, word)
    await asyncio.to_thread(postman_of(request).book.remove, id_)
    return _page(address.language, "stopped", address)


async def _known(request: Request, id_: str, word: str) -> Address:
    address = await asyncio.to_thread(postman_of(request).book.find, id_, word)
    if address is None:
        raise HTTPException(404, "no such address")
    return address


_LOOK = (
    "body{margin:0;background:#efe6d0;color:#2a261e;font:16px/1.5 system-ui,sans-serif}"
    "main{max-width:34rem;margin:3rem auto;padding:1.2rem 1.5rem;background:#fbf7ec;"
    "border:1px solid #c9bda2;border-radius:10px;overflow-wrap:anywhere}"
    "button{font:inherit;font-weight:600;color:#fff;background:#14507a;border:0;border-radius:7px;"
    "padding:.6rem 1.2rem;min-height:44px;cursor:pointer}"
    "button:focus-visible{outline:3px solid #0b5fff;outline-offset:2px}"
)


def _page(language: str, code: str, address: Address, button: tuple[str, str] | None = None) -> Response:
    words = PageWords(language)
    form = ""
    if button is not None:
        label, action = words("notices", button[0]), button[1]
        form = f'<form method="post" action="{escape(action)}"><button>{escape(label)}</button></form>'
    text = escape(words("notices", code, mail=address.target))
    return HTMLResponse(
        f'<!doctype html><html lang="{language}"><meta charset="utf-8">'
        f'<meta name="viewport" content="width=device-width"><title>Grognard</title><style>{_LOOK}</style>'
        f"<main><h1>Grognard</h1><p>{text}</p>{form}</main></html>"
    )
