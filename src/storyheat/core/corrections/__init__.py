"""Corrections by hand: what a person may decide, and what it does to the logs."""
