"""Addresses: their one form, what in them names no article, and what in them is secret."""
