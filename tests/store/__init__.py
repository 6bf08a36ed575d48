"""The store from outside: what is kept, what is refused, and that nothing is ever half written."""
