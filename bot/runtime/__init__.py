"""Foundations of all parts: tasks, child processes, retries, metrics, the address of the store. No rules, no tables."""
