// @ts-check
/**
 * What a page does while its house is out of reach: it says since when, and asks before it is left, because the browser
 * would show its error page in place of this one. The page's connections tell by `house` events of the document whether
 * the house is there. It imports nothing, so that pages without an import map load it as it is.
 */

/** A house that starts again is there sooner: most breaks are over before a reader could notice. */
const LOST_AFTER = 5000;
/** How often a big screen asks for its next page until the house is there. */
const ASK_EVERY = 2000;

const line = document.getElementById("reach");
const question = /** @type {HTMLDialogElement | null} */ (document.getElementById("reach-question"));
let isLost = false;
let timer = 0;
/** What was asked about, and is done once the reader says so. @type {(() => void) | null} */
let deed = null;

document.addEventListener("house", (event) => {
  const { isThere } = /** @type {CustomEvent} */ (event).detail;
  if (isThere) found();
  else if (!timer) {
    const since = new Date();
    timer = window.setTimeout(() => lost(since), LOST_AFTER);
  }
});

/** @param {Date} since */
function lost(since) {
  isLost = true;
  tell(since);
  const time = line?.querySelector("time");
  if (!line || !time) return;
  const { lang } = document.documentElement;
  const region = navigator.languages.find((one) => one.startsWith(`${lang}-`)) ?? lang;
  time.dateTime = since.toISOString();
  time.textContent = since.toLocaleTimeString(region, { timeStyle: "short" });
  line.hidden = false;
}

function found() {
  clearTimeout(timer);
  timer = 0;
  if (isLost) tell(null);
  isLost = false;
  if (line) line.hidden = true;
  if (question?.open) question.close("");
}

/** Tell parts of the page since when the house is out of reach; null once it is there. @param {Date | null} since */
function tell(since) {
  document.dispatchEvent(new CustomEvent("reach", { detail: { since } }));
}

/** Ask whether the page is to be left. @param {Event} event @param {() => void} leave */
function ask(event, leave) {
  if (!question) return;
  event.preventDefault();
  deed = leave;
  question.returnValue = "";
  if (!question.open) question.showModal();
}

question?.addEventListener("close", () => {
  const leave = deed;
  deed = null;
  if (question.returnValue === "leave") leave?.();
});

/** Tell whether a link leads to another page in this tab. @param {HTMLAnchorElement} link */
function leaves(link) {
  const isHere = link.href.split("#")[0] === location.href.split("#")[0] && link.hash !== "";
  return !isHere && !link.hasAttribute("download") && ["", "_self"].includes(link.target);
}

document.addEventListener("click", (event) => {
  if (!isLost || event.defaultPrevented || event.button || event.ctrlKey || event.metaKey || event.shiftKey) return;
  const link = /** @type {Element | null} */ (event.target)?.closest("a[href]");
  if (link instanceof HTMLAnchorElement && leaves(link)) ask(event, () => location.assign(link.href));
});

document.addEventListener("submit", (event) => {
  const form = /** @type {HTMLFormElement} */ (event.target);
  if (!isLost || event.defaultPrevented || form.method === "dialog") return;
  // What is asked of the house by htmx does not leave the page.
  if (form.closest("[hx-boost]") || form.hasAttribute("hx-post") || form.hasAttribute("hx-get")) return;
  ask(event, () => {
    isLost = false;
    form.requestSubmit(/** @type {SubmitEvent} */ (event).submitter);
  });
});

// An answer that htmx did not get, and one that it got: these are a proxy's, whose house is away.
const AWAY = [502, 503, 504];
for (const name of ["htmx:sendError", "htmx:timeout"]) document.addEventListener(name, () => tellReach(false));
addEventListener("offline", () => tellReach(false));
document.addEventListener("htmx:afterOnLoad", (event) => {
  tellReach(!AWAY.includes(/** @type {CustomEvent} */ (event).detail.xhr.status));
});

/**
 * Tell the page whether its house is there.
 * @param {boolean} isThere
 */
export function tellReach(isThere) {
  document.dispatchEvent(new CustomEvent("house", { detail: { isThere } }));
}

// Nobody stands before a big screen who would load it again: it goes to another page once the house has answered.
if (document.documentElement.classList.contains("tv-page")) {
  document.addEventListener("htmx:beforeOnLoad", (event) => {
    const { xhr } = /** @type {CustomEvent} */ (event).detail;
    const next = xhr.getResponseHeader("HX-Redirect") ?? (xhr.getResponseHeader("HX-Refresh") && location.href);
    if (!next) return;
    event.preventDefault();
    goWhenThere(next);
  });
}

/** @param {string} address */
async function goWhenThere(address) {
  const alive = `${document.documentElement.dataset.base}healthz`;
  const isThere = await fetch(alive, { cache: "no-store" }).then(({ ok }) => ok, () => false);
  if (isThere) location.assign(address);
  else setTimeout(() => goWhenThere(address), ASK_EVERY);
}
