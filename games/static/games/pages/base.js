// @ts-check
// For every page: the look (light, dark, the device's), times as the reader's region writes them, copying and sharing
// links, folds.

const root = document.documentElement;
root.classList.add("js");

/** Keep in a cookie what the server needs to render the next page; "" removes it. */
function keep(/** @type {string} */ name, /** @type {string} */ value) {
  const age = value ? 31536000 : 0;
  document.cookie = `${name}=${value}; path=${root.dataset.base}; max-age=${age}; samesite=lax`;
}

/** Note that this device has the typefaces, by their version: a table's page then comes with them. */
function noteTypefaces() {
  const isThere = [...document.fonts].some(({ family, status }) => /Open Sans/.test(family) && status === "loaded");
  if (root.dataset.typefaces && isThere) keep("typefaces", root.dataset.typefaces);
}

document.fonts.ready.then(noteTypefaces);
document.fonts.addEventListener("loadingdone", noteTypefaces);

function setTheme(/** @type {string} */ theme) {
  if (theme) root.dataset.theme = theme;
  else delete root.dataset.theme;
  keep("theme", theme);
  showTheme();
}

function showTheme() {
  const theme = root.dataset.theme ?? "";
  for (const button of document.querySelectorAll("[data-theme-set]")) {
    const isIt = button.getAttribute("data-theme-set") === theme;
    button.setAttribute("aria-pressed", String(isIt));
  }
}

function otherTheme() {
  const dark = root.dataset.theme
    ? root.dataset.theme === "dark"
    : matchMedia("(prefers-color-scheme: dark)").matches;
  return dark ? "light" : "dark";
}

// Times in the reader's time zone; the server writes them in the house's.

/** @type {Record<string, Intl.DateTimeFormatOptions>} */
const FORMS = {
  date: { dateStyle: "long" },
  time: { timeStyle: "short" },
  second: { timeStyle: "medium" },
  datetime: { dateStyle: "medium", timeStyle: "short" },
};
/** @type {Intl.DateTimeFormatOptions} */
const FULL = { dateStyle: "full", timeStyle: "long" };

/**
 * Form of a time → what writes it: making one takes longer than writing a hundred times.
 * @type {Map<object, Intl.DateTimeFormat>}
 */
const writers = new Map();

/** @param {Intl.DateTimeFormatOptions} form @returns {Intl.DateTimeFormat} */
function writer(form) {
  const made = writers.get(form) ?? new Intl.DateTimeFormat(root.dataset.locale, form);
  writers.set(form, made);
  return made;
}

/** Write the times of a part; the title has day, time and zone in full. @param {ParentNode} part */
function showTimes(part) {
  for (const element of part.querySelectorAll("time[data-when]")) {
    const moment = new Date(element.getAttribute("datetime") ?? "");
    const form = FORMS[element.getAttribute("data-when") ?? ""];
    if (!form || Number.isNaN(moment.getTime())) continue;
    const text = writer(form).format(moment);
    // A screen reader would say a text anew that is written again.
    if (element.textContent !== text) element.textContent = text;
    if (!element.hasAttribute("title")) element.setAttribute("title", writer(FULL).format(moment));
  }
}

/** Copy without the clipboard API too: plain http on a LAN is no secure context. */
async function copy(/** @type {HTMLInputElement | HTMLTextAreaElement} */ field) {
  if (navigator.clipboard) return navigator.clipboard.writeText(field.value);
  field.select();
  if (!document.execCommand("copy")) throw new Error("the browser does not copy");
}

/** @param {string} [selector] @returns {HTMLInputElement | HTMLTextAreaElement | null} */
function fieldOf(selector) {
  const field = document.querySelector(selector ?? "");
  return field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement ? field : null;
}

/** @param {HTMLElement} button */
async function copyFrom(button) {
  const field = fieldOf(button.dataset.copy);
  const label = button.querySelector("span");
  if (!field || !label) return;
  try {
    await copy(field);
  } catch {
    field.select();
    return;
  }
  const before = label.textContent;
  label.textContent = button.dataset.done ?? "";
  setTimeout(() => { label.textContent = before; }, 2000);
}

/** @param {HTMLElement} button */
function shareFrom(button) {
  const field = fieldOf(button.dataset.share);
  if (!field) return;
  // A message of several lines is a text, and has its link in it.
  const shared = field instanceof HTMLTextAreaElement ? { text: field.value } : { url: field.value };
  navigator.share({ title: button.dataset.title, ...shared }).catch(() => {});
}

function showShare() {
  if (!("share" in navigator)) return;
  for (const button of document.querySelectorAll("[data-share]")) button.removeAttribute("hidden");
}

document.addEventListener("click", (event) => {
  const target = /** @type {Element | null} */ (event.target);
  const button = target?.closest("button, input");
  if (!(button instanceof HTMLElement)) return;
  if (button.hasAttribute("data-theme-toggle")) setTheme(otherTheme());
  if (button.dataset.themeSet !== undefined) setTheme(button.dataset.themeSet);
  if (button.dataset.print !== undefined) print();
  if (button.dataset.copy) copyFrom(button);
  if (button.dataset.share) shareFrom(button);
  if (button instanceof HTMLInputElement && button.readOnly) button.select();
});

/** Unfold long parts where there is room: on a wide screen, and on paper. */
function unfold() {
  for (const fold of document.querySelectorAll("details[data-open-wide]")) fold.setAttribute("open", "");
}

/** Keep folds as this tab has left them: what is done inside leads back to the page. */
function keepFolds() {
  for (const fold of document.querySelectorAll("details[data-stays]")) {
    const name = `fold:${location.pathname}#${fold.id}`;
    try {
      if (sessionStorage.getItem(name)) fold.setAttribute("open", "");
    } catch { continue; /* without a storage they begin anew */ }
    fold.addEventListener("toggle", () => {
      if (fold.hasAttribute("open")) sessionStorage.setItem(name, "open");
      else sessionStorage.removeItem(name);
    });
  }
}

showTheme();
showTimes(document);
showShare();
keepFolds();
if (matchMedia("(min-width: 48rem)").matches) unfold();
addEventListener("beforeprint", unfold);
document.addEventListener("htmx:oobAfterSwap", showShare);
// Before the part is there: a screen reader would say a time twice that is written again.
document.addEventListener("htmx:oobBeforeSwap", (event) => {
  showTimes(/** @type {CustomEvent<{fragment: DocumentFragment}>} */ (event).detail.fragment);
});
