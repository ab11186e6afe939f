"""A database in a temporary folder, and the real pipeline over it at the instants a test names."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

from storyheat.core.model import Source
from storyheat.pipeline.report import RunReport
from storyheat.pipeline.run import Pipeline
from storyheat.ports import Fetcher
from storyheat.settings import Settings
from storyheat.store.database import Database, open_database
from storyheat.wiring import make_pipeline


def new_database(folder: Path, name: str = "storyheat.db") -> Database:
    """An empty database in a file."""
    return open_database(f"sqlite:///{folder / name}", create=True)


def settings_of(database: Database, **fields: Any) -> Settings:
    """Default settings for an open database."""
    return Settings(database=f"sqlite:///{database.name}", timezone=ZoneInfo("UTC"), **fields)


def pipeline_of(database: Database, fetcher: Fetcher, sources: Iterable[Source], **fields: Any) -> Pipeline:
    """The real pipeline over a database, with a stand-in for the network."""
    return make_pipeline(settings_of(database, **fields), database, fetcher, tuple(sources))


@dataclass
class Runs:
    """A pipeline that is run at the instants a test names; keeps the reports."""

    pipeline: Pipeline
    reports: list[RunReport] = field(default_factory=list)

    def at(self, *instants: datetime, force: bool = False) -> RunReport:
        """Runs at each instant; the last report."""
        for now in instants:
            self.reports.append(self.pipeline.run(now, force=force))
        return self.reports[-1]
