"""Keeps Discord's messages up to date.

A board per table, notifications of awaited players, open private hands.
"""
