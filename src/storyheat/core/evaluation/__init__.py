"""How good a grouping is, and what changes between two."""
