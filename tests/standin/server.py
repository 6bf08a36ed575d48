"""The stand-in's door: real HTTP and WebSocket on 127.0.0.1, the faults, the log and Discord's limits at it.

Knows how a request is served. Refuses to know what any route means.
Each bot process comes in under its own generation, ``/g<n>/api/v10`` and ``/g<n>/gateway``.
"""

import contextlib
import json
import time
import traceback
from typing import Any

from aiohttp import web

from tests.standin import applications, limits, rest, tokens
from tests.standin.calls import Call, read_call
from tests.standin.components import emojis
from tests.standin.errors import ApiError, invalid_emoji
from tests.standin.faults import Fault, Logged
from tests.standin.rates import SENT
from tests.standin.realm import Realm
from tests.standin.rest import Handler

_OPEN = ("/interactions/", "/webhooks/")  # served without the bot's token


class Server:
    """Serves one realm on a free port."""

    def __init__(self, realm: Realm) -> None:
        self._realm = realm
        app = web.Application(client_max_size=64 * 1024 * 1024)
        for method, path, handler, status in [*rest.ROUTES, *applications.ROUTES, *tokens.ROUTES]:
            app.router.add_route(method, "/g{generation:\\d+}/api/v10" + path, self._route(handler, status))
        app.router.add_get("/g{generation:\\d+}/gateway", realm.gateway.handle)
        app.router.add_route("*", "/g{generation:\\d+}/api/v10/{tail:.*}", self._route(_unknown, 404))
        app.router.add_get("/cdn/{tail:.*}", self._file)
        self._runner = web.AppRunner(app, access_log=None, shutdown_timeout=0.2)

    async def start(self) -> str:
        """Listen; the address to come to."""
        await self._runner.setup()
        await web.TCPSite(self._runner, "127.0.0.1", 0).start()
        return f"http://127.0.0.1:{self._runner.addresses[0][1]}"

    async def close(self) -> None:
        """Shut every socket."""
        await self._realm.gateway.disconnect(1001)
        await self._runner.cleanup()

    def _route(self, handler: Handler, status: int) -> Any:
        async def serve(request: web.Request) -> web.StreamResponse:
            call = await read_call(request)
            entry = Logged(call.method, call.path, call.json, time.monotonic(), call.generation, _names(call))
            self._realm.log.append(entry)
            fault = self._realm.faults.meeting(entry)
            if fault is None:
                return self._refused(request, entry) or self._answer(request, call, entry, handler, status)
            return await self._spoiled(request, call, entry, fault, (handler, status))

        return serve

    def _answer(
        self, request: web.Request, call: Call, entry: Logged, handler: Handler, status: int
    ) -> web.StreamResponse:
        try:
            self._admit(request, call)
            entry.answer = handler(self._realm, call)
        except ApiError as error:
            entry.status, entry.code, entry.answer = error.status, error.code, error.body()
        except Exception:  # noqa: BLE001 - a fault of the stand-in: told at the end of the test
            self._realm.broken.append(f"{entry.method} {entry.path}\n{traceback.format_exc()}")
            entry.status, entry.answer = 404, {"message": "the stand-in failed", "code": 0}
        else:
            entry.status = 204 if entry.answer is None else status
        self._realm.rates.answered(entry.status)
        return _json(entry.status, entry.answer, self._realm.rates.headers(call.path))

    def _refused(self, request: web.Request, entry: Logged) -> web.Response | None:
        rates = self._realm.rates
        refusal = rates.refusal(entry.method, entry.path, float(request.headers.get(SENT, rates.clock())))
        if refusal is None:
            return None
        entry.status, entry.code, entry.answer = 429, refusal.code, refusal.body()
        rates.answered(429)
        return _json(429, entry.answer, {**rates.headers(entry.path), **refusal.headers()})

    def _admit(self, request: web.Request, call: Call) -> None:
        if not call.path.startswith(_OPEN) and request.headers.get("Authorization") != f"Bot {self._realm.token}":
            raise ApiError(0, status=401, message="401: Unauthorized")
        # An edit is held against what the message is, in the scribe.
        refused = limits.complaints(call.method, call.path, call.json)
        if refused:
            raise ApiError(50035, *refused)
        # An emoji on a component has to be there, on a button or an option; in text it is never looked at.
        unknown = [place for place, number in emojis(call.json) if number not in self._realm.emojis]
        if unknown:
            raise invalid_emoji(unknown)

    async def _spoiled(
        self, request: web.Request, call: Call, entry: Logged, fault: Fault, route: tuple[Handler, int]
    ) -> web.StreamResponse:
        answer = self._answer(request, call, entry, *route) if fault.after else None
        if fault.drop:
            entry.status = 0
        await fault.wait()
        if fault.drop:
            return _dropped(request)
        if fault.error is None:
            return answer or self._answer(request, call, entry, *route)
        entry.status, entry.code, entry.answer = fault.error.status, fault.error.code, fault.body()
        return _json(entry.status, entry.answer, fault.headers())

    async def _file(self, request: web.Request) -> web.Response:
        data = self._realm.scribe.files.get(f"{self._realm.address}{request.path}")
        return web.Response(status=404) if data is None else web.Response(body=data)


def _unknown(realm: Realm, call: Call) -> None:
    realm.broken.append(f"{call.method} {call.path} is not served")
    raise ApiError(0)


def _names(call: Call) -> tuple[str, ...]:
    return tuple(name for name, _ in call.files.values())


def _json(status: int, answer: Any, headers: dict[str, str] | None = None) -> web.Response:
    if status == 204:
        return web.Response(status=204, headers=headers)
    # Exactly application/json: with a charset behind it discord.py would not parse it.
    body = json.dumps(answer).encode()
    return web.Response(status=status, body=body, content_type="application/json", headers=headers)


def _dropped(request: web.Request) -> web.StreamResponse:
    with contextlib.suppress(AttributeError):
        request.transport.abort()  # type: ignore[union-attr]
    return web.Response(status=500)
