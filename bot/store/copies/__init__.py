"""Copies of a whole database: backups, moves, restorations; and short connections for tools beside a running bot."""
