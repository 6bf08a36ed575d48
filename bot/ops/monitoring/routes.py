"""Routes of requests to Discord for metrics: the path without ids and tokens.

Contains the routes that the bot uses. Every further request counts as "other", which keeps arbitrary paths out of the
labels.
"""

from __future__ import annotations

import re
from http import HTTPStatus
from typing import Final

OTHER: Final = "other"
UNREACHED: Final = "none"  # instead of a status, without a response
SECRET = re.compile(r"(?<=/)\d+(?=/|$)|(?<=^/interactions/\{\}/)[^/]+|(?<=^/webhooks/\{\}/)[^/]+")
ROUTES: Final = frozenset(
    {
        "DELETE /channels/{}/messages/{}",
        "DELETE /webhooks/{}/{}/messages/@original",
        "DELETE /webhooks/{}/{}/messages/{}",
        "GET /applications/{}/commands",
        "GET /applications/{}/emojis",
        "GET /channels/{}",
        "GET /channels/{}/messages",
        "GET /channels/{}/messages/{}",
        "GET /channels/{}/thread-members/{}",
        "GET /gateway/bot",
        "GET /guilds/{}",
        "GET /guilds/{}/members/{}",
        "GET /oauth2/applications/@me",
        "GET /users/@me",
        "GET /users/{}",
        "PATCH /channels/{}",
        "PATCH /channels/{}/messages/{}",
        "PATCH /webhooks/{}/{}/messages/@original",
        "PATCH /webhooks/{}/{}/messages/{}",
        "POST /applications/{}/emojis",
        "POST /channels/{}/messages",
        "POST /channels/{}/messages/{}/threads",
        "POST /channels/{}/threads",
        "POST /interactions/{}/{}/callback",
        "POST /users/@me/channels",
        "POST /webhooks/{}/{}",
        "PUT /applications/{}/commands",
        "PUT /applications/{}/guilds/{}/commands",
        "PUT /channels/{}/thread-members/{}",
    }
)
STATUSES: Final = frozenset(str(int(status)) for status in HTTPStatus)


def route_of(method: str, path: str) -> str:
    """Return the route of a request. path: after the API version."""
    plain = path
    for _ in range(2):  # first ids, then the tokens after them
        plain = SECRET.sub("{}", plain)
    route = f"{method} {plain}"
    return route if route in ROUTES else OTHER


def status_of(status: int) -> str:
    """Return the label for a response's status."""
    return str(status) if str(status) in STATUSES else OTHER
