"""Bigger: climbing card games for a Discord server."""
