// @ts-check
/** A part of the table whose module is fetched after the board is shown. */
import { h } from "games/kit/page/dom.js";
import { fetched } from "games/kit/page/fetched.js";

/** @typedef {import("chouette/table.js").Now} Now */

/** @typedef {{el: HTMLElement, show: (now: Now) => void, unread?: number, markRead?: () => void}} LatePart */

/**
 * A part that can wait: its module is fetched after the board is shown, or when it is needed.
 * @template Module
 */
export class Later {
  /** @type {Now | null} */
  now = null;
  /** @type {LatePart | null} */
  part = null;
  isRequested = false;

  /**
   * @param {string} name the class of its element
   * @param {() => Promise<Module>} load fetches the module
   * @param {(module: Module) => LatePart} make makes the part
   * @param {(now: Now) => boolean} [isNeeded] tells whether it is to be fetched; else `request` is called
   */
  constructor(name, load, make, isNeeded = () => true) {
    this.load = load;
    this.make = make;
    this.isNeeded = isNeeded;
    this.el = h("section", { class: name, hidden: true });
  }

  /** Number of unread lines. */
  get unread() {
    return this.part?.unread ?? 0;
  }

  markRead() {
    this.part?.markRead?.();
  }

  /** @param {Now} now */
  show(now) {
    this.now = now;
    this.part?.show(now);
    if (!this.isRequested && this.isNeeded(now)) this.request();
  }

  request() {
    if (this.isRequested) return;
    this.isRequested = true;
    // After the frame that is being drawn, so that the board's own files come first.
    requestAnimationFrame(() => setTimeout(() => this.#fetch()));
  }

  async #fetch() {
    const part = this.make(await fetched(this.load));
    if (this.now) part.show(this.now);
    this.el.replaceWith(part.el);
    this.el = part.el;
    this.part = part;
    this.onReady?.();
  }

  /** @type {(() => void) | null} called when the part is there */
  onReady = null;
}
