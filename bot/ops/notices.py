"""``python -m bot upkeep``: the operator's decisions for all users.

Works also while the bot runs: the decisions are written directly into the store, and the running bot polls them at
least once a minute.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from typing import Any

from bot.domain.operator_notice import BANNED_KINDS, STORED_KEY, BannedKind, OperatorCommand, OperatorState
from bot.runtime.store_address import Address
from bot.store.copies.side_connection import connect_beside_bot, ledger_beside
from bot.store.repositories.notes import put_note, read_note

HERE = "command line"
DONE = "Done. A running bot follows within a minute."
ABOUT = "announce something to all users, close the bot to new tables, or ban someone; the bot may be running"


class Refusal(Exception):
    """The sentence about an invalid command."""


def add_words(to: Any) -> argparse.ArgumentParser:
    """Add the command to a parser; return the command's own parser."""
    made: argparse.ArgumentParser = to.add_parser("upkeep", help=ABOUT, description=ABOUT)
    words = made.add_subparsers(title="what", metavar="", dest="what")
    words.add_parser("show", help="print the current decisions and the latest changes")
    for name, about in (
        ("close", "refuse new tables, and say why on every board"),
        ("open", "allow new tables again, and remove the notice"),
        ("announce", "put a notice on the board of every open table; without a text, remove the notice"),
    ):
        parser = words.add_parser(name, help=about, description=about)
        if name != "open":
            parser.add_argument("text", nargs="?", default="", help="the text of the notice")
    for name, about in (("ban", "stop serving a person or a server"), ("unban", "serve a person or a server again")):
        parser = words.add_parser(name, help=about, description=about)
        parser.add_argument("kind", choices=BANNED_KINDS, help="a person, or a server, which the bot leaves")
        parser.add_argument("number", type=int, help="the Discord id: Developer Mode, Copy ID")
    return made


async def upkeep(database: Address, args: argparse.Namespace, say: Callable[[str], None]) -> None:
    """Run the command. Raises StoreError, and Refusal for an invalid command."""
    async with connect_beside_bot(database) as connection:
        known = OperatorState.read(await read_note(connection, STORED_KEY))
        if args.what in (None, "show"):
            for line in describe_decisions(known):
                say(line)
            return
        kind: BannedKind | None = getattr(args, "kind", None)
        who = (kind, (await ledger_beside(database, connection)).mark(kind, args.number)) if kind else None
        try:
            ordered = known.ordered(OperatorCommand(args.what, getattr(args, "text", ""), who), datetime.now(UTC), HERE)
        except ValueError as wrong:
            raise Refusal(str(wrong)) from wrong
        await put_note(connection, STORED_KEY, str(ordered))
    say(DONE)


def describe_decisions(known: OperatorState) -> Iterator[str]:
    """Yield the current decisions and the recorded changes, latest last."""
    yield f"new tables: {'not opened' if known.notice.closed else 'opened'}"
    yield f"notice: {known.notice.text or 'none'}"
    for kind in BANNED_KINDS:
        yield f"{kind}s that are not served: {sum(banned == kind for banned, _ in known.banned)}"
    for deed in known.done:
        yield f"{deed.at:%Y-%m-%d %H:%M} UTC, {deed.where}: {deed.what}"
