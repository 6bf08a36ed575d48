"""The errors of the store."""

from __future__ import annotations


class StoreError(Exception):
    """The store cannot be used; the message is an English sentence for the operator."""


class DatabaseUnavailable(StoreError):
    """The database server is unreachable or full: a temporary fault, worth a retry."""


class Fenced(StoreError):
    """Other processes evicted this process and own its shards.

    Nothing was written, and no later write succeeds.
    """


class DeletionsPending(StoreError):
    """Another process deleted a person, and this process must apply the deletion first.

    Nothing was written.
    """


class WriteConflict(StoreError):
    """Conflicts with other processes exhausted the retries: nothing was written.

    A later call may succeed.
    """


class RecordDamaged(StoreError):
    """The stored record of one match is corrupt; every other record stays usable."""


class RecordDeleted(StoreError):
    """The moves of one match were deleted under the server's retention setting.

    Every other record stays usable.
    """


class AlreadyWritten(Exception):
    """The ply, the part in a duplicate or the result already exists: nothing was written."""


class NameTaken(Exception):
    """The owner already has house rules with the same name: nothing was written."""


class LimitReached(Exception):
    """The owner already has the maximum number of house rules: nothing was written."""
