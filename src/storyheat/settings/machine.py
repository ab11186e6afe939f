"""The settings that are not in feeds.yaml: the database, the zone of what is shown, and the language model."""

from collections.abc import Mapping
from zoneinfo import ZoneInfo

import tzlocal

from storyheat.core.briefs.summarising import ModelAccess
from storyheat.errors import ConfigError
from storyheat.settings import checks
from storyheat.settings.quoting import quoted

DEFAULT_DATABASE = "sqlite:///storyheat.db"

_DATABASES = ("sqlite:///", "postgresql://", "postgresql+psycopg://")


def database_url(given: str | None, environment: Mapping[str, str]) -> str:
    """The URL of the database: as given, else by STORYHEAT_DB, else storyheat.db in the working folder.

    A bare path means an SQLite file.
    """
    origin, text = ("--db", given) if given else ("STORYHEAT_DB", environment.get("STORYHEAT_DB"))
    if not text:
        return DEFAULT_DATABASE
    if "://" not in text:
        return f"sqlite:///{text}"
    if not text.startswith(_DATABASES):
        raise ConfigError(f"{origin}: no database is known by such a URL; write sqlite:///PATH")
    return text


def display_zone(given: str | None, environment: Mapping[str, str]) -> ZoneInfo:
    """The zone of what is shown: as given, else by STORYHEAT_TZ, else the machine's, else UTC."""
    origin, text = ("--tz", given) if given else ("STORYHEAT_TZ", environment.get("STORYHEAT_TZ"))
    if text:
        try:
            return ZoneInfo(checks.zone(text))
        except ValueError as error:
            raise ConfigError(f"{origin}: {quoted(text)} {error}") from error
    try:
        name = environment.get("TZ", "").removeprefix(":") or tzlocal.get_localzone_name() or "UTC"
        return ZoneInfo("UTC" if name == "Etc/UTC" else name)
    except (ValueError, LookupError, OSError):  # the machine's setting is no zone, or contradicts itself
        return ZoneInfo("UTC")


def model_access(environment: Mapping[str, str]) -> ModelAccess:
    """The language model that STORYHEAT_LLM_URL, _MODEL and _KEY name; whether it can be used shows when it is."""
    names = ("STORYHEAT_LLM_URL", "STORYHEAT_LLM_MODEL", "STORYHEAT_LLM_KEY")
    return ModelAccess(*(environment.get(name, "").strip() or None for name in names))
