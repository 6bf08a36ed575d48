"""The program as a process: its command line, start, end, log and checks."""
