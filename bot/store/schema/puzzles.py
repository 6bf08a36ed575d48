"""The puzzles of each week, and the answers of players."""

from __future__ import annotations

from sqlalchemy import BigInteger, Boolean, Column, Date, Integer, String, Table, Text

from bot.store.schema.columns import TimestampType, metadata
from bot.store.schema.meaning import PERSONS_HISTORY, SECRET

# week: its Monday. number: the position in the week, from 0. puzzle: in the form of bot/ai/puzzle.py, with the
# solution.
puzzles = Table(
    "puzzles",
    metadata,
    Column("game", String(64), primary_key=True),
    Column("week", Date, primary_key=True, autoincrement=False),
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("puzzle", Text, nullable=False, info=SECRET),
    sqlite_with_rowid=False,
)

# The primary key makes the first answer final. choice: the index of the chosen option. solved: whether the best option
# was chosen.
answers = Table(
    "answers",
    metadata,
    Column("user", BigInteger, primary_key=True, autoincrement=False, info=PERSONS_HISTORY),
    Column("game", String(64), primary_key=True),
    Column("week", Date, primary_key=True, autoincrement=False),
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("choice", Integer, nullable=False),
    Column("solved", Boolean, nullable=False),
    Column("at", TimestampType, nullable=False),
    sqlite_with_rowid=False,
)
