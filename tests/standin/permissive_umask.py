"""``python -m tests.standin.permissive_umask``: run the program with a permissive umask."""

import os
import runpy

if __name__ == "__main__":
    os.umask(0)
    runpy.run_module("bot", run_name="__main__", alter_sys=True)
