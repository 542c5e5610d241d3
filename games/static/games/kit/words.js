// @ts-check
/**
 * What is said of open choices, from the declarations of their game: games/kernel/words.py says what the words are and
 * what they are filled in with; games/services/logs/choice_texts.py is the same for the server.
 */
import { filled } from "games/kit/page/sentences.js";
import { fill } from "games/kit/page/text.js";
import { nameOf, namesOf } from "games/kit/seats.js";
import { listed } from "games/kit/sets.js";

/** @typedef {import("games/kit/table.js").Now} Now */
/** @typedef {import("games/kit/seats.js").SeatInfo} SeatInfo */
/** @typedef {House.SentChoice} SentChoice */
/** @typedef {Pick<SentChoice, "name" | "seat"> & Partial<SentChoice>} Worded an open choice, or one that might be */
/** @typedef {Pick<Now, "view" | "choices" | "seats" | "me"> & {hasEnded?: boolean}} Looking */
/** @typedef {{text: string, waitingFor: number[], isMine: boolean}} Turn */
/** @typedef {{label: string, note: string, key: string, tone: string}} OptionWords */

const OVER = "over";
const OF_OPTIONS = ["label", "note", "key", "tone"];
/** Arguments that are seats. */
const SEATS = ["seat", "to", "by"];

/** @param {string} name of a choice @returns {any} */
const wordsOf = (name) => django.sentences.choices?.[name] ?? {};

/**
 * A name of the rules in the page's language: "take_back" is looked up as "Take back".
 * @param {string} name
 */
export function worded(name) {
  const text = name.replaceAll("_", " ").trim();
  return text && gettext(text[0].toUpperCase() + text.slice(1));
}

/**
 * Return an option's arguments in words: numbers and words as they are, seats by name.
 * @param {object} args
 * @param {SeatInfo[]} seats
 */
export function argsText(args, seats) {
  const one = (/** @type {string} */ key, /** @type {unknown} */ value) =>
    typeof value === "number" && SEATS.includes(key) ? nameOf(seats, value) : String(value);
  return Object.entries(args).map(([key, value]) => [value].flat().map((each) => one(key, each)).join(" ")).join(", ");
}

/**
 * Return a choice's legal arguments.
 * @template Args @param {{options?: Args[], sets?: House.SentSets}} choice @returns {Args[]}
 */
export const optionsOf = ({ options, sets }) => options ?? (sets ? /** @type {Args[]} */ (listed(sets)) : []);

/** Return choices in the order in which they stand: what must be answered first. @param {SentChoice[]} choices */
export function ordered(choices) {
  const place = (/** @type {SentChoice} */ one) => wordsOf(one.name).order ?? 0;
  return [...choices].sort((a, b) => Number(b.required) - Number(a.required) || place(a) - place(b));
}

/** Return what the words of a choice are filled in with. @param {Worded} choice @param {Looking} now */
function dataOf({ seat, about }, { view, choices }) {
  const { each: _, ...own } = about ?? {};
  return { ...own, seat, view, options: view.options ?? {}, open: choices.map(({ name }) => name) };
}

/**
 * Return a sentence of a choice: `own`, `question`, `title` or `lapse`; "" if there is none.
 * @param {"own" | "question" | "title" | "lapse"} what @param {Worded} choice @param {Looking} now
 */
export function said(what, choice, now) {
  return filled(wordsOf(choice.name)[what], dataOf(choice, now), now.seats);
}

/**
 * Return the words of an option by its place in the choice's list.
 * @param {Worded} choice @param {object} args @param {number} place @param {Looking} now
 * @returns {OptionWords}
 */
export function optionWords(choice, args, place, now) {
  const words = wordsOf(choice.name), data = { ...dataOf(choice, now), ...choice.about?.each?.[place], ...args };
  const [label, note, key, tone] = OF_OPTIONS.map((one) => filled(words[one], data, now.seats));
  const plain = [worded(choice.name), argsText(args, now.seats)].filter(Boolean).join(" ");
  return { label: label || plain, note, key, tone: words.tone ? tone : choice.required ? "go" : "" };
}

/**
 * Return the words of the option with these arguments, "" for each where there is none.
 * @param {Worded} choice @param {object} args @param {Looking} now @param {object} [known] what the words say otherwise
 */
export function wordsWith(choice, args, now, known = {}) {
  const key = keyOf(args);
  const place = optionsOf(choice).findIndex((one) => keyOf(one) === key);
  if (place < 0) return { label: "", note: "", key: "", tone: "" };
  return optionWords(choice, { ...args, ...known }, place, now);
}

/** @param {object} args */
const keyOf = (args) => JSON.stringify(Object.entries(args).sort(([a], [b]) => (a < b ? -1 : 1)));

/**
 * Tell whether a choice is asked of its seat: by the game, or by others.
 * @param {{name: string, required: boolean}} choice
 */
export const isAsked = ({ name, required }) => required || Boolean(wordsOf(name).isUrgent);

/**
 * Return the sentence of the turn bar and the seats that the game waits for. What others ask of a seat is its turn,
 * too; a required choice that says nothing to its seat is none.
 * @param {Looking} now @returns {Turn}
 */
export function turnOf(now) {
  const { view, me } = now;
  if (!view) return { text: "", waitingFor: [], isMine: false };
  if (now.hasEnded || view.over || view.asked === OVER)
    return { text: ofOthers(OVER, now, []), waitingFor: [], isMine: false };
  const choices = ordered(now.choices), required = choices.filter((one) => one.required);
  const own = required.map((one) => (isWorded(one) ? said("own", one, now) : gettext("Your turn"))).find(Boolean);
  const urgent = choices.filter(({ name }) => wordsOf(name).isUrgent).map((one) => said("own", one, now)).find(Boolean);
  const waitingFor = view.waiting_for ?? (required.length && me !== null ? [me] : []);
  const text = urgent ?? own ?? ofOthers(view.asked, now, waitingFor);
  return { text, waitingFor, isMine: (urgent ?? own) !== undefined };
}

/** @param {SentChoice} choice */
const isWorded = ({ name }) => name in (django.sentences.choices ?? {});

/** @param {string | undefined} asked @param {Looking} now @param {number[]} seats whom the game waits for */
function ofOthers(asked, { view, seats: people }, seats) {
  const data = { view, options: view.options ?? {}, seats, seat: seats[0] ?? null };
  const text = asked && filled(wordsOf(asked).others, data, people);
  if (text) return text;
  if (asked === OVER) return gettext("The game is over");
  const names = namesOf(people, seats);
  return names ? fill(gettext("Waiting for %(names)s"), { names }) : gettext("Waiting for the others");
}
