"""Tests with the sandbox's page in a real browser."""
