"""Discord's error answers: code, HTTP status and message."""

from typing import Any

_KNOWN = {
    0: (404, "404: Not Found"),
    10003: (404, "Unknown Channel"),
    10004: (404, "Unknown Guild"),
    10007: (404, "Unknown Member"),
    10008: (404, "Unknown Message"),
    10013: (404, "Unknown User"),
    10014: (404, "Unknown Emoji"),
    10015: (404, "Unknown Webhook"),
    10062: (404, "Unknown interaction"),
    30008: (400, "Maximum number of emojis reached (2000)"),
    40001: (401, "Unauthorized"),
    40005: (413, "Request entity too large"),
    40060: (400, "Interaction has already been acknowledged."),
    50001: (403, "Missing Access"),
    50005: (403, "Cannot edit a message authored by another user"),
    50007: (403, "Cannot send messages to this user"),
    50013: (403, "Missing Permissions"),
    50027: (401, "Invalid Webhook Token"),
    50035: (400, "Invalid Form Body"),
    50083: (400, "Thread is archived"),
    50138: (400, "Cannot resize asset below maximum size: 262144"),
    160004: (400, "A thread has already been created for this message"),
}


class ApiError(Exception):
    """An answer with Discord's JSON error code.

    ``details``: messages of the form errors of 50035; ``errors``: the nested form errors, if known.
    """

    def __init__(
        self,
        code: int,
        *details: str,
        status: int | None = None,
        message: str | None = None,
        errors: dict[str, Any] | None = None,
    ) -> None:
        known_status, known_message = _KNOWN.get(code, (400, "Error"))
        self.status = status or known_status
        self.code = code
        self.message = message or known_message
        self.details = details
        self.errors = errors
        super().__init__(f"{self.status} {code} {self.message} {'; '.join(details)}".strip())

    def body(self) -> dict[str, Any]:
        """Return the JSON of the answer."""
        found: dict[str, Any] = {"message": self.message, "code": self.code}
        if self.errors:
            found["errors"] = self.errors
        elif self.details:
            found["errors"] = {"_errors": [{"code": "REFUSED", "message": line} for line in self.details]}
        return found


def invalid_emoji(places: list[tuple[str, ...]]) -> ApiError:
    """Return the error about emoji at these paths, for buttons and selects alike (discord-api-docs #8071).

    The form errors are nested by the keys of each path, such as ``components.0.components.0.emoji.id``.
    """
    errors: dict[str, Any] = {}
    for place in places:
        at = errors
        for key in place:
            at = at.setdefault(key, {})
        at["_errors"] = [{"code": "BUTTON_COMPONENT_INVALID_EMOJI", "message": "Invalid emoji"}]
    return ApiError(50035, errors=errors)
