"""The acts on one person and one night: each reads what a page reads, and calls the service that the page calls."""

from __future__ import annotations

from collections.abc import Callable

from games.models import Night, Player
from games.services import server_time
from games.services.chat import chat
from games.services.commands import Actor, Request, new_command_id
from games.services.history import corrections, past_games
from games.services.history.past_games import PastGame, PastLine
from games.services.hosting import claims, device_transfer, kept_seats, practice, take_over
from games.services.nights import membership
from games.services.people import accounts, bans, deletion, merging, players
from games.services.tables import setup
from games.services.tables.commit import submit
from games.services.tournaments import acts, automatic
from tests.collisions.scene import Scene
from tests.conftest import answer, choices_at
from tests.tables.host.host_commands import sitter

Act = Callable[[Scene], object]
ACTS: dict[str, Act] = {}
NEEDS: dict[str, tuple[str, ...]] = {}


def act(name: str, *needs: str) -> Callable[[Act], Act]:
    """Name an act, and what of the scene must be there before it."""

    def put(found: Act) -> Act:
        ACTS[name], NEEDS[name] = found, needs
        return found

    return put


def command(scene: Scene, actor_id: int, table: str, name: str, **args: object) -> object:
    return submit(getattr(scene, table).pk, Actor(actor_id), Request(f"table.{name}", args, new_command_id()))


# Of the person.

act("delete")(lambda s: deletion.delete(s.row(s.person)))
act("rename")(lambda s: players.rename(s.row(s.person), f"{s.person.nickname}x"))
act("list")(lambda s: players.set_listed(s.row(s.person), True))
act("sign_up", "new_user")(lambda s: accounts.claim(s.new_user, s.row(s.person)))
act("log_in", "account")(lambda s: accounts.claim(s.account.user, s.row(s.person)))
act("join", "other_night")(lambda s: membership.join(Night.objects.get(pk=s.other_night.pk), s.row(s.person)))
act("host")(lambda s: membership.host_night(s.row(s.person), "Saturday"))
act("practice")(lambda s: practice.start(s.row(s.person), practice.PracticeWish("dummygame", "quick", {}, "low")))
act("own_claim", "claim")(lambda s: claims.answer_myself(s.row(s.person), s.claim.pk, True))
act("use_move", "move")(lambda s: device_transfer.use_move(s.move[1]))
act("refuse_moves", "move")(lambda s: device_transfer.refuse_myself(s.row(s.person)))
act("sit", "lobby")(lambda s: setup.sit(s.table(s.lobby), s.row(s.person), accept=True))
act("stand", "persons_lobby")(lambda s: setup.vacate(s.table(s.persons_lobby), s.row(s.person), s.persons_seat))
act("table_join", "running")(lambda s: command(s, s.person.pk, "running", "join"))
act("chat", "running")(lambda s: chat.say(s.running.pk, s.person.pk, "Hello"))
act("bring")(lambda s: membership.bring(s.night, s.row(s.person), "Uncle"))
act("again", "over")(lambda s: setup.play_again(s.table(s.over), s.row(s.person)))
act("take_over", "absence")(lambda s: take_over.take_over(s.night, s.row(s.person)))
act("reclaim", "former_host")(lambda s: take_over.reclaim(s.night, s.row(s.person)))


@act("correct", "result")
def _(s: Scene) -> object:
    return corrections.correct(s.result, s.row(s.person), {1: 1}, "One more")


@act("last_answer", "ending")
def _(s: Scene) -> object:
    """The game of the person ends."""
    return answer(s.ending, next(choice for choice in choices_at(s.ending) if choice.required))


# Of others, on the person.

act("merge", "account", "staff")(lambda s: merging.merge(s.row(s.person), s.row(s.account), s.staff))
act("ban", "staff")(lambda s: bans.ban(s.row(s.person), s.staff))
act("claim", "account")(lambda s: claims.create(s.night, s.row(s.account), s.person.pk))
act("confirm_claim", "claim")(lambda s: claims.decide(s.night, s.row(s.host), s.claim.pk, True))
act("ask_move")(lambda s: device_transfer.request_move(s.night, s.person.pk))
act("remove")(lambda s: membership.remove(s.night, s.row(s.host), s.person.pk))
act("give_host")(lambda s: membership.give_host(s.night, s.row(s.host), s.person.pk))
act("admit", "admission")(lambda s: membership.admit(s.night, s.row(s.host), s.person.pk))
act("scorekeeper", "lobby")(lambda s: kept_seats.name_scorekeeper(s.table(s.lobby), s.row(s.host), s.person.pk))
act("keep_score", "running")(lambda s: command(s, s.host.pk, "running", "scorekeeper", player=s.person.pk))


@act("substitute", "running")
def _(s: Scene) -> object:
    seat = {"seat": 1, "sitter": sitter(s.running, 1)}
    return command(s, s.host.pk, "running", "substitute", **seat, player=s.person.pk)


@act("past_game")
def _(s: Scene) -> object:
    lines = [PastLine(s.host.pk, 0), PastLine(s.person.pk, 1)]
    return past_games.enter(s.night, s.row(s.host), PastGame("chicago", "bavarian", lines))


# On the night.

act("lock")(lambda s: membership.set_lock(s.night, s.row(s.host), True))
act("rotate")(lambda s: membership.rotate_code(s.night, s.row(s.host)))
act("close")(lambda s: membership.close(s.night, s.row(s.host)))
act("admission")(lambda s: membership.set_admission(s.night, s.row(s.host), True, 10))
act("open_table")(lambda s: setup.open_table(s.night, s.row(s.host), "dummygame", "quick", {}))
act("start", "persons_lobby")(lambda s: setup.start(s.table(s.persons_lobby), s.row(s.host), new_command_id()))
act("come", "stranger")(lambda s: membership.join(s.night, s.row(s.stranger)))
act("give_ben_host")(lambda s: membership.give_host(s.night, s.row(s.host), s.ben.pk))


# At a tournament, by its two directors, the person, and the house.


def direct(scene: Scene, by: Player, name: str, **args: object) -> None:
    """Carry out an act at the tournament."""
    acts.carry_out(scene.present_cup(), scene.row(by), name, args)


act("cup_confirm", "cup")(lambda s: direct(s, s.host, "confirm", seen=4, minute=0))
act("cup_confirm_too", "cup")(lambda s: direct(s, s.ben, "confirm", seen=4, minute=0))
act("cup_result", "cup_match")(lambda s: direct(s, s.host, "result", match="m1", winner=winner_of(s)))
act("cup_result_too", "cup_match")(lambda s: direct(s, s.ben, "result", match="m1", winner=winner_of(s)))
act("cup_leave", "cup")(lambda s: direct(s, s.person, "leave", when="now"))
act("cup_by_itself", "cup_match")(lambda s: automatic.run(s.present_cup(), server_time.now()))


@act("cup_played", "cup_match")
def _(s: Scene) -> object:
    """The match ends at its table."""
    table = s.cup_match.pairings.get().table
    assert table is not None
    player = table.seats.get(index=0).player
    assert player is not None
    return submit(table.pk, Actor(player.pk), Request("table.leave", {}, new_command_id()))


def winner_of(scene: Scene) -> str:
    """Return the first of the two of the first match."""
    return str(scene.cup.entries.get(data__id="m1").data["players"][0])
