"""Modules that are loaded when something of them is first used: a command that asks one thing starts sooner."""

from importlib import import_module
from typing import Any


class Later:
    """Stands for a module until something of it is asked for, and passes that on."""

    def __init__(self, name: str) -> None:
        """`name`: the full name of the module."""
        self._name = name

    def __getattr__(self, name: str) -> Any:
        return getattr(import_module(self._name), name)
