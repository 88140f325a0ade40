"""The right word nearest to a wrong one, for the line that refuses it.

Nothing here imports more than it needs: the command line reads it before it knows what is asked.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

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


def nearest(word: object, among: Iterable[str]) -> list[str]:
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


def meant(word: object, among: Iterable[str]) -> str:
    """`did you mean ...?` with the nearest words; "" where none is near."""
    found = nearest(word, among)
    return f"did you mean {' or '.join(found)}?" if found else ""


def one_of(words: Iterable[str], listed: str = "", what: str = "one") -> str:
    """`one of ...` where that is short; else where they stand, in what the command `listed` prints."""
    line = ", ".join(words)
    return f"{what} that `{listed}` lists" if listed and len(line) > LONGEST else f"{what} of {line}"


def _stands_in(letters: str, word: str) -> bool:
    """Whether these letters begin a word, or a part of it behind a dash."""
    parts = re.split(r"[\W_]+", word[:LONGEST].lower())
    return len(letters) >= PART and any("".join(parts[i:]).startswith(letters) for i in range(len(parts)))


def _letters(word: str) -> str:
    return "".join(filter(str.isalnum, word.lower()))
