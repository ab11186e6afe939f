#!/usr/bin/env python3
"""Takes the disk away from storyheat, and the database, for real: a full disk, a read-only one, a lock of a minute.

    sudo .venv/bin/python scripts/disk_faults.py

The first two need root, for a small tmpfs, and are left out without it. Each fault must be one line that says what to
do, must leave the database sound, and work must go on once it is over. Exit code 1: something did not. What a test can
show in a second stands in tests/integration/test_disk_trouble.py.
"""

import os
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from datetime import UTC, datetime, timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

LOCKED_SECONDS = 60
PROGRAM = [sys.executable, "-m", "storyheat"]
WORDS = " ".join(f"word{number}" for number in range(3000))


class Feed(BaseHTTPRequestHandler):
    """A feed with an article for every minute, each with a long text of its own."""

    def do_GET(self) -> None:  # the name that the library calls
        """Answers with the last twenty."""
        now = datetime.now(UTC).replace(second=0)
        made = [now - timedelta(minutes=back) for back in range(20)]
        items = "".join(
            f"<item><title>Piece {at:%d %H:%M}</title><link>https://one.example/{at:%d%H%M}</link>"
            f"<pubDate>{at:%a, %d %b %Y %H:%M:%S} GMT</pubDate><description>{at:%d%H%M} {WORDS}</description></item>"
            for at in made
        )
        body = f'<rss version="2.0"><channel><title>One</title>{items}</channel></rss>'.encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/rss+xml")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """Says nothing."""


@contextmanager
def configured(folder: Path) -> Iterator[list[str]]:
    """The options of a database in a folder that follows the feed."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), Feed)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    place = f"127.0.0.1:{server.server_port}"
    with tempfile.TemporaryDirectory() as elsewhere:
        config = Path(elsewhere) / "feeds.yaml"
        config.write_text(
            f"sources:\n  - {{id: one, poll_minutes: 1, feeds: [{{url: 'http://{place}/feed'}}]}}\n"
            f"network: {{allow_hosts: ['{place}'], pause_seconds: 0}}\n"
        )
        yield [f"--config={config}", f"--db=sqlite:///{folder / 'storyheat.db'}"]
    server.shutdown()


def run(*arguments: str) -> tuple[int, str]:
    """One command: its exit code and what it complained."""
    ended = subprocess.run([*PROGRAM, *arguments], check=False, capture_output=True, text=True, timeout=300)
    return ended.returncode, ended.stderr.strip()


def is_sound(options: list[str]) -> bool:
    """Whether the database is whole, and what its facts give; what is not is printed with all that was said of it."""
    sound = True
    for question in (["db", "check"], ["rebuild", "--check"]):
        told = subprocess.run([*PROGRAM, *question, *options], check=False, capture_output=True, text=True, timeout=300)
        if told.returncode:
            sound = False
            print(f"  {' '.join(question)}: exit {told.returncode}\n{told.stdout}{told.stderr}")
    return sound


@contextmanager
def small_disk(megabytes: int) -> Iterator[Path]:
    """A tmpfs of that size."""
    with tempfile.TemporaryDirectory() as name:
        subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={megabytes}m", "tmpfs", name], check=True)
        try:
            yield Path(name)
        finally:
            subprocess.run(["umount", name], check=True)


def full_disk() -> bool:
    """A disk that has no room for what a run brings, and then has."""
    with small_disk(3) as folder, configured(folder) as options:
        (folder / "ballast").write_bytes(bytes(2_600_000))
        code, words = run("ingest", *options)
        print(f"  exit {code}: {words}")
        said = code == 1 and len(words.splitlines()) == 1 and "disk" in words
        (folder / "ballast").unlink()
        again, _ = run("ingest", *options)
        return said and again == 0 and is_sound(options)


def read_only_disk() -> bool:
    """A disk that is read-only for a while: questions are answered, a run is not made."""
    with small_disk(16) as folder, configured(folder) as options:
        first, _ = run("ingest", *options)
        subprocess.run(["mount", "-o", "remount,ro", str(folder)], check=True)
        code, words = run("ingest", "--force", *options)
        print(f"  exit {code}: {words}")
        answered, _ = run("top", *options)
        subprocess.run(["mount", "-o", "remount,rw", str(folder)], check=True)
        again, _ = run("ingest", "--force", *options)
        said = code == 1 and len(words.splitlines()) == 1
        return first == 0 and said and answered == 0 and again == 0 and is_sound(options)


def locked_for_a_minute() -> bool:
    """Another program holds the database while the daemon wants to write."""
    with tempfile.TemporaryDirectory() as name, configured(Path(name)) as options:
        run("ingest", *options)
        log = Path(name) / "log"
        with log.open("w") as stream, closing(sqlite3.connect(f"{name}/storyheat.db", isolation_level=None)) as other:
            other.execute("BEGIN EXCLUSIVE")
            daemon = subprocess.Popen([*PROGRAM, "daemon", *options], stderr=stream)
            time.sleep(LOCKED_SECONDS)
            other.execute("ROLLBACK")
            held = log.read_text()
            ended = wait_for(lambda: "updated" in log.read_text()[len(held) :], 180)
            daemon.terminate()
            code = daemon.wait(10)
        print("  " + "\n  ".join(log.read_text().splitlines()))
        return "held by another program" in held and ended and code == 0 and is_sound(options)


def wait_for(done: Callable[[], bool], seconds: float) -> bool:
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if done():
            return True
        time.sleep(0.5)
    return False


def main() -> int:
    """Plays all faults."""
    root = os.geteuid() == 0
    failed = 0
    for fault, needs_root in ((full_disk, True), (read_only_disk, True), (locked_for_a_minute, False)):
        print(f"{fault.__name__}:", flush=True)
        if needs_root and not root:
            print("  left out: it needs root")
            continue
        good = fault()
        failed += not good
        print(f"  {'as it should be' if good else 'NOT AS IT SHOULD BE'}", flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
