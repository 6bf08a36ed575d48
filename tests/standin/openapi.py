"""Checks requests against Discord's own OpenAPI document, an independent oracle.

Rules that the document cannot express come from ``limits``. Without the document, ``available()`` is False and
``complaints`` checks only the limits.
"""

import json
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

from jsonschema import Draft202012Validator, ValidationError
from jsonschema.validators import extend

from tests.standin import limits

DOCUMENT = Path(__file__).resolve().parents[2].parent / "shared" / "discord_openapi.json"
_MULTIPART, _JSON = "multipart/form-data", "application/json"


def available() -> bool:
    """Whether the document is available."""
    return DOCUMENT.is_file()


def complaints(method: str, path: str, body: Any) -> list[str]:
    """Return what Discord would refuse in this request, by the document and the written rules."""
    return (document_complaints(method, path, body) if available() else []) + limits.complaints(method, path, body)


def document_complaints(method: str, path: str, body: Any) -> list[str]:
    """Return the violations of the document by a request. body: the JSON, also that of a multipart form."""
    path = path.partition("?")[0]
    operation = _operation(method, path)
    if operation is None:
        return [f"{method} {path} is not in Discord's API"]
    content = operation.get("requestBody", {}).get("content", {})
    if body is None or not content:
        return [] if body is None else [f"{method} {path} takes no body"]
    return _errors(content[_JSON if _JSON in content else _MULTIPART]["schema"], body)


def answer_complaints(method: str, path: str, status: int, body: Any) -> list[str]:
    """Return the violations of the document by an answer of the stand-in."""
    operation = _operation(method, path.partition("?")[0])
    answer = (operation or {}).get("responses", {}).get(str(status))
    if answer is None:
        return [f"{method} {path} does not answer {status}"]
    schema = answer.get("content", {}).get(_JSON, {}).get("schema")
    return _errors(schema, body) if schema and body is not None else []


@cache
def _document() -> dict[str, Any]:
    document: dict[str, Any] = json.loads(DOCUMENT.read_text(encoding="utf-8"))
    # discord.py sends the ids of emojis as numbers, and Discord takes them.
    document["components"]["schemas"]["SnowflakeType"]["type"] = ["string", "integer"]
    return document


@cache
def _routes() -> list[tuple[re.Pattern[str], dict[str, Any]]]:
    """Return the paths, fewest variables first, so that @original precedes {message_id}."""
    paths = sorted(_document()["paths"].items(), key=lambda item: item[0].count("{"))
    return [(re.compile(re.sub(r"\{\w+\}", "[^/]+", path)), operations) for path, operations in paths]


def _operation(method: str, path: str) -> dict[str, Any] | None:
    for pattern, operations in _routes():
        if pattern.fullmatch(path) and method.lower() in operations:
            found: dict[str, Any] = operations[method.lower()]
            return found
    return None


def _errors(schema: dict[str, Any], body: Any) -> list[str]:
    return [f"{error.json_path}: {error.message[:200]}" for error in _checker().descend(body, schema)]


@cache
def _checker() -> Any:
    """Return a validator that resolves references, created once for all bodies."""
    return _Checker({"components": _document()["components"]})


def _choose(validator: Any, branches: list[dict[str, Any]], body: Any, schema: dict[str, Any]) -> Iterator[Any]:
    """Validate a union, by ``type`` if its branches have one, which is faster and reports precise errors."""
    fitting = [branch for branch in branches if _may_be(_resolved(branch), body)]
    if len(fitting) == 1:
        yield from validator.descend(body, fitting[0])
    elif not any(validator.evolve(schema=branch).is_valid(body) for branch in fitting):
        yield ValidationError(f"{body!r} is none of the things that may stand here")


def _may_be(branch: dict[str, Any], body: Any) -> bool:
    if branch.get("type") == "null":
        return body is None
    kind = branch.get("properties", {}).get("type", {})
    if not isinstance(body, dict) or "type" not in body or "enum" not in kind:
        return True
    return body["type"] in kind["enum"]


def _resolved(branch: dict[str, Any]) -> dict[str, Any]:
    name = branch.get("$ref", "").removeprefix("#/components/schemas/")
    found: dict[str, Any] = _document()["components"]["schemas"][name] if name else branch
    return found


_Checker = extend(Draft202012Validator, {"oneOf": _choose, "anyOf": _choose})  # type: ignore[no-untyped-call]
