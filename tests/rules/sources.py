"""What the source of a game says when it refuses something, and whether the page of that game bears it out.

Reads refusals in the source and the published page, regardless of their meaning.
"""

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from bot.show.rulebook.articles import book

RULES = Path(__file__).parents[2] / "bot" / "rules"
ARTICLE = re.compile(r"O?\d+\.\d+")
NAMING = {"CombinationName", "Deck"}  # what is called by these is named, not refused


class Source:
    """The source of a game. refusing: modules in which every sentence is of a refusal."""

    def __init__(self, game: str, *refusing: str) -> None:
        paths = sorted((RULES / game).glob("*.py"))
        self.refusing = refusing
        self.modules = {path.stem: ast.parse(path.read_text(encoding="utf-8")) for path in paths}

    def articles(self) -> set[str]:
        """Return every article that stands in it as a value."""
        return {each for tree in self.modules.values() for each in texts(tree) if ARTICLE.fullmatch(each)}

    def sentences(self) -> set[str]:
        """Return every sentence with which the game refuses something."""
        return {each for each in self._refused() if " " in each and each.endswith((".", "}"))}

    def cited(self) -> set[str]:
        """Return every article that the game can cite when it refuses something or tells what decides."""
        return {each for each in self._refused() if ARTICLE.fullmatch(each)}

    def _refused(self) -> set[str]:
        return {each for module in self.modules for piece in self._raised(module) for each in texts(piece)}

    def _raised(self, module: str) -> Iterator[ast.AST]:
        """Yield every piece of a module that says why something is refused."""
        for node in ast.walk(self.modules[module]):
            match node:
                case ast.Call(func=ast.Name(id="Illegal")):
                    yield node
                case ast.Tuple(elts=[_, ast.Lambda(), _]):  # what cannot be combined
                    yield node
                case ast.FunctionDef() | ast.Assign() | ast.AnnAssign() if (
                    module in self.refusing and not names(node) & NAMING
                ):
                    yield node
                case ast.FunctionDef() if "Illegal" in names(node):
                    yield from (each for each in ast.walk(node) if isinstance(each, ast.Assign) and is_sentence(each))


def texts(piece: ast.AST) -> Iterator[str]:
    """Yield every plain text in a piece of source that is not a docstring."""
    said = {id(each.value) for each in ast.walk(piece) if isinstance(each, ast.Expr)}
    for node in ast.walk(piece):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in said:
            yield node.value


def names(piece: ast.AST) -> set[str]:
    """Return every name in a piece of source."""
    return {each.id for each in ast.walk(piece) if isinstance(each, ast.Name)}


def is_sentence(assigned: ast.Assign) -> bool:
    """Tell whether a text is given the name under which a refusal uses it."""
    return [each.id for each in assigned.targets if isinstance(each, ast.Name)] == ["sentence"]


def in_force(game: str, article: str, options: Any) -> bool:
    """Tell whether the page contains this article under these options."""
    return book(game).under(options).article(article) is not None
