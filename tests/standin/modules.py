"""``python -m tests.standin.modules <words>``: which modules with such words in their names a process has loaded."""

import sys

if __name__ == "__main__":
    print([name for name in sys.modules if any(word in name for word in sys.argv[1:])])
