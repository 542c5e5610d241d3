// @ts-check
// Keeps a page's parts current: the night's socket reports a change, htmx fetches the parts.
// Without a socket the page still asks, slowly, by htmx's own polling.

const live = document.getElementById("live");
const path = live?.dataset.socket;
let tries = 0;
/** @type {WebSocket | undefined} */
let now;
// A house whose computer sleeps closes nothing and answers nothing.
live?.setAttribute("hx-request", JSON.stringify({ timeout: 15000 }));

function changed() {
  document.body.dispatchEvent(new Event("changed"));
}

/** @param {boolean} isThere whether the house is in reach: games/kit/page/reach.js shows it */
function tell(isThere) {
  document.dispatchEvent(new CustomEvent("house", { detail: { isThere } }));
}

function wait() {
  return Math.min(8000, 500 * 2 ** tries) * (0.75 + Math.random() / 2);
}

function connect() {
  const scheme = location.protocol === "https:" ? "wss" : "ws";
  const socket = now = new WebSocket(`${scheme}://${location.host}${path}`);
  socket.addEventListener("open", () => { tries = 0; });
  // The first message says that the socket will hear of all changes from now on, so no sooner is the page asked for.
  socket.addEventListener("message", () => {
    tell(true);
    changed();
  });
  socket.addEventListener("close", (event) => {
    // 4403 and 4404: no right to this socket; the page's own requests show the reason.
    if (event.code === 4403 || event.code === 4404) return changed();
    tries += 1;
    tell(false);
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

addEventListener("online", changed);
// Without a network a socket may stay open for minutes and hear nothing.
addEventListener("offline", () => now?.close());
addEventListener("pageshow", (event) => {
  leftUntil = 0;
  if (event.persisted) changed();
});
document.addEventListener("visibilitychange", () => {
  if (!document.hidden) changed();
});
if (path) connect();
