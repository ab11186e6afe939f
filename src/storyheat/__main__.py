"""Lets `python -m storyheat` do what the command `storyheat` does."""

from storyheat.cli import main

if __name__ == "__main__":
    raise SystemExit(main())
