"""Foundations of all parts, without rules or tables.

They are tasks, child processes, retries, metrics, and the address of the store.
"""
