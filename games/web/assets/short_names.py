"""Short names for what modules declare, in the modules that are served.

No scope has to be known where every occurrence of a name gets the same new one. What a function at the top, or a
method, declares is seen no further and gets letters there, one for several names where neither is used where the other
may be seen. What the top declares, and names with "#", get new names in the whole file; exports get them everywhere.
Properties, and what is not declared here, as the browser's names, stay.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from itertools import chain, islice, product
from string import ascii_letters
from typing import NamedTuple

_WORDS = """
arguments as async await break case catch class const constructor continue debugger default delete do else export
extends false finally for from function get if import in instanceof let new null of return set static super switch this
throw true try typeof undefined var void while with yield
"""
KEYWORDS = frozenset(_WORDS.split())
EXPORTED = "$"
"""The sign before new names of exports, which no module has in a name."""
_TOKEN = re.compile(
    r"""(?P<blank>\s*)(?:(?P<word>\#?[A-Za-z_$][\w$]*)|(?P<mark>\.\.\.|\?\.(?!\d)|=>|[-+*%&|^!=<>?:;,~(){}\[\]]"""
    r"""|\.(?!\d))|(?P<text>"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*')|(?P<number>\.?\d[\w.]*)|(?P<begun>[`/])|$)"""
)
_REGEX = re.compile(r"/(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\n\[])+/[a-z]*")
_TEMPLATE = re.compile(r"[`}](?:\\.|[^`\\$]|\$(?!\{))*(?:`|\$\{)", re.DOTALL)
"""A part of a template: from its beginning or the end of a value to its end or the next value."""
_VALUE = "${"
_BEFORE_REGEX = frozenset({*"(,=:[!&|?{};+-*%<>", "return", "typeof", "case", "in", "of", "await", "=>", _VALUE})
_BEFORE_OBJECT = _BEFORE_REGEX - {"{", "}", ";", "=>"} | {"const", "let", "var", "yield", "default", "..."}
_PAIRS = {"(": ")", "[": "]", "{": "}"}
_MARKED = ("static", "async", "get", "set", "*")


class Unreadable(ValueError):
    """A script has a syntax that is not understood here: its names stay."""


class Token(NamedTuple):
    """A part of a script, with the blanks before it."""

    kind: str
    text: str
    blank: str


def with_short_names(script: str, exported: Mapping[str, str]) -> str:
    """Return a script without comments with short names, those of exports given; one not understood as it is."""
    try:
        return _Script(script).renamed(exported)
    except Unreadable:
        return script


def names_of_exports(scripts: Iterable[str]) -> dict[str, str]:
    """Return the new names of what modules export; a name that is also a property's keeps itself."""
    uses: Counter[str] = Counter()
    exported, stay = set(), set()
    for script in map(_Script, scripts):
        exported |= script.exported()
        uses.update(script.texts[at] for at in script.words)
        stay |= {script.texts[at] for at in script.words if script.is_both(at) or script.is_property(at)}
    often = sorted(exported - stay, key=lambda name: (-uses[name], name))
    return dict(zip(often, _new_names((), EXPORTED), strict=False))


def tokens_of(script: str) -> Iterator[Token]:
    """Yield the tokens of a script without comments. Raises Unreadable."""
    at, before, opened = 0, "(", [""]
    while found := _TOKEN.match(script, at):
        kind, blank = found.lastgroup or "", found["blank"]
        text, at = found[0][len(blank) :], found.end()
        if not text:
            return
        if text == "`" or (text == "}" and opened[-1] == _VALUE):
            kind, special = "template", _TEMPLATE.match(script, at - 1)
        else:
            special = _REGEX.match(script, at - 1) if text == "/" and before in _BEFORE_REGEX else None
            kind = "regex" if special else "mark" if text == "/" else kind
        if special:
            text, at = special[0], special.end()
        elif kind == "template":
            break
        if kind in ("mark", "template") and text[0] == "}":
            opened.pop()
        before = _begun(kind, text) or text
        if before in ("{", _VALUE):
            opened.append(before)
        yield Token(kind, text, blank)
    raise Unreadable(script[at : at + 40])


def _begun(kind: str, text: str) -> str:
    """Return the bracket that a token opens, "${" for a value in a template, "" for none."""
    if kind == "template":
        return _VALUE if text.endswith(_VALUE) else ""
    return text if kind == "mark" and text in _PAIRS else ""


def _new_names(taken: Iterable[str], first: str = "", shortest: int = 1) -> Iterator[str]:
    """Yield names that are not taken, short ones first."""
    avoided = KEYWORDS.union(taken)
    every = chain.from_iterable(product(ascii_letters, repeat=length) for length in (shortest, shortest + 1))
    return (name for letters in every if (name := first + "".join(letters)) not in avoided)


class _Script:
    """A script's tokens: what each bracket begins, which names are properties, and which are declared where."""

    def __init__(self, script: str) -> None:
        self.tokens = [*tokens_of(script)]
        self.texts = [token.text for token in self.tokens]
        self.words = [at for at, token in enumerate(self.tokens) if token.kind == "word"]
        self.every = range(len(self.texts))
        self.partner: dict[int, int] = {}
        """The index of each bracket's other one; of a part of a template that ends a value and begins one, the next."""
        self.around: list[int] = []
        """The index of the bracket that each token is in, -1 at the top."""
        self.inside: dict[int, str] = {-1: "block"}
        """What each opening bracket begins: "block", "object", "class", "list" of imports, or the bracket itself."""
        self.members: set[int] = set()
        """Names that are no variable's: of properties and methods, and keywords."""
        self.methods: set[int] = set()
        self._read_brackets()
        self._read_members()

    def _read_brackets(self) -> None:
        opened, classes = [-1], []
        for at, (kind, text, _) in enumerate(self.tokens):
            if kind in ("mark", "template") and text[0] in ")]}":
                begun = opened.pop()
                if not opened or (kind == "mark" and _PAIRS.get(self.texts[begun]) != text):
                    raise Unreadable(f"{text} closes nothing")
                self.partner[begun], self.partner[at] = at, begun
            self.around.append(opened[-1])
            if text == "class" and self._is_word(at):
                classes.append(opened[-1])
            if bracket := _begun(kind, text):
                is_class = bracket == "{" and bool(classes) and classes[-1] == opened[-1]
                self.inside[at] = "class" if is_class else self._brace(at) if bracket == "{" else bracket
                del classes[len(classes) - is_class :]
                opened.append(at)
        if len(opened) > 1:
            raise Unreadable("a bracket is left open")

    def _brace(self, at: int) -> str:
        before = self._text(at - 1)
        if before in ("import", "export"):
            return "list"
        is_object = self._is_value(at - 1) if before == ":" else before in _BEFORE_OBJECT or before.endswith(_VALUE)
        return "object" if is_object else "block"

    def _is_value(self, colon: int) -> bool:
        """Tell whether a colon is of a property or a choice between two, and not of a case or label."""
        around = self.around[colon]
        same = (self.texts[at] for at in range(colon - 1, around, -1) if self.around[at] == around)
        first = next((text for text in same if text in ("?", "case", "default", ";")), "")
        return self.inside[around] != "block" or first == "?"

    def _read_members(self) -> None:
        for at in self.words:
            before, after, where = self._text(at - 1), self._text(at + 1), self.inside[self.around[at]]
            is_first = before in ("{", ",") if where == "object" else before in ("{", "}", ";")
            is_marked = before in _MARKED and self._text(at - 2) in ("{", "}", ";", ",", *_MARKED)
            is_own = where in ("object", "class") and (is_first or is_marked)
            if is_own and after == "(":
                self.methods.add(at)
            is_key = is_own and after in ((":", "(") if where == "object" else ("=", ";", "}", "("))
            if self.texts[at][0] != "#" and (before in (".", "?.") or is_key or self.texts[at] in KEYWORDS):
                self.members.add(at)

    def _text(self, at: int) -> str:
        """Return a token's text, "" outside the script."""
        return self.texts[at] if 0 <= at < len(self.texts) else ""

    def _is_word(self, at: int) -> bool:
        """Tell whether a token, perhaps a keyword, is no property's name."""
        return self.tokens[at].kind == "word" and self._text(at - 1) not in (".", "?.") and self._text(at + 1) != ":"

    def _is_name(self, at: int) -> bool:
        return at in self.every and self.tokens[at].kind == "word" and self.texts[at] not in KEYWORDS

    def is_property(self, at: int) -> bool:
        """Tell whether a name is a property's alone."""
        return at in self.members and self.texts[at] not in KEYWORDS

    def is_both(self, at: int) -> bool:
        """Tell whether a name is that of a property and of its value, in an object or a pattern of one."""
        is_alone = self._text(at - 1) in ("{", ",") and self._text(at + 1) in ("}", ",", "=")
        return is_alone and self.inside[self.around[at]] == "object"

    def exported(self) -> set[str]:
        """Return the names that the script exports by its declarations."""
        found: set[str] = set()
        for unit in self._units(self.every):
            if self.texts[unit.start : unit.start + 1] == ["export"]:
                found.update(self.texts[at] for at, seen in self._declared(unit) if seen.start == -1)
        return found

    def _units(self, tokens: range, around: int = -1) -> Iterator[range]:
        """Yield the statements of the top, and each member of its classes apart."""
        start = tokens.start
        for at in tokens:
            if self.around[at] != around:
                continue
            opened = self.partner.get(at, at)
            ended = self.inside.get(opened) if self.texts[at] == "}" else None
            if ended == "class" and around == -1:
                yield range(start, opened + 1)
                yield from self._units(range(opened + 1, at), opened)
                start = at
            if ended in ("class", "block") or self.texts[at] == ";":
                yield range(start, at + 1)
                start = at + 1
        yield range(start, tokens.stop)

    def _declared(self, tokens: Iterable[int]) -> Iterator[tuple[int, range]]:
        """Yield the names that these tokens declare, with where each is seen at most; from -1 at the top."""
        for at in tokens:
            word, around = self.texts[at], self.around[at]
            if word in ("let", "const", "var") and self._is_word(at):
                is_head = self.inside[around] == "("  # of a loop, whose body comes after it
                seen = self.every if word == "var" and around != -1 else self._rest(around, is_head)
                yield from ((name, seen) for name in self._bound(at + 1, self._end_of_declaration(at + 1)))
            elif word in ("function", "class") and self._is_word(at):
                name = at + 1 + (self._text(at + 1) == "*")
                yield from [(name, self._rest(around))] if self._is_name(name) else []
            yield from self._parameters(at)

    def _rest(self, around: int, is_head: bool = False) -> range:
        """Return what a bracket holds, with what a function is given before it; of a loop's head, with its body."""
        start, before = around, self._text(around - 1)
        if before in (")", "=>"):
            last = around - 1 if before == ")" else around - 2
            start = self.partner.get(last, last)
        return range(start, self.partner.get(self.around[around] if is_head else around, len(self.texts)))

    def _parameters(self, at: int) -> Iterator[tuple[int, range]]:
        """Yield what a function or catch is given that begins with this token, an arrow's with its arrow."""
        if self.texts[at] == "=>":
            first = self.partner.get(at - 1, at - 1)
            has_brackets, has_body = first < at - 1, self._text(at + 1) == "{"
            end = self.partner[at + 1] if has_body else self._rest(self.around[at]).stop
            names = self._bound(first + has_brackets, at - has_brackets)
            yield from ((name, range(first, end)) for name in names)
        elif at in self.methods or (self.texts[at] in ("function", "catch") and self._is_word(at)):
            opened = next((each for each in range(at + 1, at + 4) if self._text(each) in ("(", "{")), at)
            if self._text(opened) == "(":
                body = self.partner[opened] + 1
                if body not in self.partner:
                    raise Unreadable("a function without a body")
                seen = range(opened, self.partner[body])
                yield from ((name, seen) for name in self._bound(opened + 1, self.partner[opened]))

    def _bound(self, at: int, end: int) -> Iterator[int]:
        """Yield the names that patterns with commas between them bind."""
        while at < end:
            first, stop = at + (self.texts[at] == "..."), self._after_comma(at, end)
            if self.texts[first] == "{":
                yield from self._bound_in(first + 1, self.partner[first])
            elif self.texts[first] == "[":
                yield from self._bound(first + 1, self.partner[first])
            elif self._is_name(first):
                yield first
            at = stop

    def _bound_in(self, at: int, end: int) -> Iterator[int]:
        while at < end:
            after, stop = self._past(at), self._after_comma(at, end)
            yield from self._bound(after + 1 if self._text(after) == ":" else at, min(stop - 1, end))
            at = stop

    def _past(self, at: int) -> int:
        """Return the index of what comes after a token, or after what it opens."""
        while self.partner.get(at, at) > at:
            at = self.partner[at]
        return at + 1

    def _after_comma(self, at: int, end: int) -> int:
        while at < end and self.texts[at] != ",":
            at = self._past(at)
        return at + 1

    def _end_of_declaration(self, at: int) -> int:
        end = self.partner.get(self.around[at], len(self.texts))
        while at < end and self.texts[at] not in (";", "of", "in"):
            at = self._past(at)
        return at

    def renamed(self, exported: Mapping[str, str]) -> str:
        """Return the script with short names."""
        is_module = any(self.around[at] == -1 and self.texts[at] in ("import", "export") for at in self.words)
        of_top = {self.texts[at] for at, seen in self._declared(self.every) if seen.start == -1}
        listed = {self.texts[at] for at in self.words if self.inside[self.around[at]] == "list"}
        of_top |= listed
        known = dict.fromkeys(self.texts[at] for at in self.words)
        own = [name for name in known if name in of_top and len(name) > 2] if is_module else []
        stay = self.exported() | listed
        new = dict(zip((name for name in own if name not in stay), _new_names(known, shortest=2), strict=False))
        new |= dict(zip((name for name in known if name[0] == "#"), _new_names(known, "#"), strict=False))
        new |= {name: exported[name] for name in own if name in exported}
        found = [*self.texts]
        self._put(found, self.words, new)
        for unit in self._units(self.every):
            here: dict[str, list[int]] = {}
            for at in unit:
                if self.tokens[at].kind == "word" and at not in self.members:
                    here.setdefault(self.texts[at], []).append(at)
            self._put(found, unit, self._letters(unit, here, of_top, new))
        return "".join(f"{token.blank}{text}" for token, text in zip(self.tokens, found, strict=True))

    def _letters(
        self, unit: range, here: Mapping[str, list[int]], of_top: set[str], new: Mapping[str, str]
    ) -> dict[str, str]:
        """Return the new names of what a unit declares for itself; `here` is where each name is used in it."""
        seen: dict[str, list[range]] = {}
        for at, where in self._declared(unit):
            if (name := self.texts[at]) not in of_top and len(name) > 1:
                seen.setdefault(name, []).append(where)

        def hides(one: str, other: str) -> bool:
            return any(at in where for at in here[other] for where in seen[one])

        letters = _new_names(new.get(name, name) for name in here if name not in seen)
        users: dict[str, list[str]] = {letter: [] for letter in islice(letters, len(seen))}
        found: dict[str, str] = {}
        for name in here:
            if name in seen:
                fits = (x for x, by in users.items() if not any(hides(name, y) and hides(y, name) for y in by))
                found[name] = next(fits)
                users[found[name]].append(name)
        return found

    def _put(self, found: list[str], tokens: Iterable[int], new: Mapping[str, str]) -> None:
        for at in tokens:
            if (name := new.get(self.texts[at])) and self.tokens[at].kind == "word" and at not in self.members:
                found[at] = f"{self.texts[at]}:{name}" if self.is_both(at) else name
