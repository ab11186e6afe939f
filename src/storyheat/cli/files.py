"""Results that go to a file: what stands there at every moment is the old one or the new one, whole."""

import os
import stat
from pathlib import Path
from secrets import token_hex

from storyheat.errors import WorkError


def write_whole(path: Path, text: str) -> None:
    """Puts text into a file as UTF-8, beside it first and then in its place; its mode stays, a link stays a link.

    What is no plain file (a pipe, a device) is written to. Raises WorkError.
    """
    try:
        target = Path(os.path.realpath(path))
        mode = target.stat().st_mode if target.exists() else None
        if mode is not None and not stat.S_ISREG(mode):
            target.write_text(text, "utf-8", newline="")
            return
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
