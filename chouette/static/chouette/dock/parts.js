// @ts-check
/**
 * The parts of the dock. Every picture is built again and laid over the old one, so that buttons
 * keep their place and their focus; the act of a button is found by its `data-act`.
 */
import { h, setAttr } from "games/kit/page/dom.js";
import { fetched } from "games/kit/page/fetched.js";
import { nameOf, namesOf } from "games/kit/seats.js";
import { fill } from "games/kit/page/text.js";
import { optionWords, said, wordsWith } from "games/kit/words.js";

/** @typedef {Chouette.CubeView} Cube */
/** @typedef {Chouette.Choices} Choices */
/** @typedef {Chouette.AskView} Ask */
/** @typedef {Chouette.GameView} Game */

/**
 * A button. It answers the choice `name` with `args`, or runs `run`. Label, note, key and kind are those that the
 * option is declared with, unless they are given.
 * @typedef {object} Spec
 * @property {string} [label]
 * @property {string | false} [note]
 * @property {keyof Choices} [name]
 * @property {object} [args]
 * @property {() => void} [run]
 * @property {string} [id]
 * @property {string} [kind] "go" for the main button: the safe answer, in the main button's place
 * @property {boolean} [grave] it doubles, drops, resigns or pays, as does every button of kind "stop"
 * @property {string} [key]
 * @property {boolean} [pressed]
 * @property {boolean} [off]
 * @property {boolean} [isRow] in the row of its cube, whose name it does not repeat
 * @property {string} [aria]
 */

/**
 * One decision in the dock; `why` is the reason why the chosen answer can't be sent. What costs comes first in the
 * buttons; the main one is the last.
 * @typedef {object} Panel
 * @property {"calm" | "mine" | "offer" | "result"} kind
 * @property {string | (string | HTMLElement)[]} [title]
 * @property {string} [told] who has won, below my own result
 * @property {string | null} [score] a match's, large
 * @property {string} [word] what the title speaks of, explained when it is tapped
 * @property {string} [badge] a word beside the title
 * @property {boolean} [isGreat] a gammon, a match: shown with size and motion
 * @property {(string | false | undefined)[]} [notes]
 * @property {HTMLElement[]} [rows]
 * @property {string} [why]
 * @property {HTMLElement[]} [buttons]
 */

/** @typedef {"offer" | "answer_batch" | "cube" | "answer" | "reply"} OfWindow */
/** @typedef {OfWindow | "propose" | "double" | "answer_proposal"} AboutCubes a choice about cubes */

const NO_WORDS = { label: "", note: "", key: "", tone: "" };

/** The data of a panel, and the buttons that it makes. */
export class Scene {
  /** @type {Map<string, Spec & {run: () => void}>} */
  deeds = new Map();

  /**
   * @param {import("chouette/table.js").Now} now
   * @param {import("chouette/table.js").Acts} acts
   * @param {Memory} memory
   * @param {() => void} redraw
   */
  constructor(now, acts, memory, redraw) {
    this.view = now.view;
    /** The running game or the last one; before the first one no panel asks for it. */
    this.game = /** @type {Game} */ (now.view.game);
    this.now = now;
    this.acts = acts;
    this.memory = memory;
    this.redraw = redraw;
    this.me = now.me;
    this.isBox = this.game?.box === now.me;
  }

  /** @template {keyof Choices} Name @param {Name} name @returns {Choices[Name] | undefined} */
  choice(name) {
    return /** @type {Choices[Name] | undefined} */ (this.now.choices.find((c) => c.name === name));
  }

  /**
   * Return the arguments that an open choice accepts.
   * @template {keyof Choices} Name @param {Name} name @returns {Required<Choices[Name]>["options"]}
   */
  args(name) {
    const found = /** @type {Required<Choices[Name]>["options"] | undefined} */ (this.choice(name)?.options);
    return found ?? [];
  }

  /** Return the cubes of an open choice. @param {AboutCubes} name @returns {number[]} */
  cubesOf(name) {
    const sets = this.choice(name)?.sets;
    if (sets) return sets.of;
    const options = /** @type {{cube: number}[]} */ (this.choice(name)?.options ?? []);
    return [...new Set(options.map((one) => one.cube))].sort((a, b) => a - b);
  }

  /** @param {number} seat */
  name(seat) {
    return seat === this.me ? gettext("you") : nameOf(this.now.seats, seat);
  }

  /** @param {number[]} seats of others */
  names(seats) {
    return namesOf(this.now.seats, seats);
  }

  /** Return the name of a cube's member; of an extra of mine, the other side's. @param {number} index */
  cubeName(index) {
    const { member, against, extra } = this.game.cubes[index];
    const name = this.name(extra && member === this.me ? against : member);
    return extra ? fill(gettext("%(name)s, extra"), { name }) : name;
  }

  /**
   * Return the declared words of an option, "" where its choice is not open.
   * @param {keyof Choices} name @param {object} args @param {object} [known] what the words say otherwise
   */
  words(name, args, known) {
    const choice = this.choice(name);
    if (!choice) return NO_WORDS;
    return choice.options ? wordsWith(choice, args, this.now, known) : optionWords(choice, args, -1, this.now);
  }

  /** Return what an open choice asks, "" if it is not open. @param {keyof Choices} name */
  question(name) {
    const choice = this.choice(name);
    return choice ? said("question", choice, this.now) : "";
  }

  /** @param {Spec} spec @returns {HTMLElement} */
  button(spec) {
    const { name, args = {}, pressed, aria, isRow } = spec;
    const words = name ? this.words(name, args, isRow ? { is_many: false } : {}) : NO_WORDS;
    const { label = words.label, note = words.note, kind = words.tone, key = words.key } = spec;
    const { grave = kind === "stop" } = spec;
    const id = spec.id ?? `${name ?? ""} ${JSON.stringify(args)}`;
    const off = spec.off || !this.now.canAct;
    if (!off) this.deeds.set(id, { run: () => name && this.acts.command(name, args), ...spec, key });
    const attrs = {
      type: "button", class: `button bt-d-do ${kind}`, "data-act": id, "data-grave": grave, "aria-label": aria,
      "aria-keyshortcuts": key || null,
      "aria-disabled": off ? "true" : null, "aria-pressed": pressed === undefined ? null : String(pressed),
    };
    return h(
      "button",
      attrs,
      h("span", {}, label),
      note && h("small", {}, note),
      key && h("kbd", { class: "bt-d-kbd", "aria-hidden": "true" }, key),
    );
  }

  /** @param {Element} target the pressed element */
  press(target) {
    this.deeds.get(target.closest("[data-act]")?.getAttribute("data-act") ?? "")?.run();
  }

  /** @param {string} key a letter @returns {boolean} whether a button has it */
  strike(key) {
    const found = [...this.deeds.values()].find((deed) => deed.key === key);
    found?.run();
    return found !== undefined;
  }
}

/**
 * @typedef {object} Rare the modules of doubling and rolling, which no game needs before its first play, of answers to
 *   doubles, of what others offer, of waiting, and of the card at the end of a game
 * @property {typeof import("chouette/dock/cube_decisions.js")} cubes
 * @property {typeof import("chouette/dock/answers.js")} answers
 * @property {typeof import("chouette/dock/offers.js")} offers
 * @property {typeof import("chouette/dock/waiting.js")} waiting
 * @property {typeof import("chouette/dock/results.js")} results
 */
/** @type {{[Name in keyof Rare]: () => Promise<Rare[Name]>}} */
const RARE = {
  cubes: () => import("chouette/dock/cube_decisions.js"),
  answers: () => import("chouette/dock/answers.js"),
  offers: () => import("chouette/dock/offers.js"),
  waiting: () => import("chouette/dock/waiting.js"),
  // Together, so that they come as one file.
  results: () => Promise.all([import("chouette/dock/results.js"), import("chouette/words/outcome.js")])
    .then(([results]) => results),
};

/** Choices on a sheet that are not sent yet; a new decision begins with none. And the modules of what is rare. */
export class Memory {
  /** By cube: whether it is doubled, or how it is answered. @type {Map<number, string | boolean>} */
  kept = new Map();
  about = "";
  /** The game at a real board whose result I am telling, "" for none. */
  resultKey = "";
  /**
   * The result that this device told for a side of a real board.
   * @type {{winner: string, level: number, seat: number | null, about: string} | null}
   */
  sent = null;
  /** What has come of what few decisions need. @type {Partial<Rare>} */
  here = {};
  /** What was asked for, with the end of fetching it. @type {Map<keyof Rare, Promise<void>>} */
  asked = new Map();
  /** What is done by itself, once loaded. @type {import("chouette/dock/by_itself.js").ByItself | null} */
  byItself = null;
  /** The module of real boards, once loaded. @type {typeof import("chouette/dock/wood_decisions.js") | null} */
  wood = null;

  /** @param {() => void} come called when a module has come */
  constructor(come) {
    this.come = come;
  }

  /**
   * Return a module that few decisions need, undefined until it has come: the first who asks for it has it fetched.
   * @template {keyof Rare} Name @param {Name} name @returns {Partial<Rare>[Name]}
   */
  rare(name) {
    this.whenHere(name);
    return this.here[name];
  }

  /** Wait for such a module, and have it fetched. @param {keyof Rare} name @returns {Promise<void>} */
  whenHere(name) {
    const coming = this.asked.get(name) ?? this.#fetch(name);
    this.asked.set(name, coming);
    return coming;
  }

  /** @template {keyof Rare} Name @param {Name} name */
  async #fetch(name) {
    this.here[name] = await fetched(RARE[name]);
    this.come();
  }

  /** @param {Pick<House.SentChoice, "name" | "basis"> | undefined} choice */
  of({ name, basis } = { name: "", basis: 0 }) {
    if (this.about !== `${name} ${basis}`) this.kept = new Map();
    this.about = `${name} ${basis}`;
    return this.kept;
  }
}

/**
 * Lay a new picture over an old one: equal parts stay the same elements.
 * @param {Element} old @param {(Node | null)[]} next the new children
 */
export function lay(old, next) {
  const had = [...old.childNodes];
  const kids = next.filter((kid) => kid !== null);
  kids.forEach((kid, index) => {
    const before = had[index];
    if (!before) old.append(kid);
    else if (!before.isEqualNode(kid)) overlay(before, kid);
  });
  for (const rest of had.slice(kids.length)) rest.remove();
}

/** @param {ChildNode} before @param {Node} kid */
function overlay(before, kid) {
  const areElements = before instanceof Element && kid instanceof Element;
  const act = (/** @type {Element} */ one) => one.getAttribute("data-act");
  if (!areElements || before.tagName !== kid.tagName || act(before) !== act(kid)) return before.replaceWith(kid);
  for (const { name } of [...before.attributes]) if (!kid.hasAttribute(name)) before.removeAttribute(name);
  for (const { name, value } of kid.attributes) setAttr(before, name, value);
  lay(before, [...kid.childNodes]);
}

/** Letters of all notes for which a result's card has no room on a phone. */
const LONG_NOTES = 100;

/** @param {Panel} panel */
export function panelNode({ kind, title, badge, told, score, word, isGreat = false, notes = [], rows = [], why }) {
  const isLong = notes.filter(Boolean).join(" ").length > LONG_NOTES;
  const data = { kind, ...(isLong ? { length: "long" } : {}) };
  return h("section", { class: "bt-d-panel", data, "data-grave": kind === "offer", "data-great": isGreat },
    title && h("p", { class: "bt-d-title", "data-word": word },
      title, badge && [" ", h("span", { class: "badge" }, badge)]),
    told && h("p", { class: "bt-d-told" }, told),
    score && h("p", { class: "bt-d-score" }, score),
    notes.map((note) => note && h("p", { class: "bt-d-note" }, note)),
    rows.length > 0 && h("ul", { class: "bt-d-rows", "data-many": rows.length > 4 }, rows),
    why !== undefined && h("p", { class: "bt-d-why", role: "status" }, why));
}
