// @ts-check
// Keeps a page's parts current: the night's socket reports a change, htmx fetches the parts.
// Without a socket the page still asks, slowly, by htmx's own polling.

const live = document.getElementById("live");
const path = live?.dataset.socket;
let tries = 0;

function changed() {
  document.body.dispatchEvent(new Event("changed"));
}

function wait() {
  return Math.min(8000, 500 * 2 ** tries) * (0.75 + Math.random() / 2);
}

function connect() {
  const scheme = location.protocol === "https:" ? "wss" : "ws";
  const socket = new WebSocket(`${scheme}://${location.host}${path}`);
  socket.addEventListener("open", () => {
    tries = 0;
    changed();
  });
  socket.addEventListener("message", changed);
  socket.addEventListener("close", (event) => {
    // 4403 and 4404: no right to this socket; the page's own requests show the reason.
    if (event.code === 4403 || event.code === 4404) return changed();
    tries += 1;
    setTimeout(connect, wait());
  });
}

// The server changes nothing if the page is current already.
document.addEventListener("htmx:configRequest", (event) => {
  const detail = /** @type {CustomEvent} */ (event).detail;
  const mark = document.getElementById("live-mark")?.dataset.mark;
  if (detail.elt === live && mark) detail.parameters.have = mark;
});

// A page that is being left makes no more requests. The key of a browser that takes a seat changes
// with the answer: the answer to a request with the old key would load this page again, not the next one.
let leftUntil = 0;

document.addEventListener("submit", (event) => {
  if (!event.defaultPrevented) leftUntil = Date.now() + 10000;
});

for (const name of ["htmx:beforeRequest", "htmx:beforeOnLoad"]) {
  document.addEventListener(name, (event) => {
    if (Date.now() < leftUntil) event.preventDefault();
  });
}

// A menu that the reader has opened stays open when its part is replaced.
document.addEventListener("htmx:oobBeforeSwap", (event) => {
  const { target, fragment } = /** @type {CustomEvent} */ (event).detail;
  for (const open of target.querySelectorAll("details[open][id]")) {
    fragment.querySelector(`#${CSS.escape(open.id)}`)?.setAttribute("open", "");
  }
  keepTyped(target, fragment);
});

// What the reader has typed or chosen and not sent stays, in fields with an id, and so does the focus.
/**
 * @param {Element} target
 * @param {DocumentFragment} fragment
 */
function keepTyped(target, fragment) {
  const fields = /** @type {NodeListOf<HTMLInputElement | HTMLSelectElement>} */ (
    target.querySelectorAll("details[open] :is(input:not([type=hidden]), select)[id]"));
  for (const field of fields) {
    const next = fragment.querySelector(`#${CSS.escape(field.id)}`);
    if (!(next instanceof HTMLInputElement || next instanceof HTMLSelectElement)) continue;
    next.value = field.value;
    if (field === document.activeElement) setTimeout(() => next.focus());
  }
}

// A form that was replaced while its act was under way is no longer in the page; htmx would
// look for the parts around that form, and lose the answer.
document.addEventListener("htmx:beforeRequest", (event) => {
  const { target } = /** @type {CustomEvent} */ (event).detail;
  const late = (/** @type {CustomEvent} */ { detail }) => {
    if (target.isConnected) return;
    detail.shouldSwap = false;
    window.htmx.swap(document.body, detail.serverResponse, { swapStyle: "none" });
  };
  target.addEventListener("htmx:beforeSwap", late, { once: true });
});

// A form whose act is done is ready for the next one.
document.addEventListener("done", (event) => {
  if (event.target instanceof HTMLFormElement) event.target.reset();
});

addEventListener("online", changed);
addEventListener("pageshow", (event) => {
  leftUntil = 0;
  if (event.persisted) changed();
});
document.addEventListener("visibilitychange", () => {
  if (!document.hidden) changed();
});
if (path) connect();
