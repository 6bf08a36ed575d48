"""``python -m bot check``: whether all is in order, a line each, with what to do where it is not."""
