"""Names in served modules are short, and each still means what it meant."""

from __future__ import annotations

import re

import pytest

from games import plugin
from games.packing import short_script
from games.web.assets import joined_modules
from games.web.assets.short_names import names_of_exports, tokens_of, with_short_names

SAME = {
    "a parameter, a constant, and a property of the same name": (
        "export function seen(seat,host){const own=seat.own;return{own,seat:host,host:seat.host};}",
        "export function seen(a,b){const c=a.own;return{own:c,seat:b,host:a.host};}",
    ),
    "a pattern with a value for what is missing": (
        "export const f=({seat,host=seat,...rest},[first]=[])=>[seat,host,rest,first];",
        "export const f=({seat:a,host:b=a,...c},[d]=[])=>[a,b,c,d];",
    ),
    "a letter for two names, of which neither is used where the other is seen": (
        "export function f(list){list.map((each)=>each.x);return(other)=>other;}",
        "export function f(a){a.map((a)=>a.x);return(a)=>a;}",
    ),
    "none for a name in whose sight the other is used before it is declared": (
        "export function f(list){{list.pop();const other=1;return other;}}",
        "export function f(a){{a.pop();const b=1;return b;}}",
    ),
    "none for a parameter and a constant of one function": (
        "export function f(unused){const other=1;return other;}",
        "export function f(a){const b=1;return b;}",
    ),
    "what is named in a template": (
        "export const f=(name)=>`${name} and ${`{${name}}`} name`;",
        "export const f=(a)=>`${a} and ${`{${a}}`} name`;",
    ),
    "a class with its own members": (
        "export class Seat{static seat=1;seat=2;#held=0;get held(){return this.#held;}hold(seat){this.#held=seat;}}",
        "export class Seat{static seat=1;seat=2;#a=0;get held(){return this.#a;}hold(a){this.#a=a;}}",
    ),
    "the browser's names": (
        "export function f(event){return performance.now()+event.x;}",
        "export function f(a){return performance.now()+a.x;}",
    ),
    "the top's own names": (
        'import{far}from"x.js";const LATE=1;export const late={LATE,far};function unseen(){return LATE;}',
        'import{far}from"x.js";const aa=1;export const late={LATE:aa,far};function ab(){return aa;}',
    ),
    "a plain script's names of the top": (
        "function plays(found){return found;}",
        "function plays(a){return a;}",
    ),
    "a case, and a choice between two": (
        "export function f(kind,seat){switch(kind){case 1:{return seat;}default:return kind?{seat}:seat;}}",
        "export function f(a,b){switch(a){case 1:{return b;}default:return a?{seat:b}:b;}}",
    ),
    "regular expressions": (
        "export const f=(text)=>/[/`]text`/.test(text)?1/text/2:text;",
        "export const f=(a)=>/[/`]text`/.test(a)?1/a/2:a;",
    ),
}


@pytest.mark.parametrize("script", SAME.values(), ids=SAME)
def test_a_name_gets_a_short_one_wherever_it_is_used(script: tuple[str, str]) -> None:
    before, after = script
    assert with_short_names(before, {}) == after


def test_an_export_gets_one_new_name_in_all_modules_unless_it_is_a_property_too() -> None:
    one, other = "export function told(){}export class Seat{}", 'import{told,Seat}from"one.js";told({Seat});'
    names = names_of_exports([one, other])
    assert names == {"told": "$a"}
    assert with_short_names(one, names) == "export function $a(){}export class Seat{}"
    assert with_short_names(other, names) == 'import{$a,Seat}from"one.js";$a({Seat});'


@pytest.mark.parametrize("script", ["export function f(name){", "f(]", "export const name=`${", "const x=@name;"])
def test_a_script_that_is_not_understood_stays_as_it_is(script: str) -> None:
    assert with_short_names(script, {}) == script


def test_nothing_but_names_of_variables_changes_in_the_joined_modules() -> None:
    """Signs, numbers, texts and properties stay; one that had its value's name is followed by the new one."""
    labels = (joined_modules.HOUSE, *plugin.all_games())
    sources = [short_script(joined_modules.source_of(n)) for label in labels for n in joined_modules.modules_of(label)]
    exports = names_of_exports(sources)
    for text in (short_script(joined_modules.text_of(join)) for join in joined_modules.all_joins()):
        short = with_short_names(text, exports)
        assert len(short) < len(text)
        assert others_of(short) == others_of(text)


def others_of(script: str) -> list[str]:
    """Return all tokens of a script that are no names of variables, without the names that follow their properties."""
    tokens = [token for token in tokens_of(script) if token.kind != "template"]
    texts = ["", *(token.text for token in tokens), "", ""]
    found = []
    for at, token in enumerate(tokens, 1):
        is_pair = texts[at - 1] in ("{", ",") and texts[at + 1] == ":" and texts[at + 3] in ("}", ",", "=")
        if token.kind != "word" or texts[at - 1] in (".", "?."):
            is_of_pair = token.text == ":" and texts[at - 2] in ("{", ",") and texts[at + 2] in ("}", ",", "=")
            found += [] if is_of_pair else [re.sub("^#.*", "#", token.text)]
        elif is_pair:
            continue
    return found
