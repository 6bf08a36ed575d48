"""The menus of a lobby and of a running table.

They offer options, invitations, cutting the cards, and moderation.
"""
