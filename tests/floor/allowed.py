"""What may be served although the oldest browsers lack it, each with the reason: none of them misses what it needs."""

from __future__ import annotations

ALLOWED: dict[str, str] = {
    # Ornaments
    "css.properties.text-wrap": "lines of a heading are then of different length",
    "css.properties.accent-color": "fields then have the browser's own colour",
    "css.properties.scrollbar-width": "a scroll bar is then as wide as the system's",
    "css.properties.-webkit-tap-highlight-color": "only browsers that have a highlight know it",
    "css.properties.overflow-clip-margin": "a shadow at the edge of the felt is then cut",
    "css.properties.font-family.ui-monospace": "the next typeface of the list is taken",
    "css.properties.cursor": "where there is no pointer there is no cursor",
    "css.properties.align-content.safe": "all have it in grids; elsewhere the text begins at the top",
    "css.properties.justify-content.safe": "what is shorter than its box then begins at the top",
    "css.properties.justify-content.end": "only beside `safe`, which is younger",
    "css.properties.forced-color-adjust": "a browser without it has no colours of the reader's own",
    "css.selectors.selection": "selected text then has the system's colour",
    "css.at-rules.property": "numbers of a throw are then inherited: a frame costs more; each has its fallback",
    "api.Window.beforeunload_event": "a phone that does not ask before a page is left keeps the list all the same",
    # Paper
    "css.at-rules.page": "paper then has the browser's own margins",
    "css.properties.break-after.avoid": "a heading may then stand at the foot of a sheet",
    # A browser without it is a browser without the thing that it is about
    "html.elements.link.rel": "an icon in the tab, and installing: both are extras",
    "html.elements.meta.name": "the colour of the browser's frame; desktops have no viewport of their own",
    "html.global_attributes.autocapitalize": "only keyboards on a screen capitalise",
    "html.global_attributes.autocorrect": "a code may then be corrected by the keyboard, as in any field",
    "html.global_attributes.autofocus": "the field is then tapped first",
    # Asked for by a function of its own before it is used
    "api.Navigator.share": "`showShare` shows the button only where there is one",
    "api.Navigator.wakeLock": "`canKeepOn` asks for it",
    "api.WakeLock": "`canKeepOn` asks for it",
    "api.SpeechSynthesis": "`canSpeak` asks for it",
    "api.SpeechSynthesisUtterance": "`canSpeak` asks for it",
    "api.SpeechSynthesisVoice": "`canSpeak` asks for it",
    "api.Window.speechSynthesis": "`canSpeak` asks for it",
}
"""Key of the browser compatibility data, with all below it → why nobody misses it."""


def is_allowed(feature: str) -> bool:
    """Tell whether a feature, or what it is a part of, is allowed."""
    return any(feature == key or feature.startswith(f"{key}.") for key in ALLOWED)


def unused(features: set[str]) -> list[str]:
    """Return what is allowed and not used: nobody needs to read it."""
    return [key for key in ALLOWED if not any(each == key or each.startswith(f"{key}.") for each in features)]
