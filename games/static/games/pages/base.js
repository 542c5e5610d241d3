// @ts-check
// For every page: the look (light, dark, the device's), copying and sharing links, folds.

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

/** Copy without the clipboard API too: plain http on a LAN is no secure context. */
async function copy(/** @type {HTMLInputElement} */ field) {
  if (navigator.clipboard) return navigator.clipboard.writeText(field.value);
  field.select();
  if (!document.execCommand("copy")) throw new Error("the browser does not copy");
}

/** @param {HTMLElement} button */
async function copyFrom(button) {
  const field = document.querySelector(button.dataset.copy ?? "");
  const label = button.querySelector("span");
  if (!(field instanceof HTMLInputElement) || !label) return;
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
  const field = document.querySelector(button.dataset.share ?? "");
  if (!(field instanceof HTMLInputElement)) return;
  navigator.share({ title: button.dataset.title, url: field.value }).catch(() => {});
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

showTheme();
showShare();
if (matchMedia("(min-width: 48rem)").matches) unfold();
addEventListener("beforeprint", unfold);
document.addEventListener("htmx:oobAfterSwap", showShare);
