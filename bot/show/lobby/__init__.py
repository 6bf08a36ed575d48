"""The menus of a lobby and of a running table: options, invitations, cutting the cards, moderation."""
