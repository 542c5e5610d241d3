"""Names that are easily taken for one another: each gets a shape, and equal shapes are flagged.

A small table of our own, for what is likely at a pub's tables: letters of other alphabets
that are drawn like Latin ones, digits and signs in the place of letters. Two names of one
shape need not look the same to everybody; nothing is refused for it, it is only said.
"""

from __future__ import annotations

import unicodedata
from collections import defaultdict
from collections.abc import Mapping

# Greek capitals are drawn like Latin ones, and unlike their own small letters.
_GREEK_CAPITALS = str.maketrans("ΑΒΕΖΗΙΚΜΝΟΡΤΥΧϹ", "abezhikmnoptyxc")
# After casefolding and taking the accents off. Latin letters stand for themselves.
_CYRILLIC = str.maketrans("авекмнорстухіјѕԁԛԝһӏьгпё", "abekmhopctyxijsdqwhlbrne")
_GREEK = str.maketrans("αβγεηικμνορτυχωϲσ", "abyenikuvoptuxwcs")
_LATIN = str.maketrans(
    {
        "ı": "i", "ø": "o", "đ": "d", "ħ": "h", "ł": "l", "ŧ": "t", "ɑ": "a", "ɡ": "g", "ɩ": "i",
        "ʋ": "v", "ƅ": "b", "æ": "ae", "œ": "oe", "þ": "p",
    }
)  # fmt: skip
# "I", "l" and "1" are one stroke in many fonts.
_SIGNS = str.maketrans("i0134567$89|!@€", "loleasbtsbgllae")
# Letters that stand together as one.
_PAIRS = (("rn", "m"), ("vv", "w"))


def shape(name: str) -> str:
    """Return a name's rough shape; it does not change when it is taken of a shape again."""
    # NFKC makes plain letters of mathematical and other fancy ones, NFKD takes accents apart.
    plain = unicodedata.normalize("NFKC", name).translate(_GREEK_CAPITALS)
    folded = unicodedata.normalize("NFKD", plain.casefold())
    letters = "".join(c for c in folded if not unicodedata.combining(c))
    for table in (_CYRILLIC, _GREEK, _LATIN, _SIGNS):
        letters = letters.translate(table)
    return _join_pairs("".join(c for c in letters if c.isalnum()) or letters)


def _join_pairs(text: str) -> str:
    """Replace pairs of letters that are read as one, until there is none."""
    before = ""
    while text != before:
        before = text
        for pair, one in _PAIRS:
            text = text.replace(pair, one)
    return text


def flags(names: Mapping[int, str]) -> dict[int, str]:
    """Return, by key, the name of another one that a name is easily taken for.

    Of several it is the first; who looks like nobody is left out.
    """
    same: dict[str, list[int]] = defaultdict(list)
    for key, name in names.items():
        same[shape(name)].append(key)
    return {
        key: names[next(other for other in keys if other != key)]
        for keys in same.values()
        if len(keys) > 1
        for key in keys
    }
