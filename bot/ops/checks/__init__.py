"""``python -m bot check``.

The state of the installation, a line per check, with a remedy for each fault.
"""
