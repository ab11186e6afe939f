"""Decides which hosts and addresses may be asked: public ones only, so that no feed reaches inside.

Pure functions over `ipaddress`; names are looked up by the resolver that the caller passes in.
The tables are the special-purpose registries of IANA (RFC 6890 and its successors) written out,
because `is_global` of the standard library differs between Python versions.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from ipaddress import AddressValueError, IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address
from typing import TypeAlias

Address: TypeAlias = IPv4Address | IPv6Address
Resolver: TypeAlias = Callable[[str], Sequence[str]]
"""Host name → addresses as text, in order of preference; raises OSError where there are none."""

_SCHEME_PORTS = {"http": 80, "https": 443}

_REFUSED_V4 = tuple(
    (IPv4Network(network), word)
    for network, word in (
        ("0.0.0.0/8", "unspecified"),
        ("10.0.0.0/8", "private"),
        ("100.64.0.0/10", "carrier-internal"),
        ("127.0.0.0/8", "loopback"),
        ("168.63.129.16/32", "cloud metadata"),  # looks public, answers only inside one cloud
        ("169.254.0.0/16", "link-local"),  # also the metadata service of most clouds
        ("172.16.0.0/12", "private"),
        ("192.0.0.0/24", "reserved"),
        ("192.0.2.0/24", "documentation"),
        ("192.88.99.0/24", "reserved"),  # retired 6to4 relays
        ("192.168.0.0/16", "private"),
        ("198.18.0.0/15", "benchmark"),
        ("198.51.100.0/24", "documentation"),
        ("203.0.113.0/24", "documentation"),
        ("224.0.0.0/4", "multicast"),
        ("240.0.0.0/4", "reserved"),  # and broadcast
    )
)

_REFUSED_V6 = tuple(
    (IPv6Network(network), word)
    for network, word in (
        ("::/128", "unspecified"),
        ("::1/128", "loopback"),
        ("64:ff9b:1::/48", "private"),  # translation of local use
        ("2001::/23", "reserved"),  # protocol assignments, Teredo among them
        ("2001:db8::/32", "documentation"),
        ("3fff::/20", "documentation"),
        ("fc00::/7", "private"),
        ("fe80::/10", "link-local"),
        ("fec0::/10", "private"),  # retired site-local
        ("ff00::/8", "multicast"),
    )
)
_GLOBAL_V6 = IPv6Network("2000::/3")  # all that IANA has handed out for the internet
_NAT64 = IPv6Network("64:ff9b::/96")  # how IPv4-only sites look on an IPv6-only network
_COMPATIBLE = IPv6Network("::/96")

# Letters, digits, hyphen, underscore; a label is 1 to 63 long (RFC 1035). IDNA has been applied before.
_LABEL = re.compile(r"[a-z0-9_-]{1,63}")
_MOST_NAME_LENGTH = 253
# A last label like these makes the whole host a number to some resolvers: 127.1, 0x7f000001, 2852039166.
_NUMERIC_LABEL = re.compile(r"[0-9]+|0x[0-9a-f]*")


class Refused(Exception):
    """This target is never asked; `str()` is a part of a sentence that says why."""


@dataclass(frozen=True, slots=True)
class Target:
    """Where one request goes. `host` is ASCII, lower-case, an IPv6 address without its brackets."""

    scheme: str
    host: str
    port: int

    def __str__(self) -> str:
        return f"[{self.host}]:{self.port}" if ":" in self.host else f"{self.host}:{self.port}"


def target_of(scheme: str, host: str, port: int | None) -> Target:
    """The target of an address in its parts, with the scheme's port where none is named.

    Raises `Refused` for a scheme other than http and https, for a host or port that is none, and
    for a numeric host in an odd spelling, which other programs would read as another address.
    """
    if scheme not in _SCHEME_PORTS:
        raise Refused(f"only http and https addresses are asked, not {scheme[:20] or 'one without a scheme'}")
    name = host.lower().removesuffix(".")
    if ":" not in name and (
        len(name) > _MOST_NAME_LENGTH or not all(_LABEL.fullmatch(label) for label in name.split("."))
    ):
        raise Refused("the address names no valid host")
    _literal(name)
    if port is not None and not 0 < port < 2**16:
        raise Refused("the address names no valid port")
    return Target(scheme, name, _SCHEME_PORTS[scheme] if port is None else port)


def allowed_addresses(target: Target, resolve: Resolver, allow_hosts: Sequence[str]) -> tuple[str, ...]:
    """The addresses a connection to `target` may go to, in order of preference, at least one.

    Raises `Refused` if the host, or any one address of it, is not public, unless `allow_hosts`
    holds exactly its `host:port`; lets the resolver's OSError through.
    """
    check_spelling(target, allow_hosts)
    exempt = is_exempt(target, allow_hosts)
    literal = _literal(target.host)
    texts = [str(literal)] if literal is not None else list(dict.fromkeys(resolve(target.host)))
    if not texts:
        raise OSError("no address")
    for text in texts:
        why = None if exempt else why_not_public(ip_address(text))
        if why is not None:
            raise Refused(f"{target} has the {why} address {text}")
    return tuple(texts)


def check_spelling(target: Target, allow_hosts: Sequence[str]) -> None:
    """Raises `Refused` for a target that is known to be inside without asking a name server."""
    if is_exempt(target, allow_hosts):
        return
    literal = _literal(target.host)
    if literal is None and _is_local_name(target.host):
        raise Refused(f"{target} is this machine itself")
    if literal is not None and (why := why_not_public(literal)) is not None:
        raise Refused(f"{target} is a {why} address")


def is_exempt(target: Target, allow_hosts: Sequence[str]) -> bool:
    """Whether the operator named exactly this `host:port` as one that may be asked wherever it is."""
    return str(target) in {pair.lower() for pair in allow_hosts}


def why_not_public(address: Address) -> str | None:
    """The word for what makes an address not public, or None if it is public.

    IPv4 addresses inside IPv6 ones (mapped, compatible, NAT64, 6to4, Teredo) are judged as well.
    """
    if isinstance(address, IPv4Address):
        return next((word for network, word in _REFUSED_V4 if address in network), None)
    if address.scope_id is not None:
        return "link-local"
    refused = next((word for network, word in _REFUSED_V6 if address in network), None)
    if refused is not None:
        return refused
    inner = _inner_ipv4(address)
    if inner is not None:
        why = why_not_public(inner)
        if why is not None:
            return why
        if address.ipv4_mapped is not None or address in _NAT64:
            return None
    return None if address in _GLOBAL_V6 else "reserved"


def _inner_ipv4(address: IPv6Address) -> IPv4Address | None:
    """The IPv4 address that packets to this IPv6 address end at. (Teredo is refused before.)"""
    if address.ipv4_mapped is not None:
        return address.ipv4_mapped
    if address in _NAT64 or address in _COMPATIBLE:
        return IPv4Address(int(address) & 0xFFFFFFFF)
    return address.sixtofour


def _literal(host: str) -> Address | None:
    """The host as an address if it is written as one; raises `Refused` for odd spellings."""
    try:
        if ":" in host:
            return IPv6Address(host.replace("%", " "))  # with a zone it is a place on this machine's links
        if not _NUMERIC_LABEL.fullmatch(host.rpartition(".")[2]):
            return None
        return IPv4Address(host)
    except AddressValueError:
        raise Refused(f"{host[:60]} is an oddly written numeric address") from None


def _is_local_name(host: str) -> bool:
    """RFC 6761: these names mean this machine, whatever a name server says."""
    return host == "localhost" or host.endswith((".localhost", ".localdomain"))
