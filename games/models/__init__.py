"""The tables of the database. `games.services` is the only writer."""

from games.models.audit import AuditEntry
from games.models.brought import BroughtMatch
from games.models.clock import DataFolder, HouseClock
from games.models.drawn import DrawnRound, DrawnTable
from games.models.form import SentForm
from games.models.grades import DeeperQuestion, EngineQuestion, GameGrades
from games.models.history import CountedTable, DiceTally, Tally, Venue
from games.models.house import House
from games.models.house_rules import GamePolicy, HouseRules, HouseRulesVersion
from games.models.mail import Mail, MailRecipient, MailStop
from games.models.match import Match, SeasonNotice, SeasonRequest, SeasonStage
from games.models.night import DeviceMove, Membership, Night, NightEvent
from games.models.payment import BankDetails, Payment, PointValue, Settling
from games.models.player import DELETED_NAME, STRUCK, HistoryClaim, Player
from games.models.quiz import KeptPosition, PositionVote, QuizCard
from games.models.regrouping import Regrouping
from games.models.result import Result, ResultLine
from games.models.screen import Screen, ScreenShow
from games.models.season import (
    DeclinedEntry,
    Entrant,
    JoinProposal,
    NightTally,
    Season,
    SeasonEvent,
    SeasonNight,
    SeasonVersion,
)
from games.models.series import Answer, EveningHost, Series, SeriesDate
from games.models.share import ShareLink
from games.models.sheet import SeasonName, SeasonSheet, SheetRow
from games.models.strength import Strength
from games.models.table import ChatMessage, HandOver, KeptLine, LogEntry, LogFile, Seat, Table
from games.models.task import BackgroundTask, StoredBackup
from games.models.token import ApiToken
from games.models.tournament import Director, NonPlayingDirector, Pairing, Participant, Tournament, TournamentEntry
from games.models.webhook import Webhook, WebhookMessage

__all__ = [
    "DELETED_NAME",
    "STRUCK",
    "Answer",
    "ApiToken",
    "AuditEntry",
    "BackgroundTask",
    "BankDetails",
    "BroughtMatch",
    "ChatMessage",
    "CountedTable",
    "DataFolder",
    "DeclinedEntry",
    "DeeperQuestion",
    "DeviceMove",
    "DiceTally",
    "Director",
    "DrawnRound",
    "DrawnTable",
    "EngineQuestion",
    "Entrant",
    "EveningHost",
    "GameGrades",
    "GamePolicy",
    "HandOver",
    "HistoryClaim",
    "House",
    "HouseClock",
    "HouseRules",
    "HouseRulesVersion",
    "JoinProposal",
    "KeptLine",
    "KeptPosition",
    "LogEntry",
    "LogFile",
    "Mail",
    "MailRecipient",
    "MailStop",
    "Match",
    "Membership",
    "Night",
    "NightEvent",
    "NightTally",
    "NonPlayingDirector",
    "Pairing",
    "Participant",
    "Payment",
    "Player",
    "PointValue",
    "PositionVote",
    "QuizCard",
    "Regrouping",
    "Result",
    "ResultLine",
    "Screen",
    "ScreenShow",
    "Season",
    "SeasonEvent",
    "SeasonName",
    "SeasonNight",
    "SeasonNotice",
    "SeasonRequest",
    "SeasonSheet",
    "SeasonStage",
    "SeasonVersion",
    "Seat",
    "SentForm",
    "Series",
    "SeriesDate",
    "Settling",
    "ShareLink",
    "SheetRow",
    "StoredBackup",
    "Strength",
    "Table",
    "Tally",
    "Tournament",
    "TournamentEntry",
    "Venue",
    "Webhook",
    "WebhookMessage",
]
