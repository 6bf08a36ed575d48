"""What every start of the program reads: its modules and the catalogues of its sentences. Importing this reads them."""

from __future__ import annotations

import bot.running.command_line  # noqa: F401  # imports all that a start does, directly or not
from bot.show.words import LANGUAGES, words

for language in LANGUAGES:
    words(language)("Pass")
