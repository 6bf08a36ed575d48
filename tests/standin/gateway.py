"""The gateway: HELLO, IDENTIFY, READY, heartbeats, RESUME, and the distribution of events to sessions and shards."""

import asyncio
import json
import time
from collections import deque
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass, field
from enum import IntEnum
from itertools import count
from typing import Any

from aiohttp import WSMsgType, web

GUILD_MESSAGES, DIRECT_MESSAGES = 1 << 9, 1 << 12  # intents
_MAX_EVENTS = 5000  # events kept for a RESUME


class Op(IntEnum):
    """The opcodes of frames."""

    DISPATCH = 0
    HEARTBEAT = 1
    IDENTIFY = 2
    RESUME = 6
    REQUEST_MEMBERS = 8
    INVALID_SESSION = 9
    HELLO = 10
    HEARTBEAT_ACK = 11


Event = tuple[str, dict[str, Any]]


@dataclass(eq=False, repr=False)
class Session:
    """A session, which can be resumed after a lost socket until dropped. ``outbox``: None without a socket."""

    id: str
    generation: int
    shard: int
    shards: int
    intents: int
    outbox: "asyncio.Queue[str] | None"
    sequence: int = 0
    sent: deque[tuple[int, str]] = field(default_factory=lambda: deque(maxlen=_MAX_EVENTS))

    def owns(self, guild_id: int | None) -> bool:
        """Whether the session receives events of this guild (None: of direct messages)."""
        return self.shard == (0 if guild_id is None else (guild_id >> 22) % self.shards)

    def emit(self, name: str, data: dict[str, Any]) -> None:
        """Send an event, and store it for a RESUME."""
        self.sequence += 1
        frame = json.dumps({"op": Op.DISPATCH, "t": name, "s": self.sequence, "d": data})
        self.sent.append((self.sequence, frame))
        if self.outbox is not None:
            self.outbox.put_nowait(frame)

    def resume(self, outbox: "asyncio.Queue[str]", sequence: int) -> None:
        """Continue over a new socket with the events after the sequence number."""
        self.outbox = outbox
        for number, frame in self.sent:
            if number > sequence:
                outbox.put_nowait(frame)
        self.emit("RESUMED", {})


class Gateway:
    """All sessions. ``welcome`` yields the first events of a new session; ``members`` answers opcode 8."""

    def __init__(self, welcome: Callable[[Session], Iterable[Event]], members: Callable[[int], Event]) -> None:
        self._welcome = welcome
        self._members = members
        self._sessions: dict[str, Session] = {}
        self._sockets: dict[web.WebSocketResponse, int] = {}
        self._names = count(1)
        self.resumed = 0
        self.undelivered = set[int]()  # interactions that were not sent because the bot had disconnected
        self.identified: list[tuple[float, int]] = []  # (time, shard)

    def all_live(self) -> list[Session]:
        """Return the sessions with a socket."""
        return [session for session in self._sessions.values() if session.outbox is not None]

    def live(self, guild_id: int | None) -> list[Session]:
        """Return the connected sessions that receive events of this guild (None: of direct messages)."""
        return [session for session in self.all_live() if session.owns(guild_id)]

    def emit(self, name: str, data: dict[str, Any], guild_id: int | None, *, intent: int = 0) -> set[int]:
        """Send an event to every session of this guild; return the generations of the connected bots among them."""
        for session in self._sessions.values():
            if session.owns(guild_id) and (not intent or session.intents & intent):
                session.emit(name, data)
        return {session.generation for session in self.live(guild_id)}

    def drop_sessions(self, generation: int) -> None:
        """Drop the sessions of an ended bot process."""
        self._sessions = {key: session for key, session in self._sessions.items() if session.generation != generation}

    async def disconnect(self, code: int = 4000, *, resumable: bool = True) -> None:
        """Close all sockets; unless ``resumable``, the next RESUME gets an invalid session."""
        if not resumable:
            self._sessions.clear()
        for socket in list(self._sockets):
            with suppress(ConnectionError):
                await socket.close(code=code)

    async def handle(self, request: web.Request) -> web.WebSocketResponse:
        """Serve one socket, from HELLO to its end."""
        socket = web.WebSocketResponse(max_msg_size=0)
        await socket.prepare(request)
        outbox: asyncio.Queue[str] = asyncio.Queue()
        outbox.put_nowait(json.dumps({"op": Op.HELLO, "d": {"heartbeat_interval": 41250}}))
        self._sockets[socket] = generation = int(request.match_info["generation"])
        pump = asyncio.create_task(self._pump(socket, outbox))
        try:
            async for frame in socket:
                if frame.type is WSMsgType.TEXT:
                    self._receive(json.loads(frame.data), outbox, generation)
        finally:
            pump.cancel()
            del self._sockets[socket]
            for session in self._sessions.values():
                session.outbox = None if session.outbox is outbox else session.outbox
            while not outbox.empty():
                self._note_unsent(outbox.get_nowait())
        return socket

    def _receive(self, frame: dict[str, Any], outbox: "asyncio.Queue[str]", generation: int) -> None:
        data = frame.get("d")
        match frame["op"]:
            case Op.HEARTBEAT:
                outbox.put_nowait(json.dumps({"op": Op.HEARTBEAT_ACK}))
            case Op.IDENTIFY:
                self._identify(data or {}, outbox, generation)
            case Op.RESUME:
                self._resume(data or {}, outbox)
            case Op.REQUEST_MEMBERS:
                self._chunk(data or {}, outbox)

    def _identify(self, data: dict[str, Any], outbox: "asyncio.Queue[str]", generation: int) -> None:
        shard, shards = data.get("shard") or (0, 1)
        self.identified.append((time.monotonic(), shard))
        old = [key for key, s in self._sessions.items() if s.generation == generation and s.shard == shard]
        for key in old:
            del self._sessions[key]
        session = Session(f"session{next(self._names)}", generation, shard, shards, data.get("intents", 0), outbox)
        self._sessions[session.id] = session
        for name, event in self._welcome(session):
            session.emit(name, event)

    def _resume(self, data: dict[str, Any], outbox: "asyncio.Queue[str]") -> None:
        session = self._sessions.get(data.get("session_id", ""))
        if session is None:
            outbox.put_nowait(json.dumps({"op": Op.INVALID_SESSION, "d": False}))
            return
        self.resumed += 1
        session.resume(outbox, data.get("seq") or 0)

    def _chunk(self, data: dict[str, Any], outbox: "asyncio.Queue[str]") -> None:
        session = next(session for session in self._sessions.values() if session.outbox is outbox)
        name, event = self._members(int(data["guild_id"]))
        session.emit(name, {**event, "nonce": data.get("nonce")})

    async def _pump(self, socket: web.WebSocketResponse, outbox: "asyncio.Queue[str]") -> None:
        while True:
            frame = await outbox.get()
            try:
                await socket.send_str(frame)
            except ConnectionError:
                return self._note_unsent(frame)

    def _note_unsent(self, frame: str) -> None:
        event = json.loads(frame)
        if event.get("t") == "INTERACTION_CREATE":
            self.undelivered.add(int(event["d"]["id"]))
