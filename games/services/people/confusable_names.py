"""Names that are easily confused: each gets a shape, and names of equal shape are flagged.

Tables for names that are likely at a pub: letters of other alphabets that look like Latin ones, digits and signs in
place of letters. Styled Latin letters (small capitals, with hooks and strokes, in boxes) are known by their names in
Unicode. Words of office beside a name ("Hanna (host)"), crowns and badges count for nothing. Two names of one shape
need not look alike to every reader; no name is refused for its shape, it is only flagged.
"""

from __future__ import annotations

import unicodedata
from collections import defaultdict
from collections.abc import Mapping
from functools import cache

import regex

# Greek capitals look like Latin ones, and unlike their own small letters.
_GREEK_CAPITALS = str.maketrans("ΑΒΕΖΗΙΚΜΝΟΡΤΥΧϹ", "abezhikmnoptyxc")
# Before casefolding: these capitals look like Latin letters, and their small letters like others or none.
_CAPITALS = str.maketrans("ՏԼՍՕ", "sluo")
# Applied after casefolding and removing accents. Latin letters stand for themselves.
_CYRILLIC = str.maketrans("авекмнорстухіјѕԁԛԝһӏьгпё", "abekmhopctyxijsdqwhlbrne")
_GREEK = str.maketrans("αβγεηικμνορτυχωϲσ", "abyenikuvoptuxwcs")
_ARMENIAN = str.maketrans("ոռսօհցզգյաևլ", "nnuohgqqjwul")
# Casefolding makes Cherokee letters capitals, and Coptic ones small.
_CHEROKEE = str.maketrans("ᎠᎡᎢᎥᎩᎪᎫᎬᎳᎷᎻᎽᏀᏂᏃᏏᏒᏔᏕᏙᏚᏞᏟᏢᏦᏧᏳᏴᎤ", "drtiyajewmhyghzbrwsvslcpkdgbo")
_COPTIC = str.maketrans("ⲁⲃⲉⲍⲏⲓⲕⲙⲛⲟⲣⲥⲧⲩⲭⲱ", "abezhikmnopctyxw")
_LISU = str.maketrans("ꓐꓑꓓꓔꓖꓗꓙꓚꓜꓝꓟꓠꓡꓢꓣꓦꓧꓪꓫꓬꓮꓰꓲꓳꓴ", "bpdtgkjczfmnlsrvhwxyaeiou")
_CANADIAN = str.maketrans("ᗅᗩᗷᑕᗞᗪᕮᖴᘜᕼᒍᒪᗰᑎᑭᖇᔕᑌᐯᗯ᙭ᑯᑲᖯᐱ", "aabcddefghjlmnprsuvwxdbba")
_RUNIC_AND_TIFINAGH = str.maketrans("ᚱᛕᛖᛗᚷᚺⵔⵝⵏⵑⵕ", "rkmmxnoxliq")
_ALPHABETS = (_ARMENIAN, _CHEROKEE, _COPTIC, _LISU, _CANADIAN, _RUNIC_AND_TIFINAGH)
_STYLED = regex.compile(r"(?:[A-Z ]+ )?(?:LATIN|REGIONAL INDICATOR)\b.*\b(?:LETTER|SMALL CAPITAL) ([A-Z])(?: WITH .*)?")
"""The name of a character that is a Latin letter in another style."""
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
OFFICES = (
    "host", "hostess", "leitung", "leiter", "leiterin", "vert", "verten", "vertinne", "wirt", "wirtin", "admin", "mod",
    "moderator", "staff", "team", "chef", "chefin", "boss", "sjef", "official", "offiziell", "offisiell", "original",
    "real", "echt", "ekte", "scorekeeper", "schreiber", "schreiberin", "system", "computer", "bot",
)  # fmt: skip
"""Words beside a name that would make it somebody in office, or the true one."""


def shape(name: str) -> str:
    """Return a name's shape; the shape of a shape is the shape itself."""
    # NFKC turns mathematical and other styled letters into plain ones, NFKD separates accents.
    plain = unicodedata.normalize("NFKC", name).translate(_GREEK_CAPITALS)
    folded = unicodedata.normalize("NFKD", "".join(map(_unstyled, plain.translate(_CAPITALS))).casefold())
    letters = "".join(c for c in folded if not unicodedata.combining(c))
    for table in (*_ALPHABETS, _CYRILLIC, _GREEK, _LATIN, _SIGNS):
        letters = letters.translate(table)
    words = regex.findall(r"[^\W_]+", letters)
    named = [word for word in words if word not in _offices()] or words
    return _join_pairs("".join(c for c in "".join(named) if c.isalnum()) or letters)


@cache
def _unstyled(sign: str) -> str:
    """Return the Latin letter that a character is in another style; any other character as it is."""
    found = None if sign.isascii() else _STYLED.fullmatch(unicodedata.name(sign, ""))
    return found[1].lower() if found else sign


@cache
def _offices() -> frozenset[str]:
    """Return the words of office as they are after the tables."""
    return frozenset(word.translate(_SIGNS) for word in OFFICES)


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
