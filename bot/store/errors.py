"""Why the store does not do what it is asked to."""

from __future__ import annotations


class StoreError(Exception):
    """The store cannot be used; the message is a clear English sentence for whoever runs the bot."""


class Away(StoreError):
    """A database server cannot be reached, or has no room: that may pass by itself."""


class Fenced(StoreError):
    """Others took this process for gone and have its shards: nothing was written, and nothing will be."""


class Behind(StoreError):
    """Another process has deleted somebody, which is to be followed here first: nothing was written."""


class Busy(StoreError):
    """Other processes wrote in the way again and again: nothing was written, and the same may work a moment later."""


class Damaged(StoreError):
    """What is kept of one match is not what it was; all else can be used."""


class Gone(StoreError):
    """What was played in one match is no longer kept, by the choice of its server; all else can be used."""


class Taken(Exception):
    """Another action already has this ply: nothing was written."""


class NameTaken(Exception):
    """The same owner has other house rules under this name: nothing was written."""


class TooMany(Exception):
    """An owner has all the house rules there is room for: nothing was written."""
