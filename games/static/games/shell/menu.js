// @ts-check
/** The menu: wishes of this browser, leaving, and the host's part. */
import { byId, h, put, setAttr } from "games/kit/dom.js";
import { confirmed } from "games/kit/notices.js";
import { changes, setWish, wants } from "games/kit/preferences.js";
import { sound } from "games/kit/sound.js";
import { canSpeak, speak } from "games/kit/speech.js";
import { fill } from "games/kit/text.js";

export class Menu {
  /**
   * @param {(name: string, args: object) => void} send
   * @param {string} keys the game's shortcuts in words, "" where it has none
   * @param {{kind: string, note: string}} leaving what the game makes of leaving
   */
  constructor(send, keys, leaving) {
    this.leaving = leaving;
    this.send = send;
    /** @type {Promise<any> | null} */
    this.host = null;
    this.dialog = byId("menu");
    this.leave = byId("leave");
    /** @type {any} */
    this.table = null;
    this.isHost = false;
    byId("open-menu").addEventListener("click", () => this.#open());
    this.leave.addEventListener("click", async () => {
      this.dialog.close();
      if (await confirmed(this.#whatLeavingDoes(), gettext("Leave the seat"))) send("table.leave", {});
    });
    this.#wishes(keys);
    this.#mute();
  }

  /**
   * @param {any} table
   * @param {{seat: number | null, host: boolean}} you
   */
  show(table, you) {
    this.table = table;
    this.isHost = you.host;
    this.leave.hidden = you.seat === null || !["playing", "paused"].includes(table.status);
    if (this.dialog.open && this.isHost) this.#showHost();
    if (!you.host) byId("menu-host").hidden = true;
  }

  /** @returns {string} while the game is paused, a seat waits in any case */
  #whatLeavingDoes() {
    if (this.leaving.kind === "by_host" || this.table.status === "paused")
      return gettext("Leave your seat? The host can give it to somebody else.");
    return `${gettext("Leave the table? You are out of the game at once.")} ${this.leaving.note}`;
  }

  #open() {
    if (this.isHost) this.#showHost();
    this.dialog.showModal();
  }

  /** The host's part is fetched when a host first looks at it: most at a table are guests. */
  async #showHost() {
    this.host ??= import("games/shell/host.js").then((module) => new module.HostPanel(this.send));
    try {
      (await this.host).show(this.table);
    } catch (error) {
      this.host = null; // not to be had now: the next look asks again
      throw error;
    }
  }

  /** @param {string} keys */
  #wishes(keys) {
    const wishes = [
      ["sound", gettext("Sound")],
      ["vibrate", gettext("Vibration")],
      ["speech", gettext("Speak the announcements")],
      ["keys", fill(gettext("Keyboard shortcuts (%(keys)s)"), { keys })],
    ];
    const has = { sound: true, vibrate: "vibrate" in navigator, speech: canSpeak(), keys: keys !== "" };
    put(byId("menu-wishes"), wishes.filter(([name]) => has[name]).map(([name, label]) => wish(name, label)));
  }

  #mute() {
    const button = byId("mute");
    const mark = () => setAttr(button, "aria-pressed", String(wants("sound")));
    button.addEventListener("click", () => {
      setWish("sound", !wants("sound"));
      sound("tap");
    });
    changes.addEventListener("sound", mark);
    mark();
  }
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
