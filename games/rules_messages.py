"""Refusals about rule sets by name, and about their files: code → message id."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext_lazy as _

RULES: dict[str, Any] = {
    "no_such_rules": _("There are no such house rules."),
    "not_a_host": _("Hosts keep house rules: open a night first."),
    "not_staff": _("Only the house can do that."),
    "not_your_rules": _("These house rules are kept by somebody else. You can copy them."),
    "not_of_the_house": _("Only rules of the house can be the default."),
    "rules_name": _("Give the rules a name of at most %(longest)s characters."),
    "rules_name_taken": _("Other rules of this game have this name already."),
    "rules_archived": _("These house rules are archived."),
    "rules_moved_on": _("These house rules have just been changed. Look at them again."),
    "rules_broken": _("The rules “%(name)s” don't fit the game as it is now: put them right first."),
    "rules_fixed": _("The house plays “%(name)s” as it is: nothing of it is changed at a table."),
    "default_not_offered": _("New tables start from these rules: hosts must be able to choose them."),
    "sets_only": _("The house lets this game be played by its own rules only. Choose one of them."),
    "too_many_rules": _("There are %(most)s sets of rules already. That is as many as one can keep."),
    "no_file": _("Choose a file first."),
    "file_too_big": _("The file is larger than %(kilobytes)s kB."),
    "file_not_json": _("The file is not JSON."),
    "wrong_kind": _("This is not a file of house rules."),
    "wrong_format": _("The file has another format. This house reads format %(format)s."),
    "no_sets": _("A file holds from 1 to %(most)s sets of house rules."),
}
