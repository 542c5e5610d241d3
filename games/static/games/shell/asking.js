// @ts-check
/** The group *Ask*: a button and a letter for each question about the game, answered to screen readers and aloud. */
import { answer, saidLately } from "games/kit/audio/speech.js";
import { KEYS, LETTERS } from "games/kit/asks.js";
import { sentences } from "games/kit/page/sentences.js";
import { byId, h, setAttr } from "games/kit/page/dom.js";
import { changes, wants } from "games/kit/page/preferences.js";
import { fill } from "games/kit/page/text.js";
import { nameOf } from "games/kit/seats.js";
import { ordered, said, turnOf } from "games/kit/words.js";

/** @typedef {import("games/kit/asks.js").Ask} Ask */
/** @typedef {import("games/kit/table.js").Now} Now */

const STEPS = /** @type {Record<string, number>} */ ({ ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1 });

export class Asking {
  /**
   * @param {{summary: () => Promise<string[]>, now: () => Now | null}} table
   * @param {Ask[]} own the game's questions
   */
  constructor(table, own) {
    this.table = table;
    const all = [...own, ...everyGames()].sort((a, b) => KEYS.indexOf(a.key) - KEYS.indexOf(b.key));
    /** @type {Map<string, Ask>} */
    this.asks = new Map(all.map((one) => [one.key, one]));
    this.el = byId("ask");
    this.first = byId("say-game");
    this.el.append(...all.map(({ key, label }) => h("button", {
      type: "button", class: "button", tabindex: "-1", "data-key": key, onclick: () => this.ask(key),
    }, label)));
    this.el.addEventListener("keydown", (/** @type {KeyboardEvent} */ event) => this.#arrow(event));
    changes.addEventListener("keys", () => this.#name());
    this.#name();
  }

  /** Answer a question. @param {string} key its letter */
  async ask(key) {
    const now = this.table.now(), asked = this.asks.get(key);
    if (!now || (!asked && key !== LETTERS.all)) return;
    const lines = asked ? asked.say(now) : await this.table.summary();
    const text = sentences(lines);
    if (text) answer(text);
  }

  /** Tell the letters, or not where the player has switched them off. */
  #name() {
    const areOn = wants("keys");
    setAttr(this.first, "aria-keyshortcuts", areOn ? LETTERS.all : null);
    for (const button of this.#buttons().slice(1))
      setAttr(button, "aria-keyshortcuts", areOn ? button.dataset.key ?? null : null);
  }

  /** @returns {HTMLElement[]} */
  #buttons() {
    return [...this.el.querySelectorAll("button")];
  }

  /** Move within the group, which is one stop of the Tab key. @param {KeyboardEvent} event */
  #arrow(event) {
    const step = STEPS[event.key], buttons = this.#buttons();
    const at = buttons.findIndex((one) => one === document.activeElement);
    if (!step || at < 0) return;
    event.preventDefault();
    event.stopPropagation();
    const next = buttons[(at + step + buttons.length) % buttons.length];
    for (const one of buttons) setAttr(one, "tabindex", one === next ? "0" : "-1");
    next.focus();
  }
}

/** @returns {Ask[]} */
function everyGames() {
  return [
    { key: LETTERS.turn, label: gettext("Whose turn"), say: whoseTurn },
    { key: LETTERS.clock, label: gettext("Clock"), say: clocksLeft },
    { key: LETTERS.again, label: gettext("Say it again"), say: () => {
      const lines = saidLately();
      return lines.length ? lines : [gettext("Nothing has been said since you acted.")];
    } },
  ];
}

/** Return whose turn it is, what is asked, and what the end of the time does. @param {Now} now */
function whoseTurn(now) {
  if (now.isPaused) return [gettext("The game is paused.")];
  const { text } = turnOf(now);
  const own = ordered(now.choices).filter(({ required }) => required);
  const more = own.flatMap((choice) => [said("question", choice, now), said("lapse", choice, now)]);
  return [...new Set([text, ...more])].filter((line) => line && (line === text || !text.includes(line)));
}

/** Return the seconds left, the shortest time first. @param {Now} now */
function clocksLeft({ clocks, seats, me }) {
  const running = Object.entries(clocks).filter(([seat, left]) => /^\d+$/.test(seat) && left > 0);
  const told = running.sort(([, a], [, b]) => a - b).map(([seat, left]) => {
    const seconds = Math.ceil(left / 1000);
    if (Number(seat) === me)
      return fill(ngettext("You have %(seconds)s second.", "You have %(seconds)s seconds.", seconds), { seconds });
    return fill(ngettext("%(name)s has %(seconds)s second.", "%(name)s has %(seconds)s seconds.", seconds),
      { name: nameOf(seats, Number(seat)), seconds });
  });
  return told.length ? told : [gettext("No clock runs.")];
}
