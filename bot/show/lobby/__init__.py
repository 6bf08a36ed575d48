"""The menus of a lobby and of a running table.

Options, invitations, cutting the cards, moderation.
"""
