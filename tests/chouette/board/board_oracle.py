"""Legal plays by brute force, from the rules page alone: nothing of the engine's is used.

A board is a pair of sorted tuples: where the mover's 15 checkers are (25 = the bar, 0 = off)
and where the other side's are, on the mover's numbers (0 = their bar, 25 = off). Every
checker is tried for every die in every order; what survives is what uses the most dice.
"""

from itertools import permutations


def board_of(position):
    """Return the board of a position of 26 numbers."""
    mine = [point for point, count in enumerate(position) for _ in range(max(count, 0))]
    theirs = [point for point, count in enumerate(position) for _ in range(max(-count, 0))]
    mine = [0] * (15 - len(mine)) + mine
    return tuple(mine), tuple(theirs + [25] * (15 - len(theirs)))


def position_of(board):
    """Return the 26 numbers of a board."""
    mine, theirs = board
    points = [mine.count(point) - theirs.count(point) for point in range(1, 25)]
    return (-theirs.count(0), *points, mine.count(25))


def moved(board, checker, die):
    """Return the board after moving a checker, by its index; None where the rules forbid it."""
    mine, theirs = board
    start, end = mine[checker], mine[checker] - die
    if start == 0 or (25 in mine and start != 25):
        return None
    if end <= 0:
        if max(mine) > 6 or (end < 0 and max(mine) > start):
            return None
        return tuple(sorted((*mine[:checker], 0, *mine[checker + 1 :]))), theirs
    if theirs.count(end) > 1:
        return None
    theirs = tuple(sorted(0 if point == end else point for point in theirs))
    return tuple(sorted((*mine[:checker], end, *mine[checker + 1 :]))), theirs


def lines(board, dice):
    """Yield (dice used, board) for every way to play some of `dice`, in this order, to an end."""
    afters = {moved(board, checker, dice[0]) for checker in range(15)} if dice else set()
    afters.discard(None)
    if not afters:
        yield (), board
    for after in afters:
        for used, end in lines(after, dice[1:]):
            yield (dice[0], *used), end


def oracle(position, dice):
    """Return (dice used, sorted positions) of all complete plays."""
    rolled = [dice[0]] * 4 if dice[0] == dice[1] else list(dice)
    ends = set()
    for order in set(permutations(rolled)):
        ends.update(lines(board_of(position), order))
    most = max(len(used) for used, _ in ends)
    ends = {(used, end) for used, end in ends if len(used) == most}
    if most == 1 and (max(dice),) in {used for used, _ in ends}:
        ends = {(used, end) for used, end in ends if used == (max(dice),)}
    return most, sorted({position_of(end) for _, end in ends})


def oracle_first_steps(position, dice):
    """Return the sorted (source, die) of every step that some complete play begins with."""
    most, ends = oracle(position, dice)
    board, found = board_of(position), set()
    for die, other in (dice, dice[::-1]):
        rest = (die,) * 3 if die == other else (other,)
        for checker, source in enumerate(board[0]):
            after = moved(board, checker, die)
            for used, end in lines(after, rest) if after else ():
                if len(used) + 1 == most and position_of(end) in ends:
                    found.add((source, die))
    if most == 1 and max(dice) in {die for _, die in found}:
        found = {(source, die) for source, die in found if die == max(dice)}
    return sorted(found)
