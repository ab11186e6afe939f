"""Templates: the one place where values become HTML. Everything is escaped."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from storyheat import __version__
from storyheat.present.feeds.forms import FORMS
from storyheat.web.assets import Assets

FOLDER = Path(__file__).parent / "templates"
NAVIGATION = (("/", "Hot"), ("/search", "Search"), ("/sources", "Sources"), ("/about", "About"))


class Pages:
    """The templates, compiled when first used."""

    def __init__(self, assets: Assets) -> None:
        self._templates = Environment(
            loader=FileSystemLoader(FOLDER),
            autoescape=True,
            undefined=StrictUndefined,
            trim_blocks=True,
            lstrip_blocks=True,
            auto_reload=False,
        )
        self._templates.globals.update(asset=assets.url, navigation=NAVIGATION, forms=FORMS, version=__version__)

    def render(self, name: str, values: Mapping[str, Any]) -> bytes:
        """The page that a template makes of values."""
        return self._templates.get_template(name).render(values).encode("utf-8")
