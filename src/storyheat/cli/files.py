"""Results that go to a file: what stands there at every moment is the old one or the new one, whole."""

import os
import stat
from pathlib import Path
from secrets import token_hex
from typing import TYPE_CHECKING

from storyheat.errors import UsageError, WorkError

if TYPE_CHECKING:
    from storyheat.settings import Settings


def refuse_own_files(path: Path, settings: "Settings") -> None:
    """Raises UsageError for an output that would be written over the database or the settings it comes from."""
    from storyheat.store.database import refuse_own, sqlite_path

    database = sqlite_path(settings.database)
    if database is not None:
        refuse_own(path, database)
    if settings.config is not None and os.path.realpath(path) == os.path.realpath(settings.config):
        raise UsageError(f"{path} holds the settings: name another file")


def write_whole(path: Path, text: str) -> None:
    """Puts text into a file as UTF-8, beside it first and then in its place; its mode stays, a link stays a link.

    What is no plain file (a pipe, a device) is written to. Raises WorkError.
    """
    try:
        mode = path.stat().st_mode if path.exists() else None
        if mode is not None and not stat.S_ISREG(mode):
            path.write_text(text, "utf-8", newline="")
            return
        target = Path(os.path.realpath(path))
        beside = target.with_name(f".{target.name}.{token_hex(4)}")
        try:
            with beside.open("x", encoding="utf-8", newline="") as file:
                file.write(text)
                file.flush()
                os.fsync(file.fileno())
            if mode is not None:
                beside.chmod(stat.S_IMODE(mode))
            beside.replace(target)
        finally:
            beside.unlink(missing_ok=True)
    except OSError as error:
        raise WorkError(f"cannot write {path} ({error.strerror}): choose another place") from error
