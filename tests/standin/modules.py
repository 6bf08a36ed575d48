"""``python -m tests.standin.modules <words>``: print the loaded modules whose names contain these words."""

import sys

if __name__ == "__main__":
    print([name for name in sys.modules if any(word in name for word in sys.argv[1:])])
