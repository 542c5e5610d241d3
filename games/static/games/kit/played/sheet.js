// @ts-check
/** A sheet about games that were played without the house: its title, what it says, its answers. */
import { h, put, setText } from "games/kit/page/dom.js";
import { StrayTaps } from "games/kit/stray_taps.js";

/** @typedef {Node | string | false | null} Shown */

export class PlayedSheet {
  /** @param {string} id */
  constructor(id) {
    this.title = h("h2", { id: `${id}-title` });
    this.body = h("div", { class: "played-body" });
    this.fault = h("p", { class: "error", role: "alert", hidden: true });
    this.answers = h("div", { class: "sheet-answers" });
    const close = () => this.el.close();
    const label = { "aria-label": gettext("Close") };
    const cross = h("button", { type: "button", class: "icon-button", ...label, onclick: close }, "✕");
    const about = { id, class: "sheet played", "aria-labelledby": `${id}-title`, data: { grave: "" } };
    this.el = h("dialog", about, h("header", { class: "sheet-head" }, this.title, cross),
      this.body, this.fault, this.answers);
    document.body.append(this.el);
    new StrayTaps(this.el);
  }

  get isOpen() {
    return this.el.open;
  }

  /** @param {string} title @param {Shown[]} body @param {Shown[]} answers */
  show(title, body, answers) {
    setText(this.title, title);
    put(this.body, ...body);
    put(this.answers, ...answers);
    this.say("");
  }

  /** Open it, unless another sheet is open, over which nothing comes. */
  open() {
    if (!document.querySelector("dialog[open]")) this.el.showModal();
  }

  /** Open it in place of the sheet that is open. */
  openInstead() {
    for (const one of document.querySelectorAll("dialog[open]")) {
      if (one !== this.el) /** @type {HTMLDialogElement} */ (one).close();
    }
    if (!this.el.open) this.el.showModal();
  }

  close() {
    if (this.el.open) this.el.close();
  }

  /** Say what went wrong, "" for nothing. @param {string} text */
  say(text) {
    setText(this.fault, text);
    this.fault.hidden = !text;
  }

  /**
   * Return a button that is off while it works, so that a second tap does nothing.
   * @param {string} label @param {() => unknown} act @param {string} [kind]
   */
  button(label, act, kind = "") {
    const pressed = async () => {
      const buttons = [...this.el.querySelectorAll("button")];
      for (const one of buttons) one.disabled = true;
      await act();
      for (const one of buttons) one.disabled = false;
    };
    return h("button", { type: "button", class: `button ${kind}`, onclick: pressed }, label);
  }
}
