"""The address of the store: a file on this machine, or a PostgreSQL connection URI."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, TypeAlias
from urllib.parse import unquote

OTHER_FORM = re.compile(r"\b(host|dbname|user|password)\s*=")  # libpq's other form: parameters separated by spaces
# An address that lacks its beginning or a slash of it; read as a path, it would show its password.
HALF_WRITTEN = re.compile(
    r"""(?xi)
    postgres(ql)?(:|//)
    | (?![a-z]:[\\/]) .*:.*@                              # ann:secret@db/games, but not C:\ann@home.db
    | \S*\?\w+=                                           # db/games?sslmode=require
    | [./]* [^/\\\s@]+@[^/\\\s]+:\d+(/|$)                 # ann@db:5432/games
    | [./]* [^/\\\s:@]+@[^/\\\s:@]+/[\w-]+$               # ann@db/games, but not ann@home/games.db
    | [./]* [^/\\\s]+:\d{2,5}/[\w-]+$                     # db:5432/games
    """
)


class DatabaseServer:
    """A database on a PostgreSQL server.

    Its repr, str, format, asdict and log show name and host alone.
    """

    __slots__ = ("__text", "_parsed")

    def __init__(self, text: str) -> None:
        self._parsed = parse(text)
        self.__text = text

    @property
    def name(self) -> str:
        """The name of the database on the server."""
        return self._parsed.database

    @property
    def connection_string(self) -> ConnectionString:
        """The parsed address, password included."""
        return self._parsed

    def reveal(self) -> str:
        """Return the address itself, for connecting."""
        return self.__text

    def __eq__(self, other: object) -> bool:
        return isinstance(other, DatabaseServer) and other.reveal() == self.__text

    def __hash__(self) -> int:
        return hash(self.__text)

    def __str__(self) -> str:
        hosts = ", ".join(host for host, _ in self._parsed.hosts if host and not host.startswith("/"))
        return f"{self.name} on {hosts}" if hosts else self.name

    def __repr__(self) -> str:
        return f"<Server {self}>"

    def __format__(self, spec: str) -> str:
        return format(str(self), spec)


Address: TypeAlias = Path | DatabaseServer


def is_server(text: str) -> bool:
    """Tell whether a text looks like the address of a server, not the path of a file."""
    return "://" in text or bool(OTHER_FORM.search(text) or HALF_WRITTEN.match(text))


Host: TypeAlias = tuple[str | None, int | None]
"""A name, an IP address or the folder of a socket, and a port; None: the driver's default."""

TRANSLATED: Final = frozenset(
    {
        "host",
        "port",
        "dbname",
        "user",
        "password",
        "passfile",
        "connect_timeout",
        "application_name",
        "options",
        "target_session_attrs",
        "ssl",
        "sslmode",
        "sslrootcert",
        "sslcert",
        "sslkey",
        "sslpassword",
        "sslcrl",
        "sslnegotiation",
        "ssl_min_protocol_version",
        "ssl_max_protocol_version",
    }
)
IGNORED: Final[Mapping[str, str]] = {
    "channel_binding": "the driver has no channel binding; sslmode=verify-full protects against the same attack",
    "gssencmode": "the driver does not encrypt by GSSAPI; sslmode decides about TLS",
    "sslcompression": "the driver never compresses",
    "client_encoding": "the driver always uses UTF-8",
    "keepalives": "the bot notices a lost connection by its own time limits",
    "keepalives_idle": "the bot notices a lost connection by its own time limits",
    "keepalives_interval": "the bot notices a lost connection by its own time limits",
    "keepalives_count": "the bot notices a lost connection by its own time limits",
    "tcp_user_timeout": "the bot notices a lost connection by its own time limits",
    "pgbouncer": "it is meant for Prisma",
    "connection_limit": "it is meant for Prisma; the bot opens at most six connections",
    "pool_timeout": "it is meant for Prisma",
    "supa": "it is meant for Vercel",
}
TLS: Final = (
    "sslmode",
    "sslrootcert",
    "sslcert",
    "sslkey",
    "sslpassword",
    "sslcrl",
    "sslnegotiation",
    "ssl_min_protocol_version",
    "ssl_max_protocol_version",
)
FILES: Final = ("sslrootcert", "sslcert", "sslkey", "sslcrl", "passfile")  # parameters that name a file
SYSTEM: Final = "system"  # as sslrootcert: the certificate authorities of the operating system
VERIFY_FULL: Final = "verify-full"
VALUES: Final[Mapping[str, tuple[str, ...]]] = {
    "sslmode": ("disable", "allow", "prefer", "require", "verify-ca", VERIFY_FULL),
    "sslnegotiation": ("postgres", "direct"),
    "target_session_attrs": ("any", "primary", "read-write"),  # the bot writes
    "ssl_min_protocol_version": ("TLSv1", "TLSv1.1", "TLSv1.2", "TLSv1.3"),
    "ssl_max_protocol_version": ("TLSv1", "TLSv1.1", "TLSv1.2", "TLSv1.3"),
    "ssl": ("true",),
    "gssencmode": ("disable", "prefer"),
}
MAX_TIMEOUT: Final = 600  # seconds
MAX_PORT: Final = 65535

URI = re.compile(
    r"(?i:postgres|postgresql)://(?:(?P<user>[^:@/?#]*)(?::(?P<password>[^@/?#]*))?@)?"
    r"(?P<hosts>[^@/?#]*)(?:/(?P<database>[^/?#@]*))?(?:\?(?P<query>[^#@?]*))?"
)
NAME = re.compile(r"[\w.-]{1,63}", re.ASCII)  # a database's name; local files are named after it
KEY = re.compile(r"[a-zA-Z_]{2,40}")
IN_BRACKETS = re.compile(r"\[([0-9A-Fa-f:.%\w]+)\](?::(.*))?")
PLACEHOLDER = re.compile(r"(?i)\[YOUR[-_ ]?PASSWORD\]|<PASSWORD>|\*{4,}")

FORM = "must be written postgresql://USER:PASSWORD@HOST/DATABASE"
ENCODED = (
    f"{FORM}; in a password or another value write @ as %40, : as %3A, / as %2F, # as %23, ? as %3F, & as %26 and "
    "% as %25"
)
NO_PASSWORD = "still holds a placeholder where the password belongs: write the password there"
NAMED_OTHERWISE = "must name a database by letters, digits, dots, hyphens and underscores, at most 63"
TWICE = "has {key} twice"
UNKNOWN = "has the parameter {key}, which Bigger does not understand: remove it from the address"
UNNAMED = "has a parameter that Bigger does not understand; in a password write & as %26"
VALUE = "has a value of {key} that Bigger does not understand: it must be {allowed}"
PORTS = "must have one port, or as many ports as hosts"


@dataclass(frozen=True, slots=True, kw_only=True)
class ConnectionString:
    """The parts of an address.

    hosts: tried in this order, never empty. ignored: parameters without effect. tls: libpq's parameters for TLS,
    validated. timeout: seconds for connecting to one host. None: the driver's default.
    """

    database: str
    hosts: tuple[Host, ...]
    user: str | None
    password: str | None = field(repr=False)
    tls: Mapping[str, str] = field(repr=False)
    passfile: str | None
    application_name: str | None
    options: str | None = field(repr=False)
    timeout: int | None
    target_session_attrs: str | None
    ignored: tuple[str, ...]


def parse(text: str) -> ConnectionString:
    """Parse an address.

    Raises ValueError with the rest of a sentence that begins with the name of the setting.
    """
    if PLACEHOLDER.search(text):
        raise ValueError(NO_PASSWORD)
    uri = URI.fullmatch(text)
    if uri is None:
        raise ValueError(ENCODED if re.match(r"(?i)postgres(ql)?://.*[@#?].*[@#?/]", text) else FORM)
    given = _parameters(uri["query"] or "")
    hosts = _hosts(given.get("host") or uri["hosts"], given.get("port"), quoted="host" not in given)
    return ConnectionString(
        database=_database(given.get("dbname") or _decoded(uri["database"] or "")),
        hosts=hosts,
        user=given.get("user") or _decoded(uri["user"] or "") or None,
        password=given.get("password") or _decoded(uri["password"] or "") or None,
        tls=_tls(given),
        passfile=given.get("passfile"),
        application_name=given.get("application_name"),
        options=given.get("options"),
        timeout=_whole(given, "connect_timeout", MAX_TIMEOUT),
        target_session_attrs=given.get("target_session_attrs") or ("read-write" if len(hosts) > 1 else None),
        ignored=tuple(key for key in given if key in IGNORED),
    )


def _parameters(query: str) -> dict[str, str]:
    """Return the parameters with a value."""
    given = dict[str, str]()
    for pair in filter(None, query.split("&")):
        key, sign, value = pair.partition("=")
        key = _decoded(key)
        if not sign or key not in TRANSLATED | IGNORED.keys():
            secret = not sign or not KEY.fullmatch(key) or "password" in given
            raise ValueError(UNNAMED if secret else UNKNOWN.format(key=key))
        if key in given:
            raise ValueError(TWICE.format(key=key))
        given[key] = _decoded(value)
        allowed = VALUES.get(key)
        if given[key] and allowed and given[key] not in allowed:
            raise ValueError(VALUE.format(key=key, allowed=" or ".join(allowed)))
    return {key: value for key, value in given.items() if value}


def _decoded(text: str) -> str:
    """Decode %XX. A plus sign stays a plus sign, as in libpq."""
    try:
        decoded = unquote(text, errors="strict")
    except UnicodeDecodeError:
        raise ValueError(ENCODED) from None
    if not decoded.isprintable():
        raise ValueError(ENCODED)
    return decoded


def _database(name: str) -> str:
    if not name:
        raise ValueError(FORM)
    if not NAME.fullmatch(name):
        raise ValueError(NAMED_OTHERWISE)
    return name


def _hosts(text: str, ports: str | None, *, quoted: bool) -> tuple[Host, ...]:
    """Return the hosts of a list. ports: their ports, which replace those in the list."""
    found = [_host(each, quoted=quoted) for each in text.split(",")]
    if ports is None:
        return tuple(found)
    numbers = [_port(each) for each in ports.split(",")]
    if len(numbers) not in {1, len(found)}:
        raise ValueError(PORTS)
    numbers = numbers if len(numbers) == len(found) else numbers * len(found)
    return tuple((host, port) for (host, _), port in zip(found, numbers, strict=True))


def _host(text: str, *, quoted: bool) -> Host:
    if text.startswith("/") or (not quoted and text.count(":") > 1 and not text.startswith("[")):
        return text, None  # the folder of a socket, or an IPv6 address as a value of libpq's host
    if text.startswith("["):
        bracketed = IN_BRACKETS.fullmatch(text)
        if bracketed is None:
            raise ValueError(FORM)
        host, port = bracketed[1], bracketed[2] or ""
    else:
        host, _, port = text.partition(":")
    return (_decoded(host) if quoted else host) or None, _port(port)


def _port(text: str) -> int | None:
    if text and not (re.fullmatch(r"[0-9]{1,5}", text) and 0 < int(text) <= MAX_PORT):
        raise ValueError(FORM)
    return int(text) if text else None


def _whole(given: Mapping[str, str], key: str, most: int) -> int | None:
    text = given.get(key)
    if text is None:
        return None
    if not (re.fullmatch(r"[0-9]{1,9}", text) and 0 < int(text) <= most):
        raise ValueError(VALUE.format(key=key, allowed=f"a whole number from 1 to {most}"))
    return int(text)


def _tls(given: Mapping[str, str]) -> dict[str, str]:
    """Return the parameters for TLS, with libpq's implied values made explicit."""
    tls = {key: given[key] for key in TLS if key in given}
    if "ssl" in given:
        tls.setdefault("sslmode", "require")
    if tls.get("sslrootcert") == SYSTEM and tls.setdefault("sslmode", VERIFY_FULL) != VERIFY_FULL:
        raise ValueError(VALUE.format(key="sslmode", allowed=f"{VERIFY_FULL} with sslrootcert={SYSTEM}"))
    if tls.get("sslnegotiation") == "direct" and tls.get("sslmode", "") not in VALUES["sslmode"][3:]:
        raise ValueError(VALUE.format(key="sslmode", allowed="require or stricter with sslnegotiation=direct"))
    return tls


def warnings(string: ConnectionString) -> Iterator[str]:
    """Yield a sentence for each parameter without effect."""
    for key in string.ignored:
        yield f"{key} in the address has no effect: {IGNORED[key]}"
