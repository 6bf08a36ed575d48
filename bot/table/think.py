"""Where a process begins that thinks for house players: python -m bot.table.think, see thinker.py."""

from __future__ import annotations

from bot.table.thinker import main

if __name__ == "__main__":
    main()
