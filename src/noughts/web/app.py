"""The application: an ASGI app that turns requests into asks and replies into responses."""

from __future__ import annotations

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from noughts.domain.errors import NoughtsError
from noughts.web.addresses import read_address
from noughts.web.answering import answer, failure
from noughts.web.ask import Ask, Reply
from noughts.web.assets import asset, asset_media

__all__ = ["application"]


async def _page(request: Request) -> Response:
    path, query = request.url.path, request.url.query
    try:
        reply = answer(read_address(path, query))
    except NoughtsError as error:
        reply = failure(error, Ask("start", form="html" if "." not in path.rpartition("/")[2] else "json"))
    return _response(reply)


def _response(reply: Reply) -> Response:
    return Response(reply.body, reply.status, media_type=reply.media)


async def _asset(request: Request) -> Response:
    name = request.path_params["name"]
    body = asset(name)
    if body is None:
        return _response(failure(NoughtsError(f"there is no file {name}"), Ask("start"), status=404))
    return Response(body, media_type=asset_media(name))


def application() -> Starlette:
    """Return the application."""
    return Starlette(routes=[Route("/static/{name}", _asset), Route("/{path:path}", _page)])
