"""A list of imitated names: each is flagged beside the true one, or refused; names of other people are not flagged."""

import pytest

from games.kernel.contract import Illegal
from games.services.people import confusable_names, players

IMITATED = {
    # Letters of other alphabets, in part or throughout.
    "Kari": ["Каri", "Kаrі", "Кагі", "Κari", "Kαri", "KАRI", "₭ari", "Ҡari", "K卂ri"],
    "Hanna": ["Напnа", "Ηanna", "hαnnα", "HΛNNΛ", "HAИИA", "Ћanna", "卄anna", "Hаnnа", "Han₦a", "Hɐnnɐ", "Hʌnnʌ"],
    "Kevin": ["KΣVIN", "KEVIИ", "Kеvin", "Kevіn", "Kevιn", "KeviП", "Kə̀vin", "Keviη", "Kevın", "K乇vin"],
    "Marta": ["MAЯTA", "Mаrtа", "Мarta", "Marтa", "MДRTA", "Μarta", "Маrtа", "Mar+a"],
    "Josef": ["Jσsef", "Јosef", "Josеf", "Jοsef", "Joѕef", "J0sef", "Jo§ef", "ｊｏｓｅｆ", "𝕁𝕠𝕤𝕖𝕗", "𝒥ℴ𝓈ℯ𝒻"],
    "Wenche": ["Шenche", "Шenсhe", "ѡenche", "VVenche", "\\/\\/enche", "vvenche", "Wеnche"],
    "Olga": ["0lga", "Оlga", "OIga", "O1ga", "O|ga", "Olgа", "Θlga", "Ølga", "Öiga", "Olɡa", "Olqa", "Ol9a"],
    # Strokes, digits and signs.
    "Bill": ["BiII", "Bi11", "BILL", "Bíll", "Bi|l", "8ill", "ßill", "|3ill", "В111"],
    "Zeno": ["2eno", "Zen0", "Z3no", "Ƶeno", "乙eno"],
    "Sepp": ["5epp", "$epp", "Ѕepp", "S€pp", "Şepp", "Ꮪepp"],
    "Toni": ["7oni", "Τoni", "Тоnі", "Ŧoni", "T0n1", "To₦i"],
    "Gustav": ["9ustav", "Gu5tav", "Gus7av", "Gustаv", "Gustaν", "Ԍustav", "Gust@v", "Gust4v"],
    "Dieter": ["|)ieter", "Dieteг", "Diеter", "D1eter", "Dietеr", "Ꭰieter", "Dleter"],
    # Pairs that look like one letter.
    "Martin": ["Martıп", "rnartin", "RNartin", "Маrtin", "Mar7in", "M4rtin"],
    "Bernd": ["Bemd", "Berncl", "Bеrnd", "8ernd"],
    "Linda": ["Lincla", "Llnda", "Iinda", "1inda", "L!nda"],
    "Anke": ["Anlce", "Аnke", "An|<e", "Αnke"],
    # Doubled and spaced letters, case, accents, fullwidth, ligatures.
    "Emma": ["Emmma", "Emmmma", "E m m a", "E.m.m.a", "ＥＭＭＡ", "Êmma", "emma", "ernma", "E\u0301mma", "_Emma_"],
    "Zoe": ["Zoë", "Zoé", "ZOE", "Zo\u00a0e", "Zo·e", "Z-oe"],
    "Uwe": ["Üwe", "UVVE", "Ūwe", "Սwe", "Uwe."],
    "Michael": ["Michaеl", "Michae1", "MichaeI", "Міchael", "Michaël", "rnichael", "Mich4el", "Michɑel"],
    "Æneas": ["Aeneas", "Ӕneas", "ӕneas"],
    "Νίκος": ["νίκος", "Nίκος", "Νικος"],
    "Юля": ["юля", "Юля́"],
    # Words of office, badges, and what counts for nothing.
    "Hugo": [
        "Hugo (host)",
        "HugoHost",
        "Hugo, die Leitung",
        "Hugo 👑",
        "★Hugo★",
        "The Hugo",
        "Hugo (Gastgeber)",
        "Hugo✓",
        "Hugo – Turnierleitung",
        "Verified Hugo",
        "Hugo\u2800",
        "ADMIN Hugo",
        "Huɡo",
        "Hu9o",
        "Huqo",
        "Hugo (real)",
    ],
}
"""True names with their imitations."""
REFUSED = ["Ha\u200bnna", "Hanna\u200e", "\u202eannaH", "Ha\u00adnna", "Hanna\ufeff", "Ha\u2060nna", "Han\U000e0061na"]
"""Imitations with zero-width and bidi characters: no name is one of them."""
OWN = [
    ("Ana", "Anna"), ("Jan", "Jon"), ("Tim", "Tom"), ("Hana", "Hanna"), ("Lena", "Lina"), ("Lars", "Lasse"),
    ("Maja", "Maria"), ("Mia", "Mina"), ("Kari", "Karin"), ("Ole", "Olav"), ("Uli", "Udo"), ("Max", "Maxi"),
    ("Max", "Max 2"), ("Anna K.", "Anna M."), ("Anna", "Anne"), ("Hanna", "Hanne"), ("Jo", "Joe"), ("Nils", "Niels"),
    ("Mark", "Marek"), ("Eva", "Ewa"), ("Sara", "Sarah"), ("Philip", "Philipp"), ("Ida", "Ada"), ("Ben", "Bea"),
    ("Will", "Willi"), ("Lil", "Lilli"), ("Per", "Peer"), ("Bo", "Bob"), ("Даша", "Маша"), ("Катя", "Каtrin"),
    ("Саша", "Паша"), ("Оля", "Юля"), ("Дима", "Тима"), ("Ξένια", "Ένια"), ("Ελένη", "Λένη"), ("Σοφία", "Μαρία"),
    ("山田", "山本"), ("田中", "中田"), ("דן", "דני"), ("สม", "สุดา"), ("Jonas", "Johannes"), ("Clara", "Claire"),
    ("Hermann", "Herman"), ("Günter", "Günther"), ("Ruth", "Rut"), ("Gast 1", "Gast 2"),
    ("Team 6", "Team 8"), ("Gast 6", "Gast 9"), ("Tim", "Timo"),
]  # fmt: skip
"""Names of two people."""
OF_ONE_LETTER = (
    "AΑАᎪᗅꓮ BΒВᏴᗷꓐꞴ CСᏟⲤꓚ DᎠᗞᗪꓓ EΕЕᎬⴹꓰ FϜᖴꓝꞘ GԌᏀᏳꓖ HΗНᎻᕼⲎꓧ JͿЈᎫᒍꓙꞲ KΚКᏦᛕⲔꓗ "
    "LᏞᒪⳐꓡ MΜϺМᎷᗰᛖⲘꓟ NΝⲚꓠ OΟОՕଠዐⲞⵔꓳ PΡРᏢᑭⲢꓑ Qⵕ RƦᎡᏒᖇꓣ SЅՏᏕᏚꓢ TΤТᎢⲦꓔ UՍሀᑌꓴ "
    "VѴᏙᐯⴸꓦꛟ WԜᎳᏔꓪ XΧХᚷⲬⵝꓫꞳ YΥУҮᎩᎽⲨꓬ ZΖᏃꓜ aɑαа bƄЬᏏᑲᖯ cсᴄⲥꮯ dԁᏧᑯꓒ eеҽꬲ "
    "fքẝꞙꬵ gƍɡցᶃ hһհᏂ iıɩɪιіӏᎥꙇꭵ jϳј lƖǀΙІӀᛁⲒⵏꓲ nոռ oοσоօഠဝჿᴏᴑⲟꬽ pρрⲣ qԛգզ "
    "rгᴦⲅꭇꭈꮁ sƽѕꜱꮪ uυսᴜꞟꭎꭒ vνѵᴠꮩ wɯѡԝաᴡꮃ xхᕁᕽ yɣʏγуүყỿꭚ zᴢꮓ "
)
"""The letters of other alphabets that Unicode's list of confusables (UTS 39) takes for one Latin letter, in groups."""
PAIRS = [(name, other) for name, others in IMITATED.items() for other in others]


@pytest.mark.parametrize(("name", "imitation"), PAIRS, ids=str)
def test_an_imitated_name_is_flagged(name, imitation):
    imitation = players.clean_nickname(imitation)
    assert confusable_names.flags({1: name, 2: imitation}) == {1: imitation, 2: name}


@pytest.mark.parametrize("imitation", REFUSED, ids=ascii)
def test_no_name_has_characters_that_nobody_sees(imitation):
    with pytest.raises(Illegal, match="nickname_characters"):
        players.clean_nickname(imitation)


@pytest.mark.parametrize("pair", OWN, ids=str)
def test_names_of_two_people_are_not_flagged(pair):
    assert confusable_names.flags(dict(enumerate(pair))) == {}


@pytest.mark.parametrize("name", [each for pair in OWN for each in pair], ids=str)
def test_a_name_in_capitals_or_small_letters_is_flagged_beside_itself(name):
    if name == name.upper() or any("\u0370" <= each <= "\u03ff" for each in name):
        return
    assert confusable_names.flags({1: name, 2: name.upper()})
    assert confusable_names.flags({1: name, 2: name.lower()})


@pytest.mark.parametrize("group", OF_ONE_LETTER.split(), ids=lambda group: group[0])
def test_each_letter_that_unicode_takes_for_a_latin_one_has_its_shape(group):
    assert {sign: confusable_names.shape(sign) for sign in group} == dict.fromkeys(
        group, confusable_names.shape(group[0])
    )
