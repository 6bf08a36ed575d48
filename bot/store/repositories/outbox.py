"""The outbox: pending effects, and messages being sent, each with one fixed nonce."""

from __future__ import annotations

import logging
from collections.abc import Iterable
from dataclasses import asdict
from datetime import datetime, timedelta
from functools import lru_cache
from typing import Any

from sqlalchemy import Row, Select, and_, bindparam, delete, insert, not_, or_, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.domain.effects import (
    EFFECT_NAMES,
    LASTING_EFFECTS,
    LASTING_MESSAGES,
    OutboxRow,
    PendingEffect,
    pack,
    unpack,
    users_named_in,
)
from bot.domain.ids import ChannelId, Share, TableId
from bot.store.engine import mentions
from bot.store.engine.repository import Repository, read, server_in_share, write
from bot.store.schema import outbox

log = logging.getLogger(__name__)
MAX_AGE = timedelta(days=1)  # the retention of effects and messages without success
MAX_LASTING_AGE = timedelta(days=32)  # the retention of effects that are retried until success, also after a restart
NO_TABLE = TableId(0)
has_key = outbox.c.key == bindparam("of_key")
MESSAGE = select(outbox.c.key, outbox.c.guild, outbox.c.user, outbox.c.channel, outbox.c.nonce, outbox.c.at).where(
    has_key
)
ADD = insert(outbox)
CHANGE = update(outbox).where(has_key)
DROP = delete(outbox).where(has_key)
KEYS = select(outbox.c.key)
is_lasting = or_(
    outbox.c.kind.in_(LASTING_EFFECTS), *(outbox.c.key.startswith(f"{kind} ") for kind in LASTING_MESSAGES)
)
DROP_OLD = delete(outbox).where(
    or_(
        and_(not_(is_lasting), outbox.c.at < bindparam("before")),
        outbox.c.at < bindparam("lasting_before"),
    )
)


async def add(connection: AsyncConnection, effects: Iterable[PendingEffect]) -> None:
    """Insert effects, except effects with a known key."""
    for one in effects:
        if await _message(connection, one.key) is None:
            values = {"key": one.key, "guild": one.guild, "table_id": one.table or NO_TABLE, "at": one.at}
            values |= {"user": 0, "channel": 0, "nonce": 0}
            values |= {"kind": EFFECT_NAMES[type(one.effect)], "about": pack(one.effect)}
            await connection.execute(ADD, values)
            await mentions.add(connection, outbox, one.key, users_named_in(one.effect))


@lru_cache(maxsize=64)
def _pending_of(share: Share) -> Select[Any]:
    """Return the query for the effects of a share, the oldest first."""
    mine = server_in_share(share, outbox.c.guild)
    return select(outbox).where(outbox.c.kind != "", mine).order_by(outbox.c.at, outbox.c.key)


async def _pending(connection: AsyncConnection, share: Share) -> tuple[PendingEffect, ...]:
    """Read the effects of a share, the oldest first."""
    rows = (await connection.execute(_pending_of(share))).all()
    return tuple(one for row in rows if (one := _read(row)) is not None)


def _read(row: Row[Any]) -> PendingEffect | None:
    """Return the effect of a row; None for a row written by a later release."""
    try:
        return PendingEffect(
            key=row.key, effect=unpack(row.kind, row.about), guild=row.guild, table=row.table_id or None, at=row.at
        )
    except (KeyError, TypeError, ValueError):
        log.warning("What is to be done on Discord (%s) is not known to this release", row.key)
        return None


async def _begin(connection: AsyncConnection, new: OutboxRow) -> OutboxRow:
    """Record the first attempt at a message, or return the row of an earlier one."""
    known = await _message(connection, new.key)
    if known is None:
        await connection.execute(ADD, asdict(new))
    elif known.nonce:
        return known
    else:
        await connection.execute(CHANGE, asdict(new) | {"of_key": new.key})
    return new


async def _keys(connection: AsyncConnection) -> frozenset[str]:
    """Read the keys of the rows."""
    return frozenset((await connection.execute(KEYS)).scalars())


async def _renew(connection: AsyncConnection, key: str, channel: ChannelId, nonce: int, at: datetime) -> None:
    """Replace the nonce of a message.

    Discord refused the earlier nonce, or the message moved to another channel.
    """
    await connection.execute(CHANGE, {"of_key": key, "channel": channel, "nonce": nonce, "at": at})


async def end(connection: AsyncConnection, key: str) -> None:
    """Delete the row of a completed effect, or of a message that was answered or given up."""
    await connection.execute(DROP, {"of_key": key})


async def _replace(connection: AsyncConnection, key: str, effects: Iterable[PendingEffect]) -> None:
    """Replace an effect by other effects, except those with a known key."""
    await end(connection, key)
    await add(connection, effects)


async def _end_old(connection: AsyncConnection, now: datetime) -> None:
    """Delete the rows whose last attempt is too old."""
    await connection.execute(DROP_OLD, {"before": now - MAX_AGE, "lasting_before": now - MAX_LASTING_AGE})


async def _message(connection: AsyncConnection, key: str) -> OutboxRow | None:
    row = (await connection.execute(MESSAGE, {"of_key": key})).first()
    return None if row is None else OutboxRow(*row)


class OutboxRepository(Repository):
    """Pending effects, and messages being sent."""

    add_effects = write(add)
    replace_effect = write(_replace)
    begin_message = write(_begin)
    keys = read(_keys)
    renew_message = write(_renew)
    finish = write(end)
    delete_old = write(_end_old)

    async def effects(self, share: Share | None = None) -> tuple[PendingEffect, ...]:
        """Return the pending effects, oldest first. share: None for the share of this process."""
        return await self._gate.read(_pending, share or self._gate.share)
