"""storyheat: what is hot in the news feeds you follow, since when, when it peaked, and why."""

__version__ = "0.1.0"
