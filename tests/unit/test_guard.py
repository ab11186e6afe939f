"""Which addresses may be asked: the public ones, in whatever spelling the others come."""

from collections.abc import Sequence
from ipaddress import IPv4Address, IPv6Address, ip_address

import pytest
from hypothesis import given
from hypothesis import strategies as st

from storyheat.ingest.guard import Refused, Target, allowed_addresses, target_of, why_not_public

PUBLIC = "93.184.216.34"


def no_names(host: str) -> Sequence[str]:
    raise AssertionError(f"{host} must not be looked up")


@pytest.mark.parametrize(
    ("address", "word"),
    [
        ("0.0.0.0", "unspecified"),
        ("10.0.0.5", "private"),
        ("100.64.0.1", "carrier-internal"),
        ("100.100.100.200", "carrier-internal"),
        ("127.8.9.1", "loopback"),
        ("168.63.129.16", "cloud metadata"),
        ("169.254.169.254", "link-local"),
        ("172.31.255.255", "private"),
        ("192.0.2.1", "documentation"),
        ("192.168.1.1", "private"),
        ("198.19.0.1", "benchmark"),
        ("224.0.0.1", "multicast"),
        ("255.255.255.255", "reserved"),
        ("::", "unspecified"),
        ("::1", "loopback"),
        ("::ffff:169.254.169.254", "link-local"),  # mapped
        ("::ffff:0:7f00:1", "reserved"),  # translated, never routed
        ("::127.0.0.1", "loopback"),  # compatible
        ("::93.184.216.34", "reserved"),
        ("64:ff9b::10.0.0.1", "private"),  # NAT64
        ("64:ff9b:1::1", "private"),
        ("2002:7f00:1::", "loopback"),  # 6to4
        ("2001:0:4136:e378:8000:63bf:3fff:fdd2", "reserved"),  # Teredo
        ("2001:db8::1", "documentation"),
        ("3fff::1", "documentation"),
        ("fd00:ec2::254", "private"),
        ("fe80::1", "link-local"),
        ("fe80::1%eth0", "link-local"),
        ("fec0::1", "private"),
        ("ff02::1", "multicast"),
        ("4000::1", "reserved"),
    ],
)
def test_not_public(address: str, word: str) -> None:
    assert why_not_public(ip_address(address)) == word


@pytest.mark.parametrize(
    "address",
    [
        PUBLIC,
        "172.32.0.1",
        "::ffff:93.184.216.34",
        "64:ff9b::93.184.216.34",
        "2606:2800:220:1::1",
        "2002:5db8:d822::",
    ],
)
def test_public(address: str) -> None:
    assert why_not_public(ip_address(address)) is None


@given(st.ip_addresses(v=4))
def test_wrapping_an_address_does_not_open_it(inner: IPv4Address) -> None:
    if why_not_public(inner) is not None:
        for wrapped in (
            0xFFFF << 32 | int(inner),
            (0x64FF9B << 96) | int(inner),
            (0x2002 << 112) | int(inner) << 80,
        ):
            assert why_not_public(IPv6Address(wrapped)) is not None


@given(st.ip_addresses())
def test_nothing_is_more_open_than_the_registry(address: IPv4Address | IPv6Address) -> None:
    plain = not isinstance(address, IPv6Address) or (address.ipv4_mapped is None and address.sixtofour is None)
    if plain and why_not_public(address) is None:
        inside = address.is_private, address.is_loopback, address.is_link_local
        assert not any((*inside, address.is_multicast, address.is_unspecified))


@pytest.mark.parametrize(
    ("scheme", "host"),
    [
        ("file", ""),
        ("gopher", "wire.example"),
        ("ftp", "wire.example"),
        ("data", ""),
        ("", "wire.example"),
        ("http", ""),
        ("http", "."),
        ("http", "a..b"),
        ("http", "wi%20re"),
        ("http", "a" * 64 + ".example"),
        ("http", "a." * 130 + "example"),
        ("http", "0x7f000001"),
        ("http", "2852039166"),
        ("http", "127.1"),
        ("http", "127.0.0.0x1"),
        ("http", "0177.0.0.1"),
        ("http", "0177.0.0.1."),
        ("http", "1.2.3.4.5"),
        ("http", "wire.example.1"),
        ("http", "::1::"),
        ("http", "fe80::1%25eth0"),
    ],
)
def test_never_a_target(scheme: str, host: str) -> None:
    with pytest.raises(Refused):
        target_of(scheme, host, None)


@pytest.mark.parametrize("port", [0, 65_536])
def test_never_a_port(port: int) -> None:
    with pytest.raises(Refused):
        target_of("http", "wire.example", port)


def test_a_target_has_one_spelling() -> None:
    assert target_of("https", "Wire.Example.", None) == Target("https", "wire.example", 443)
    assert target_of("http", "wire.example", 8080) == Target("http", "wire.example", 8080)
    assert str(Target("http", "::1", 80)) == "[::1]:80"


def test_every_address_of_a_name_must_be_public() -> None:
    target = Target("https", "wire.example", 443)
    assert allowed_addresses(target, lambda _: [PUBLIC, "2606:2800::1", PUBLIC], ()) == (
        PUBLIC,
        "2606:2800::1",
    )
    with pytest.raises(Refused, match=r"wire\.example:443 has the private address 10\.0\.0\.1"):
        allowed_addresses(target, lambda _: [PUBLIC, "10.0.0.1"], ())
    with pytest.raises(OSError, match="no address"):
        allowed_addresses(target, lambda _: [], ())


@pytest.mark.parametrize("host", ["localhost", "feeds.localhost", "localhost.localdomain", "127.0.0.1", "::1"])
def test_this_machine_is_refused_without_a_lookup(host: str) -> None:
    with pytest.raises(Refused):
        allowed_addresses(Target("http", host, 80), no_names, ())


def test_an_exemption_is_exact() -> None:
    allow = ("Wire.example:8080", "[::1]:8080")
    at_home = ["127.0.0.1"]
    assert allowed_addresses(Target("http", "wire.example", 8080), lambda _: at_home, allow) == ("127.0.0.1",)
    assert allowed_addresses(Target("http", "::1", 8080), no_names, allow) == ("::1",)
    for host, port in (("wire.example", 80), ("a.wire.example", 8080), ("other.example", 8080)):
        with pytest.raises(Refused):
            allowed_addresses(Target("http", host, port), lambda _: at_home, allow)
