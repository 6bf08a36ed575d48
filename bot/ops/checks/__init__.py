"""``python -m bot check``: the state of the installation, a line per check.

Each fault comes with a remedy.
"""
