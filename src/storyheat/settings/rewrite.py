"""Replaces feeds.yaml by an edited text: checked before, whole or not at all, and never over another's change."""

import os
import stat
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path

from storyheat.errors import ConfigError, WorkError
from storyheat.settings.document import Document, document_of, read_file
from storyheat.settings.edit import Edited
from storyheat.settings.file import checked

if sys.platform != "win32":
    import fcntl

_MARK = b"\xef\xbb\xbf"  # byte order mark of UTF-8; a file that has one keeps it


def rewrite(
    path: Path,
    environment: Mapping[str, str],
    edit: Callable[[Document], Edited | None],
    *,
    dry_run: bool = False,
) -> bool:
    """Reads the file, edits it, checks what came out, and puts that in its place; False: nothing was to be changed.

    What is at `path` at every moment is the old file or the new one; its mode stays, a link stays a link.
    With `dry_run` all is done but the replacement. Raises ConfigError for a file that is wrong before or after the
    edit, WorkError if it cannot be written or another program changed it meanwhile.
    """
    old = read_file(path)
    document = document_of(str(path), old, environment)
    checked(document)
    edited = edit(document)
    if edited is None:
        return False
    new = (_MARK if old.startswith(_MARK) else b"") + edited.text.encode()
    _check(str(path), new, environment, edited)
    if new == old:
        return False
    if not dry_run:
        _replace(path, old, new)
    return True


def _check(name: str, new: bytes, environment: Mapping[str, str], edited: Edited) -> None:
    """The new text is a configuration, and says what it should."""
    by_hand = f"{name}: is written in a way that is not edited safely here; edit it by hand"
    try:
        document = document_of(name, new, environment)
    except ConfigError as error:
        raise ConfigError(by_hand) from error
    checked(document)
    said, meant = ({key: value for key, value in each.items() if value} for each in (document.values, edited.values))
    if said != meant:
        raise ConfigError(by_hand)


def _replace(path: Path, old: bytes, new: bytes) -> None:
    target = Path(os.path.realpath(path))
    try:
        with _locked(target) as mode:
            number, name = tempfile.mkstemp(prefix=f".{target.name}.", dir=target.parent)
            beside = Path(name)
            try:
                with os.fdopen(number, "wb") as file:
                    file.write(new)
                    file.flush()
                    os.fsync(number)
                beside.chmod(mode)
                if target.read_bytes() != old:
                    raise WorkError(f"{path} was changed by another program meanwhile; nothing was written; try again")
                beside.replace(target)
            finally:
                beside.unlink(missing_ok=True)
        _settle(target.parent)
    except OSError as error:
        raise WorkError(f"cannot write {path} ({error.strerror}): nothing was changed; check its rights") from error


@contextmanager
def _locked(target: Path) -> Iterator[int]:
    """Keeps other edits of ours away while one compares and replaces; gives the mode of the file."""
    with target.open("rb") as file:
        if sys.platform != "win32":
            fcntl.flock(file, fcntl.LOCK_EX)
        yield stat.S_IMODE(os.fstat(file.fileno()).st_mode)


def _settle(folder: Path) -> None:
    """Makes the new name last through a loss of power, where folders can be synced."""
    with suppress(OSError):
        number = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(number)
        finally:
            os.close(number)
