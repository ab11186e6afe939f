"""Answers to what people ask, as frozen values: one way to compute each, for terminal, JSON and page."""
