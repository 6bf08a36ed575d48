"""The common ground of the repositories on both databases.

Transactions, migrations, erasures, deletion ledgers.
"""
