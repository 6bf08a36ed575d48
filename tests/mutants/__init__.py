"""Mutation testing: which small changes of the bot do the tests detect? ``make mutants``.

Mutations are drawn by a seed from all modules of the bot in proportion to their length; each changes a detail of a
line, and one of the tests that reach the line has to fail. The source tree is not edited: a process gets the changed
code when it would import a module (start/sitecustomize.py), so that several mutations run concurrently.
"""
