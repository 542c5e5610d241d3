// @ts-check
import { Calls, EARLIEST_MS, LATEST_MS } from "games/kit/audio/calls.js";
import { isTapped, sound, wakeAgain } from "games/kit/audio/sound.js";
import { utteranceOf, voiceOf } from "games/kit/audio/speech.js";
import { byId } from "games/kit/page/dom.js";
import { read, write } from "games/kit/page/preferences.js";

// A big screen that calls aloud, where the night's host has switched that on: it says what headlines and new matches
// offer by an event `call` of the document. Browsers let it speak once somebody has tapped it; its bell silences it.

/** Under this name a tab keeps that its bell was tapped. */
const SILENT = "silent";
const CHIME = "offer";
const CHIME_MS = 1000;
/** Milliseconds that a call takes at most: some browsers do not say that one has ended. */
const LONGEST_MS = 20000;

const calls = new Calls();
const bell = byId("tv-bell"), note = byId("tv-calls");
/** The call that is being made. @type {import("games/kit/audio/calls.js").Call | null} */
let current = null;
let timer = 0;

/** What keeps the screen from speaking: "tap" it once, "silent" by its bell, "chime" for want of a voice; or "". */
function state() {
  if (read(sessionStorage, SILENT) !== null) return "silent";
  if (!isTapped()) return "tap";
  return voiceOf() ? "" : "chime";
}

function show() {
  const now = state();
  bell.dataset.state = now || "on";
  bell.setAttribute("aria-pressed", String(now !== "silent"));
  const text = note.dataset[now] ?? "";
  if (note.textContent !== text) note.textContent = text;
  note.toggleAttribute("data-told", text !== "");
}

/** Make the call whose moment it is. */
function go() {
  const call = calls.next(performance.now(), current === null);
  if (!call) return;
  current = call;
  const done = () => {
    if (current !== call) return;
    clearTimeout(timer);
    current = null;
    go();
  };
  if (state() === "chime") {
    sound(CHIME);
    timer = window.setTimeout(done, CHIME_MS);
    return;
  }
  say(call, done);
}

/** @param {import("games/kit/audio/calls.js").Call} call @param {() => void} done */
function say(call, done) {
  const line = utteranceOf(call.text);
  const stop = () => {
    speechSynthesis.cancel();
    done();
  };
  // What has not begun by then is old.
  timer = window.setTimeout(stop, Math.max(0, call.at + LATEST_MS - performance.now()));
  line.onstart = () => {
    clearTimeout(timer);
    timer = window.setTimeout(stop, LONGEST_MS);
  };
  line.onend = done;
  line.onerror = ({ error }) => {
    if (error === "not-allowed") forget();
    done();
  };
  speechSynthesis.speak(line);
}

/** The browser has forgotten the tap, as after the page was loaded anew. */
function forget() {
  isTapped(false);
  show();
}

document.addEventListener("call", (event) => {
  const call = /** @type {CustomEvent} */ (event).detail;
  if (document.hidden || !["", "chime"].includes(state())) return;
  calls.offer(call);
  setTimeout(go, Math.max(0, call.at + EARLIEST_MS - performance.now()));
});

// A first tap wakes the screen, wherever it is; the bell's own silences it from then on.
let wasTapped = isTapped();
for (const name of ["pointerup", "keydown"]) document.addEventListener(name, () => setTimeout(show));
bell.addEventListener("click", () => {
  if (wasTapped) {
    const isSilent = state() === "silent";
    write(sessionStorage, SILENT, isSilent ? null : "1");
    if (!isSilent && current) speechSynthesis.cancel();
  }
  wasTapped = true;
  show();
});
document.addEventListener("click", () => { wasTapped = true; });
// Voices come late.
if ("speechSynthesis" in window) speechSynthesis.addEventListener?.("voiceschanged", show);
document.addEventListener("htmx:oobAfterSwap", show);
wakeAgain();
show();
