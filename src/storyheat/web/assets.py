"""Stylesheet, script and icon: read once, each under a name that changes with its content, so it can be kept."""

from hashlib import sha256
from pathlib import Path

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

FOLDER = Path(__file__).parent / "static"
PREFIX = "/static"
FOR_GOOD = "public, max-age=31536000, immutable"  # a year, the longest that caches are asked to keep
_TYPES = {
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".svg": "image/svg+xml",
}
_HASH_LETTERS = 12


class Assets:
    """The files of a folder, by their hashed names."""

    def __init__(self, folder: Path = FOLDER) -> None:
        self._hashed: dict[str, str] = {}
        self._files: dict[str, tuple[bytes, str]] = {}
        for path in sorted(folder.iterdir()):
            if path.suffix in _TYPES:
                content = path.read_bytes()
                hashed = f"{path.stem}.{sha256(content).hexdigest()[:_HASH_LETTERS]}{path.suffix}"
                self._hashed[path.name] = hashed
                self._files[hashed] = (content, _TYPES[path.suffix])

    def url(self, name: str) -> str:
        """Where the file of this name stands."""
        return f"{PREFIX}/{self._hashed[name]}"

    def serve(self, request: Request) -> Response:
        """The file that a path names; 404 for any other."""
        found = self._files.get(request.path_params["name"])
        if found is None:
            raise HTTPException(404)
        content, media_type = found
        return Response(content, media_type=media_type, headers={"Cache-Control": FOR_GOOD})
