"""Foundations of all parts.

Tasks, child processes, retries, metrics, the address of the store. No rules, no tables.
"""
