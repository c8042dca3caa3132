"""``python -m turnmark``."""

from turnmark.cli import main

if __name__ == "__main__":
    main()
