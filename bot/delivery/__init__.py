"""Keeps Discord's messages up to date: boards, notifications and open private hands.

Each table has a board, and awaited players are notified.
"""
