"""The common ground of the repositories on both databases.

That is transactions, migrations, erasures, and deletion ledgers.
"""
