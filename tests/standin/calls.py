"""A request as the routes see it: parameters, body and uploads, read from aiohttp."""

import json
import re
from dataclasses import dataclass, field
from typing import Any

from aiohttp import BodyPartReader, web

_FILE = re.compile(r"files\[(\d+)\]")


@dataclass(eq=False, repr=False)
class Call:
    """A request. ``files``: uploads by number, as (name, bytes)."""

    method: str
    path: str
    generation: int
    params: dict[str, str]
    query: dict[str, str]
    json: Any
    files: dict[int, tuple[str, bytes]] = field(default_factory=dict)

    def number(self, name: str) -> int:
        """Return an id from the path."""
        return int(self.params[name])

    @property
    def body(self) -> dict[str, Any]:
        """The JSON object; empty if missing."""
        return self.json if isinstance(self.json, dict) else {}


async def read_call(request: web.Request) -> Call:
    """Read the whole request; a multipart form has its JSON in the field payload_json."""
    body: Any = None
    files: dict[int, tuple[str, bytes]] = {}
    if request.content_type.startswith("multipart/"):
        body, files = await _form(request)
    elif request.can_read_body:
        text = await request.text()
        body = json.loads(text) if text else None
    path = "/" + request.match_info.get("tail", "") if "tail" in request.match_info else request.path
    path = path.partition("/api/v10")[2] or path
    generation = int(request.match_info["generation"])
    return Call(request.method, path, generation, dict(request.match_info), dict(request.query), body, files)


async def _form(request: web.Request) -> tuple[Any, dict[int, tuple[str, bytes]]]:
    body: Any = None
    files: dict[int, tuple[str, bytes]] = {}
    async for part in await request.multipart():
        if not isinstance(part, BodyPartReader):
            continue
        named = _FILE.fullmatch(part.name or "")
        if named:
            files[int(named[1])] = (part.filename or "file", bytes(await part.read()))
        elif part.name == "payload_json":
            body = json.loads(await part.read())
    return body, files
