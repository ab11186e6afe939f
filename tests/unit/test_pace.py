"""Turns at hosts: one at a time, with a pause, on a clock that the test moves."""

import asyncio

from storyheat.ingest.pace import HostPacer


class _Time:
    """A clock that moves only when somebody waits for it."""

    def __init__(self) -> None:
        self.now = 100.0
        self.waits: list[float] = []

    def monotonic(self) -> float:
        return self.now

    async def sleep(self, seconds: float) -> None:
        self.waits.append(seconds)
        self.now += seconds


def _asked(per_host: int, hosts: list[str], free_at: dict[str, float] | None = None) -> tuple[int, _Time]:
    """Most requests under way at once, and the clock, after one request of 5 seconds to each of `hosts`."""
    time = _Time()
    under_way = most = 0

    async def ask(pacer: HostPacer, host: str) -> None:
        nonlocal under_way, most
        async with pacer.turn(host):
            under_way += 1
            most = max(most, under_way)
            await asyncio.sleep(0)
            time.now += 5
            under_way -= 1

    async def all_of_them() -> None:
        pacer = HostPacer(per_host, 1.0, {} if free_at is None else free_at, time.monotonic, time.sleep)
        await asyncio.gather(*(ask(pacer, host) for host in hosts))

    asyncio.run(all_of_them())
    return most, time


def test_one_at_a_time_with_a_pause_after_the_end() -> None:
    most, time = _asked(1, ["wire.example"] * 3)
    assert (most, time.waits) == (1, [1.0, 1.0])


def test_hosts_do_not_wait_for_each_other() -> None:
    most, time = _asked(1, ["a.example", "b.example"])
    assert (most, time.waits) == (2, [])


def test_two_at_once_do_not_start_together() -> None:
    most, time = _asked(2, ["wire.example"] * 2)
    assert (most, time.waits) == (2, [1.0])


def test_the_pause_outlives_the_run() -> None:
    free_at: dict[str, float] = {"wire.example": 100.5}
    _, time = _asked(1, ["wire.example"], free_at)
    assert time.waits == [0.5]
    assert free_at == {"wire.example": 106.5}


def test_a_closed_host_costs_no_waiting() -> None:
    time = _Time()

    async def ask_on() -> None:
        pacer = HostPacer(1, 1.0, {}, time.monotonic, time.sleep)
        async with pacer.turn("wire.example"):
            pacer.close("wire.example")
        async with pacer.turn("wire.example"):
            pass

    asyncio.run(ask_on())
    assert time.waits == []
