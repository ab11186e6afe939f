"""The command: it listens, says where, and ends when it is told to."""

import re
import signal
import socket
import subprocess
import sys
import urllib.request
from pathlib import Path

import pytest
from tests.command import storyheat

from storyheat.settings import Settings


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_it_serves_until_it_is_told_to_stop(news: Settings, number: signal.Signals) -> None:
    command = [sys.executable, "-m", "storyheat", "serve", "--port=0", f"--db={news.database}", "--tz=UTC"]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as process:
        assert process.stderr is not None
        found = re.search(r"http://127\.0\.0\.1:\d+/", process.stderr.readline())
        assert found is not None
        with urllib.request.urlopen(found[0], timeout=30) as reply:
            assert b"storyheat" in reply.read()
            assert "server" not in reply.headers
        process.send_signal(number)
        assert process.wait(20) == 0
        assert process.stderr.read() == ""


def test_a_port_that_is_taken_and_a_place_that_is_none(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        ran = storyheat("serve", f"--port={port}", f"--db=sqlite:///{tmp_path / 'a.db'}")
    assert ran.code == 1
    assert f"cannot listen on 127.0.0.1, port {port}" in ran.err
    assert storyheat("serve", "--host=no such host", f"--db=sqlite:///{tmp_path / 'a.db'}").code == 2
