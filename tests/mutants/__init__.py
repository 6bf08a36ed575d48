"""Faults planted by program: how many of them do the tests find? ``make mutants`` tells.

Faults are drawn by a seed from all modules of the bot in proportion to their length: something small is changed in a
line, and one of the tests that reach this line has to notice. Nothing is edited in the tree: a process is handed the
changed code where it would load a module (start/sitecustomize.py), so that several faults are tried side by side.
"""
