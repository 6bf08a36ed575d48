"""What all parts run on: tasks, child processes, retries, metrics, and where the store is. No rules, no tables."""
