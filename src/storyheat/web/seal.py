"""Signs what browsers keep, so that nobody else can make it: with STORYHEAT_SECRET, else a key beside the database."""

import hmac
import os
import secrets
from base64 import urlsafe_b64encode
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from threading import Lock

from storyheat.errors import WorkError

KEY_BYTES = 32  # as long as what HMAC-SHA-256 makes of it
KEY_SUFFIX = ".key"


class Seal:
    """Signatures of one server, and of all others with the same secret or database."""

    def __init__(self, secret: str | None, database: Path | None) -> None:
        self._key = None if secret is None else secret.encode()
        self._path = None if database is None else database.with_name(database.name + KEY_SUFFIX)
        self._lock = Lock()

    def sign(self, *parts: str) -> str:
        """The signature of some texts, fit for cookies and forms. Raises WorkError where no key can be kept."""
        message = b"".join(f"{len(part)}:{part}".encode() for part in parts)  # no two lists are one message
        return urlsafe_b64encode(hmac.digest(self._known_key(), message, sha256)).rstrip(b"=").decode()

    def fits(self, signature: str, *parts: str) -> bool:
        """Whether a signature is that of these texts."""
        return hmac.compare_digest(signature.encode(), self.sign(*parts).encode())

    def _known_key(self) -> bytes:
        with self._lock:
            if self._key is None:
                self._key = secrets.token_bytes(KEY_BYTES) if self._path is None else _kept_key(self._path)
            return self._key


def _kept_key(path: Path) -> bytes:
    """The key in a file that only its owner can read; the first who needs it makes it. Raises WorkError."""
    try:
        if not path.exists():
            _make_key(path)
        key = path.read_bytes()
    except OSError as error:
        raise WorkError(f"no key can be kept in {path} ({error.strerror}); STORYHEAT_SECRET sets one") from error
    if len(key) < KEY_BYTES:
        raise WorkError(f"{path} holds no whole key; remove it, and another is made")
    return key


def _make_key(path: Path) -> None:
    """Makes the file, whole or not at all; where another server was faster, its key stays."""
    draft = path.with_name(f"{path.name}.{secrets.token_hex(4)}")
    try:
        with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
            file.write(secrets.token_bytes(KEY_BYTES))
        with suppress(FileExistsError):
            path.hardlink_to(draft)
    finally:
        draft.unlink(missing_ok=True)
