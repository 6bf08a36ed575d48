"""Before the start: opening a table, joining, options, invitations, duplicates."""
