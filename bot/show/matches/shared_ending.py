"""What somebody takes away from an end card, to show it elsewhere: its picture, and the same in words to copy.

All of it stands on the board. A plain message, for a picture in a frame is harder to save and its text to copy.
"""

from __future__ import annotations

from bot.show.kit.words import Said, Words
from bot.show.pictures.picture import Picture


def shared(picture: Picture, w: Words) -> Said:
    """Return what stands beside the picture: what to do with it, and its words in a block that copies as it is."""
    told = picture.told.replace("`", "'")
    return Said(f"{w('Yours to show elsewhere: keep the picture, copy the words.')}\n```\n{told}\n```")
