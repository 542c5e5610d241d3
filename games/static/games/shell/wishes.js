// @ts-check
/** Wishes for this browser: sound, vibration, speech, a screen that stays on, keys, and what a game does by itself. */
import { h, put } from "games/kit/page/dom.js";
import { changes, setWish, wants } from "games/kit/page/preferences.js";
import { canSpeak, speak } from "games/kit/audio/speech.js";
import { fill } from "games/kit/page/text.js";
import { canKeepOn } from "games/shell/wake_lock.js";

/**
 * Show the wishes that this browser supports.
 * @param {Element} box
 * @param {string} keys the game's shortcuts in words, "" where it has none
 * @param {{name: string, label: string, shared: string, isOn?: boolean}[]} more the game's own, on until switched off unless
 *   they say otherwise
 * @param {boolean} isShared several share this device: the game's own do not count, as `shared` says
 */
export function showWishes(box, keys, more, isShared) {
  const say = gettext("G how the game stands, L last move, W whose turn, and the other letters of Ask");
  const wishes = [
    ["sound", gettext("Sound")],
    ["vibrate", gettext("Vibration")],
    ["speech", gettext("Speak the announcements")],
    ["awake", gettext("Keep the screen on")],
    ["keys", fill(gettext("Keyboard shortcuts (%(keys)s)"), { keys: [keys, say].filter(Boolean).join(", ") })],
  ];
  /** @type {Record<string, boolean>} */
  const has = {
    sound: true,
    vibrate: "vibrate" in navigator,
    speech: canSpeak(),
    awake: canKeepOn(),
    keys: true,
  };
  const own = more.map(({ name, label, shared, isOn = true }) =>
    wish(name, label, { isOn, why: isShared ? shared : "" }));
  put(box, wishes.filter(([name]) => has[name]).map(([name, label]) => wish(name, label)), own);
}

/**
 * @param {string} name @param {string} label
 * @param {{isOn?: boolean, why?: string}} [about] what holds by default; why it does not count now
 */
function wish(name, label, { isOn, why = "" } = {}) {
  const box = h("input", { type: "checkbox", checked: !why && wants(name, isOn), disabled: why !== "" });
  box.addEventListener("change", () => {
    setWish(name, box.checked);
    if (name === "speech" && box.checked) speak(gettext("Announcements are spoken now."));
  });
  changes.addEventListener(name, () => { box.checked = !why && wants(name, isOn); });
  return h("label", { class: "wish", data: { wish: name } }, box, h("span", {}, why ? `${label}. ${why}` : label));
}
