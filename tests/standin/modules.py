"""``python -m tests.standin.modules <words>``: loaded modules of a process with these words in their names."""

import sys

if __name__ == "__main__":
    print([name for name in sys.modules if any(word in name for word in sys.argv[1:])])
