// @ts-check
/**
 * Keeps the screen on while a table is open: between turns a phone would go to sleep. Browsers allow it
 * only over HTTPS, and end it whenever the page is hidden.
 */
import { changes, wants } from "games/kit/page/preferences.js";

/** @type {{release: () => Promise<void>} | null} */
let lock = null;

/** Tell whether this browser can keep its screen on. */
export const canKeepOn = () => "wakeLock" in navigator;

/** Keep the screen on from now on, as long as that wish is on. */
export function keepScreenOn() {
  if (!canKeepOn()) return;
  document.addEventListener("visibilitychange", follow);
  changes.addEventListener("awake", follow);
  follow();
}

async function follow() {
  const isWanted = wants("awake") && document.visibilityState === "visible";
  if (!isWanted) {
    await lock?.release();
    lock = null;
    return;
  }
  try {
    lock = await navigator.wakeLock.request("screen");
  } catch {
    lock = null; // a battery that is low says no: the screen then goes off as ever
  }
}
