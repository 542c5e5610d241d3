"""Files of other programs that gammonview's codec reads: the same games as in the match file that they were made of."""

from __future__ import annotations

import gzip
import json
import random
import zlib
from dataclasses import replace
from importlib import import_module
from pathlib import Path

import pytest

from chouette.analysis.problems import problems
from chouette.export.record import OTHER, OWN
from chouette.match_files import gammonview
from chouette.match_files.games import BadFile
from chouette.match_files.reading import read
from tests import seeds
from tests.chouette.analysis.files import SHORT, as_mat, session
from tests.conftest import require

SAMPLES = Path(__file__).parents[1] / "vectors" / "match_files"


def sorted_dice(act):
    return replace(act, dice=tuple(sorted(act.dice)))


def swapped(act):
    return replace(act, side={OWN: OTHER, OTHER: OWN}[act.side])


def codec():
    require(gammonview.is_installed(), "gammonview (the extra `analysis`)")
    return import_module("gvformat")


@pytest.mark.parametrize("preset", ["match", "money"])
@pytest.mark.parametrize("suffix", [".gva", ".gvab"])
def test_the_games_of_a_document_are_those_of_the_match_file(preset, suffix):
    gvformat = codec()
    # Beavers have no form in what the codec makes of a match file.
    options = {"beavers": False} if preset == "money" else None
    table = session(preset, options, seed=seeds.first_seed(), levels=("noisy", "noisy"))
    text = as_mat(table)
    document = gvformat.mat_to_ogxm(text)
    data = json.dumps(document).encode() if suffix == ".gva" else gvformat.write_gvab(document)
    found, told = read(data, suffix), read(text.encode())
    assert (found.length, len(found.records)) == (told.length, len(told.records)) and told.records
    for mine, theirs in zip(found.records, told.records, strict=True):
        # White, the first player, is who comes first in the alphabet.
        assert (mine.names, mine.score, mine.is_crawford) == (theirs.names, theirs.score, theirs.is_crawford)
        assert [sorted_dice(act) for act in mine.acts] == [sorted_dice(act) for act in theirs.acts]
        assert mine.result == theirs.result


@pytest.mark.parametrize("suffix", [".xg", ".bgf"])
def test_a_real_file_of_xg_and_bgblitz_has_the_games_of_the_same_match_file(suffix):
    codec()
    told = read((SAMPLES / "three_games.mat").read_bytes())
    found = read((SAMPLES / f"three_games{suffix}").read_bytes(), suffix)
    assert (found.length, found.jacoby, len(found.records)) == (0, False, 3)
    for mine, theirs in zip(found.records, told.records, strict=True):
        # White, the first player, is the other one of the match file.
        assert mine.names == theirs.names[::-1] and mine.score == theirs.score[::-1]
        assert mine.result == -theirs.result
        assert [sorted_dice(act) for act in mine.acts] == [sorted_dice(swapped(act)) for act in theirs.acts]


def test_what_is_no_file_of_these_is_refused_and_without_the_package_all(monkeypatch):
    for suffix in gammonview.SUFFIXES:
        for data in (b"", b"{}", b"[1]", SHORT.encode(), b"RGMH" + b"\0" * 9000, b'{"games": [{}]}'):
            with pytest.raises(BadFile):
                read(data, suffix)
    monkeypatch.setattr(gammonview, "find_spec", lambda name: None)
    with pytest.raises(BadFile, match="pip install"):
        read(b"{}", ".gva")


ZEROS = bytes(gammonview.MOST_UNPACKED + 1)
BOMBS = {
    ".bgf": b"{}\n" + gzip.compress(ZEROS[:1000], 1) + gzip.compress(ZEROS, 1),
    ".xg": b"RGMH" + bytes(16) + (5).to_bytes(4, "little") + bytes(8232 - 24 + 5) + zlib.compress(ZEROS, 1),
}


@pytest.mark.parametrize("suffix", BOMBS)
def test_a_small_file_that_unpacks_to_much_is_refused_before_it_is_unpacked(suffix, monkeypatch):
    codec()
    unpacked = []
    monkeypatch.setitem(gammonview._CODECS, suffix, unpacked.append)
    with pytest.raises(BadFile, match="40 MB"):
        read(BOMBS[suffix], suffix)
    assert not unpacked


@pytest.mark.parametrize("suffix", [".xg", ".bgf"])
def test_a_real_file_that_is_cut_off_or_spoilt_is_read_or_refused(suffix):
    codec()
    whole, rng = (SAMPLES / f"three_games{suffix}").read_bytes(), random.Random(seeds.first_seed())
    for _ in range(30):
        spoilt = bytearray(whole[: rng.randint(1, len(whole))] if rng.random() < 0.3 else whole)
        for _ in range(rng.randint(1, 20)):
            spoilt[rng.randrange(len(spoilt))] = rng.randrange(256)
        try:
            found = read(bytes(spoilt), suffix)
        except BadFile:
            continue
        assert all(problem.xgid for record in found.records for problem in problems(found, record))
