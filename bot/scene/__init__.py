"""What a table shows of itself to one person, or to everybody: made by a table, drawn by a screen."""
