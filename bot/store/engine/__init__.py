"""The common ground of the repositories on both databases: transactions, migrations, erasures, deletion ledgers."""
