"""Nothing a person does may end in an error in the log, whatever the person gets to read."""

from __future__ import annotations

import logging
from collections.abc import Iterator

import pytest


@pytest.fixture(autouse=True)
def nothing_fails(caplog: pytest.LogCaptureFixture) -> Iterator[None]:
    """Fail where the bot has logged an error."""
    yield
    failed = [each for when in ("setup", "call") for each in caplog.get_records(when) if each.levelno >= logging.ERROR]
    assert not failed, [each.getMessage() for each in failed]
