"""Texts of Django and allauth that the house words itself: they say "Sie" in German, or have no translation.

They are collected from here; the house's app stands before theirs, so its catalogue counts.
"""

from __future__ import annotations

from django.utils.translation import gettext_noop

OWN = (
    gettext_noop("Hold down “Control”, or “Command” on a Mac, to select more than one."),
    gettext_noop("Enter a new password for the user <strong>%(username)s</strong>."),
    gettext_noop(
        "Deleting the %(object_name)s '%(escaped_object)s' would result in deleting related objects, but your account "
        "doesn't have permission to delete the following types of objects:"
    ),
    gettext_noop(
        'Are you sure you want to delete the %(object_name)s "%(escaped_object)s"? All of the following related items '
        "will be deleted:"
    ),
    gettext_noop(
        "Deleting the selected %(objects_name)s would result in deleting related objects, but your account doesn't "
        "have permission to delete the following types of objects:"
    ),
    gettext_noop(
        "Are you sure you want to delete the selected %(objects_name)s? All of the following objects and their related "
        "items will be deleted:"
    ),
    gettext_noop(
        "You are authenticated as %(username)s, but are not authorized to access this page. Would you like to login to "
        "a different account?"
    ),
    gettext_noop("Thanks for spending some quality time with the web site today."),
    gettext_noop("Your password was changed."),
    gettext_noop("You cannot add an email address to an account protected by two-factor authentication."),
    gettext_noop("You cannot deactivate two-factor authentication."),
    gettext_noop("You cannot generate recovery codes without having two-factor authentication enabled."),
    gettext_noop("You cannot activate two-factor authentication until you have verified your email address."),
    gettext_noop("After you’ve created a user, you’ll be able to edit more user options."),
    gettext_noop("This action will <strong>enable</strong> password-based authentication for this user."),
    gettext_noop("Disable password-based authentication"),
    gettext_noop("Enable password-based authentication"),
)
"""Texts of pages and forms."""
OF_SCRIPTS = (
    gettext_noop('Choose %s by selecting them and then select the "Choose" arrow button.'),
    gettext_noop('Remove %s by selecting them and then select the "Remove" arrow button.'),
    gettext_noop("Choose all %s"),
    gettext_noop("Choose selected %s"),
    gettext_noop("Remove all %s"),
    gettext_noop("Remove selected %s"),
    gettext_noop("(click to clear)"),
    gettext_noop("Type into this box to filter down the list of selected %s."),
    gettext_noop(
        "You have selected an action, but you haven’t saved your changes to individual fields yet. Please click OK to "
        "save. You’ll need to re-run the action."
    ),
    gettext_noop(
        "You have selected an action, and you haven’t made any changes on individual fields. You’re probably looking "
        "for the Go button rather than the Save button."
    ),
    gettext_noop(
        "You have unsaved changes on individual editable fields. If you run an action, your unsaved changes will be "
        "lost."
    ),
)
"""Texts of the admin's scripts (games/admin/site.py hands them on)."""
