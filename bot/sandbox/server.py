"""The web server of the page: SimCord's own, with a title line and menus for language, place and time.

Contains the additional files and their positions in SimCord's page.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, ClassVar

from aiohttp import web
from simcord.preview._server import PreviewServer

HERE = Path(__file__).parent
OURS = {"/sandbox.js": "application/javascript", "/sandbox.css": "text/css"}

TITLE = "<title>SimCord Preview</title>"
STYLE = '<link rel="stylesheet" href="/preview.css">'
TOOLBAR = '<header class="preview-toolbar"'
VIEWER = '<select id="viewer-picker" aria-label="Viewing as"></select>'
SCRIPT = '<script type="module" src="/app.js"></script>'
ADDED = {
    TITLE: "<title>Bigger's sandbox</title>",
    STYLE: STYLE + '\n    <link rel="stylesheet" href="/sandbox.css">',
    TOOLBAR: '<p class="sandbox-line">Bigger\'s sandbox: a simulated Discord, only on this machine</p>\n      '
    + TOOLBAR,
    VIEWER: VIEWER + '<select id="language-picker" aria-label="Language"></select>'
    '<select id="place-picker" aria-label="Place"></select>'
    '<select id="time-picker" aria-label="Time"></select>',
    SCRIPT: '<script type="module" src="/sandbox.js"></script>\n    ' + SCRIPT,
}


class SandboxServer(PreviewServer):
    """SimCord's server with the sandbox's additions to its page."""

    _STATIC_FILES: ClassVar = PreviewServer._STATIC_FILES | {path: path[1:] for path in OURS}

    async def _static(self, request: Any) -> Any:
        """Return a file of the page to any client on this machine."""
        if request.path in OURS and request.headers.get("Host", "") in self._allowed_hosts():
            text = (HERE / request.path[1:]).read_text(encoding="utf-8")
            return web.Response(text=text, content_type=OURS[request.path], headers=self._SECURITY_HEADERS)
        response = await super()._static(request)
        if request.path == "/":
            for there, instead in ADDED.items():
                assert there in response.text, f"SimCord's page has changed: {there}"
                response.text = response.text.replace(there, instead)
        return response
