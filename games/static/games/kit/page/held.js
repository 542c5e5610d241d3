// @ts-check
/**
 * Nothing that a pointer holds is replaced before its release: an answer to htmx that comes meanwhile waits, and is
 * then read as if it came after the tap. It imports nothing, so that pages without an import map load it as it is.
 */

/** How long after the release its tap may still come, in milliseconds. */
const TAP_WITHIN = 350;

/** @type {(() => void)[]} */
const waiting = [];
let isHeld = false;
let timer = 0;

function release() {
  clearTimeout(timer);
  isHeld = false;
  for (const act of waiting.splice(0)) act();
}

/** @param {number} delay */
function releaseIn(delay) {
  if (!isHeld) return;
  clearTimeout(timer);
  timer = window.setTimeout(release, delay);
}

addEventListener("pointerdown", () => {
  clearTimeout(timer);
  isHeld = true;
}, true);
addEventListener("pointerup", () => releaseIn(TAP_WITHIN), true);
// After the tap's own listeners, and the form that it sends.
addEventListener("click", () => releaseIn(0), true);
addEventListener("pointercancel", () => releaseIn(0), true);
addEventListener("blur", () => releaseIn(0));
// A button that was let go outside of the window.
addEventListener("pointermove", (event) => {
  if (isHeld && event.pointerType === "mouse" && !event.buttons) releaseIn(TAP_WITHIN);
}, true);

/** Replace something now, or after the release if a pointer is held down. @param {() => void} act */
export function afterRelease(act) {
  if (isHeld) waiting.push(act);
  else act();
}

document.addEventListener("htmx:beforeOnLoad", (event) => {
  if (!isHeld) return;
  event.preventDefault();
  const { xhr } = /** @type {CustomEvent} */ (event).detail;
  // htmx reads an answer by its request's own `onload`.
  waiting.push(() => xhr.onload?.(new ProgressEvent("load")));
});
