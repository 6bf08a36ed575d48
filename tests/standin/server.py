"""The HTTP and WebSocket server of the stand-in on 127.0.0.1, with faults, log and rate limits.

Each bot process has its own paths by generation: ``/g<n>/api/v10`` and ``/g<n>/gateway``.
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
from tests.standin.faults import Fault, LoggedRequest
from tests.standin.rates import SENT_HEADER
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
        """Start to listen; return the address."""
        await self._runner.setup()
        await web.TCPSite(self._runner, "127.0.0.1", 0).start()
        return f"http://127.0.0.1:{self._runner.addresses[0][1]}"

    async def close(self) -> None:
        """Close all connections."""
        await self._realm.gateway.disconnect(1001)
        await self._runner.cleanup()

    def _route(self, handler: Handler, status: int) -> Any:
        async def serve(request: web.Request) -> web.StreamResponse:
            call = await read_call(request)
            entry = LoggedRequest(call.method, call.path, call.json, time.monotonic(), call.generation, _names(call))
            self._realm.log.append(entry)
            fault = self._realm.faults.first_match(entry)
            if fault is None:
                return self._refused(request, entry) or self._answer(request, call, entry, handler, status)
            return await self._answer_with_fault(request, call, entry, fault, (handler, status))

        return serve

    def _answer(
        self, request: web.Request, call: Call, entry: LoggedRequest, handler: Handler, status: int
    ) -> web.StreamResponse:
        try:
            self._check(request, call)
            entry.answer = handler(self._realm, call)
        except ApiError as error:
            entry.status, entry.code, entry.answer = error.status, error.code, error.body()
        except Exception:  # noqa: BLE001 - an error of the stand-in: raised at the end of the test
            self._realm.failures.append(f"{entry.method} {entry.path}\n{traceback.format_exc()}")
            entry.status, entry.answer = 404, {"message": "the stand-in failed", "code": 0}
        else:
            entry.status = 204 if entry.answer is None else status
        self._realm.rates.count_status(entry.status)
        return _json(entry.status, entry.answer, self._realm.rates.headers(call.path))

    def _refused(self, request: web.Request, entry: LoggedRequest) -> web.Response | None:
        rates = self._realm.rates
        refusal = rates.refusal(entry.method, entry.path, float(request.headers.get(SENT_HEADER, rates.clock())))
        if refusal is None:
            return None
        entry.status, entry.code, entry.answer = 429, refusal.code, refusal.body()
        rates.count_status(429)
        return _json(429, entry.answer, {**rates.headers(entry.path), **refusal.headers()})

    def _check(self, request: web.Request, call: Call) -> None:
        if not call.path.startswith(_OPEN) and request.headers.get("Authorization") != f"Bot {self._realm.token}":
            raise ApiError(0, status=401, message="401: Unauthorized")
        # An edit is checked against the present message by MessageWriter.
        refused = limits.complaints(call.method, call.path, call.json)
        if refused:
            raise ApiError(50035, *refused)
        # Discord checks that the emoji of buttons and options exist, but not those in text.
        unknown = [place for place, number in emojis(call.json) if number not in self._realm.emojis]
        if unknown:
            raise invalid_emoji(unknown)

    async def _answer_with_fault(
        self, request: web.Request, call: Call, entry: LoggedRequest, fault: Fault, route: tuple[Handler, int]
    ) -> web.StreamResponse:
        answer = self._answer(request, call, entry, *route) if fault.after else None
        if fault.drop:
            entry.status = 0
        await fault.wait()
        if fault.drop:
            return _drop_connection(request)
        if fault.error is None:
            return answer or self._answer(request, call, entry, *route)
        entry.status, entry.code, entry.answer = fault.error.status, fault.error.code, fault.body()
        return _json(entry.status, entry.answer, fault.headers())

    async def _file(self, request: web.Request) -> web.Response:
        data = self._realm.message_writer.files.get(f"{self._realm.address}{request.path}")
        return web.Response(status=404) if data is None else web.Response(body=data)


def _unknown(realm: Realm, call: Call) -> None:
    realm.failures.append(f"{call.method} {call.path} is not served")
    raise ApiError(0)


def _names(call: Call) -> tuple[str, ...]:
    return tuple(name for name, _ in call.files.values())


def _json(status: int, answer: Any, headers: dict[str, str] | None = None) -> web.Response:
    if status == 204:
        return web.Response(status=204, headers=headers)
    # Exactly application/json: discord.py parses no other content type.
    body = json.dumps(answer).encode()
    return web.Response(status=status, body=body, content_type="application/json", headers=headers)


def _drop_connection(request: web.Request) -> web.StreamResponse:
    with contextlib.suppress(AttributeError):
        request.transport.abort()  # type: ignore[union-attr]
    return web.Response(status=500)
