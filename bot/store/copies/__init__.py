"""Copies of a whole database: backups, moves, restorations.

And short connections for tools beside a running bot.
"""
