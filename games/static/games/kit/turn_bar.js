// @ts-check
/** The turn, shown by the bar, the title, the icon and the clock. */
import { announce } from "games/kit/audio/speech.js";
import { byId, setAttr, setText } from "games/kit/page/dom.js";
import { buzz, sound } from "games/kit/audio/sound.js";
import { minutes } from "games/kit/page/text.js";

export const HURRY = 10;
/** Letters of 16 px for which two lines of the bar have room, on a narrow phone and on another. */
const LONG = 36, LONGER = 44, LARGE_PX = 20, LESS_PX = 14;
/** Letters for which there is always room. */
const FEW = 20;
const MINE_ICON =
  "data:image/svg+xml," +
  encodeURIComponent(
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64"><circle cx="32" cy="32" r="31" fill="#f0b43c"/>' +
      '<path d="M32 14v24M32 46v5" stroke="#3a2604" stroke-width="9" stroke-linecap="round"/></svg>',
  );

/** @typedef {"mine" | "wait" | "paused" | "over" | "offline"} Kind */

export class TurnBar {
  constructor() {
    this.bar = byId("turnbar");
    this.text = byId("turn-text");
    this.clock = byId("turn-clock");
    this.icon = /** @type {HTMLLinkElement | null} */ (document.querySelector('link[rel="icon"]'));
    this.ownIcon = this.icon?.href ?? "";
    this.title = document.title;
    this.deadline = 0;
    this.last = -1;
    setInterval(() => this.#tick(), 250);
  }

  /**
   * @param {Kind} kind
   * @param {string} text
   * @param {number | null} left milliseconds left on the clock to show
   * @param {boolean} [isShort] the clock has a few seconds from the start: they are no hurry
   */
  show(kind, text, left, isShort = false) {
    this.isCalm = kind !== "mine" || isShort;
    setAttr(this.bar, "data-kind", kind);
    setText(this.text, text);
    const letters = text.length > FEW ? text.length * largeness() : 0;
    setAttr(this.text, "data-length", letters > LONGER ? "longer" : letters > LONG ? "long" : null);
    const title = kind === "mine" ? `● ${text} – ${this.title}` : this.title;
    if (document.title !== title) document.title = title;
    const icon = kind === "mine" ? MINE_ICON : this.ownIcon;
    if (this.icon && this.icon.href !== icon) this.icon.href = icon;
    const deadline = left === null ? 0 : performance.now() + left;
    // The same deadline told again differs by the time on the network: don't let the clock jump.
    if (!deadline || Math.abs(deadline - this.deadline) > 1500) this.last = -1;
    this.deadline = deadline;
    this.isRunning = kind === "mine" || kind === "wait";
    this.#tick();
  }

  #tick() {
    this.clock.hidden = !this.deadline || !this.isRunning;
    if (this.clock.hidden) return;
    const seconds = Math.max(0, Math.ceil((this.deadline - performance.now()) / 1000));
    setText(this.clock, minutes(seconds));
    setAttr(this.clock, "data-hurry", !this.isCalm && seconds <= HURRY);
    if (this.isCalm || seconds > HURRY || seconds === this.last || seconds === 0) return;
    this.last = seconds;
    if (seconds <= 5) sound("tick");
    if (seconds !== HURRY) return;
    sound("tick");
    buzz([100, 60, 100]);
    announceHurry();
  }
}

/** Return how many usual letters have the room of one: larger ones leave more of a line empty. */
function largeness() {
  const size = parseFloat(getComputedStyle(document.documentElement).fontSize);
  return size < LARGE_PX ? 1 : size / LESS_PX;
}

/** Say that my time is nearly over. */
export const announceHurry = () => announce(gettext("Ten seconds left"), true);
