"""What every start of the program reads: modules, sentences, what names are like them, fonts. Importing this reads it.

What a process does with all this it does by itself.
"""

from __future__ import annotations

import bot.running.command_line  # noqa: F401  # imports all that a start does, directly or not
from bot.show.pictures.lettering import width
from bot.show.reserved import reserved
from bot.show.words import LANGUAGES, words

for language in LANGUAGES:
    words(language)("Pass")
reserved()
width("Pass 过 ♠", 20)
