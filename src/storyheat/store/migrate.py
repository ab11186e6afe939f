"""Brings a database to the newest schema; with migrations/ the only home of Alembic."""

from pathlib import Path

from alembic import command
from alembic.config import Config
from sqlalchemy import Connection

from storyheat.errors import WrongVersion
from storyheat.store.database import Database, schema_version
from storyheat.store.schema import views
from storyheat.store.versions import APPLICATION_ID, HEAD, KNOWN_VERSIONS


def alembic_config() -> Config:
    """Alembic's configuration without a file: the scripts lie in this package."""
    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent / "migrations").replace("%", "%%"))
    return config


def upgrade(database: Database) -> tuple[str, ...]:
    """Runs the missing migrations in one transaction and makes the views anew; the versions gone through."""
    before = schema_version(database)
    if before is not None and before not in KNOWN_VERSIONS:
        raise WrongVersion(f"{database.name} was written by a newer storyheat (schema {before}): install that version")
    if database.engine.dialect.name == "sqlite":
        with database.engine.connect() as connection:
            raw = connection.connection.driver_connection
            assert raw is not None
            raw.execute("PRAGMA journal_mode = WAL")  # stays with the file; must be set outside a transaction
    with database.write() as connection:
        _drop_views(connection)
        config = alembic_config()
        config.attributes["connection"] = connection
        command.upgrade(config, HEAD)
        for _name, statement in views():
            connection.exec_driver_sql(statement)
        if connection.dialect.name == "sqlite":
            connection.exec_driver_sql(f"PRAGMA application_id = {APPLICATION_ID}")
    return KNOWN_VERSIONS if before is None else KNOWN_VERSIONS[KNOWN_VERSIONS.index(before) + 1 :]


def _drop_views(connection: Connection) -> None:
    for name in connection.dialect.get_view_names(connection):
        connection.exec_driver_sql(f"DROP VIEW {name}")
