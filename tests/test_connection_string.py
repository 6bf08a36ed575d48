"""Addresses of PostgreSQL as providers write them: read, or refused in a sentence that holds no password."""

from __future__ import annotations

import re
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest

from bot.runtime.store_address import FILES, IGNORED, TLS, TRANSLATED, VALUES, DatabaseServer, is_server, warnings
from bot.settings import Settings, SettingsError

PAGE = (Path(__file__).parents[1] / "docs" / "operating.md").read_text("utf-8")
SECRET = "s3cret-w0rd"


def read(address: str) -> dict[str, Any]:
    """Return what an address says."""
    return asdict(DatabaseServer(address).connection_string)


NEON = "ep-cool-fog-a1b2-pooler.us-east-2.aws.neon.tech"
SUPABASE = "aws-0-eu-central-1.pooler.supabase.com"
RDS = "games.c9akciq32.us-east-1.rds.amazonaws.com"


@pytest.mark.parametrize(
    ("address", "said"),
    [
        (
            f"postgresql://ann:{SECRET}@{NEON}/neondb?sslmode=require&channel_binding=require",
            {
                "hosts": ((NEON, None),),
                "database": "neondb",
                "tls": {"sslmode": "require"},
                "ignored": ("channel_binding",),
            },
        ),
        (
            f"postgresql://ann:{SECRET}@{NEON}/neondb?sslmode=verify-full&sslrootcert=system",
            {"tls": {"sslmode": "verify-full", "sslrootcert": "system"}},
        ),
        (f"postgresql://ann:{SECRET}@{NEON}/neondb?options=endpoint%3Dep-cool", {"options": "endpoint=ep-cool"}),
        (
            f"postgresql://postgres:{SECRET}@db.abcdef.supabase.co:5432/postgres",
            {"hosts": (("db.abcdef.supabase.co", 5432),), "user": "postgres", "database": "postgres", "tls": {}},
        ),
        (
            f"postgresql://postgres.abcd:{SECRET}@{SUPABASE}:6543/postgres?pgbouncer=true&connection_limit=1",
            {"hosts": ((SUPABASE, 6543),), "user": "postgres.abcd", "ignored": ("pgbouncer", "connection_limit")},
        ),
        (
            f"postgresql://ann:{SECRET}@{RDS}:5432/games?sslmode=verify-full&sslrootcert=/etc/ssl/global-bundle.pem",
            {"hosts": ((RDS, 5432),), "tls": {"sslmode": "verify-full", "sslrootcert": "/etc/ssl/global-bundle.pem"}},
        ),
        (
            f"postgres://uhzx:{SECRET}@ec2-34-1-2-3.compute-1.amazonaws.com:5432/d8r82722r2kuvn",
            {"hosts": (("ec2-34-1-2-3.compute-1.amazonaws.com", 5432),), "database": "d8r82722r2kuvn"},
        ),
        (
            f"postgres://avnadmin:{SECRET}@pg-1a2b-club.a.aivencloud.com:12691/defaultdb?sslmode=require",
            {"hosts": (("pg-1a2b-club.a.aivencloud.com", 12691),), "tls": {"sslmode": "require"}},
        ),
        (
            f"postgresql://ann:{SECRET}@pool:6432/games?application_name=cards&connect_timeout=10&keepalives_idle=30",
            {"application_name": "cards", "timeout": 10, "ignored": ("keepalives_idle",)},
        ),
        (
            f"postgresql://ann:{SECRET}@one:5432,two:5433,three/games",
            {"hosts": (("one", 5432), ("two", 5433), ("three", None)), "target_session_attrs": "read-write"},
        ),
        (
            f"postgresql://ann:{SECRET}@one,two/games?port=6000&target_session_attrs=primary",
            {"hosts": (("one", 6000), ("two", 6000)), "target_session_attrs": "primary"},
        ),
        (
            f"postgresql://ann:{SECRET}@/games?host=/cloudsql/club:europe-west1:games&port=5433",
            {"hosts": (("/cloudsql/club:europe-west1:games", 5433),)},
        ),
        (f"postgresql://ann:{SECRET}@%2Frun%2Fpostgresql/games", {"hosts": (("/run/postgresql", None),)}),
        ("postgresql:///games", {"hosts": ((None, None),), "user": None, "password": None}),
        (f"postgresql://ann:{SECRET}@[2001:db8::7]:5433/games", {"hosts": (("2001:db8::7", 5433),)}),
        (f"postgresql://ann:{SECRET}@/games?host=2001:db8::7", {"hosts": (("2001:db8::7", None),)}),
        (
            "postgresql://ann%40club:a%40b%3Ac%2Fd%23e%3Ff%25@db/games",
            {"user": "ann@club", "password": "a@b:c/d#e?f%", "hosts": (("db", None),)},
        ),
        ("postgresql://db/games?user=ann&password=a+b%26c", {"user": "ann", "password": "a+b&c"}),
        (f"postgresql://ann:{SECRET}@db/?dbname=games&ssl=true", {"database": "games", "tls": {"sslmode": "require"}}),
    ],
)
def test_42_1_1_provider_addresses_are_parsed(address: str, said: dict[str, Any]) -> None:
    found = read(address)
    assert {key: found[key] for key in said} == said
    server = DatabaseServer(address)
    assert SECRET not in f"{server} {server!r} {server.connection_string} {list(warnings(server.connection_string))}"


@pytest.mark.parametrize(
    ("address", "sentence"),
    [
        (f"postgresql://ann:{SECRET}@db/games?schema=public", "has the parameter schema"),
        (f"postgresql://ann:{SECRET}@db/games?hostaddr=10.0.0.1", "has the parameter hostaddr"),
        (f"postgresql://ann:{SECRET}@db/games?service=club", "has the parameter service"),
        (f"postgresql://ann:{SECRET}@db/games?sslmode=no-verify", "has a value of sslmode"),
        (f"postgresql://ann:{SECRET}@db/games?gssencmode=require", "has a value of gssencmode"),
        (f"postgresql://ann:{SECRET}@db/games?target_session_attrs=standby", "has a value of target_session_attrs"),
        (f"postgresql://ann:{SECRET}@db/games?connect_timeout=0", "has a value of connect_timeout"),
        (f"postgresql://ann:{SECRET}@db/games?sslmode=require&sslrootcert=system", "has a value of sslmode"),
        (f"postgresql://ann:{SECRET}@db/games?host=one&host=two", "has host twice"),
        (f"postgresql://ann:{SECRET}@one,two,three/games?port=1,2", "must have one port, or as many"),
        ("postgresql://postgres:[YOUR-PASSWORD]@db.abcdef.supabase.co:5432/postgres", "still holds a placeholder"),
        (f"postgresql://ann:{SECRET}@tail@db/games", "write @ as %40"),
        (f"postgresql://ann:{SECRET}/tail@db/games", "write @ as %40"),
        (f"postgresql://ann:{SECRET}#tail@db/games", "write @ as %40"),
        (f"postgresql://ann:{SECRET}?tail@db/games", "write @ as %40"),
        (f"postgresql://ann:{SECRET}%e9@db/games", "write @ as %40"),
        (f"postgresql://ann:{SECRET}%00@db/games", "write @ as %40"),
        (f"postgresql://db/games?user=ann&password=head&{SECRET}", "in a password write & as %26"),
        ("postgresql://db/games?user=ann&password=head&tail=", "in a password write & as %26"),
        (f"psql 'postgresql://ann:{SECRET}@db/games'", "must be written postgresql://"),
        (f"jdbc:postgresql://db/games?user=ann&password={SECRET}", "must be written postgresql://"),
        (f"postgresql+psycopg2://ann:{SECRET}@db/games", "must be written postgresql://"),
        (f"host=db dbname=games user=ann password={SECRET}", "must be written postgresql://"),
        (f"postgresql://ann:{SECRET}@db:99999/games", "must be written postgresql://"),
        (f"postgresql://ann:{SECRET}@db/..%2Fgames", "must name a database"),
        (f"postgresql://ann:{SECRET}@db", "must be written postgresql://"),
    ],
)
def test_42_1_1_invalid_parameters_are_named_without_the_password(address: str, sentence: str) -> None:
    with pytest.raises(SettingsError) as refused:
        Settings.load({"BIGGER_DATABASE": address}, None)
    [problem] = refused.value.problems
    assert problem.startswith("BIGGER_DATABASE (environment) ")
    assert sentence in problem
    error: BaseException | None = refused.value
    while error is not None:
        assert not any(part in f"{error} {error!r}" for part in (SECRET, "tail", "head"))
        error = error.__cause__ or error.__context__


def test_42_1_1_documented_parameters_match_the_parser() -> None:
    said: dict[str, set[str]] = {"translated": set(), "ignored": set(), "refused": set()}
    table = PAGE.split("\n### The address\n")[1].split("\n### ")[0]
    for names, fate in re.findall(r"(?m)^\| (`.+?) \| (\w+)", table):
        said[fate] |= set(re.findall(r"`(\w+)`", names))
    assert (said["translated"], said["ignored"]) == (set(TRANSLATED), set(IGNORED))
    assert said["refused"]
    for key in sorted(said["refused"]):
        with pytest.raises(ValueError, match=f"has the parameter {key}, "):
            DatabaseServer(f"postgresql://db/games?{key}=1")
    assert not TRANSLATED & IGNORED.keys()
    assert {*TLS, *FILES, *VALUES} <= TRANSLATED | IGNORED.keys()


@pytest.mark.parametrize(
    "address",
    [
        f"postgresql//ann:{SECRET}@db/games",
        f"postgres//ann:{SECRET}@db/games",
        f"ann:{SECRET[:2]}/{SECRET[2:]}@db/games",
        f"./ann:{SECRET}@db/games",
        f"a:{SECRET}@db/games",
        "db:5432/games?sslmode=require",
        "//db:5432/games",
        "ann@db/games",
        "ann@db:5432/games",
    ],
)
def test_42_1_1_a_half_written_address_is_refused_and_never_becomes_a_folder(address: str) -> None:
    with pytest.raises(SettingsError, match="must be written postgresql://") as refused:
        Settings.load({"BIGGER_DATABASE": address}, None)
    assert SECRET not in str(refused.value)
    assert SECRET[2:] not in str(refused.value)


@pytest.mark.parametrize(
    "path",
    [
        "/srv/my games/ann@home.db",
        "./data/bigger.db",
        "data/bigger",
        "postgresql/games.db",
        "a@b.db",
        "ann@home/games.db",
        "C:\\x",
        "C:\\ann@home\\games.db",
        "C:/ann@home/games.db",
        "~/bigger 12:30.db",
    ],
)
def test_42_1_1_a_file_path_is_not_parsed_as_an_address(path: str) -> None:
    assert not is_server(path)


def test_42_1_1_an_address_of_another_form_is_an_address() -> None:
    assert is_server("dbname=games")
