"""Long-running tests, in parts of less than an hour each: ``make soak``."""
