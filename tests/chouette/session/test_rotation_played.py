"""Every row of the table of §5, played at a table, by each rotation."""

import pytest

from tests.chouette.table import FOUR_EACH, Table

BOX_WINS, BOX_FAILS = (2, 2), (2, 1)


def x_beats_everyone(table):
    table.next_turn()
    table.play(*BOX_WINS)


def everyone_drops(table):
    table.next_turn()
    table.offer("KLM")
    table.answers(K=False, L=False, M=False)


def x_drops_all(table):
    table.double("KLM")
    table.box_takes("")


def x_drops_k(table, last):
    table.double("K")
    table.box_takes("")
    table.play(2, 1)
    _finish(table, last)


def x_doubles_and_k_drops(table, last):
    table.next_turn()
    table.offer("KLM")
    table.answers(K=False, L=True, M=True)
    _finish(table, last)


def m_alone_cashes(table):
    table.double("M")
    table.box_takes("")
    table.play(2, 1)
    _finish(table, BOX_FAILS)


def _finish(table, last):
    table.play(*last)
    if table.state.phase == "playing":
        table.next_turn()


ROWS = [
    (x_beats_everyone, (), ("XLMK", "XLMK", "XLMK")),
    (everyone_drops, (), ("XLMK", "XLMK", "XLMK")),
    (x_drops_all, (), ("KLMX", "KLMX", "KLMX")),
    (x_drops_k, (BOX_FAILS,), ("KLMX", "LMKX", "KLMX")),
    (x_drops_k, (BOX_WINS,), ("KLMX", "XMKL", "XLMK")),
    (x_doubles_and_k_drops, (BOX_FAILS,), ("XLMK", "LMKX", "LMKX")),
    (x_doubles_and_k_drops, (BOX_WINS,), ("XLMK", "XMKL", "XMKL")),
    (m_alone_cashes, (), ("KLMX", "KLMX", "KLMX")),
]
ROTATIONS = ("captain_result", "last_man_standing", "game_result")


def played(happens, args, **changes):
    table = Table("XKLM", position=FOUR_EACH, uniform_response="none", **changes)
    table.start()
    happens(table, *args)
    assert table.state.phase == "between"
    return table


@pytest.mark.parametrize("row", range(len(ROWS)))
@pytest.mark.parametrize("rotation", ROTATIONS)
def test_every_row_of_the_table(row, rotation):
    happens, args, lines = ROWS[row]
    table = played(happens, args, rotation=rotation)
    assert table.line == lines[ROTATIONS.index(rotation)]
    names = "".join(table.names[seat] for seat in table.look()["last_game"]["line_after"])
    assert names == table.line


@pytest.mark.parametrize("must_break_even", [True, False])
def test_must_break_even_at_the_table(must_break_even):
    """K cashes a cube of 4, then the Box beats L and M: it has won the game and lost 2."""

    table = Table(
        "XKLM",
        position=(0, 8, *[0] * 22, -8, 0),
        uniform_response="none",
        rotation="game_result",
        must_break_even=must_break_even,
    )
    table.start()
    table.double("K")
    table.box_takes("K")
    table.play(2, 1)
    table.offer("K")
    table.answers(K=True)
    table.play(2, 2)
    table.double("K")
    table.box_takes("")
    assert (table.role("K"), table.captain) == ("out", "L")
    table.play(2, 1)
    table.play(2, 2)
    assert table.last_row == {"K": 4, "L": -1, "M": -1, "X": -2}
    assert table.look()["last_game"]["winner"] == "box"
    assert table.line == ("LMKX" if must_break_even else "XLMK")
