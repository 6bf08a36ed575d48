"""The store from outside: stored data, refusals, and atomic writes."""
