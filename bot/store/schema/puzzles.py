"""Puzzles that were made for a week, and what people have answered to them."""

from __future__ import annotations

from sqlalchemy import BigInteger, Boolean, Column, Date, Integer, String, Table, Text

from bot.store.schema.columns import Moment, metadata
from bot.store.schema.meaning import PERSONS_HISTORY, SECRET

# week: its Monday. number: which of the week, from 0. puzzle: as bot/ai/puzzle.py writes it, with its solution.
puzzles = Table(
    "puzzles",
    metadata,
    Column("game", String(64), primary_key=True),
    Column("week", Date, primary_key=True, autoincrement=False),
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("puzzle", Text, nullable=False, info=SECRET),
    sqlite_with_rowid=False,
)

# Its key is what lets the first answer count. choice: the place of what was chosen. solved: whether that was the best.
answers = Table(
    "answers",
    metadata,
    Column("user", BigInteger, primary_key=True, autoincrement=False, info=PERSONS_HISTORY),
    Column("game", String(64), primary_key=True),
    Column("week", Date, primary_key=True, autoincrement=False),
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("choice", Integer, nullable=False),
    Column("solved", Boolean, nullable=False),
    Column("at", Moment, nullable=False),
    sqlite_with_rowid=False,
)
