"""Who owes whom on a server: first what concerns whoever looks, with what they can say to it, then the rest.

Draws what has been added up; refuses to add up anything itself. It is a notebook: nobody pays here.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from discord.utils import format_dt

from bot.domain.debts import Account, Debt, Debtor, Word
from bot.domain.ids import PlayerId, UserId
from bot.domain.names import called
from bot.show.kit import phrases
from bot.show.kit.custom_ids import Browse
from bot.show.kit.layout import Accent, Block, PrivateScreen, beside, button, line, lines, private, small
from bot.show.kit.words import Said, Words, join, sentences
from bot.show.table.payments import NOTEBOOK

SAY, AGREE, TAKE_BACK = "ledger_say", "ledger_agree", "ledger_back"  # the verbs: it is settled; so it is; it is not
LEDGER: Final = Said("`/matches ledger`")
OWN: Final = 6  # debts that have a button, at once
WORDS: Final = 4  # things said that have one
OTHERS: Final = 12  # debts of others that are shown


@dataclass(frozen=True, slots=True)
class _Page:
    """A notebook for one reader. names: of all who are named in it, as they are told apart."""

    account: Account
    names: dict[PlayerId, Said]
    w: Words

    def mine(self, one: Debt | Word) -> bool:
        """Tell whether something concerns whoever looks."""
        return self.account.me in one.pair

    def other(self, one: Debt | Word) -> Said:
        """Return who else something of theirs concerns."""
        return self.names[one.payee if one.payer == self.account.me else one.payer]


def ledger(account: Account, where: str, w: Words, notice: str | None = None) -> PrivateScreen:
    """Return what somebody reads of a notebook. where: the server, or the channel. notice: a sentence on top."""
    page = _Page(account, _names(account.people.values(), w), w)
    own = [debt for debt in account.debts if page.mine(debt)]
    return private(
        Accent.BOOK,
        lines(notice, "## " + w("Who owes whom"), small(w.show(where))),
        *(_word(word, page) for word in account.words[:WORDS]),
        *(_own(debt, page) for debt in own[:OWN]),
        join(phrases.more(len(own) - OWN, w)) or None,
        _nothing(own, page),
        line(),
        _others(page),
        line(),
        lines(*(small(_agreed(word, page)) for word in account.agreed)),
        line(),
        small(_about(page)),
    )


def _names(people: Iterable[Debtor], w: Words) -> dict[PlayerId, Said]:
    """Return what people are called, so that nobody is taken for somebody else."""
    told = dict[PlayerId, str]()
    for one in sorted(people, key=lambda one: one.player):
        told[one.player] = called(one.name, one.user or UserId(one.player), told.values()) if one.name else ""
    users = {one.player: one.user for one in people}
    return {
        player: Said(w.show(name)) if name else phrases.person(users[player] or UserId(0), w)
        for player, name in told.items()
    }


def _nothing(own: list[Debt], page: _Page) -> Said | None:
    """Say that all is even, for whoever looks or for everybody."""
    if not page.account.debts:
        return page.w("Nobody owes anybody anything.")
    return None if own else page.w("You owe nobody anything, and nobody owes you.")


def _own(debt: Debt, page: _Page) -> Block:
    """Return what somebody owes, or is owed, with a button that says it is settled, unless that is said already."""
    w, name = page.w, page.other(debt)
    owes = debt.payer == page.account.me
    told = w("You owe {name} **{n}**", name=name, n=debt.units)
    told = told if owes else w("{name} owes you **{n}**", name=name, n=debt.units)
    said = f"{told}\n{_since(debt, w)}"
    if any(word.pair == debt.pair for word in page.account.words):
        return said
    return beside(said, button(w("Settled"), Browse.to(SAY, debt.payer, debt.payee, debt.units)))


def _word(word: Word, page: _Page) -> Block:
    """Return what one of two has said, with a button for whoever looks: to agree, or to take their own word back."""
    w, name, account = page.w, page.other(word), page.account
    if word.by == account.me:
        said = w(
            "You have said that {name} and you have settled **{n}**. It counts once {name} says so here, too.",
            name=name,
            n=word.units,
        )
        return beside(said, button(w("Take it back"), Browse.to(TAKE_BACK, word.id)))
    return beside(_says(word, page), button(w("Yes, settled"), Browse.to(AGREE, word.id)))


def _says(word: Word, page: _Page) -> Said:
    """Return what the other of two has said."""
    w, name = page.w, page.other(word)
    if word.payer == page.account.me:
        return w("{name} says: you have settled the **{n}** that you owed.", name=name, n=word.units)
    return w("{name} says: the **{n}** that you had to get are settled.", name=name, n=word.units)


def asked(word: Word, account: Account, where: str, w: Words) -> PrivateScreen:
    """Return what somebody is written whom another asks whether something is settled. account: their own."""
    page = _Page(account, _names(account.people.values(), w), w)
    return private(
        Accent.BOOK,
        lines("## " + w("Who owes whom"), small(w.show(where))),
        _says(word, page),
        small(w("Is it so? Say it there in {command}. Until then it stays owed.", command=LEDGER)),
    )


def unanswered(where: Iterable[str], w: Words) -> Iterator[Said]:
    """Say where somebody is asked whether something is settled. where: the servers, or channels."""
    for name in where:
        yield w(
            "{where}: somebody says that what was owed between you is settled. Answer in {command} there.",
            where=w.show(name),
            command=LEDGER,
        )


def _others(page: _Page) -> str | None:
    """Return what others owe each other, without those who show nobody how they play."""
    shown = [debt for debt in page.account.debts if not page.mine(debt) and not _is_hidden(debt, page)]
    more = phrases.more(len(shown) - OTHERS, page.w)
    return lines(*(_debt(debt, page) for debt in shown[:OTHERS]), *more)


def _is_hidden(debt: Debt, page: _Page) -> bool:
    return any(page.account.people[player].hidden for player in debt.pair)


def _debt(debt: Debt, page: _Page) -> str:
    w, payer, payee = page.w, page.names[debt.payer], page.names[debt.payee]
    return f"{w('{payer} owes {payee} **{n}**', payer=payer, payee=payee, n=debt.units)}\n{_since(debt, w)}"


def _since(debt: Debt, w: Words) -> str:
    return small(w("since {day}", day=Said(format_dt(debt.since, "d"))))


def _agreed(word: Word, page: _Page) -> Said:
    assert word.agreed is not None
    w, name, day = page.w, page.other(word), Said(format_dt(word.agreed, "d"))
    if word.payer == page.account.me:
        return w("✓ {n} of yours to {name}, settled on {day}", n=word.units, name=name, day=day)
    return w("✓ {n} of {name} to you, settled on {day}", n=word.units, name=name, day=day)


def _about(page: _Page) -> Said:
    """Say what the figures are."""
    return sentences(_told(page))


def _told(page: _Page) -> Iterator[str]:
    yield page.w(NOTEBOOK)
    if page.account.debts:
        yield page.w(
            "All matches are added up, so that as few as possible have to pay: you may owe somebody whom "
            "you have never met."
        )
    if not page.account.exact:
        yield page.w("With so many people there may be a way with fewer payments.")
