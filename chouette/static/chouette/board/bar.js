// @ts-check
/** The line under the board: the roll or the unfinished play, Undo, Confirm, typed plays. */
import { h, put, setAttr, setText } from "games/kit/page/dom.js";
import { Suggested } from "chouette/board/suggested.js";

/** @typedef {{text: string, press: () => void}} Way */
/**
 * @typedef {object} BarState
 * @property {boolean} isOpen whether a play can be made or suggested here
 * @property {string} text
 * @property {string} go the label of the button that sends the play
 * @property {boolean} canGo
 * @property {boolean} isBegun whether there is something to undo
 * @property {boolean} canType
 * @property {boolean} canAct
 * @property {Way[]} ways to choose from first
 * @property {import("chouette/board/suggested.js").Whole[]} plays that can be made by one tap
 */

export class Bar {
  /** @param {{undo: () => void, go: () => void, type: (text: string) => boolean}} on */
  constructor(on) {
    this.text = h("p", { class: "bt-said" });
    this.ways = h("div", { class: "bt-ways", role: "group", "aria-label": gettext("Which way") });
    this.keys = h(
      "button",
      {
        type: "button",
        class: "icon-button bt-type",
        "aria-expanded": "false",
        "aria-label": gettext("Type a play"),
        title: gettext("Type a play"),
        onclick: () => this.#toggle(),
      },
      "⌨",
    );
    this.undo = h(
      "button",
      {
        type: "button",
        class: "button bt-undo",
        "aria-label": gettext("Undo"),
        title: gettext("Undo"),
        onclick: on.undo,
      },
      h("span", { "aria-hidden": "true" }, "↶"),
    );
    this.go = h("button", { type: "button", class: "button go bt-confirm", onclick: on.go });
    this.field = h("input", {
      class: "bt-field",
      type: "text",
      name: "play",
      "aria-label": gettext("Your play, for example 13/7 8/7"),
      placeholder: "13/7 8/7",
      maxlength: 60,
      autocomplete: "off",
      autocapitalize: "off",
      spellcheck: "false",
      enterkeyhint: "go",
    });
    this.form = h(
      "form",
      { class: "bt-typed", hidden: true, onsubmit: (/** @type {Event} */ event) => this.#submit(event, on.type) },
      this.field,
      h("button", { class: "button" }, gettext("Play it")),
    );
    this.suggested = new Suggested(() => this.last && this.show(this.last));
    const controls = h(
      "div",
      { class: "bt-controls", role: "group", "aria-label": gettext("Your play") },
      this.keys,
      this.undo,
      this.text,
      this.suggested.el,
      this.ways,
      this.form,
      this.go,
    );
    this.el = h("div", { class: "bt-play" }, controls);
    this.controls = controls;
    this.waysKey = this.counted = "";
  }

  /** @param {BarState} state */
  show(state) {
    const { isOpen, canType, isBegun, canAct, ways } = state;
    if (!canType) this.close();
    const isTyping = !this.form.hidden;
    setText(this.text, state.text);
    setAttr(this.controls, "data-open", isOpen);
    setAttr(this.controls, "data-begun", isBegun || state.canGo);
    this.#showWays(ways);
    this.suggested.show(state.plays, canAct);
    setAttr(this.controls, "data-plays", this.suggested.room);
    this.text.hidden = isTyping || ways.length > 0 || this.suggested.isOpen;
    this.keys.hidden = !canType;
    this.undo.hidden = !isBegun;
    this.go.hidden = !isOpen || isTyping || ways.length > 0;
    setText(this.go, this.counted || state.go);
    setAttr(this.go, "aria-label", this.counted ? state.go : null);
    setAttr(this.go, "disabled", !state.canGo);
    setAttr(this.undo, "disabled", !canAct);
    this.last = state;
  }

  /** Say in the place of the button's label when it presses itself; "" where it does not. @param {string} text */
  count(text) {
    if (text === this.counted) return;
    this.counted = text;
    if (this.last) this.show(this.last);
  }

  /** Close the field for typed plays. */
  close() {
    this.form.hidden = true;
    this.field.value = "";
    setAttr(this.keys, "aria-expanded", "false");
  }

  #toggle() {
    const opens = this.form.hidden;
    if (opens) this.form.hidden = false;
    else this.close();
    setAttr(this.keys, "aria-expanded", String(opens));
    if (this.last) this.show(this.last);
    (opens ? this.field : this.keys).focus();
  }

  /** @param {Event} event @param {(text: string) => boolean} send */
  #submit(event, send) {
    event.preventDefault();
    const text = this.field.value.trim();
    if (text && send(text)) this.field.select();
  }

  /** @param {Way[]} ways */
  #showWays(ways) {
    this.ways.hidden = ways.length === 0;
    const key = JSON.stringify(ways.map((way) => way.text));
    this.presses = ways.map((way) => way.press);
    if (key === this.waysKey) return;
    this.waysKey = key;
    put(
      this.ways,
      ways.map(({ text }, i) =>
        h("button", { type: "button", class: "button", onclick: () => this.presses?.[i]() }, text),
      ),
    );
  }
}
