"""Loads modules, catalogues, reserved names, fonts and migration steps, as every start of the program does.

Forked processes share these objects, which the garbage collector ignores.
"""

from __future__ import annotations

import gc
from importlib import import_module

import bot.ops.command_line  # noqa: F401  # imports everything that a start needs
from bot.domain.languages import LANGUAGES
from bot.extensions import extensions
from bot.show.kit.words import words
from bot.show.pictures.lettering import width
from bot.show.translation.reserved import reserved
from bot.store.engine.migration import known_revisions

for cog in extensions():
    import_module(cog)
for language in LANGUAGES:
    words(language.code)("Pass")
reserved()
known_revisions()
width("Pass 过 ♠", 20)
gc.collect()
gc.freeze()
