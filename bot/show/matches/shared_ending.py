"""The end card to share elsewhere: its picture, and the same in words to copy.

The board shows the same. A plain message, because a picture in a frame is harder to save and its text harder to copy.
"""

from __future__ import annotations

from bot.show.kit.words import Said, Words
from bot.show.pictures.picture import Picture


def shared(picture: Picture, w: Words) -> Said:
    """Return the text below the picture: the instructions, and the picture's words in a block to copy."""
    told = picture.told.replace("`", "'")
    return Said(f"{w('Yours to show elsewhere: keep the picture, copy the words.')}\n```\n{told}\n```")
