"""Copies of a whole database: backups, moves, restorations, and short connections beside a running bot."""
