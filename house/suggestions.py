"""The right word nearest to a wrong one, for the line that refuses it.

Nothing here imports more than it needs: the command line reads it before it knows what is asked.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from contextlib import suppress

LIKE = 0.65
"""Share of letters, as `difflib` counts them, that a slip of the pen leaves in place."""

AS_LIKE = 0.1
"""Words are as near as each other where their shares differ by at most this."""

PART = 3
"""Letters that are enough to know a word by a part of it."""

MOST = 3
"""Words to suggest at a time."""

LONGEST = 120
"""Letters of a list that a line shows; of a longer one it says where it stands."""


def nearest_words(word: object, among: Iterable[str]) -> list[str]:
    """The words most like that one, at most `MOST`, the nearest first; none where none is like it.

    Capitals, dashes and underscores make no difference, and a part of a word is like the whole.
    """
    from difflib import SequenceMatcher

    typed = _letters(word[:LONGEST]) if isinstance(word, str) else ""
    shares: dict[str, float] = {}
    spelled = {_letters(each): each for each in reversed(list(among))}
    for letters, each in reversed(spelled.items()):  # of two spellings the first
        share = SequenceMatcher(None, letters, typed).ratio() if typed and letters else 0.0
        within = isinstance(word, str) and (_stands_in(typed, each) or _stands_in(letters, word))
        shares[each] = max(share, 1 - AS_LIKE if within else 0.0)
    best = max(shares.values(), default=0.0)
    if best == 1:
        return [each for each, share in shares.items() if share == 1][:MOST]
    found = [each for each, share in shares.items() if share >= max(LIKE, best - AS_LIKE)]
    return sorted(found, key=lambda each: -shares[each])[:MOST]


INVERSE = "inverse"
"""The part of a name that says that it takes one over what the rest names."""


def did_you_mean(word: object, among: Iterable[str], value: object = None) -> str:
    """`did you mean ...?` with the nearest words; "" where none is near.

    value: of the option that this word names wrongly. Where the nearest takes the inverse of what was named,
    the value for it would be wrong by orders of magnitude, and the line gives the one to type.
    """
    found = nearest_words(word, among)
    if found and INVERSE in _parts(found[0]) and "inv" not in str(word).lower():
        return _inverted(found[0], str(word), value)
    return f"did you mean {' or '.join(found)}?" if found else ""


def one_of(words: Iterable[str], listed: str = "", what: str = "one") -> str:
    """`one of ...` where that is short; else where they stand, in what the command `listed` prints."""
    line = ", ".join(words)
    return f"{what} that `{listed}` lists" if listed and len(line) > LONGEST else f"{what} of {line}"


def _stands_in(letters: str, word: str) -> bool:
    """Whether these letters begin a word, or a part of it behind a dash."""
    parts = _parts(word)
    return len(letters) >= PART and any("".join(parts[i:]).startswith(letters) for i in range(len(parts)))


def _parts(word: str) -> list[str]:
    return re.split(r"[\W_]+", word[:LONGEST].lower())


def _inverted(right: str, word: str, value: object) -> str:
    """How to say by the name `right` what was asked by its inverse."""
    typed = ""
    with suppress(ArithmeticError, TypeError, ValueError):
        if isinstance(value, str | float | int):
            typed = f": {right} {1 / float(value):.12g}"
    return f"{right} takes 1/{word.lstrip('-')}{typed}"


def _letters(word: str) -> str:
    return "".join(filter(str.isalnum, word.lower()))
