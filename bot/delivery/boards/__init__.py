"""The public board of each table, with its picture and the thread of its match."""
