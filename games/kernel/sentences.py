"""Sentences as data: what an event says is declared once, and filled in alike by the server and the browser.

A sentence is a text with parameters (`"%(name)s takes a %(mat)s; %(stock)s left."`), or a node of the functions below
around such texts. A parameter is a field of the event (a seat becomes its player's name; `name` is the field `seat`,
`names` the field `seats`), a phrase of the game, or what the sentence gives itself:
`say(_("%(winner)s wins."), winner=name_of("box"))`. A path such as `"valuation.ones"` or `"options.mats"` reads a
member of a field, or of the table's house rules; `"view.cubes.{item}.member"` has a field in the place of a part.

`bound` checks a sentence and makes it JSON, `translated` puts it into a language, `filled` fills it in;
`games/kit/page/sentences.js` is `filled` for the browser. Texts are marked with `_` (`games.kernel.text.gettext_noop`);
`ngettext` and `pgettext` are called so that makemessages finds what they mark.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias

Node: TypeAlias = "str | dict[str, Any] | None"
"""A sentence: a text, or a JSON object; None says nothing."""
Test: TypeAlias = "str | list[Any]"
"""A condition: `["is", path]` and the like; a path alone asks whether there is anything but 0, "" and []."""

_PARAMETER = re.compile(r"%\((\w+)\)s")
_GIVEN_BY_EACH = ("item", "index")
_MEANS = {"name": "seat", "names": "seats"}
"""The fields that parameters stand for."""
OPTIONS = "options"
"""The member of the data that has the table's house rules."""


def say(text: Node, /, **params: Node) -> Node:
    """Return a sentence with parameters of its own: paths of fields, nodes, or what `name_of` and the like return."""
    base: dict[str, Any] = {"text": text} if isinstance(text, str) else dict(text or {})
    return {**base, "with": {**base.get("with", {}), **{name: _param(one) for name, one in params.items()}}}


def ngettext(one: str, many: str, count: Node, /, **params: Node) -> Node:
    """Return a sentence with a singular and a plural, by a field or another number."""
    return {"forms": [one, many], "count": _param(count), "with": {name: _param(p) for name, p in params.items()}}


def pgettext(context: str, text: str) -> Node:
    """Return a text that is translated in a context."""
    return {"context": context, "text": text}


def when(test: Test | tuple[Test, ...], then: Node, otherwise: Node = None) -> Node:
    """Return `then` where a test holds (of several: all), else `otherwise`."""
    return first((test, then), otherwise=otherwise)


def first(*ways: tuple[Test | tuple[Test, ...], Node], otherwise: Node = None) -> Node:
    """Return the first sentence whose test holds."""
    return {"first": [[_tests(test), node] for test, node in ways] + [[[], otherwise]]}


def pick(path: str, among: Mapping[Any, Node], **otherwise: Node) -> Node:
    """Return a sentence by the value of a field; without `otherwise` another value is said as it is."""
    return {"pick": path, "among": {str(key): node for key, node in among.items()}, **otherwise}


def each(path: str | Sequence[str], one: Node, *, join: str = ", ", once: bool = False, none: str = "") -> Node:
    """Return a sentence for each item of a list, joined; `none` if there is nothing to say, with `once` each once.

    An item's members are fields in `one`, as are `item` itself and its `index`. Several lists are read side by side:
    then the item of each has the list's name.
    """
    paths = [path] if isinstance(path, str) else list(path)
    return {"each": paths, "say": one, "join": join, "once": once, "none": none}


def together(*nodes: Node) -> Node:
    """Return several sentences, one after the other."""
    return {"together": list(nodes)}


def within(path: str, one: Node) -> Node:
    """Return a sentence about a member of the data, whose members are fields in it."""
    return {"within": path, "say": one}


def phrase(name: str) -> Node:
    """Return a phrase of the game by its name."""
    return {"phrase": name}


def name_of(path: str) -> Node:
    """Return the name of the player on a seat, "" for none."""
    return {"seat": path}


def names_of(path: str) -> Node:
    """Return the names of the players on seats, joined as in a sentence, each once."""
    return {"seats": path}


def signed(path: str) -> Node:
    """Return a number with its sign: +3, −1, 0."""
    return {"signed": path}


def size(path: str) -> Node:
    """Return a number without its sign."""
    return {"size": path}


def faces(path: str) -> Node:
    """Return dice as they are written: 6-4."""
    return {"dice": path}


def times(path: str, by: str | int) -> Node:
    """Return a field times a number or another field."""
    return {"times": [path, by]}


def number_of(items: Node) -> Node:
    """Return how many items an `each` says."""
    return {"number": items}


def person(path: str) -> Node:
    """Return a name that the event has stored; the placeholder of a deleted one in the reader's language."""
    return {"person": path}


def missing(path: str) -> Test:
    """Tell whether a field is null or not there."""
    return ["missing", path]


def given(path: str) -> Test:
    """Tell whether a field is there, and not null."""
    return ["given", path]


def no(path: str) -> Test:
    """Tell whether a field is false, 0, empty or not there."""
    return ["no", path]


def equals(path: str, value: Any) -> Test:
    """Tell whether a field has a value."""
    return ["equals", path, value]


def more(path: str, than: int) -> Test:
    """Tell whether a number, or the length of a list, is greater than `than`."""
    return ["more", path, than]


def same(path: str, other: str) -> Test:
    """Tell whether two fields are equal."""
    return ["same", path, other]


def alike(path: str) -> Test:
    """Tell whether all items of a list are equal."""
    return ["alike", path]


def has(path: str, value: Any) -> Test:
    """Tell whether a list has an item."""
    return ["has", path, value]


def among(path: str, of: str) -> Test:
    """Tell whether a field is an item of a list."""
    return ["among", path, of]


def some(path: str, member: str) -> Test:
    """Tell whether some item of a list has a member that is true."""
    return ["some", path, member]


def _param(param: Node) -> Node:
    return {"value": param} if isinstance(param, str) else param


def _tests(test: Test | tuple[Test, ...]) -> list[list[Any]]:
    """Return conditions as `[name, path, …]` each: a path alone is true, a list of them all hold."""
    if isinstance(test, str):
        return [["is", test]]
    if isinstance(test, list):
        return [test]
    return [condition for one in test for condition in _tests(one)]


# Checking.


@dataclass(frozen=True, slots=True)
class Scope:
    """The names that a sentence may use: an event's fields with their annotations, and the game's phrases."""

    fields: Mapping[str, str]
    phrases: Mapping[str, Node]
    is_open: bool = False
    """Inside an `each`, whose items have members of their own, or in a phrase, whose fields are its callers'."""

    def inside(self, paths: Sequence[str]) -> Scope:
        """Return the scope of the items of lists."""
        names = dict.fromkeys((*_GIVEN_BY_EACH, *paths), "")
        return Scope({**self.fields, **names}, self.phrases, is_open=True)


def bound(node: Node, scope: Scope) -> Node:
    """Return a sentence as JSON, with every parameter that is no plain field explained.

    Raises TypeError for a parameter or path that is neither a field nor a phrase.
    """
    if node is None:
        return None
    if isinstance(node, str):
        node = {"text": node}
    if "text" in node or "forms" in node:
        return _bound_text(node, scope)
    if "first" in node:
        return {"first": [[_checked_tests(tests, scope), bound(then, scope)] for tests, then in node["first"]]}
    if "pick" in node:
        among = {key: bound(one, scope) for key, one in node["among"].items()}
        otherwise = {"otherwise": bound(node["otherwise"], scope)} if "otherwise" in node else {}
        return {"pick": _checked(node["pick"], scope), "among": among, **otherwise}
    if "each" in node:
        paths = [_checked(path, scope) for path in node["each"]]
        return {**node, "say": bound(node["say"], scope.inside(paths if len(paths) > 1 else ()))}
    if "together" in node:
        return {"together": [bound(one, scope) for one in node["together"]]}
    if "within" in node:
        return {"within": _checked(node["within"], scope), "say": bound(node["say"], scope.inside(()))}
    return _bound_param(node, scope)


def _bound_text(node: dict[str, Any], scope: Scope) -> Node:
    texts = node.get("forms", [node.get("text")])
    params = {name: _bound_param(param, scope) for name, param in node.get("with", {}).items()}
    for name in dict.fromkeys(name for text in texts for name in _PARAMETER.findall(text)):
        if name not in params and (found := _default(name, scope)) is not None:
            params[name] = found
    made = {key: value for key, value in node.items() if key != "with"}
    if "count" in made:
        made["count"] = _bound_param(made["count"], scope)
    return {**made, **({"with": params} if params else {})}


def _default(name: str, scope: Scope) -> Node:
    """Return what a parameter means by its name; None for a plain field."""
    path = name if name in scope.fields else _MEANS.get(name, name)
    kind = scope.fields.get(path)
    if kind is not None:
        is_seat, are_seats = kind.startswith("Seat"), kind.startswith("list[Seat")
        return name_of(path) if is_seat else names_of(path) if are_seats else None
    if name in scope.phrases:
        bound(scope.phrases[name], scope)
        return phrase(name)
    if not scope.is_open:
        raise TypeError(f"%({name})s is neither a field nor a phrase")
    return name_of("seat") if name == "name" else None


def _bound_param(node: Node, scope: Scope) -> Node:
    if not isinstance(node, dict):
        return bound(node, scope)
    ((kind, of),) = list(node.items())[:1]
    if kind == "phrase":
        if of not in scope.phrases:
            raise TypeError(f"there is no phrase {of}")
        bound(scope.phrases[of], scope)
        return node
    if kind == "times":
        return {"times": [_checked(path, scope) if isinstance(path, str) else path for path in of]}
    if kind == "number":
        return {"number": bound(of, scope)}
    if isinstance(of, str) and kind in ("value", "seat", "seats", "signed", "size", "dice", "person"):
        return {kind: _checked(of, scope)}
    return bound(node, scope)


def _checked_tests(tests: list[list[Any]], scope: Scope) -> list[list[Any]]:
    for kind, path, *more_of in tests:
        _checked(path, scope)
        if kind in ("same", "among"):
            _checked(more_of[0], scope)
    return tests


def _checked(path: str, scope: Scope) -> str:
    name = path.split(".", maxsplit=1)[0]
    if name != OPTIONS and name not in scope.fields and not scope.is_open:
        raise TypeError(f"{path} is no field")
    return path


# Translating.


def translated(node: Any, gettext: Callable[[str | None, str], str], forms: Callable[[str, str], list[str]]) -> Any:
    """Return a bound sentence in a language: `gettext` gets a context and a text, `forms` a singular and a plural."""
    if isinstance(node, list):
        return [translated(one, gettext, forms) for one in node]
    if not isinstance(node, dict):
        return node
    made = {key: translated(value, gettext, forms) for key, value in node.items() if key not in ("context", "forms")}
    if "text" in node:
        made["text"] = gettext(node.get("context"), node["text"])
    if "forms" in node:
        made["forms"] = forms(*node["forms"])
    return made


# Filling in.


@dataclass(frozen=True, slots=True)
class Telling:
    """The parts that a sentence is filled in with beside the event: names, a language, and the game's phrases in it."""

    name: Callable[[int], str]
    """Returns the name of the player on a seat."""
    person: Callable[[str], str]
    """Returns a stored name in the reader's language."""
    joined: Callable[[Sequence[str]], str]
    """Joins names as in a sentence: "Ada, Bo and Cy"."""
    form: Callable[[int], int]
    """Returns the index of the plural form of a number."""
    phrases: Mapping[str, Any] = field(default_factory=dict)


def filled(node: Any, data: Mapping[str, Any], telling: Telling) -> str:
    """Return a translated sentence about `data`: the event's fields, and `options`; "" if it says nothing."""
    if node is None or not isinstance(node, dict):
        return ""
    if "text" in node:
        return _text(node["text"], node, data, telling)
    if "forms" in node:
        return _text(_form(node, data, telling), node, data, telling)
    if "first" in node:
        return filled(next(then for tests, then in node["first"] if _holds(tests, data)), data, telling)
    if "pick" in node:
        return _picked(node, data, telling)
    if "each" in node:
        return str(node["join"]).join(_said(node, data, telling)) or str(node["none"])
    if "within" in node:
        return filled(node["say"], {**data, **(read(data, node["within"]) or {})}, telling)
    if "together" in node:
        return " ".join(text for one in node["together"] if (text := filled(one, data, telling)))
    return _value(node, data, telling)


def _text(text: str, node: Mapping[str, Any], data: Mapping[str, Any], telling: Telling) -> str:
    params = node.get("with", {})

    def value(match: re.Match[str]) -> str:
        name = match[1]
        return filled(params[name], data, telling) if name in params else plain(read(data, name))

    return _PARAMETER.sub(value, text)


def _form(node: Mapping[str, Any], data: Mapping[str, Any], telling: Telling) -> str:
    forms: list[str] = node["forms"]
    return forms[telling.form(int(filled(node["count"], data, telling)))]


def _picked(node: Mapping[str, Any], data: Mapping[str, Any], telling: Telling) -> str:
    key = plain(read(data, node["pick"]))
    if key in node["among"]:
        return filled(node["among"][key], data, telling)
    return filled(node["otherwise"], data, telling) if "otherwise" in node else key


def _said(node: Mapping[str, Any], data: Mapping[str, Any], telling: Telling) -> list[str]:
    texts = [filled(node["say"], {**data, **item}, telling) for item in _items(node["each"], data)]
    said = [text for text in texts if text]
    return list(dict.fromkeys(said)) if node["once"] else said


def _items(paths: Sequence[str], data: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    """Yield the fields of each item."""
    if len(paths) > 1:
        for row in zip(*(read(data, path) for path in paths), strict=True):
            yield dict(zip(paths, row, strict=True))
        return
    for index, item in enumerate(read(data, paths[0]) or ()):
        yield {**(item if isinstance(item, Mapping) else {}), "item": item, "index": index}


def _value(node: Mapping[str, Any], data: Mapping[str, Any], telling: Telling) -> str:
    """Return a parameter's text."""
    ((kind, of),) = node.items()
    if kind == "phrase":
        return filled(telling.phrases[of], data, telling)
    if kind == "number":
        return str(len(_said(of, data, telling)))
    if kind == "times":
        return str(_number(of[0], data) * (of[1] if isinstance(of[1], int) else _number(of[1], data)))
    found = read(data, of)
    if kind == "seat":
        return "" if found is None else telling.name(found)
    if kind == "seats":
        return telling.joined([telling.name(one) for one in dict.fromkeys(found)])
    if kind == "signed":
        return f"+{found}" if found > 0 else str(found).replace("-", "−")
    if kind == "size":
        return str(abs(found))
    if kind == "dice":
        return "-".join(map(str, found))
    return telling.person(found) if kind == "person" else plain(found)


def _number(path: str, data: Mapping[str, Any]) -> int:
    return int(read(data, path))


def _holds(tests: Sequence[Sequence[Any]], data: Mapping[str, Any]) -> bool:
    return all(_CONDITIONS[kind](read(data, path), data, *more_of) for kind, path, *more_of in tests)


_CONDITIONS: Mapping[str, Callable[..., bool]] = {
    "is": lambda found, _: bool(found),
    "no": lambda found, _: not found,
    "given": lambda found, _: found is not None,
    "missing": lambda found, _: found is None,
    "equals": lambda found, _, value: found == value,
    "more": lambda found, _, than: (len(found) if isinstance(found, Sequence) else found) > than,
    "same": lambda found, data, other: found == read(data, other),
    "alike": lambda found, _: all(one == found[0] for one in found),
    "has": lambda found, _, value: value in (found or ()),
    "among": lambda found, data, of: found in (read(data, of) or ()),
    "some": lambda found, _, member: any(one[member] for one in found),
}


def read(data: Mapping[str, Any], path: str) -> Any:
    """Return a member by its path; None where there is none."""
    found: Any = data
    for written in path.split("."):
        part = plain(data.get(written[1:-1])) if written.startswith("{") else written
        if isinstance(found, Mapping):
            found = found.get(part)
        elif isinstance(found, Sequence) and part == "length":
            found = len(found)
        elif isinstance(found, Sequence) and part.isdigit() and int(part) < len(found):
            found = found[int(part)]
        else:
            return None
    return found


def plain(value: Any) -> str:
    """Return a value as it is said."""
    return "" if value is None else str(value)
