"""House rules by name, and the default rules of channels."""

from __future__ import annotations

from typing import Any

from sqlalchemy import Row, bindparam, delete, func, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.domain.house_rules import HOUSE_RULES_EACH, ChannelDefault, HouseRules, Owner, PlayedRules, name_key
from bot.domain.ids import ChannelId
from bot.store.engine.erasures import visible_columns
from bot.store.engine.repository import Repository, read, upsert, write
from bot.store.errors import LimitReached, NameTaken
from bot.store.schema import channel_defaults, house_rules, tables


def key(owner: Owner, name: str) -> dict[str, Any]:
    """Return the primary key of the house rules with a name."""
    return {"scope": owner.scope, "owner": owner.id, "folded": name_key(name)}


CALLED = select(*visible_columns(house_rules)).where(
    house_rules.c.scope == bindparam("scope"),
    house_rules.c.owner == bindparam("owner"),
    house_rules.c.folded == bindparam("folded"),
)


async def _owned(connection: AsyncConnection, owner: Owner) -> tuple[HouseRules, ...]:
    """Read the house rules of an owner, by name."""
    own = select(*visible_columns(house_rules)).where(
        house_rules.c.scope == owner.scope, house_rules.c.owner == owner.id
    )
    query = own.order_by(house_rules.c.folded)
    return tuple(map(kept, (await connection.execute(query)).all()))


async def _called(connection: AsyncConnection, owner: Owner, name: str) -> HouseRules | None:
    """Read the house rules of this name, None for an unknown name."""
    row = (await connection.execute(CALLED, key(owner, name))).first()
    return None if row is None else kept(row)


async def _save(connection: AsyncConnection, rules: HouseRules, *, replace: bool = False) -> None:
    """Write house rules.

    Raises NameTaken for a name in use unless ``replace`` is set, and LimitReached.
    """
    known = await _called(connection, rules.owner, rules.name) is not None
    if known and not replace:
        raise NameTaken(rules.name)
    if not known and await count(connection, rules.owner) >= HOUSE_RULES_EACH:
        raise LimitReached
    values = {"name": rules.name, "game": rules.game, "preset": rules.preset, "options": dict(rules.options)}
    await upsert(connection, house_rules, key(rules.owner, rules.name), values | {"by": rules.by, "at": rules.at})


async def count(connection: AsyncConnection, owner: Owner) -> int:
    """Count the house rules of an owner."""
    query = select(func.count()).select_from(house_rules).filter_by(scope=owner.scope, owner=owner.id)
    return int((await connection.execute(query)).scalar_one())


async def _rename(connection: AsyncConnection, owner: Owner, name: str, to: str) -> bool:
    """Rename house rules; return False for unknown ones. Raises NameTaken."""
    if name_key(name) != name_key(to) and await _called(connection, owner, to) is not None:
        raise NameTaken(to)
    change = update(house_rules).filter_by(**key(owner, name)).values(name=to, folded=name_key(to))
    return (await connection.execute(change)).rowcount == 1


async def _remove(connection: AsyncConnection, owner: Owner, name: str) -> bool:
    """Delete house rules; return False for unknown ones."""
    return (await connection.execute(delete(house_rules).filter_by(**key(owner, name)))).rowcount == 1


def kept(row: Row[Any]) -> HouseRules:
    """Return the house rules of a row."""
    owner = Owner(row.scope, row.owner)
    return HouseRules(
        owner=owner, name=row.name, game=row.game, preset=row.preset, options=row.options, by=row.by, at=row.at
    )


# Channels


DEFAULT = select(*visible_columns(channel_defaults)).where(channel_defaults.c.channel == bindparam("of_channel"))
LAST_PLAYED = (
    select(tables)
    .where(tables.c.channel == bindparam("of_channel"), tables.c.phase.in_(("playing", "over")))
    .order_by(tables.c.id.desc())
    .limit(1)
)


async def _default_of(connection: AsyncConnection, channel: ChannelId) -> ChannelDefault | None:
    """Read the default of a channel, None without one."""
    row = (await connection.execute(DEFAULT, {"of_channel": channel})).first()
    return None if row is None else default(row)


def default(row: Row[Any]) -> ChannelDefault:
    """Return the channel default of a row."""
    return ChannelDefault(
        guild=row.guild,
        channel=row.channel,
        name=row.name,
        game=row.game,
        preset=row.preset,
        options=row.options,
        by=row.by,
        at=row.at,
    )


async def _set_default(connection: AsyncConnection, new: ChannelDefault) -> None:
    """Write the default of a channel, replacing an earlier one."""
    values = {"guild": new.guild, "name": new.name, "game": new.game, "preset": new.preset}
    values |= {"options": dict(new.options), "by": new.by, "at": new.at}
    await upsert(connection, channel_defaults, {"channel": new.channel}, values)


async def _clear_default(connection: AsyncConnection, channel: ChannelId) -> bool:
    """Delete the default of a channel; return False without one."""
    return (await connection.execute(delete(channel_defaults).filter_by(channel=channel))).rowcount == 1


async def _last_played(connection: AsyncConnection, channel: ChannelId) -> PlayedRules | None:
    """Read the rules of the last match begun in a channel, None without a match."""
    row = (await connection.execute(LAST_PLAYED, {"of_channel": channel})).first()
    return None if row is None else PlayedRules(row.game, row.preset, row.options)


class HouseRulesRepository(Repository):
    """House rules, and the default rules of channels."""

    of_owner = read(_owned)
    called = read(_called)
    save = write(_save)
    rename = write(_rename)
    delete = write(_remove)
    set_channel_default = write(_set_default)
    channel_default = read(_default_of)
    clear_channel_default = write(_clear_default)
    last_played = read(_last_played)
