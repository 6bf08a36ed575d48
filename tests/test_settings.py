"""Settings: the defaults at the start, and the messages for errors."""

from __future__ import annotations

import os
from dataclasses import FrozenInstanceError, asdict
from pathlib import Path

import pytest

from bot.runtime.store_address import DatabaseServer
from bot.settings import Settings, SettingsError, unknown_names

SECRET = "MTIzNDU2Nzg5MDEyMzQ1Njc4.GabcdE.very-secret-very-secret-very-secret-12"


def env_file(folder: Path, text: str) -> Path:
    """Write a .env and return its path."""
    path = folder / ".env"
    path.write_text(text, encoding="utf-8")
    return path


def problems(environ: dict[str, str], path: Path | None = None) -> tuple[str, ...]:
    """Return what is said about these settings."""
    with pytest.raises(SettingsError) as refused:
        Settings.load(environ, path)
    return refused.value.problems


def test_without_settings_the_sandbox_runs_with_its_own_database(tmp_path: Path) -> None:
    settings = Settings.load({}, tmp_path / "there is no .env")
    assert settings.sandbox
    assert settings.copied.parts[-3:] == ("data", "games", "sandbox.db")
    assert (settings.sandbox_port, settings.log_level, settings.default_locale) == (8080, "INFO", "en")
    assert (settings.live_seconds, settings.slow_hours, settings.between_hands_seconds) == (120, 24, 60)
    assert settings.live_reserve_seconds == 60
    assert (settings.lobby_minutes, settings.house_delay_seconds) == (30, 1.9)


def test_a_token_selects_the_real_bot_and_database() -> None:
    settings = Settings.load({"DISCORD_TOKEN": f" {SECRET}\n"}, None)
    assert not settings.sandbox
    assert settings.token.reveal() == SECRET
    assert settings.copied.parts[-3:] == ("data", "games", "bigger.db")


@pytest.mark.parametrize(("token", "name"), [("", "sandbox.db"), (SECRET, "bigger.db")])
def test_only_the_default_database_is_moved_from_its_former_path(token: str, name: str) -> None:
    ours = Settings.load({"DISCORD_TOKEN": token}, None)
    assert ours.earlier_database == ours.copied.parents[1] / name
    assert Settings.load({"DISCORD_TOKEN": token, "BIGGER_DATABASE": "data/bigger.db"}, None).earlier_database is None


@pytest.mark.parametrize("token", ["", SECRET])
def test_an_explicit_database_is_used(token: str, tmp_path: Path) -> None:
    named = tmp_path / "my games.db"
    assert Settings.load({"DISCORD_TOKEN": token, "BIGGER_DATABASE": str(named)}, None).database == named


def test_a_server_database_is_used_without_showing_its_password() -> None:
    address = "postgresql://ann:5ecret@db.example/bigger"
    settings = Settings.load({"BIGGER_DATABASE": address}, None)
    assert settings.database == DatabaseServer(address)
    assert "5ecret" not in repr(settings)
    (problem,) = problems({"BIGGER_DATABASE": "postgresql://ann:5ecret@db.example"})
    assert problem == "BIGGER_DATABASE (environment) must be written postgresql://USER:PASSWORD@HOST/DATABASE."


def test_a_relative_database_does_not_depend_on_where_the_bot_was_started(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    here = Settings.load({"BIGGER_DATABASE": "data/x.db"}, None).database
    monkeypatch.chdir(tmp_path)
    assert isinstance(here, Path)
    assert here.is_absolute()
    assert Settings.load({"BIGGER_DATABASE": "data/x.db"}, None).database == here


def test_the_environment_overrides_the_file_and_an_empty_value_is_the_default(tmp_path: Path) -> None:
    path = env_file(tmp_path, f"DISCORD_TOKEN={SECRET}\nBIGGER_SLOW_HOURS=12\nBIGGER_LIVE_SECONDS=90\n")
    environ = {"DISCORD_TOKEN": "", "BIGGER_LIVE_SECONDS": "45", "BIGGER_LOG_LEVEL": ""}
    settings = Settings.load(environ, path)
    assert settings.sandbox
    assert (settings.live_seconds, settings.slow_hours, settings.log_level) == (45, 12, "INFO")


def test_a_realistic_env_file_is_parsed(tmp_path: Path) -> None:
    path = env_file(
        tmp_path,
        "\ufeff# mine\nexport BIGGER_LOG_LEVEL='debug'\nBIGGER_DEFAULT_LOCALE = zh-CN # Chinese\r\n\nTZ=Asia/Taipei\n",
    )
    settings = Settings.load({"DISCORD_WEBHOOK": "of another program"}, path)
    assert (settings.log_level, settings.default_locale) == ("DEBUG", "zh_CN")


def test_all_problems_are_reported_in_one_message(tmp_path: Path) -> None:
    path = env_file(tmp_path, "BIGGER_SANDBOX_PORT=eighty\nBIGGER_DATABSE=x.db\nDISCORD_TOKNE=\n")
    with pytest.raises(SettingsError) as refused:
        Settings.load({"BIGGER_LIVE_SECONDS": "0", "BIGGER_LOG_LEVEL": "LOUD"}, path)
    assert str(refused.value) == (
        "Bigger can't start: 5 settings are wrong.\n"
        "  BIGGER_DATABSE (.env, line 2) isn't a setting of Bigger. Did you mean BIGGER_DATABASE?\n"
        "  DISCORD_TOKNE (.env, line 3) isn't a setting of Bigger. Did you mean DISCORD_TOKEN?\n"
        "  BIGGER_SANDBOX_PORT (.env, line 1) must be a whole number from 0 to 65535, not 'eighty'.\n"
        "  BIGGER_LOG_LEVEL (environment) must be one of DEBUG, INFO, WARNING, ERROR, CRITICAL, not 'LOUD'.\n"
        "  BIGGER_LIVE_SECONDS (environment) must be a number from 1 to 86400, not '0'.\n"
        "Every setting is explained in .env.example."
    )


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("BIGGER_SANDBOX_PORT", "65536"),
        ("BIGGER_SANDBOX_PORT", "-1"),
        ("BIGGER_SANDBOX_PORT", "80.5"),
        ("BIGGER_SANDBOX_PORT", "1" * 5000),
        ("BIGGER_SLOW_HOURS", "nan"),
        ("BIGGER_SLOW_HOURS", "inf"),
        ("BIGGER_SLOW_HOURS", "1,5"),
        ("BIGGER_LOBBY_MINUTES", "-30"),
        ("BIGGER_HOUSE_DELAY_SECONDS", "soon"),
        ("BIGGER_DEFAULT_LOCALE", "klingon"),
        ("BIGGER_DEFAULT_LOCALE", "../../etc"),
        ("BIGGER_DATABASE", "postgresql://somewhere"),
        ("BIGGER_DATABASE", "data"),
        ("DISCORD_TOKEN", f"Bot {SECRET}"),
        ("DISCORD_TOKEN", "a-client-secret"),
        ("BIGGER_TABLES", "7"),
        ("BIGGER_OPERATOR", "x" * 101),
        ("BIGGER_CONTACT", "two\nlines"),
        ("BIGGER_PRIVACY_LINK", "example.org/privacy"),
        ("BIGGER_TERMS_LINK", "javascript:alert(1)"),
        ("BIGGER_SOURCE_LINK", "https://exa mple.org"),
    ],
)
def test_a_wrong_value_is_refused_by_name(name: str, text: str) -> None:
    (problem,) = problems({name: text})
    assert problem.startswith(f"{name} (environment) ")


def test_operator_contact_and_links_are_read() -> None:
    assert not any(getattr(Settings.load({}, None), name) for name in ("operator", "contact", "privacy_link"))
    given = {"BIGGER_OPERATOR": "Ann Lee", "BIGGER_CONTACT": "ann@example.org", "BIGGER_TERMS_LINK": "https://a.bc/t"}
    settings = Settings.load(given, None)
    assert (settings.operator, settings.contact) == ("Ann Lee", "ann@example.org")
    assert (settings.terms_link, settings.source_link) == ("https://a.bc/t", "")


@pytest.mark.parametrize(("text", "line"), [("\nBIGGER_SLOW_HOURS\n", 2), ('BIGGER_LOG_LEVEL="INFO\n', 1)])
def test_an_invalid_line_is_reported_by_number(text: str, line: int, tmp_path: Path) -> None:
    assert problems({}, env_file(tmp_path, text)) == (f".env, line {line} isn't written as NAME=value.",)


def test_a_duplicate_setting_is_reported(tmp_path: Path) -> None:
    path = env_file(tmp_path, "BIGGER_SLOW_HOURS=1\n# again\nBIGGER_SLOW_HOURS=2\n")
    assert problems({}, path) == ("BIGGER_SLOW_HOURS (.env, line 3) is already set on .env, line 1.",)


def test_an_unreadable_env_file_is_reported(tmp_path: Path) -> None:
    path = tmp_path / ".env"
    path.write_bytes("DISCORD_TOKEN=x".encode("utf-16"))
    assert problems({}, path) == ("The file .env isn't text in UTF-8.",)
    path.unlink()
    path.mkdir()
    assert problems({}, path) == ("The file .env can't be read: Is a directory.",)


@pytest.mark.parametrize(
    "text",
    [
        f"DISCORD_TOKEN=Bot {SECRET}",
        f"DISCORD_TOKEN={SECRET} {SECRET}",
        f"DISCORD_TOKEN: {SECRET}",
        f"DISCORD_TOKEN:{SECRET}",
        f"DISCORD_{SECRET}=",
        f'DISCORD_TOKEN="{SECRET}',
        f"BIGGER_TOKEN={SECRET}",
        f"BIGGER_LOG_LEVEL={SECRET}",
        f"BIGGER_DEFAULT_LOCALE={SECRET}",
        f"BIGGER_SANDBOX_PORT={SECRET}",
        SECRET,
    ],
)
def test_the_token_is_in_no_message(text: str, tmp_path: Path) -> None:
    assert problems({}, env_file(tmp_path, text))
    with pytest.raises(SettingsError) as refused:
        Settings.load({}, env_file(tmp_path, text))
    error: BaseException | None = refused.value
    while error is not None:  # a log shows the causes too
        assert not any(part in f"{error!r} {error}" for part in SECRET.split("."))
        error = error.__cause__ or error.__context__


def test_the_repr_of_the_token_hides_it() -> None:
    settings = Settings.load({"DISCORD_TOKEN": SECRET}, None)
    shown = f"{settings} {settings!r} {settings.token} {settings.token!r} {settings.token:>80} {asdict(settings)}"
    assert "<Token set>" in shown
    assert SECRET not in shown


def test_settings_do_not_change() -> None:
    settings = Settings.load({}, None)
    with pytest.raises(FrozenInstanceError):
        settings.log_level = "DEBUG"  # type: ignore[misc]
    assert settings == Settings.load({}, None)
    assert settings != Settings.load({"DISCORD_TOKEN": SECRET}, None)


def test_the_process_environment_is_accepted() -> None:
    ours = {name: text for name, text in os.environ.items() if not name.startswith(("BIGGER_", "DISCORD_"))}
    assert Settings.load(ours, None).sandbox


MISPLACED = " holds what looks like the bot's token. Write the token on a line of its own after DISCORD_TOKEN=,"


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (f"BIGGER_OPERATOR={SECRET}\n", f"BIGGER_OPERATOR (.env, line 1){MISPLACED}"),
        (f"DISCORD_TOKEN=\nBIGGER_CONTACT=DISCORD_TOKEN={SECRET}\n", f"BIGGER_CONTACT (.env, line 2){MISPLACED}"),
        (f"DISCORD_TOKEN=a.b.c\nBIGGER_OPERATOR={SECRET}\n", f"BIGGER_OPERATOR (.env, line 2){MISPLACED}"),
        (f"BIGGER_DATABASE=data/x.db{SECRET}\n", f"BIGGER_DATABASE (.env, line 1){MISPLACED}"),
        (f"SECRET={SECRET}\n", f"SECRET (.env, line 1){MISPLACED}"),
        (f"TOKEN={SECRET}\n", f"TOKEN (.env, line 1){MISPLACED}"),
        (
            "BIGGER_DATABASE=games/x.db DISCORD_TOKEN=a.b.c\n",
            "BIGGER_DATABASE (.env, line 1) holds DISCORD_TOKEN too. Write each setting on a line of its own.",
        ),
        ("TOKEN=\n", "TOKEN (.env, line 1) isn't a setting of Bigger. Did you mean DISCORD_TOKEN?"),
        ("TOKEN=a.b.c\n", "TOKEN (.env, line 1) isn't a setting of Bigger. Did you mean DISCORD_TOKEN?"),
        ("bot_token=a.b.c\n", "bot_token (.env, line 1) isn't a setting of Bigger. Did you mean DISCORD_TOKEN?"),
        ("DISCORD_BOT_TOKEN=a.b.c", "DISCORD_BOT_TOKEN (.env, line 1) isn't a setting of Bigger. Did you mean DISC"),
        ("LIVE_SECONDS=9", "LIVE_SECONDS (.env, line 1) isn't a setting of Bigger. Did you mean BIGGER_LIVE_SECONDS?"),
        ("OPERATOR=Ann", "OPERATOR (.env, line 1) isn't a setting of Bigger. Did you mean BIGGER_OPERATOR?"),
    ],
)
def test_42_1_4_a_misplaced_token_and_a_name_without_prefix_are_reported(
    text: str, sentence: str, tmp_path: Path
) -> None:
    [problem] = problems({}, env_file(tmp_path, text))
    assert problem.startswith(sentence)
    assert not any(part in problem for part in SECRET.split("."))


def test_42_1_4_settings_of_other_programs_are_ignored_and_reported(tmp_path: Path) -> None:
    others = f"POSTGRES_PASSWORD=x\nTZ=Asia/Taipei\nMUSIC_TOKEN={SECRET}\nTOKEN=of another bot\nWEB_ROOT=/srv\n"
    path = env_file(tmp_path, f"DISCORD_TOKEN=a.b.c\n{others}")
    assert not Settings.load({}, path).sandbox
    assert [said.partition(" isn't a setting")[0] for said in unknown_names(path)] == [
        "MUSIC_TOKEN (.env, line 4)",
        "TOKEN (.env, line 5)",
        "WEB_ROOT (.env, line 6)",
    ]


def test_42_1_4_an_unreachable_path_is_reported() -> None:
    [problem] = problems({"BIGGER_DATABASE": "x" * 300})
    assert "must be a path that the bot's user can reach (File name too long)" in problem


@pytest.mark.parametrize(
    "text",
    [
        "postgresql:/ann:s3cret@db/games",
        "postgres:ann:s3cret@db/games",
        "//ann:s3cret@db/games",
        "ann:s3cret@db.example.com:5432/games",
        "ann@db.example.com:5432/games",
        "localhost:5432/games",
        '"ann:s3cret@db/games"',
        "sqlite:///data/x.db",
    ],
)
def test_half_an_address_is_no_path_and_its_password_is_not_repeated(text: str) -> None:
    [problem] = problems({"BIGGER_DATABASE": text})
    assert problem.endswith("must be written postgresql://USER:PASSWORD@HOST/DATABASE.")


@pytest.mark.parametrize(
    "text",
    ['"data/x.db"', "“data/x.db”", "$HOME/x.db", "${HOME}/x.db", r"%APPDATA%\x.db", "data/x\u200b.db", "C:\new.db"],
)
def test_a_path_that_names_no_file_that_was_meant_is_refused(text: str) -> None:
    """What a container's env file, a word processor, a missing shell and a quoted backslash leave."""
    [problem] = problems({"BIGGER_DATABASE": text})
    assert "must be a path as it is, without quotation marks, variables such as $HOME" in problem


@pytest.mark.parametrize(
    "text",
    [
        "data/my games/表?#.db",
        "/srv/ann@home.db",
        "C:/Users/ann@x/y.db",
        r"C:\Users\ann@home\x.db",
        "data/cash$/100%.db",
    ],
)
def test_any_other_path_is_taken_as_it_is(text: str) -> None:
    assert str(Settings.load({"BIGGER_DATABASE": text}, None).database).endswith(text)
