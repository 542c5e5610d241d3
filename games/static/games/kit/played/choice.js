// @ts-check
/** A conflict: what has happened at the house since, the games of a device beside it, and the host's three ways. */
import { h } from "games/kit/page/dom.js";
import { fill } from "games/kit/page/text.js";

/** @typedef {import("games/kit/played/house.js").Since} Since */
/** @typedef {import("games/kit/played/sheet.js").PlayedSheet} PlayedSheet */
/** @typedef {"house" | "device" | "both"} Way */

/** Return the entries of the house in the sentences of its log. @param {Since[]} since */
export function sinceList(since) {
  const text = (/** @type {Since} */ entry) => entry.events.map((event) => event.text).filter(Boolean).join(" ");
  return h("ul", { class: "played-since" }, since.map(text).filter(Boolean).map((line) => h("li", {}, line)));
}

/**
 * Return both lists side by side, and a button for each way with what it does.
 * @param {PlayedSheet} sheet @param {Since[]} since @param {Element} games @param {number} count of the games
 * @param {(way: Way) => unknown} choose
 */
export function choiceOf(sheet, since, games, count, choose) {
  const dropped = ngettext("The game of the device is dropped.", "The %(n)s games of the device are dropped.", count);
  const back = ngettext("%(n)s entry of the house is taken back.", "%(n)s entries of the house are taken back.",
    since.length);
  const way = (/** @type {Way} */ which, /** @type {string} */ label, /** @type {string} */ note, kind = "") =>
    h("div", { class: "played-way" }, sheet.button(label, () => choose(which), kind), h("p", { class: "hint" }, note));
  return [
    h("p", {}, gettext("Something has happened at the table since the device saw it last. Choose what counts.")),
    h("div", { class: "played-both" },
      h("section", {}, h("h3", {}, gettext("At the house")), sinceList(since)),
      h("section", {}, h("h3", {}, gettext("On the device")), games)),
    way("house", gettext("Keep what is at the house"), fill(dropped, { n: count })),
    way("device", gettext("Keep what is on the device"), fill(back, { n: since.length }), "danger"),
    way("both", gettext("Keep both, one after the other"),
      gettext("The device's games come after what is at the house.")),
  ];
}
