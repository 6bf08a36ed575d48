"""Write the golden data again: python -m tests.golden.write

Run this only after an intended change of the rules, and review the difference of the text files. An existing record
stays unchanged, so that old matches are still replayed; delete a record to renew it.
"""

import json

from bot.games import GAMES
from bot.rules.matches.record import Record
from tests.golden.play import (
    DATA_FOLDER,
    HOUSE_FILE,
    golden_path,
    house_actions,
    perft_counts,
    play_random_match,
    story,
)
from tests.laws.matches import PRESETS
from tests.support import card_reprs  # noqa: F401  # cards as the tests digest them


def write() -> None:
    """Write a record and its story for every preset, the actions of the house, and all counts by depth."""
    advised = list[str]()
    for name, preset in PRESETS:
        path = golden_path(name, preset)
        if not path.exists():
            path.write_text(play_random_match(name, preset).to_json(), encoding="utf-8")
        record = Record.from_json(path.read_text(encoding="utf-8"), GAMES)
        path.with_suffix(".txt").write_text("\n".join(story(record, record.positions())) + "\n", encoding="utf-8")
        advised += house_actions(name, preset, record.positions())
    HOUSE_FILE.write_text("\n".join(advised) + "\n", encoding="utf-8")
    perft = {f"{name}.{preset}": perft_counts(name, preset) for name, preset in PRESETS}
    lines = (
        f" {json.dumps(key)}: {{\n"
        + ",\n".join(f"  {json.dumps(seed)}: {json.dumps(each)}" for seed, each in found.items())
        + "\n }"
        for key, found in perft.items()
    )
    (DATA_FOLDER / "perft.json").write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")


if __name__ == "__main__":
    write()
