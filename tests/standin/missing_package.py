"""``python -m tests.standin.missing_package <package> <module>``: a module as the main program, without a package."""

import runpy
import sys

if __name__ == "__main__":
    package, module, *sys.argv[1:] = sys.argv[1:]
    sys.modules[package] = None  # type: ignore[assignment]  # so that to import it raises ModuleNotFoundError
    runpy.run_module(module, run_name="__main__", alter_sys=True)
