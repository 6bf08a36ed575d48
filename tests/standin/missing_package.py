"""``python -m tests.standin.missing_package <package> <module>``: run a module as if a package were not installed."""

import runpy
import sys

if __name__ == "__main__":
    package, module, *sys.argv[1:] = sys.argv[1:]
    sys.modules[package] = None  # type: ignore[assignment]  # its import raises ModuleNotFoundError
    runpy.run_module(module, run_name="__main__", alter_sys=True)
