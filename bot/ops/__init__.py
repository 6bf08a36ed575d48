"""The program as a process: its command line, how it starts and ends, its log, and whether all is in order."""
