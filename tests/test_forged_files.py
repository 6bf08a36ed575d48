"""Match files as strangers send them: changed on their way, or forged. Each ends in a sentence, not in a traceback."""

from __future__ import annotations

import asyncio
import json
import os
import random
import re
import sys
from collections.abc import Callable
from copy import deepcopy
from functools import cache
from pathlib import Path
from typing import Any, TypeAlias

import pytest

from bot.ops import verification
from bot.rules.matches.match_file import export
from bot.rules.matches.seal import chain_seed, cut_from_words, partly_opened, with_cut
from bot.rules.variants.registration import VERSION
from tests.people.test_checking import run_command_line
from tests.standin.fork_server import ROOT, run_program
from tests.standin.realm import WAIT_LIMIT
from tests.test_exported import DOCS, KEY, chained, match

Plain: TypeAlias = dict[str, Any]
CONTROL = re.compile(r"[\x00-\x09\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff]")
WORDS = ("river", None, None, "大老二")
SEED = with_cut(chain_seed(KEY), cut_from_words(WORDS))


@cache
def text() -> str:
    """A good file: a match under a chain, whose cards were cut."""
    plain = chained(SEED)
    found = export(plain, ("Ann", "Ben", "大老二", "Dev"), plain.replay().places, WORDS)
    assert found is not None
    return found.to_json()


def good() -> Plain:
    """The same, parsed."""
    plain: Plain = json.loads(text())
    return plain


def with_(**fields: Any) -> bytes:
    """The good file with other fields."""
    return json.dumps(good() | fields).encode()


def without(name: str) -> bytes:
    """The good file without a field."""
    plain = good()
    del plain[name]
    return json.dumps(plain).encode()


def step(number: int, value: Any) -> bytes:
    """The good file with another step."""
    steps = good()["steps"]
    steps[number] = value
    return with_(steps=steps)


def swapped(values: list[Any], one: int, other: int) -> list[Any]:
    """The list with two of its values exchanged."""
    values[one], values[other] = values[other], values[one]
    return values


def seed(change: Callable[[str], str]) -> bytes:
    """The good file with another seed."""
    return with_(seed=change(good()["seed"]))


def old() -> Plain:
    """A match of before there were chains."""
    plain: Plain = json.loads(match().to_json())
    return plain


# What a file may be, and a part of the sentence that it ends in.
FORGED: dict[str, tuple[Callable[[], bytes], str]] = {
    "nothing": (lambda: b"", "line 1 cannot be read as JSON"),
    "a byte": (lambda: b"\xff", "isn't text"),
    "a picture": (lambda: b"\x89PNG\r\n\x1a\n" + bytes(range(256)), "isn't text"),
    "half a file": (lambda: text().encode()[:900], "cannot be read as JSON"),
    "two bytes of UTF-16": (lambda: b"\xff\xfe\x00", "isn't text"),
    "a list": (lambda: b"[]", "is no match"),
    "a number": (lambda: b"7", "is no match"),
    "brackets without end": (lambda: b"[" * 100_000, "cannot be read as JSON"),
    "a number of 5,000 digits": (lambda: text().encode().replace(b'"format": 2', b'"format": ' + b"9" * 5000), "JSON"),
    "an endless number": (lambda: with_(points=[float("inf"), 0, 0, 0]), "'points' is not a list of whole numbers"),
    "no number": (lambda: with_(places=[float("nan"), 1, 1, 1]), "'places' is not a list of whole numbers"),
    "a format to come": (lambda: with_(format=9), "another version of the format, 9, than 1, 2 and 3"),
    "a format of truth": (lambda: with_(format=True), "'format' is not a number"),
    "no commitment": (lambda: without("committed"), "it has no 'committed'"),
    "a short commitment": (lambda: with_(committed="5a"), "'committed' is not 64 hexadecimal digits"),
    "another commitment": (lambda: with_(committed="0" * 64), "not the one that was committed to"),
    "a field of one's own": (lambda: with_(winner="Ann"), "it has 'winner' as well"),
    "a name for the players": (lambda: with_(players="Anna"), "'players' is not a list of names"),
    "a number among the players": (lambda: with_(players=["A", "B", "C", 4]), "'players' is not a list of names"),
    "a player less": (lambda: with_(players=["A", "B", "C"]), "There are 3 players, but these rules are for 4."),
    "points less": (lambda: with_(points=[0, 0, 0]), "There are 3 points for 4 players."),
    "points as a text": (lambda: with_(points=["1", 0, 0, 0]), "'points' is not a list of whole numbers"),
    "points that are others": (lambda: with_(points=[9, 9, 9, 9]), "The points are "),
    "places less": (lambda: with_(places=[1]), "There are 1 places for 4 players."),
    "a place beyond": (lambda: with_(places=[1, 2, 3, 9]), "Seat 4 has place 9, but places go from 1 to 4."),
    "a place before": (lambda: with_(places=[0, 2, 3, 4]), "Seat 1 has place 0"),
    "all first": (lambda: with_(places=[1, 1, 1, 1]), "but by the points they are"),
    "words less": (lambda: with_(words=["river"]), "There are 1 words for 4 players."),
    "other words": (lambda: with_(words=["brook", None, None, None]), "not those by which the cards were cut"),
    "words as a text": (lambda: with_(words="river"), "'words' is not a list of words"),
    "another game": (lambda: with_(game="poker"), "There is no game 'poker' here"),
    "a game of lists": (lambda: with_(game=[]), "'game' is not a name"),
    "another preset": (lambda: with_(preset="mine"), "has no preset 'mine' here"),
    "options in a list": (lambda: with_(options=[]), "'options' is not options by name"),
    "an option there is not": (lambda: with_(options={"wings": True}), "There are no such rules: Tiến Lên has no"),
    "an option it cannot be": (lambda: with_(options={"players": "many"}), "There are no such rules. "),
    "an option of lists": (lambda: with_(options={"deals": [[[]]]}), "There are no such rules"),
    "an option of version 1": (lambda: with_(version=1, options={"players": 10**9}), "are for 1000000000."),
    "an option of objects": (lambda: with_(version=1, options={"players": 4, "deals": {}}), "There are no such rules"),
    "rules to come": (lambda: with_(version=99), f"These are rules of version 99, and I know 1 to {VERSION}."),
    "rules before the first": (lambda: with_(version=0), "These are rules of version 0"),
    "rules as a text": (lambda: with_(version="2"), "'version' is not a number"),
    "half a seed": (lambda: seed(lambda given: given[:-9]), "'seed' is not complete"),
    "a seed of letters": (lambda: with_(seed="opened:two:" + "z" * 64), "'seed' is not complete"),
    "a seed of too few hands": (lambda: with_(seed=partly_opened(SEED, 1)), "hand 2 is not open"),
    "a seed of too many hands": (lambda: with_(seed=partly_opened(SEED, 3)), "is of 3 hands, but 2"),
    "a seed beyond a chain": (lambda: seed(lambda given: given.replace(":2", ":9999")), "There are no such rules: "),
    "a text for a seed": (lambda: with_(seed="film"), "breaks article"),
    "no steps": (lambda: with_(steps=None), "'steps' is not a list"),
    "not one step": (lambda: with_(steps=[]), "The last hand is not over."),
    "a step less": (lambda: with_(steps=good()["steps"][:-1]), "The last hand is not over."),
    "a step more": (lambda: with_(steps=[*good()["steps"], [0, "pass"]]), "breaks article"),
    "a step of one": (lambda: step(3, [0]), "step 4 is not a seat and an action"),
    "a seat there is not": (lambda: step(0, [77, "pass"]), "'pass' of seat 78, "),
    "a seat before the first": (lambda: step(0, [-1, "pass"]), "'pass' of seat 0, "),
    "an odd action": (lambda: step(5, [0, "fly"]), "step 6 is no action, 'fly'"),
    "an action of control": (lambda: step(0, [0, "choose \x1b[2J"]), r"choose \x1b[2J"),
    "another player's turn": (lambda: step(0, [(good()["steps"][0][0] + 1) % 4, "pass"]), "breaks article"),
    "cards one has not": (lambda: step(0, [good()["steps"][0][0], "As Ah"]), "A♠"),
}


def written(tmp_path: Path, content: bytes) -> Path:
    """A file with this content."""
    path = tmp_path / "match.json"
    path.write_bytes(content)
    return path


def both(capsys: pytest.CaptureFixture[str], path: Path) -> tuple[int, str]:
    """Show and verify a file; return the exit code, which is that of both, and what verify says."""
    show = run_command_line(capsys, f"record show {path}")
    verify = run_command_line(capsys, f"record verify {path}")
    for _, told in (show, verify):
        assert "Traceback" not in told
        assert told.strip()
        assert not CONTROL.search(told)
        assert "<card>" not in told
    assert show[0] == verify[0]
    return verify


@pytest.mark.parametrize("what", FORGED)
def test_42_1_3_a_forged_file_is_reported_in_a_sentence(
    what: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    make, sentence = FORGED[what]
    code, told = both(capsys, written(tmp_path, make()))
    assert (code, sentence in told) == (1, True), told


def wrapped(content: str, width: int = 60) -> str:
    """A text as in a letter, with long lines wrapped."""
    return "\n".join(
        line[at : at + width] for line in content.splitlines() for at in range(0, max(len(line), 1), width)
    )


def loud(content: str) -> str:
    """A text in which hexadecimal digits are capital letters."""
    return re.sub(r"[0-9a-f]{64}", lambda found: found[0].upper(), content)


SAME: dict[str, Callable[[], bytes]] = {
    "as it is": lambda: text().encode(),
    "with a mark at its beginning": lambda: text().encode("utf-8-sig"),
    "in UTF-16": lambda: text().encode("utf-16"),
    "with the lines of Windows": lambda: text().replace("\n", "\r\n").encode(),
    "on one line": lambda: json.dumps(good()).encode(),
    "in capital letters": lambda: loud(text()).encode(),
    "with broken lines": lambda: re.sub(r"[0-9a-f]{64}", lambda found: wrapped(found[0], 40), text()).encode(),
    "with both": lambda: loud(re.sub(r"[0-9a-f]{64}", lambda found: wrapped(found[0], 40), text())).encode(),
    "twice": lambda: text().encode() + text().encode(),
    "twice, with marks": lambda: text().encode("utf-8-sig") + text().encode("utf-8-sig"),
    "a line each": lambda: b"\n\n".join([json.dumps(good()).encode()] * 3) + b"\n",
    "without words": lambda: without("words"),
    "from before there were chains": lambda: json.dumps(old()).encode(),
    "with a player who left": lambda: with_(places=leaving()),
}


def leaving() -> list[int]:
    """The places where the first of all leaves before the end."""
    places: list[int] = good()["places"]
    first = places.index(1)
    return [4 if seat == first else place - 1 for seat, place in enumerate(places)]


@pytest.mark.parametrize("how", SAME)
def test_42_1_3_a_match_file_is_read_in_any_transport_encoding(
    how: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code, told = both(capsys, written(tmp_path, SAME[how]()))
    assert (code, "Everything checks out" in told) == (0, True), told


LEFT_OPEN = {
    "as it is": "and the cards from the commitment and the words of the cut.",
    "without words": "by which words the cards were cut: they are not in the file",
    "from before there were chains": "the cards of any hand but the last",
    "with a player who left": " left, by the number of their seat, and come last for it",
}


@pytest.mark.parametrize("how", LEFT_OPEN)
def test_42_1_3_unverifiable_facts_are_named(how: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert LEFT_OPEN[how] in both(capsys, written(tmp_path, SAME[how]()))[1]


def test_42_1_3_reasons_are_worded_as_on_screens(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The seats from 1, and the cards with their suits."""
    steps = good()["steps"]
    leader, second = steps[0], steps[1]
    _, told = both(capsys, written(tmp_path, step(1, [second[0], leader[1]])))
    assert f"Step 2 of {len(steps)}, " in told
    assert f" of seat {second[0] + 1}, breaks article " in told
    assert re.search("[♢♣♡♠]", told)
    assert not re.search(r"\b[2-9TJQKA][dchs]\b", told)


def test_42_1_3_a_match_is_described_up_to_its_first_fault(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = written(tmp_path, step(9, [9, "pass"]))
    capsys.readouterr()
    from bot.ops.command_line import run
    from bot.ops.shutdown import SignalHandler

    assert run(["record", "show", str(path)], SignalHandler()) == 1
    told = capsys.readouterr()
    assert "Hand 1" in told.out
    assert len([line for line in told.out.splitlines() if line.startswith("  ") and ": " in line]) == 9
    assert "Step 10 of " in told.err


NAMES = ["\x1b[2J\x1b[31mAnn", "Ben\r\nEverything checks out.", "\u202eneD", "\ud800"]


def test_42_1_3_names_and_words_contain_no_control_characters(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code, _ = both(capsys, written(tmp_path, with_(players=NAMES)))
    assert code == 0
    _, told = run_command_line(capsys, f"record show {tmp_path / 'match.json'}")
    assert r"\x1b[2J" in told
    assert "\nEverything checks out." not in told
    assert r"\ud800" in told


def test_42_1_3_the_size_limit_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(verification, "MAX_BYTES", 2_000_000)
    code, told = both(capsys, written(tmp_path, b" " * 2_000_001))
    assert (code, told.strip().endswith("is longer than 2 MB, the most that is read as matches.")) == (1, True)
    code, told = both(capsys, Path("/dev/zero"))  # which has no size
    assert (code, "is longer than 2 MB" in told) == (1, True)
    code, told = both(capsys, tmp_path)
    assert (code, "can't be read: Is a directory." in told) == (1, True)


async def ran_in_a_shell(command: str) -> tuple[int, bytes, bytes]:
    """Run a command with the program as $BOT, and any failure of a pipe as its own; return code, output and errors."""
    process = await asyncio.create_subprocess_exec(
        "bash",
        "-o",
        "pipefail",
        "-c",
        command,
        cwd=ROOT,
        env={**os.environ, "BOT": f"{sys.executable} -m bot"},
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    out, errors = await asyncio.wait_for(process.communicate(), WAIT_LIMIT)
    assert process.returncode is not None
    return process.returncode, out, errors


async def test_42_1_3_a_closed_pipe_and_a_limited_terminal_encoding_are_handled(tmp_path: Path) -> None:
    path = written(tmp_path, b"".join([text().encode()] * 40))
    code, out, errors = await ran_in_a_shell(f"$BOT record show {path} | head -n 2")
    assert (code, len(out.splitlines()), errors) == (0, 2, b"")
    written(tmp_path, text().encode())
    code, told = await run_program("bot", "record", "show", str(path), env={**os.environ, "PYTHONIOENCODING": "ascii"})
    assert (code, r"\u5927\u8001\u4e8c" in told, "Traceback" in told) == (0, True, False)


# Any mutation of a good file


@cache
def files() -> tuple[str, ...]:
    """Good files of several games."""
    return text(), match().to_json(), (DOCS / "match.example.json").read_text(encoding="utf-8")


def mutated(rng: random.Random) -> bytes:
    """A good file with some of its values, letters or bytes changed."""
    given = rng.choice(files())
    kind = rng.choice(("value", "value", "bytes", "letters"))
    if kind == "value":
        plain: Plain = json.loads(given)
        for _ in range(rng.randint(1, 3)):
            _mutate(plain, rng)
        return json.dumps(plain).encode()
    content = bytearray(given.encode())
    for _ in range(rng.randint(1, 5)):
        at = rng.randrange(len(content))
        if kind == "bytes":
            content[at] = rng.randrange(256)
        else:
            content[at : at + rng.randint(0, 9)] = rng.choice(
                (b"", b"0", b'"', b"[", b"}", b",", b"-1", b"null", b"\\u0000")
            )
    return bytes(content)


ODD: tuple[Any, ...] = (
    None, True, -1, 0, 1, 3, 10**18, 1.5, float("inf"), float("nan"), "", "x", "3d", "pass", "\x1b[1m", [], [[]], {},
    {"a": 1}, [0, "pass"], "opened:1:" + "0" * 64, "0" * 64,
)  # fmt: skip


def _mutate(value: Any, rng: random.Random) -> None:
    """Change something in a list or an object, or in what stands in it."""
    keys = list(value) if isinstance(value, dict) else list(range(len(value)))
    if not keys:
        return
    key = rng.choice(keys)
    if isinstance(value[key], dict | list) and value[key] and rng.random() < 0.7:
        _mutate(value[key], rng)
    elif rng.random() < 0.2:
        del value[key]
    else:
        value[key] = deepcopy(rng.choice((*ODD, value[rng.choice(keys)])))


@pytest.mark.parametrize("number", range(8))
def test_42_1_3_every_mutation_of_a_valid_file_is_reported_in_a_sentence(
    number: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rng = random.Random(f"forged {number}")
    for _ in range(25):
        content = mutated(rng)
        try:
            both(capsys, written(tmp_path, content))
        except BaseException:
            print(content)
            raise
