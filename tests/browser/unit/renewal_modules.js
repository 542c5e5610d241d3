// @ts-check
/** The renewal of a page's parts: what the reader holds outlives it. */
import { equal, holds } from "/unit/assert.js";
import "games/kit/page/renewal.js";

/** Show a part. @param {string} html @returns {HTMLElement} */
function shown(html) {
  document.body.innerHTML = `<main><section id="part">${html}</section></main>`;
  /** @type {any} */ (window).htmx = { process() {} };
  return /** @type {HTMLElement} */ (document.getElementById("part"));
}

/** Bring a part anew, as htmx does. @param {string} html @param {string} [id] @returns {Promise<void>} */
async function brought(html, id = "part") {
  const template = document.createElement("template");
  template.innerHTML = `<section id="${id}">${html}</section>`;
  const target = document.getElementById(id);
  const detail = { target, fragment: template.content, shouldSwap: true };
  target?.dispatchEvent(new CustomEvent("htmx:oobBeforeSwap", { bubbles: true, detail }));
  holds(!detail.shouldSwap, "the part is renewed in place");
  await Promise.resolve();
}

/** @param {string} selector @returns {any} */
function one(selector) {
  return document.querySelector(selector);
}

const row = (/** @type {string} */ match) => `<li><form action="/do/result"><input type="hidden" name="match"
  value="${match}"><input type="hidden" name="csrfmiddlewaretoken" value="${Math.random()}"><input name="points"
  value=""><button name="winner" value="a">a won</button></form></li>`;
const rows = (/** @type {string[]} */ ...matches) => `<ul>${matches.map(row).join("")}</ul>`;

export async function test_a_button_keeps_the_focus_when_rows_before_it_come_and_go() {
  shown(rows("m1", "m2", "m3"));
  const button = one("li:nth-child(2) button");
  button.focus();
  await brought(rows("m2", "m3"));
  holds(document.activeElement === button && button.closest("form").match.value === "m2", "the first row went");
  await brought(rows("m9", "m8", "m2"));
  holds(document.activeElement === button && button.isConnected, "two came before it");
  await brought(rows("m2", "m8", "m9"));
  holds(document.activeElement === button, "they changed their order");
}

export async function test_a_focus_goes_to_the_part_and_to_no_other_button_when_its_row_goes() {
  shown(rows("m1", "m2"));
  one("li:nth-child(1) button").focus();
  await brought(rows("m2"));
  holds(document.activeElement === one("#part"), "the part has the focus");
}

export async function test_a_form_is_never_made_another_one() {
  shown(rows("m1"));
  const [form, button] = [one("form"), one("button")];
  one("[name=points]").value = "3";
  button.focus();
  await brought(rows("m2"));
  holds(!form.isConnected && one("form").match.value === "m2", "the form of another match is new");
  equal(one("[name=points]").value, "");
  holds(document.activeElement !== one("button"), "its button has no focus");
}

export async function test_half_typed_text_and_its_caret_stay_and_what_is_not_touched_is_renewed() {
  const fields = (/** @type {string} */ value) => `<p>${value}</p><input name="one" value="${value}"><input name="two"
    value="${value}"><textarea name="more">${value}</textarea><input type="checkbox" name="tick">`;
  shown(fields("1"));
  const typed = one("[name=one]");
  typed.focus();
  typed.value = "half a word";
  typed.setSelectionRange(2, 4);
  one("[name=tick]").checked = true;
  await brought(fields("2"));
  equal([typed.value, typed.selectionStart, typed.selectionEnd], ["half a word", 2, 4]);
  equal([one("[name=two]").value, one("[name=more]").value, one("[name=tick]").checked], ["2", "2", true]);
}

export async function test_typed_text_goes_along_with_its_field_to_another_place() {
  shown(`<div><input name="note"></div>`);
  one("input").focus();
  one("input").value = "abc";
  one("input").setSelectionRange(1, 1);
  await brought(`<fieldset><p><input name="note"></p></fieldset>`);
  equal([one("input").value, document.activeElement === one("input"), one("input").selectionStart], ["abc", true, 1]);
}

export async function test_a_choice_stays_while_its_option_is_there() {
  const list = (/** @type {string[]} */ ...names) =>
    `<select name="one">${names.map((name) => `<option value="${name}">${name}</option>`).join("")}</select>`;
  shown(list("a", "b", "c"));
  one("select").value = "b";
  await brought(list("x", "b"));
  equal(one("select").value, "b");
  await brought(list("x", "y"));
  equal(one("select").value, "x");
}

export async function test_folds_stay_as_the_reader_left_them_until_the_server_says_another() {
  const fold = (/** @type {string} */ open) =>
    `<details ${open}><summary>More</summary><p>${Math.random()}</p></details>`;
  shown("");
  await brought(fold(""));
  await brought(fold(""));
  one("details").open = true;
  await brought(fold(""));
  holds(one("details").open, "what was opened is open");
  await brought(fold("open"));
  one("details").open = false;
  await brought(fold("open"));
  holds(!one("details").open, "what was closed is closed");
  await brought(fold(""));
  await brought(fold("open"));
  holds(one("details").open, "what the server opens anew is opened");
}

export async function test_selected_text_and_a_scrolled_list_stay() {
  const list = (/** @type {number} */ from) =>
    `<h2>Title</h2><ul>${Array.from({ length: 60 }, (_, n) => `<li>Row ${from + n}</li>`).join("")}</ul>`;
  shown(list(0));
  const scrolled = one("ul");
  scrolled.setAttribute("style", "overflow: auto; height: 100px; overflow-anchor: none");
  scrolled.scrollTop = 40;
  getSelection()?.selectAllChildren(one("h2"));
  await brought(list(1));
  equal([scrolled.scrollTop, String(getSelection())], [40, "Title"]);
}

export async function test_a_live_region_hears_only_what_has_changed() {
  const told = (/** @type {string} */ first, /** @type {string} */ second) =>
    `<div role="status"><p>${first}</p><p>${second}</p></div><p>${Math.random()}</p>`;
  shown(told("one", "two"));
  /** @type {string[]} */
  const heard = [];
  const watch = new MutationObserver((all) => heard.push(...all.map(({ target }) => target.textContent ?? "")));
  watch.observe(one("[role=status]"), { subtree: true, childList: true, characterData: true });
  await brought(told("one", "two"));
  equal(heard, []);
  await brought(told("one", "three"));
  equal(heard, ["three"]);
  watch.disconnect();
}

export async function test_the_same_message_twice_is_said_twice() {
  shown("");
  document.body.innerHTML = `<section id="messages" role="status"><p>Saved.</p></section>`;
  const before = one("p");
  await brought("<p>Saved.</p>", "messages");
  holds(!before.isConnected && one("p").textContent === "Saved.", "it is a new one");
}

export async function test_a_time_that_is_shown_in_the_readers_zone_is_left_alone() {
  const time = (/** @type {string} */ at) => `<p>since <time datetime="${at}" data-when="time">19:00</time></p>`;
  shown(time("2026-01-01T19:00Z"));
  one("time").textContent = "20:00";
  await brought(time("2026-01-01T19:00Z"));
  equal(one("time").textContent, "20:00");
  await brought(time("2026-01-01T19:05Z"));
  equal(one("time").textContent, "19:00");
}
