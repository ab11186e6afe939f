"""Briefs that a language model wrote, and whether the reports bear them out."""
