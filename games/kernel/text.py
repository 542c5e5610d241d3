"""Functions that mark text for translation in code that must not import Django.

Rules and declarations carry English text; it is translated by gettext where it is shown,
with the English text as the message id. `makemessages` finds the marked strings by the
function's name.
"""


def gettext_noop(message: str) -> str:
    """Return `message` unchanged; the call only marks it for makemessages."""
    return message


def pgettext_noop(context: str, message: str) -> tuple[str, str]:
    """Return a message with the context that it is translated in.

    `makemessages` finds the call if the function is imported as `pgettext`.
    """
    return context, message
