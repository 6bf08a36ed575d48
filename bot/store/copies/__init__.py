"""Copies of a whole database: backups, moves, restorations.

Also short connections for tools beside a running bot.
"""
