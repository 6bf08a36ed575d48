"""A stop in the middle of an evening with many live tables, on a Discord that keeps to its limits."""
