"""Nothing a person does may end in an error in the log, whatever the person gets to read."""

from tests.people.conftest import nothing_fails

__all__ = ["nothing_fails"]
