"""Names that look alike are marked at a night, and nobody is refused for it."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.kernel.contract import Illegal
from games.models import NightEvent
from games.services.nights import membership
from games.services.people import confusable_names, players
from tests.web.pages import browser_of, night_page

ALIKE = [
    ("Kari", "Каri"),  # two letters of the Cyrillic alphabet
    ("MAX", "ΜΑΧ"),  # all of it Greek
    ("Kari", "KARI"),
    ("Zoë", "Zoe"),
    ("Bob", "B0b"),
    ("Lill", "LiII"),
    ("Bernd", "Bemd"),
    ("Walter", "VValter"),
    ("Kari", "𝓚𝓪𝓻𝓲"),
    ("Kari", "K.a.r.i"),
    ("Hanna", "հanna"),  # Armenian
    ("USO", "ՍՏՕ"),
    ("MAGDA", "ᎷᎪᏀᎠᎪ"),  # Cherokee
    ("KARL", "ꓗꓮꓣꓡ"),  # Lisu
    ("KATI", "ⲔⲀⲦⲒ"),  # Coptic
    ("HARALD", "ᕼᗩᖇᗩᒪᗪ"),  # Canadian syllabics
    ("Hanna", "ʜᴀɴɴᴀ"),  # small capitals
    ("Kari", "ᶄɑɾı".replace("ɾ", "r")),
    ("Hanna", "🅷🅰🅽🅽🅰"),
    ("Hanna", "Hanna (host)"),
    ("Hanna", "Hanna (Leitung)"),
    ("Hanna", "Hanna [vert]"),
    ("Hanna", "hanna – H0ST"),
    ("Hanna", "Host Hanna"),
    ("Hanna", "👑 Hanna ✓"),
    ("Hanna", "Ⓗanna ★ʜᴏꜱᴛ★"),
]
DIFFERENT = [
    ("Kari", "Uli"),
    ("Hanna", "Hanno"),
    ("李小龙", "李大龙"),
    ("Анна", "Инна"),
    ("👍", "👎"),
    ("Host", "Bot"),
    ("Hanna (Oslo)", "Hanna (Bergen)"),
    ("Արամ", "Արմեն"),
    ("Ꮳ", "Ꮵ"),
]


@pytest.mark.parametrize("pair", ALIKE, ids=str)
def test_what_is_easily_taken_for_one_another_has_one_shape(pair):
    assert confusable_names.shape(pair[0]) == confusable_names.shape(pair[1])


@pytest.mark.parametrize("pair", DIFFERENT, ids=str)
def test_other_names_have_other_shapes(pair):
    assert confusable_names.shape(pair[0]) != confusable_names.shape(pair[1])


@given(st.text(max_size=30))
def test_a_shape_is_its_own_shape_and_never_nothing(name):
    shape = confusable_names.shape(name)
    assert confusable_names.shape(shape) == shape
    assert bool(shape) == bool(unicodedata.normalize("NFKC", name)) or not name.isprintable()


@given(st.dictionaries(st.integers(0, 20), st.text(min_size=1, max_size=8), max_size=12))
def test_flags_go_both_ways_and_name_somebody_else(names):
    found = confusable_names.flags(names)
    for key, other in found.items():
        twins = [k for k in names if k != key and names[k] == other]
        assert twins
        assert confusable_names.shape(other) == confusable_names.shape(names[key])
        assert all(k in found for k in twins)


@pytest.mark.parametrize("mark", ["\u0301", "\u0489", "\u20dd", "\ufe0f"])
def test_no_letter_of_a_name_has_a_pile_of_marks(mark):
    with pytest.raises(Illegal, match="nickname_characters"):
        players.clean_nickname("Kar" + mark * 60 + "i")
    with pytest.raises(Illegal, match="nickname_characters"):
        players.clean_nickname("Kar" + (mark + "\u0903") * 20 + "i")
    assert not players.is_plain("Thurs" + mark * 6 + "day")


@pytest.mark.parametrize(
    "name",
    [
        "Nguyễn",
        "e\u0323\u0302\u0301",
        "กุ้ง",
        "शक्ति",
        "שָׁלוֹם",
        "❤️ Zoë",
        "ကြွေး",
        "محمّدٌ",
    ],
)
def test_names_of_all_scripts_keep_their_marks(name):
    assert players.clean_nickname(name) == unicodedata.normalize("NFKC", name)


@pytest.mark.django_db
def test_everybody_at_the_night_sees_who_looks_like_whom(night, host, make_player):
    kari, rival = make_player("Kari"), make_player("Каri")
    membership.join(night, kari)
    assert "looks like" not in browser_of(host).get(night_page(night)).content.decode()
    membership.join(night, rival)
    for person in (host, kari, rival):
        html = browser_of(person).get(night_page(night)).content.decode()
        assert "looks like “Kari”" in html
        assert "looks like “Каri”" in html


@pytest.mark.django_db
def test_two_of_one_name_are_marked_too(night, host, make_player):
    for _ in range(2):
        membership.join(night, make_player("Kari"))
    html = browser_of(host).get(night_page(night)).content.decode()
    assert html.count("another one here has this name") == 2


@pytest.mark.django_db
def test_a_new_name_in_the_middle_of_a_night_is_told_to_all(night, host, make_player):
    kari = make_player("Kari")
    membership.join(night, kari)
    players.rename(kari, "Kari")
    assert not NightEvent.objects.filter(type="renamed").exists()
    players.rename(kari, "Karoline")
    html = browser_of(host).get(night_page(night)).content.decode()
    assert "Kari is called Karoline now." in html
