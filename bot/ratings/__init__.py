"""What finished matches say of people: pure, from the first match to the last, always the same figures."""
