// @ts-check
/** The named sizes of an element's room (games/kit/fit.js). */
import { fitNow, watchRoom } from "games/kit/fit.js";
import { equal } from "/unit/assert.js";

/** @type {import("games/kit/fit.js").Sizes} */
const SIZES = {
  narrow: ({ width }) => width < 600,
  low: ({ height }) => height <= 300,
  wide: ({ ratio }) => ratio >= 2,
};

/** @param {string} width @param {string} height @param {HTMLElement} [within] */
function box(width, height, within = document.body) {
  const element = document.createElement("div");
  Object.assign(element.style, { width, height, contain: "size", position: "absolute" });
  within.append(element);
  return element;
}

/** What a frame shows: changes are made before it, and looked at when it is painted. @param {() => void} change */
const frame = (change) => new Promise((done) => requestAnimationFrame(() => {
  change();
  setTimeout(done);
}));

/** @param {HTMLElement} element @param {string} name */
const written = (element, name) => element.style.getPropertyValue(name);

export function test_what_is_fitted_at_once_has_its_sizes_before_any_frame() {
  const element = box("390px", "300px");
  watchRoom(element, "table", SIZES);
  fitNow(element);
  equal(element.dataset.fit, "narrow low");
}

export async function test_a_frame_shows_an_element_with_the_sizes_that_it_has_there() {
  const element = box("390px", "700px");
  await frame(() => watchRoom(element, "table", SIZES));
  equal(element.dataset.fit, "narrow");
  await frame(() => element.style.setProperty("width", "1400.5px"));
  equal(element.dataset.fit, "wide");
}

export async function test_an_element_within_one_that_changes_has_its_new_sizes_in_the_same_frame() {
  const outer = box("800px", "400px"), sheet = document.createElement("style");
  sheet.textContent = ".within { width: 100px !important }"
    + ":where([data-fit~=narrow]) .within { width: 50px !important }";
  const inner = box("0", "10px", outer);
  inner.className = "within";
  document.head.append(sheet);
  await frame(() => [outer, inner].forEach((one, i) => watchRoom(one, ["table", "dock"][i], SIZES)));
  equal(written(inner, "--dock-w"), "1px");
  await frame(() => outer.style.setProperty("width", "500px"));
  equal(written(inner, "--dock-w"), "0.5px");
  sheet.remove();
}

export async function test_lengths_are_hundredths_of_the_content_box() {
  const element = box("400px", "250px");
  element.style.padding = "7px";
  await frame(() => watchRoom(element, "felt"));
  equal([written(element, "--felt-w"), written(element, "--felt-h")].join(), "4px,2.5px");
}

export async function test_without_a_size_that_holds_there_is_no_attribute() {
  const element = box("700px", "600px");
  await frame(() => watchRoom(element, "table", SIZES));
  equal(element.hasAttribute("data-fit"), false);
}

export async function test_what_is_hidden_comes_back_as_it_was() {
  const element = box("390px", "700px");
  await frame(() => watchRoom(element, "table", SIZES));
  await frame(() => element.style.setProperty("display", "none"));
  equal(element.dataset.fit, "narrow");
}

export async function test_nothing_is_written_while_no_size_changes() {
  const element = box("390px", "700px"), writes = new MutationObserver(() => {});
  await frame(() => watchRoom(element, "table", SIZES));
  writes.observe(element, { attributeFilter: ["data-fit"] });
  await frame(() => element.style.setProperty("height", "640px"));
  equal([written(element, "--table-h"), writes.takeRecords().length].join(), "6.4px,0");
}

export async function test_a_size_may_ask_for_the_pages_letters() {
  const element = box("390px", "700px"), { style } = document.documentElement;
  watchRoom(element, "table", { big: ({ text }) => text >= 20 });
  fitNow(element);
  equal(element.hasAttribute("data-fit"), false);
  style.fontSize = "24px";
  fitNow(element);
  style.fontSize = "";
  equal(element.dataset.fit, "big");
}
