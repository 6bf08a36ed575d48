"""Updates data/locale from the sources: ``python -m bot.show.translation.catalogue``.

Keeps the translations of existing messages, adds new messages untranslated, drops the others. In English a message is
its own translation. Without changes the files stay identical.
"""

from __future__ import annotations

import io
from datetime import UTC, datetime
from pathlib import Path

from babel.messages.catalog import Catalog, Message
from babel.messages.pofile import read_po, write_po

from bot.domain.languages import ENGLISH, LANGUAGES
from bot.show.kit.words import LOCALES
from bot.show.translation.extraction import messages

_WHEN = datetime(2026, 1, 1, tzinfo=UTC)  # fixed, to keep the files identical between runs
_HEADER = "# Messages of Bigger. Message ids come from the sources: see bot/show/translation/extraction.py.\n#"


def catalogue_path(locale: str) -> Path:
    """Return the path of a language's catalogue."""
    return LOCALES / locale / "LC_MESSAGES" / "bigger.po"


def read_catalogue(locale: str) -> Catalog:
    """Return the saved catalogue of a language; an empty one without a file."""
    if not catalogue_path(locale).exists():
        return Catalog(locale)
    with catalogue_path(locale).open("rb") as source:
        return read_po(source, locale=locale)


def updated_catalogue(locale: str) -> Catalog:
    """Return the catalogue of a language with exactly the messages of the sources."""
    old = read_catalogue(locale)
    new = Catalog(
        locale,
        project="Bigger",
        version="1",
        header_comment=_HEADER,
        creation_date=_WHEN,
        revision_date=_WHEN,
        last_translator="Bigger",
        language_team="Bigger",
        msgid_bugs_address="Bigger",
        fuzzy=False,
    )
    for found in messages():
        key = (found.message, found.plural) if found.plural else found.message
        kept = old.get(found.message)
        new.add(key, _translation(kept, key) or (key if locale == ENGLISH.code else ""), locations=[(found.file, 0)])
    return new


def _translation(kept: Message | None, key: str | tuple[str, str]) -> str | tuple[str, ...] | list[str]:
    """Return the translation of a message; "" if singular and plural no longer match."""
    if kept is None or isinstance(kept.string, str) != isinstance(key, str):
        return ""
    return kept.string or ""


def main() -> None:
    """Write all catalogues."""
    for locale in (language.code for language in LANGUAGES):
        written = io.BytesIO()
        catalogue = updated_catalogue(locale)
        write_po(written, catalogue, width=110, include_lineno=False)
        catalogue_path(locale).parent.mkdir(parents=True, exist_ok=True)
        catalogue_path(locale).write_bytes(written.getvalue())
        missing = sum(1 for message in catalogue if message.id and not _is_translated(message))
        print(f"{locale}: {len(catalogue)} messages, {missing} not translated")  # this is a command


def _is_translated(message: Message) -> bool:
    return all(message.string) if isinstance(message.string, tuple | list) else bool(message.string)


if __name__ == "__main__":
    main()
