"""The feeds.yaml that storyheat ships, for `init` to write."""

from importlib.resources import files
from pathlib import Path


def shipped_feeds_yaml() -> str:
    """Its text. An installed package carries the file; a checkout has it at its top, and there alone."""
    packaged = files("storyheat").joinpath("feeds.yaml")
    if packaged.is_file():
        return packaged.read_text("utf-8")
    return Path(__file__).parents[3].joinpath("feeds.yaml").read_text("utf-8")
