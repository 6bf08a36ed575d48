"""``python -m tests.standin.permissive_umask``: the program, started by a user with a permissive umask."""

import os
import runpy

if __name__ == "__main__":
    os.umask(0)
    runpy.run_module("bot", run_name="__main__", alter_sys=True)
