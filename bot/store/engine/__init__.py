"""What every repository runs on, on each kind of database: transactions, migrations, erasures, deletion ledgers."""
