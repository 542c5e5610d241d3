"""Names that are easily confused: each gets a shape, and names of equal shape are flagged.

A small table for names that are likely at a pub: letters of other alphabets that look like Latin
ones, digits and signs in place of letters. Two names of one shape need not look alike to every
reader; no name is refused for its shape, it is only flagged.
"""

from __future__ import annotations

import unicodedata
from collections import defaultdict
from collections.abc import Mapping

# Greek capitals look like Latin ones, and unlike their own small letters.
_GREEK_CAPITALS = str.maketrans("ΑΒΕΖΗΙΚΜΝΟΡΤΥΧϹ", "abezhikmnoptyxc")
# Applied after casefolding and removing accents. Latin letters stand for themselves.
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
# Pairs of letters that look like one.
_PAIRS = (("rn", "m"), ("vv", "w"))


def shape(name: str) -> str:
    """Return a name's shape; the shape of a shape is the shape itself."""
    # NFKC turns mathematical and other styled letters into plain ones, NFKD separates accents.
    plain = unicodedata.normalize("NFKC", name).translate(_GREEK_CAPITALS)
    folded = unicodedata.normalize("NFKD", plain.casefold())
    letters = "".join(c for c in folded if not unicodedata.combining(c))
    for table in (_CYRILLIC, _GREEK, _LATIN, _SIGNS):
        letters = letters.translate(table)
    return _join_pairs("".join(c for c in letters if c.isalnum()) or letters)


def _join_pairs(text: str) -> str:
    """Replace pairs of letters that look like one, until none is left."""
    before = ""
    while text != before:
        before = text
        for pair, one in _PAIRS:
            text = text.replace(pair, one)
    return text


def flags(names: Mapping[int, str]) -> dict[int, str]:
    """Return, by key, another name of equal shape, with which the name is easily confused.

    Of several it is the first; names of unique shape are left out.
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
