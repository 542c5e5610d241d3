// @ts-check
/** The admin's log in words: each event described by the house or by its game's own element. */
import { h } from "games/kit/page/dom.js";
import { describeHouse } from "games/kit/table_events.js";

/** @param {HTMLElement} list the events of one entry */
async function say(list) {
  const { module, element: name, seats: text } = list.dataset;
  if (module) await import(module);
  /** @type {any} */
  const element = name ? h(name, {}) : null;
  await element?.prepare?.(null);
  const seats = JSON.parse(text ?? "[]");
  for (const line of /** @type {NodeListOf<HTMLElement>} */ (list.querySelectorAll("[data-event]"))) {
    if (!line.dataset.event) continue;
    const event = JSON.parse(line.dataset.event);
    const words = describeHouse(event) ?? element?.describe?.(event, seats);
    if (words) line.prepend(h("span", { class: "words" }, words));
  }
}

/**
 * Load a game's texts on top of the house's; `django` is the page's own catalogue.
 * @param {string} address
 */
function load(address) {
  return new Promise((resolve, reject) => {
    const script = h("script", { src: address, onload: resolve, onerror: reject });
    django.catalog = { ...house };
    document.head.append(script);
  });
}

const house = { ...django.catalog };
const lists = [.../** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll(".events[data-seats]"))];
// Game by game: each has a catalogue of its own, but there is only one gettext.
for (const texts of new Set(lists.map((list) => list.dataset.texts))) {
  try {
    if (texts) await load(texts);
    for (const list of lists.filter((one) => one.dataset.texts === texts)) await say(list);
  } catch (error) {
    console.error(error);
  }
}
