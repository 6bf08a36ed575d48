"""The weights by which The Big and the Little A is played. Refuses to know what is weighed with them, and how."""

from __future__ import annotations

from typing import NamedTuple


class Taste(NamedTuple):
    """The weights of all that has to be weighed; found by letting house players play each other.

    share, jokers: with how much of what it may hold a rival is taken to beat a set, without and with a joker. weak,
    strong: turns that a set of standing 0 and of 1 costs; the strong one wins turns for the others. grip: how many more
    in the hand of whoever needs the lead for an A card. tempo: points that a turn is worth. left: which share of its
    points a card costs with the end far off; stuck: an A card, at least. fade: by how many cards of a rival the end
    comes nearer by the factor e. sure: with which chance to keep the lead it runs out.

    worth: how much of what the lead could save it does; rid: for an A card. early: points for leading what can hardly
    be put on anything; rare: by how much rarer that is for each card more. block: which share of an A card it costs to
    leave the lead to its holder. risk: what the lowest card costs where others hold A cards, a 13 that share of them.

    ducks: how surely a rival stays below in an A round who can. later: which share of the card that is on top another
    puts under it.
    """

    share: float = 0.6
    jokers: float = 0.15
    weak: float = 1.0
    strong: float = -1.0
    tempo: float = 3.8
    left: float = 0.085
    stuck: float = 1.0
    fade: float = 2.0
    worth: float = 0.35
    ducks: float = 0.97
    later: float = 0.7
    grip: float = 0.35
    risk: float = 0.3
    rid: float = 0.65
    rare: float = 0.4
    sure: float = 0.75
    block: float = 0.1
    early: float = 0.4


TASTE = Taste()
