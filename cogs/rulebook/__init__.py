"""Rules: the book to read, saved rules, and what is played in a channel."""
