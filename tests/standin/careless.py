"""``python -m tests.standin.careless``: the program, started by a player whose new files all may read and write."""

import os
import runpy

if __name__ == "__main__":
    os.umask(0)
    runpy.run_module("bot", run_name="__main__", alter_sys=True)
