// @ts-check
/**
 * Tabs: one of several panels is visible. The game places the panels; arrow keys move between the tabs.
 */
import { h, setAttr, setText } from "games/kit/page/dom.js";
import { fill } from "games/kit/page/text.js";

/** @typedef {import("games/kit/page/dom.js").Child} Child */
/**
 * @typedef {object} Tab
 * @property {string} name
 * @property {HTMLElement} panel
 * @property {HTMLButtonElement} button
 * @property {HTMLElement} count
 */

export class Tabs {
  /** The name of the visible one. */
  selected = "";

  /**
   * @param {string} label the purpose of the tabs, for screen readers
   * @param {[name: string, title: Child | Child[], panel: HTMLElement][]} tabs the first one is visible at first
   * @param {(name: string) => void} [onSelect] called after a change
   */
  constructor(label, tabs, onSelect = () => {}) {
    this.onSelect = onSelect;
    /** @type {Tab[]} */
    this.tabs = tabs.map(([name, title, panel]) => this.#tab(name, title, panel));
    this.el = h("div", { class: "tabs", role: "tablist", "aria-label": label }, this.tabs.map((tab) => tab.button));
    this.el.addEventListener("keydown", (/** @type {KeyboardEvent} */ event) => this.#key(event));
    this.#show(tabs[0][0]);
  }

  /** Select a tab, if it is offered. @param {string} name */
  select(name) {
    if (name === this.selected || this.#one(name).button.hidden) return;
    this.#show(name);
    this.onSelect(name);
  }

  /**
   * Offer a tab or hide it; if the selected tab is hidden, the first one is selected.
   * @param {string} name @param {boolean} isOffered
   */
  offer(name, isOffered) {
    this.#one(name).button.hidden = !isOffered;
    if (!isOffered && name === this.selected) this.select(this.tabs[0].name);
  }

  /** Show the number of unseen lines on a tab. @param {string} name @param {number} count */
  mark(name, count) {
    const { count: badge } = this.#one(name);
    setText(badge, String(count));
    setAttr(badge, "aria-label", fill(ngettext("%(count)s new line", "%(count)s new lines", count), { count }));
    badge.hidden = count === 0;
  }

  /** Put a dot on a tab that waits for me, and say why; "" for none. @param {string} name @param {string} why */
  call(name, why) {
    const { button } = this.#one(name);
    setAttr(button, "data-calls", why !== "");
    setAttr(button, "title", why || null);
  }

  /** @param {string} name @param {Child | Child[]} title @param {HTMLElement} panel @returns {Tab} */
  #tab(name, title, panel) {
    const count = h("b", { class: "unread", hidden: true });
    panel.id ||= `tabs-${name}`;
    const id = `tab-of-${panel.id}`;
    const attrs = { type: "button", role: "tab", id, data: { tab: name }, "aria-controls": panel.id };
    const button = h("button", { ...attrs, onclick: () => this.select(name) }, h("span", {}, title), count);
    setAttr(panel, "role", "tabpanel");
    setAttr(panel, "aria-labelledby", id);
    return { name, panel, button, count };
  }

  /** @param {string} name */
  #one(name) {
    return /** @type {Tab} */ (this.tabs.find((tab) => tab.name === name));
  }

  /** @param {string} name */
  #show(name) {
    this.selected = name;
    for (const tab of this.tabs) {
      const isIt = tab.name === name;
      tab.panel.hidden = !isIt;
      setAttr(tab.button, "aria-selected", String(isIt));
      setAttr(tab.button, "tabindex", isIt ? "0" : "-1");
    }
  }

  /** @param {KeyboardEvent} event */
  #key({ key }) {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[key];
    if (!step) return;
    const offered = this.tabs.filter((tab) => !tab.button.hidden);
    const at = offered.findIndex((tab) => tab.name === this.selected);
    const next = offered[(at + step + offered.length) % offered.length];
    this.select(next.name);
    next.button.focus();
  }
}
