"""How requests are made: the tunable numbers of the fetcher, as one frozen value."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class NetworkParams:
    """The `network:` part of feeds.yaml. Defaults are those of the configuration contract."""

    user_agent_contact: str = ""  # URL or mail address shown to the servers asked; empty: none
    concurrency: int = 16  # requests at once, over all hosts
    per_host: int = 1  # requests at once to one host
    pause_seconds: float = 1.0  # between two requests to one host, end to start
    timeout_seconds: float = 20.0  # to find, to connect, and between two pieces of a reply
    total_seconds: float = 60.0  # for one reply with all its redirects; waiting for a turn not counted
    max_bytes: int = 10_000_000  # of one body, decompressed
    max_entries: int = 30_000  # of one document: the largest archive met as one feed; takes about 2 s
    max_redirects: int = 5  # hops; browsers allow 20, no healthy feed needs more than 3
    allow_hosts: tuple[str, ...] = ()  # exact "host:port" pairs exempt from the private-address guard
    proxy: str | None = None  # http(s) URL; never taken from the environment
