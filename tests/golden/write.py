"""Write the golden data again: python -m tests.golden.write

Do so only after a change of the rules that is meant, and read the difference of the text files before keeping it. An
existing record stays unchanged, so that old matches are still replayed; delete a record to renew it.
"""

import json

from bot.games import GAMES
from bot.rules.matches.record import Record
from tests.golden.play import HERE, HOUSE, advice, counts, golden_path, make, told
from tests.laws.matches import PRESETS
from tests.support import card_reprs  # noqa: F401  # cards as the tests digest them


def write() -> None:
    """Write a record and its story for every preset, what the house would do there, and all counts in depth."""
    advised = list[str]()
    for name, preset in PRESETS:
        path = golden_path(name, preset)
        if not path.exists():
            path.write_text(make(name, preset).to_json(), encoding="utf-8")
        record = Record.from_json(path.read_text(encoding="utf-8"), GAMES)
        path.with_suffix(".txt").write_text("\n".join(told(record, record.positions())) + "\n", encoding="utf-8")
        advised += advice(name, preset, record.positions())
    HOUSE.write_text("\n".join(advised) + "\n", encoding="utf-8")
    perft = {f"{name}.{preset}": counts(name, preset) for name, preset in PRESETS}
    lines = (
        f" {json.dumps(key)}: {{\n"
        + ",\n".join(f"  {json.dumps(seed)}: {json.dumps(each)}" for seed, each in found.items())
        + "\n }"
        for key, found in perft.items()
    )
    (HERE / "perft.json").write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")


if __name__ == "__main__":
    write()
