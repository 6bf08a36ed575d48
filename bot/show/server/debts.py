"""The debts on a server: the viewer's own, with buttons to settle them, then the others.

A notebook: no payment takes place here.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from discord.utils import format_dt

from bot.domain.debts import Debt, Debtor, LedgerView, SettlementClaim
from bot.domain.ids import PlayerId, UserId
from bot.domain.names import distinct_name
from bot.show.kit import phrases
from bot.show.kit.custom_ids import Browse
from bot.show.kit.layout import Accent, Block, PrivateScreen, button, line, lines, private, small, text_with_button
from bot.show.kit.words import MessageText, Words, join, sentences
from bot.show.table.scores import NOTEBOOK

SAY, AGREE, TAKE_BACK = "ledger_say", "ledger_agree", "ledger_back"  # the verbs: claim settlement; confirm; withdraw
LEDGER: Final = MessageText("`/matches ledger`")
OWN: Final = 6  # the most own debts shown, each with a button
MAX_CLAIMS: Final = 4  # the most claims shown, each with a button
OTHERS: Final = 12  # the most debts of others shown


@dataclass(frozen=True, slots=True)
class _Page:
    """The debts for one viewer. names: distinct names of all people in them."""

    account: LedgerView
    names: dict[PlayerId, MessageText]
    w: Words

    def mine(self, one: Debt | SettlementClaim) -> bool:
        """Tell whether a debt or claim concerns the viewer."""
        return self.account.me in one.pair

    def other(self, one: Debt | SettlementClaim) -> MessageText:
        """Return the name of the other person in a debt or claim of the viewer."""
        return self.names[one.payee if one.payer == self.account.me else one.payer]


def ledger(account: LedgerView, where: str, w: Words, notice: str | None = None) -> PrivateScreen:
    """Return the debts, as seen by one viewer.

    where: the server or channel. notice: a sentence on top.
    """
    page = _Page(account, _names(account.people.values(), w), w)
    own = [debt for debt in account.debts if page.mine(debt)]
    return private(
        Accent.BOOK,
        lines(notice, "## " + w("Who owes whom"), small(w.show(where))),
        *(_word(word, page) for word in account.words[:MAX_CLAIMS]),
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


def _names(people: Iterable[Debtor], w: Words) -> dict[PlayerId, MessageText]:
    """Return distinct names of people."""
    told = dict[PlayerId, str]()
    for one in sorted(people, key=lambda one: one.player):
        told[one.player] = distinct_name(one.name, one.user or UserId(one.player), told.values()) if one.name else ""
    users = {one.player: one.user for one in people}
    return {
        player: MessageText(w.show(name)) if name else phrases.person(users[player] or UserId(0), w)
        for player, name in told.items()
    }


def _nothing(own: list[Debt], page: _Page) -> MessageText | None:
    """Return that there are no debts at all, or none of the viewer; None otherwise."""
    if not page.account.debts:
        return page.w("Nobody owes anything.")
    return None if own else page.w("You're all square: you owe nothing, and nobody owes you.")


def _own(debt: Debt, page: _Page) -> Block:
    """Return a debt of the viewer, with a button to claim its settlement unless claimed."""
    w, name = page.w, page.other(debt)
    owes = debt.payer == page.account.me
    told = w("You owe {name} **{n}**", name=name, n=debt.units)
    told = told if owes else w("{name} owes you **{n}**", name=name, n=debt.units)
    text = f"{told}\n{_since(debt, w)}"
    if any(word.pair == debt.pair for word in page.account.words):
        return text
    return text_with_button(text, button(w("Settled"), Browse.to(SAY, debt.payer, debt.payee, debt.units)))


def _word(word: SettlementClaim, page: _Page) -> Block:
    """Return a claim of settlement, with the viewer's button to confirm or withdraw it."""
    w, name, account = page.w, page.other(word), page.account
    if word.by == account.me:
        text = w(
            "You said that you and {name} have settled **{n}**. It counts once {name} confirms it here.",
            name=name,
            n=word.units,
        )
        return text_with_button(text, button(w("Withdraw"), Browse.to(TAKE_BACK, word.id)))
    return text_with_button(_says(word, page), button(w("Yes, settled"), Browse.to(AGREE, word.id)))


def _says(word: SettlementClaim, page: _Page) -> MessageText:
    """Return the claim of the other person."""
    w, name = page.w, page.other(word)
    if word.payer == page.account.me:
        return w("{name} says you've settled the **{n}** you owed.", name=name, n=word.units)
    return w("{name} says they've settled the **{n}** they owed you.", name=name, n=word.units)


def settlement_request(word: SettlementClaim, account: LedgerView, where: str, w: Words) -> PrivateScreen:
    """Return the direct message that asks a person to confirm a settlement.

    account: the recipient's.
    """
    page = _Page(account, _names(account.people.values(), w), w)
    return private(
        Accent.BOOK,
        lines("## " + w("Who owes whom"), small(w.show(where))),
        _says(word, page),
        small(w("Is that right? Confirm it there with {command}. Until then it's still owed.", command=LEDGER)),
    )


def unanswered(where: Iterable[str], w: Words) -> Iterator[MessageText]:
    """Yield a reminder of each place with an unconfirmed settlement.

    where: the servers or channels.
    """
    for name in where:
        yield w(
            "{where}: someone says your debt is settled. Answer there with {command}.",
            where=w.show(name),
            command=LEDGER,
        )


def _others(page: _Page) -> str | None:
    """Return the debts between others, without people who hide their results."""
    shown = [debt for debt in page.account.debts if not page.mine(debt) and not _is_hidden(debt, page)]
    more = phrases.more(len(shown) - OTHERS, page.w)
    return lines(*(_debt(debt, page) for debt in shown[:OTHERS]), *more)


def _is_hidden(debt: Debt, page: _Page) -> bool:
    return any(page.account.people[player].hidden for player in debt.pair)


def _debt(debt: Debt, page: _Page) -> str:
    w, payer, payee = page.w, page.names[debt.payer], page.names[debt.payee]
    return f"{w('{payer} owes {payee} **{n}**', payer=payer, payee=payee, n=debt.units)}\n{_since(debt, w)}"


def _since(debt: Debt, w: Words) -> str:
    return small(w("since {day}", day=MessageText(format_dt(debt.since, "d"))))


def _agreed(word: SettlementClaim, page: _Page) -> MessageText:
    assert word.agreed is not None
    w, name, day = page.w, page.other(word), MessageText(format_dt(word.agreed, "d"))
    if word.payer == page.account.me:
        return w("✓ You owed {name} {n}, settled on {day}", n=word.units, name=name, day=day)
    return w("✓ {name} owed you {n}, settled on {day}", n=word.units, name=name, day=day)


def _about(page: _Page) -> MessageText:
    """Return the explanation of the figures."""
    return sentences(_remarks(page))


def _remarks(page: _Page) -> Iterator[str]:
    yield page.w(NOTEBOOK)
    if page.account.debts:
        yield page.w("I add up all matches to keep payments few, so you may owe someone you've never played with.")
    if not page.account.exact:
        yield page.w("With this many people, there may be a way with fewer payments.")
