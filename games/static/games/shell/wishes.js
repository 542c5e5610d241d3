// @ts-check
/** Wishes for this browser: sound, vibration, speech, a screen that stays on, keys. */
import { h, put } from "games/kit/page/dom.js";
import { changes, setWish, wants } from "games/kit/page/preferences.js";
import { canSpeak, speak } from "games/kit/audio/speech.js";
import { fill } from "games/kit/page/text.js";
import { canKeepOn } from "games/shell/wake_lock.js";

/**
 * Show the wishes that this browser supports.
 * @param {Element} box
 * @param {string} keys the game's shortcuts in words, "" where it has none
 */
export function showWishes(box, keys) {
  const say = gettext("G how the game stands");
  const wishes = [
    ["sound", gettext("Sound")],
    ["vibrate", gettext("Vibration")],
    ["speech", gettext("Speak the announcements")],
    ["awake", gettext("Keep the screen on")],
    ["keys", fill(gettext("Keyboard shortcuts (%(keys)s)"), { keys: [keys, say].filter(Boolean).join(", ") })],
  ];
  const has = {
    sound: true,
    vibrate: "vibrate" in navigator,
    speech: canSpeak(),
    awake: canKeepOn(),
    keys: true,
  };
  put(box, wishes.filter(([name]) => has[name]).map(([name, label]) => wish(name, label)));
}

/** @param {string} name @param {string} label */
function wish(name, label) {
  const box = h("input", { type: "checkbox", checked: wants(name) });
  box.addEventListener("change", () => {
    setWish(name, box.checked);
    if (name === "speech" && box.checked) speak(gettext("Announcements are spoken now."));
  });
  changes.addEventListener(name, () => { box.checked = wants(name); });
  return h("label", { class: "wish", data: { wish: name } }, box, h("span", {}, label));
}
