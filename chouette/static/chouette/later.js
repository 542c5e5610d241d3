// @ts-check
/** A part that can wait until the board is seen: its module is fetched after the first picture. */
import { h } from "games/dom.js";

/** @typedef {import("chouette/table.js").Now} Now */

export class Later {
  /** @type {any} */
  part = null;
  isAsked = false;

  /**
   * @param {string} name the class of its element
   * @param {() => Promise<any>} load fetches the module
   * @param {(module: any) => any} make makes the part
   */
  constructor(name, load, make) {
    this.load = load;
    this.make = make;
    this.el = h("section", { class: name, hidden: true });
  }

  /** How many lines came that nobody has read. */
  get unread() {
    return this.part?.unread ?? 0;
  }

  markRead() {
    this.part?.markRead();
  }

  /** @param {Now} now */
  show(now) {
    this.now = now;
    this.part?.show(now);
    if (this.isAsked) return;
    this.isAsked = true;
    // After the frame that is being drawn, so that the board's own files come first.
    requestAnimationFrame(() => setTimeout(() => this.#fetch()));
  }

  /** A line that is down brings nothing: the next change asks again. */
  async #fetch() {
    const module = await this.load().catch((/** @type {unknown} */ error) => {
      // What a line that is down throws; anything else is a fault of ours.
      if (!(error instanceof TypeError)) console.error(error);
      return null;
    });
    this.isAsked = module !== null;
    if (!module) return;
    const part = this.make(module);
    part.show(this.now);
    this.el.replaceWith(part.el);
    this.el = part.el;
    this.part = part;
    this.onReady?.();
  }

  /** @type {(() => void) | null} called when it is there */
  onReady = null;
}
