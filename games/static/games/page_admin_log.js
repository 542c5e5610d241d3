// @ts-check
/** The admin's log in words: each event said by the house or by its game's own element. */
import { h } from "games/dom.js";
import { describeHouse } from "games/house.js";

/** @param {HTMLElement} list the events of one entry */
async function say(list) {
  const { module, element: name, seats: told } = list.dataset;
  if (module) await import(module);
  /** @type {any} */
  const element = name ? h(name, {}) : null;
  const seats = JSON.parse(told ?? "[]");
  for (const line of /** @type {NodeListOf<HTMLElement>} */ (list.querySelectorAll("[data-event]"))) {
    if (!line.dataset.event) continue;
    const event = JSON.parse(line.dataset.event);
    const words = describeHouse(event) ?? element?.describe?.(event, seats);
    if (words) line.prepend(h("span", { class: "words" }, words));
  }
}

for (const list of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll(".events[data-seats]"))) {
  say(list).catch(console.error);
}
