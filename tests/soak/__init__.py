"""The long trials, in parts of less than an hour each: ``make soak``."""
