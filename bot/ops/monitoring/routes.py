"""Requests to Discord by what they ask for: the path without who, where and which.

Knows the routes that the bot uses. Whatever else is asked for is "other", so that no path ever becomes a figure's name.
"""

from __future__ import annotations

import re
from http import HTTPStatus
from typing import Final

OTHER: Final = "other"
UNREACHED: Final = "none"  # in place of a status, where no answer came
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
    """Return what a request asks for. path: behind the version of the interface."""
    plain = path
    for _ in range(2):  # ids first, and then the tokens that stand behind them
        plain = SECRET.sub("{}", plain)
    route = f"{method} {plain}"
    return route if route in ROUTES else OTHER


def status_of(status: int) -> str:
    """Return the status of an answer as a figure names it."""
    return str(status) if str(status) in STATUSES else OTHER
