// @ts-check
/** What is asked of me comes forward: its tab in place of another, but never over what somebody types. */
import { h } from "games/kit/page/dom.js";

/** Pixels by which a page grows when its keyboard is put away. */
const KEYBOARD = 100;

export class Forward {
  /** What is asked, "" for nothing; and whether its tab is still to come. */
  key = "";
  isDue = false;
  height = window.visualViewport?.height ?? 0;

  /**
   * @param {import("games/kit/page/tabs.js").Tabs} tabs
   * @param {string} name the tab of what is asked
   * @param {() => boolean} isBeside whether it is seen whatever tab is open
   */
  constructor(tabs, name, isBeside) {
    this.tabs = tabs;
    this.name = name;
    this.isBeside = isBeside;
    const attrs = { type: "button", class: "button go kit-forward", hidden: true, onclick: () => this.come() };
    /** Stands over the other tabs, above a field. */
    this.el = h("button", attrs, gettext("Your turn"));
    for (const type of ["input", "focusout"]) document.addEventListener(type, () => queueMicrotask(() => this.#look()));
    window.visualViewport?.addEventListener("resize", () => this.#resized());
  }

  /**
   * @param {string} key what is asked of me, "" for nothing
   * @param {boolean} [isCalm] another tab stays where it is: only its sign tells
   */
  show(key, isCalm = false) {
    const isNew = key !== this.key;
    this.key = key;
    if (isNew) this.isDue = key !== "" && !isCalm;
    this.#look();
  }

  /** Whether the tab of what is asked is seen. */
  get isInFront() {
    return this.tabs.selected === this.name || this.isBeside();
  }

  /** Bring the tab now. */
  come() {
    if (!this.isBeside()) this.tabs.select(this.name);
    this.#look();
  }

  /** Tell that a tab was opened: what was asked is seen, or was left for another. */
  opened() {
    this.isDue = false;
    this.#look();
  }

  #look() {
    if (this.isDue && !this.isBeside() && !isWriting()) {
      this.isDue = false;
      this.tabs.select(this.name);
    }
    const isBehind = this.key !== "" && !this.isInFront;
    this.el.hidden = !isBehind;
    this.tabs.call(this.name, isBehind ? gettext("Your turn") : "");
  }

  #resized() {
    const { height } = /** @type {VisualViewport} */ (window.visualViewport), before = this.height;
    this.height = height;
    if (this.isDue && height > before + KEYBOARD) this.come();
  }
}

/** Tell whether somebody writes: a field has the focus and text in it. */
function isWriting() {
  const field = document.activeElement;
  return (field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement) && field.value.trim() !== "";
}
