// @ts-check
/**
 * Where there is no room for columns, the score sheet and the Team's talk are drawers over the
 * table: opened by buttons, closed by their ✕, by Escape, or by opening the other one. Where
 * there is room, they are always there and the buttons are not.
 */
import { h, setAttr, setText } from "games/kit/dom.js";
import { fill } from "games/kit/text.js";

export class Drawer {
  /** @param {string} id @param {string} title @param {Element} content */
  constructor(id, title, content) {
    this.title = title;
    this.count = h("b", { class: "bt-unread", hidden: true });
    const name = h("span", {}, title);
    this.button = h(
      "button",
      { type: "button", class: "button bt-open", "aria-expanded": "false", "aria-controls": id },
      name,
      this.count,
    );
    this.close = h("button", { type: "button", class: "icon-button bt-close", "aria-label": gettext("Close") }, "✕");
    const head = h("div", { class: "bt-drawer-head" }, h("h2", { id: `${id}-title` }, title), this.close);
    this.el = h(
      "section",
      { class: `bt-drawer ${id}`, id, tabindex: "-1", "aria-labelledby": `${id}-title` },
      head,
      content,
    );
    this.content = content;
    this.isOpen = false;
  }

  /** Whether it can be read now: open, or always there. */
  get isShown() {
    return this.isOpen || getComputedStyle(this.close).display === "none";
  }

  /** @param {number} count */
  setUnread(count) {
    const sentence = fill(ngettext("%(count)s new line", "%(count)s new lines", count), { count });
    setText(this.count, String(count));
    setAttr(this.count, "aria-label", sentence);
    this.count.hidden = count === 0;
  }

  /** @param {boolean} isOpen */
  toggle(isOpen) {
    if (isOpen === this.isOpen) return;
    this.isOpen = isOpen;
    this.el.classList.toggle("is-open", isOpen);
    setAttr(this.button, "aria-expanded", String(isOpen));
    if (isOpen) this.el.focus();
    else if (this.el.contains(document.activeElement)) this.button.focus();
  }
}

export class Drawers {
  /** @param {Drawer[]} drawers @param {() => void} onOpen */
  constructor(drawers, onOpen) {
    this.all = drawers;
    this.onOpen = onOpen;
    this.caption = h("p", { class: "bt-caption" });
    this.story = h("p", { class: "bt-story" });
    this.el = h("div", { class: "bt-tools" }, this.caption, this.story, drawers.map((drawer) => drawer.button));
    for (const drawer of drawers) {
      drawer.button.addEventListener("click", () => this.open(drawer.isOpen ? null : drawer));
      drawer.close.addEventListener("click", () => this.open(null));
      drawer.el.addEventListener("keydown", (/** @type {KeyboardEvent} */ e) => e.key === "Escape" && this.open(null));
    }
  }

  /** @param {Drawer | null} wanted */
  open(wanted) {
    for (const drawer of this.all) if (drawer !== wanted) drawer.toggle(false);
    wanted?.toggle(true);
    this.onOpen();
  }

  /** @returns {boolean} whether one was open */
  shut() {
    const had = this.all.some((drawer) => drawer.isOpen);
    this.open(null);
    return had;
  }
}

/** @typedef {import("chouette/table.js").Now} Now */

/** A part that can wait until the board is seen: its module is fetched after the first picture. */
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
