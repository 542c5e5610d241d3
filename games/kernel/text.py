"""Marking text for translation where Django may not be imported.

Rules and declarations carry English text; the edge translates it with gettext,
using the English text as the message id. `makemessages` finds the marked strings
by the function's name.
"""


def gettext_noop(message: str) -> str:
    """Return `message` unchanged; its only effect is to be found by makemessages."""
    return message


def pgettext_noop(context: str, message: str) -> tuple[str, str]:
    """Return a message with the context that it is translated in.

    `makemessages` finds it where it is imported as `pgettext`.
    """
    return context, message
