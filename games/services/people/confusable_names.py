"""Names that are easily confused: each gets a shape, and names of equal shape are flagged.

Tables for names that are likely at a pub, with the letters that Unicode's list of confusables takes for a Latin one:
letters of other alphabets, digits, signs and pairs of signs in place of letters, letters that are often drawn in their
place ("Я" for "R"). Styled Latin letters (small capitals, turned, with hooks and strokes, in boxes) are known by their
names in Unicode. Words of office beside a name ("Hanna (host)"), crowns and badges count for nothing, and a letter that
stands more than twice counts twice. Names that are people's own, such as Ana and Anna, Jan and Jon, keep shapes of
their own. Two names of one shape need not look alike to every reader; no name is refused for its shape, it is only
flagged.
"""

from __future__ import annotations

import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Mapping
from functools import cache

import regex

# Before normalising and casefolding: these look like Latin letters, and what becomes of them like others or none.
_CAPITALS = str.maketrans("ΑΒΓΔΕΖΗΘΙΚΛΜΝΞΟΠΡΣΤΥΦΧςՏԼՍՕꓒɅʌɯ", "abraezhoikamneonpetyoxssluodaaw")
_LUNATE = str.maketrans("Ϲϲ", "cc")
# A Greek name in small letters, which is read with a capital at its beginning.
_GREEK_FIRST = regex.compile(r"(?<!\w)[\p{Greek}&&\p{Ll}](?=[\p{Greek}&&\p{Ll}]+(?!\w))", regex.V1)
# "ß" for "B" at the beginning of a word, and "HannaHost" in two words.
_SHARP_FIRST, _NEW_WORD = regex.compile(r"(?<!\w)ß"), regex.compile(r"(?<=\p{Ll})(?=\p{Lu})")
# Signs that are drawn for one letter, before any of them counts for another one or for nothing.
_DRAWN = (("\\/\\/", "w"), ("\\/", "v"), ("/\\", "a"), ("|<", "k"), ("|-|", "h"), ("|3", "b"), ("|)", "d"))
# Applied after casefolding and removing accents. Latin letters stand for themselves.
_CYRILLIC = str.maketrans("авекмнорстухіјѕԁԛԝһӏьгпёзиэядшщцбѵүѡҽꙇԍ", "abekmhopctyxijsdqwhlbrneenerawwubvywelg")
_GREEK = str.maketrans("αβγδεηθικλμνορστυφχωϝϳϻ", "abyaenoikauvopotuoxwfjm")
_ARMENIAN = str.maketrans("ոռսօհցզգյաևլ", "nnuohgqqjwul")
# Casefolding makes Cherokee letters capitals, and Coptic ones small.
_CHEROKEE = str.maketrans("ᎠᎡᎢᎥᎩᎪᎫᎬᎳᎷᎻᎽᏀᏂᏃᏏᏒᏔᏕᏙᏚᏞᏟᏢᏦᏧᏳᏴᎤ", "drtiyajewmhyghzbrwsvslcpkdgbo")
_COPTIC = str.maketrans("ⲁⲃⲉⲍⲏⲓⲕⲙⲛⲟⲣⲥⲧⲩⲭⲱ", "abezhikmnopctyxw")
_LISU = str.maketrans("ꓐꓑꓓꓔꓖꓗꓙꓚꓜꓝꓟꓠꓡꓢꓣꓦꓧꓪꓫꓬꓮꓰꓲꓳꓴ", "bpdtgkjczfmnlsrvhwxyaeiou")
_CANADIAN = str.maketrans("ᗅᗩᗷᑕᗞᗪᕮᖴᘜᕼᒍᒪᗰᑎᑭᖇᔕᑌᐯᗯ᙭ᑯᑲᖯᐱ", "aabcddefghjlmnprsuvwxdbba")
_RUNIC_AND_TIFINAGH = str.maketrans("ᚱᛕᛖᛗᚷᚺⵔⵝⵏⵑⵕ", "rkmmxnoxliq")
_ALPHABETS = (_ARMENIAN, _CHEROKEE, _COPTIC, _LISU, _CANADIAN, _RUNIC_AND_TIFINAGH)
_STYLED = regex.compile(
    r"(?:[A-Z ]+ )?(?:LATIN|REGIONAL INDICATOR)\b.*\b(?:LETTER|SMALL CAPITAL|TURNED|REVERSED|SIDEWAYS|INVERTED|OPEN"
    r"|SCRIPT|BLACKLETTER|DOTLESS) ([A-Z]|A[AEOUVY]|DZ|L[SZ]|OO|TS|U[EO])(?: WITH .*| WITHOUT .*| DIGRAPH)?"
)
"""The name of a character that is a Latin letter in another style."""
_LATIN = str.maketrans(
    {
        "ı": "i", "ø": "o", "đ": "d", "ħ": "h", "ł": "l", "ŧ": "t", "ɑ": "a", "ɡ": "g", "ɩ": "i",
        "ʋ": "v", "ƅ": "b", "æ": "ae", "œ": "oe", "þ": "p", "ӕ": "ae",
        "ы": "bl", "ю": "lo", "ǁ": "ll",
    }
)  # fmt: skip
# Each group: a Latin letter, then letters, digits and signs of prices that look like it or are drawn in its place.
_GROUPS = (
    "aคᏎ₳⍺卂𐊠𑣏𖽀 bȣ৪੪฿๒Ꮾⳓ乃ꞵ𐊂𐊡𐌁𐌚𑣕 c₵匚𐊢𐌂𐐽𐔜𑣩𑣲 d๔ eəȝɇʒєәӡ℮ⳍⴹ乇ꝫ𐊆𑣊𑣎𖼻 "
    "fғքẝ₣千ꬵ𐊇𐊥𐔥𑣂 gƍ৭੧୨൭₲ⳋꝯ𑣌𑣖 hђћңҥ卄𐋏 iǀן۱เᛁⳑ丨𐊊𐌉𐌠𐑃𐔦𑣃𑣒𖼖𖼨 jフ kқҝҟҡ₭𐔘 "
    "lㄥ m๓₥爪𐊰𐌑 nภ₦几𐔓 oө۵०০੦૦ଠ୦௦౦೦ഠ൦๏๐໐ဝ၀ჿዐ〇ㄖ𐊒𐊫𐐬𐓪𐔖𑓐𑣈𑣗𑣠 pҏק₱卩𐊕 "
    "rʀᎱᴦⲅ尺ꭈ𐓜𖼵 sƽร₴丂𐊖𐑈𑣁𑣛𖼺 t₮ㄒ𐊗𐊱𐌕𐓺𑣆𖼊 uʋยሀㄩꞟ𐓶𑣘𖽂 vש۷ⴸꛟ𐔝𑜆𑣀𖼈 wฬ₩山𑜊𑜎𑜏𑣦𑣯 "
    "xҳӽӿאᕁᕽ乂ꭓ𐊐𐊴𐌗𐌢𐔧𑣬 yɣұץყᶌㄚ𐊲𑣜𖽃 zƨϩᒿ乙ꙅꛯꝛ𐋵𑣄𑣉𑣥 "
)
_FURTHER = str.maketrans({sign: group[0] for group in _GROUPS.split() for sign in group[1:]})
# "I", "l" and "1" are one stroke in many fonts. "g" and "q" differ in their tails. Two numbers have two shapes, as a
# team 6 and a team 8 are no imitation.
_SIGNS = str.maketrans("l0123457$§89|!@€£¥¢+q", "ioizeastssbgiiaeiyctg")
# Pairs of letters that look like one; those with an "l" before it becomes an "i".
_PAIRS, _PAIRS_OF_L = (("rn", "m"), ("vv", "w")), (("cl", "d"), ("lc", "k"))
# Three of a letter or more.
_PILE = regex.compile(r"([^\Wi])\1{2,}")
OFFICES = (
    "host", "hostess", "leitung", "leiter", "leiterin", "vert", "verten", "vertinne", "wirt", "wirtin", "admin", "mod",
    "moderator", "staff", "team", "chef", "chefin", "boss", "sjef", "official", "offiziell", "offisiell", "original",
    "real", "echt", "ekte", "scorekeeper", "schreiber", "schreiberin", "system", "computer", "bot", "hosts", "director",
    "direktor", "direktorin", "dealer", "owner", "manager", "gastgeber", "gastgeberin", "spielleiter", "spielleiterin",
    "turnierleiter", "turnierleiterin", "turnierleitung", "turneringsleder", "leder", "sjefen", "echte", "echter",
    "true", "verified", "the", "der", "die",
)  # fmt: skip
"""Words beside a name that would make it somebody in office, or the true one."""


def shape(name: str) -> str:
    """Return a name's shape; the shape of a shape is the shape itself."""
    # NFKC turns mathematical and other styled letters into plain ones, NFKD separates accents.
    plain = _joined(unicodedata.normalize("NFKC", name.translate(_LUNATE)), _DRAWN)
    plain = _NEW_WORD.sub(" ", _GREEK_FIRST.sub(lambda found: found[0].upper(), plain)).translate(_CAPITALS)
    folded = unicodedata.normalize("NFKD", "".join(map(_unstyled, _SHARP_FIRST.sub("b", plain))).casefold())
    letters = "".join(c for c in folded if not unicodedata.combining(c))
    for table in (*_ALPHABETS, _CYRILLIC, _GREEK, _FURTHER, _LATIN):
        letters = letters.translate(table)
    words = regex.findall(r"[^\W_]+", _joined(letters, _PAIRS_OF_L).translate(_SIGNS))
    named = [word for word in words if word not in _offices()] or words
    return _settled("".join(c for c in "".join(named) if c.isalnum()) or letters)


@cache
def _unstyled(sign: str) -> str:
    """Return the Latin letter that a character is in another style; any other character as it is."""
    found = None if sign.isascii() else _STYLED.fullmatch(unicodedata.name(sign, ""))
    return found[1].lower() if found else sign


@cache
def _offices() -> frozenset[str]:
    """Return the words of office as they are after the tables."""
    return frozenset(_joined(word, _PAIRS_OF_L).translate(_SIGNS) for word in OFFICES)


def _joined(text: str, pairs: Iterable[tuple[str, str]]) -> str:
    """Return a text in which each pair of letters or signs is the one letter that it looks like."""
    for pair, one in pairs:
        text = text.replace(pair, one)
    return text


def _settled(text: str) -> str:
    """Join pairs of letters and thin out piles of one letter, until nothing changes any more."""
    before = ""
    while text != before:
        before, text = text, _PILE.sub(r"\1\1", _joined(text, _PAIRS))
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
