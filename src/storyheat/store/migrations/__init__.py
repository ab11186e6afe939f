"""Alembic's scripts: how the schema came to be, one step a file."""
