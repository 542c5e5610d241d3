// @ts-check
/** The base of every game's element: the table's state, commands to the shell, the card of the result. */
import { fitNow, watchRoom } from "games/kit/fit.js";
import { afterFrame, h, put, setAttr } from "games/kit/page/dom.js";
import { keepMarks } from "games/kit/page/marks.js";
import { changes, read, wants } from "games/kit/page/preferences.js";
import { sentences, spokenOf } from "games/kit/page/sentences.js";
import { turnOf } from "games/kit/words.js";

/** @typedef {import("games/kit/seats.js").SeatInfo} SeatInfo */
/** @typedef {import("games/kit/page/dom.js").Child} Child */
/** @typedef {import("games/kit/words.js").Turn} Turn */
/** @typedef {import("games/kit/page/sentences.js").Event} Event */

/**
 * @template {House.KitView} [View=House.KitView]
 * @template {{name: string, basis: number}} [Choice=House.SentChoice]
 * @typedef {object} Now the data that the parts of a table are drawn from
 * @property {View} view as the game's rules.view returns it
 * @property {Choice[]} choices my seat's
 * @property {SeatInfo[]} seats the table's seats, with `presence`
 * @property {number | null} me my seat, null for a spectator
 * @property {boolean} canAct
 * @property {boolean} isTv
 * @property {boolean} isHost I host the night
 * @property {boolean} isShared several share the device, or it shows the seat of somebody else
 * @property {boolean} isTournament the table is of a tournament's match or session
 * @property {boolean} hasEnded
 * @property {boolean} isPaused
 * @property {number | null} eye the seat from whose side the table is seen: mine, in a replay also another's
 * @property {{played: string, better: string} | null} lesson in a replay, before a choice that was a mistake: the one
 *   that was made and the one that would have been better, "" where these are no plays
 * @property {string[]} greetings those that take one tap
 * @property {string} grades the line about grades on the card of the result, "" for none
 * @property {Record<string, number>} clocks milliseconds left of the running clocks, by seat; of a game clock by
 *   `<seat>:flag`, of the table's time by `time_limit`
 */

/**
 * @template {House.KitView} View
 * @template {House.SentChoice} Choice
 * @typedef {object} Given what the shell, or a replay, gives an element to show
 * @property {View} view
 * @property {Choice[]} choices
 * @property {SeatInfo[]} seats
 * @property {number | null} [seat]
 * @property {Record<string, number>} [clocks]
 * @property {boolean} [canAct]
 * @property {string} [tableStatus]
 * @property {boolean} [isTv]
 * @property {boolean} [isHost]
 * @property {boolean} [isShared]
 * @property {boolean} [isTournament]
 * @property {string[]} [greetings]
 * @property {string} [grades]
 * @property {number | null} [eye]
 * @property {{played: string, better: string} | null} [lesson]
 */

/** Milliseconds until what a page does by itself: to throw, to roll, to confirm. */
export const BY_ITSELF_MS = 1500;

/** What boxes around every table hold. @type {import("games/kit/page/marks.js").Marks} */
const EVERY_TABLE = {
  ".notices": { notice: ".notice:not([hidden]), .banner, .replay-bar" },
  ".kit-middle": { result: ":scope > .kit-result:not([hidden])" },
  ".kit-result ol": { crowd: ":scope > :nth-child(7)" },
  '[role="tabpanel"]': { chat: ":scope > #panel-chat" },
  ".tv-page": { corner: ".tv-corner", bell: ".tv-bell" },
};

/**
 * A game's element: make its DOM in `build`, fill it in `show`. The rest is in docs/front-end.md.
 * @template {House.KitView} [View=House.KitView]
 * @template {House.SentChoice} [Choice=House.SentChoice]
 */
export class TableElement extends HTMLElement {
  /** The sizes that its style sheets ask for. @type {import("games/kit/fit.js").Sizes} */
  static sizes = {};

  /** The name of the look that a player may choose for it, "" without one. */
  static look = "";

  /** What its style sheets ask of its boxes. @type {import("games/kit/page/marks.js").Marks} */
  static marks = {};
  /** @type {Now<View, Choice> | null} */
  now = null;
  /** @type {HTMLElement} */
  root = h("div", {});

  /** @param {{isTv: boolean}} context */
  init({ isTv }) {
    this.classList.toggle("is-tv", isTv);
    if (this.contains(this.root)) return;
    this.root = this.build();
    put(this, this.root);
    const { look, marks, sizes } = /** @type {typeof TableElement} */ (this.constructor);
    watchRoom(this, "table", sizes);
    for (const each of [EVERY_TABLE, marks]) keepMarks(each);
    fitNow(this);
    this.#follow("left", "data-hand", () => wants("left") && "left");
    this.#follow(look, "data-look", () => look && read(localStorage, look));
  }

  /** Keep an attribute as a wish is. @param {string} name @param {string} attribute @param {() => unknown} value */
  #follow(name, attribute, value) {
    const show = () => setAttr(this, attribute, String(value() || "") || null);
    changes.addEventListener(name, show);
    show();
  }

  /** @param {Given<View, Choice>} given see docs/front-end.md */
  update(given) {
    const { view, choices, seats, clocks = {}, canAct = true, tableStatus = "playing" } = given;
    const { isTv = false, isHost = false, isShared = false, isTournament = false } = given;
    const { greetings = [], grades = "", lesson = null } = given;
    const me = given.seat === undefined ? this.now?.me ?? null : given.seat;
    const hasEnded = tableStatus === "finished", isPaused = tableStatus === "paused";
    const who = { me, canAct, isTv, isHost, isShared, isTournament, eye: given.eye ?? me };
    this.now = { view, choices, seats, ...who, hasEnded, isPaused, greetings, lesson, grades, clocks };
    this.show(this.now);
    afterFrame(() => this.now && this.showLater(this.now));
  }

  /** @returns {HTMLElement} */
  build() {
    return h("div", {});
  }

  /** @param {Now<View, Choice>} _now */
  show(_now) {}

  /**
   * Show parts that may come a frame later, so that no frame takes a slow phone too long.
   * @param {Now<View, Choice>} _now
   */
  showLater(_now) {}

  /** The sentence of the turn bar, and the seats that the game waits for. @returns {Turn} */
  get status() {
    return this.now ? turnOf(this.now) : { text: "", waitingFor: [], isMine: false };
  }

  /** Return what shows a seat. @param {number} _seat @returns {Element | undefined} */
  seatBox(_seat) {
    return undefined;
  }

  /** The result that is shown now, another word for each; "" while a game runs. */
  get shownResult() {
    return "";
  }

  /**
   * Return my open choice of a name, or null.
   * @template {Choice["name"]} Name @param {Name} name @returns {Extract<Choice, {name: Name}> | null}
   */
  choice(name) {
    const found = this.now?.choices.find((one) => one.name === name) ?? null;
    return /** @type {Extract<Choice, {name: Name}> | null} */ (found);
  }

  /**
   * Answer an open choice, unless acting is not possible now.
   * @param {string} name @param {object} args
   * @param {boolean} [isByItself] nobody pressed anything: another page of the player may do the same at this moment
   */
  command(name, args, isByItself = false) {
    const choice = this.choice(name);
    if (choice && this.now?.canAct) this.emit("command", { name, args, basis: choice.basis, isByItself });
  }

  /** Let the eye follow events. @param {Event[]} _events @param {View} _view */
  async play(_events, _view) {}

  /** Return what an entry tells screen readers, in one text, and what of it is spoken. @param {Event[]} events */
  told(events) {
    const all = this.spoken(events), aloud = all.filter(({ isAloud, answeredBy }) => isAloud || answeredBy !== null);
    const [text, voice] = [all, aloud].map((some) => sentences(some.map((one) => one.text)));
    return { text, voice };
  }

  /** Return what is told of a game's events. @param {Event[]} events */
  spoken(events) {
    const own = events.filter(({ type }) => !type.startsWith("table."));
    return spokenOf(own, this.now?.seats ?? [], this.now?.view?.options);
  }

  /** Send an event to the shell. @param {string} type @param {object} detail */
  emit(type, detail) {
    this.dispatchEvent(new CustomEvent(type, { detail, bubbles: true }));
  }
}

/** A card that is shown only with a result, and drawn again only when the result has changed. */
export class ResultCard {
  /** @param {string} name its class */
  constructor(name) {
    this.el = h("section", { class: name, "aria-label": gettext("Result"), hidden: true });
    this.key = "";
  }

  /**
   * @param {object | null} parts the values that it is drawn from; null for no result
   * @param {() => Child[]} inside
   */
  draw(parts, inside) {
    this.el.hidden = !parts;
    const key = JSON.stringify(parts);
    if (!parts || key === this.key) return;
    this.key = key;
    put(this.el, inside());
  }
}
