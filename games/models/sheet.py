"""Spreadsheets of a season: tables of points that were kept elsewhere, and the names in them."""

from __future__ import annotations

from django.db import models

LONGEST_NAME = 60


class SeasonSheet(models.Model):
    """A table that an organiser has read in: it waits with its `cells` until it is taken in (`is_in`).

    `cells` are texts by rows, and `columns` is what each column means (`services.sheets.columns`); both are emptied
    when the rows are made of them. `digest` is of the cells: a season has the same table once.
    """

    season = models.ForeignKey("games.Season", on_delete=models.CASCADE, related_name="sheets")
    by = models.ForeignKey("games.Player", null=True, on_delete=models.SET_NULL, related_name="season_sheets")
    digest = models.CharField(max_length=64)
    cells = models.JSONField(default=list)
    columns = models.JSONField(default=dict)
    is_in = models.BooleanField(default=False)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["-pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["season", "digest"], condition=models.Q(is_in=True), name="one_sheet_a_season"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.season}: {self.created_at}"


class SeasonName(models.Model):
    """A name in the spreadsheets of a season: a text, or a player's.

    `asked` is a player with a phone who has not said yet whether the name is theirs, `claimant` one who says so and
    waits for an organiser. A deleted player's has no text.
    """

    season = models.ForeignKey("games.Season", on_delete=models.CASCADE, related_name="names")
    name = models.CharField(max_length=LONGEST_NAME, blank=True)
    player = models.ForeignKey("games.Player", null=True, on_delete=models.SET_NULL, related_name="season_names")
    asked = models.ForeignKey("games.Player", null=True, on_delete=models.SET_NULL, related_name="season_names_asked")
    claimant = models.ForeignKey(
        "games.Player", null=True, on_delete=models.SET_NULL, related_name="season_names_claimed"
    )

    class Meta:
        ordering = ["name", "pk"]
        constraints = [
            models.UniqueConstraint(fields=["season", "name"], condition=~models.Q(name=""), name="one_name_a_season"),
        ]

    def __str__(self) -> str:
        return f"{self.name} @ {self.season}"


class SheetRow(models.Model):
    """The points of a name at a night of a spreadsheet, without a `day` carried over; `games` if the sheet has them.

    A row that is `replaced_by` a newer spreadsheet counts for nothing until that one is undone.
    """

    sheet = models.ForeignKey(SeasonSheet, on_delete=models.CASCADE, related_name="rows")
    name = models.ForeignKey(SeasonName, on_delete=models.CASCADE, related_name="rows")
    day = models.DateField(null=True)
    points = models.DecimalField(max_digits=12, decimal_places=4)
    games = models.PositiveIntegerField(null=True)
    replaced_by = models.ForeignKey(SeasonSheet, null=True, on_delete=models.SET_NULL, related_name="replaced")

    class Meta:
        constraints = [models.UniqueConstraint(fields=["sheet", "name", "day"], name="one_row_a_sheet_night")]

    def __str__(self) -> str:
        return f"{self.name} {self.day}: {self.points}"
