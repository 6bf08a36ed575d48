"""A database on a PostgreSQL server, which processes may share."""
