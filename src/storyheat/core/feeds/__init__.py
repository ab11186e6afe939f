"""Feeds: when they are asked, how they are read, and how they are."""
