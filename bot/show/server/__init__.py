"""The screens of a server: settings, standings, debts, welcome, policies."""
