// @ts-check
/** Guests waiting to be let into the night, shown to a host at a table: a badge, a notice, "Let in". */
import { andList, fill } from "games/kit/page/text.js";
import { byId, h, put, setText } from "games/kit/page/dom.js";
import { clearBanner, showBanner, toast } from "games/kit/page/notices.js";
import { Line } from "games/shell/connection/connection.js";

/** More people than any night takes in. */
const ALL = 100;

/** @typedef {{status: string, player: {id: number, name: string}}} Guest */

export class NightDoor {
  /** @param {Page.Table} config */
  constructor(config) {
    this.config = config;
    this.badge = byId("at-door");
    /** Guests put off till later: the badge still counts them. */
    this.later = "";
    this.line = new Line(config.urls.nightSocket, {
      greet: () => null,
      probe: () => ({ type: "ping", seq: null }),
      onFrame: ({ type }) => type === "changed" && this.#changed(),
      onChange: (isOpen) => isOpen && this.#look(),
    });
  }

  /** Other parts of a host's page hear of it, too. */
  #changed() {
    document.dispatchEvent(new Event("night"));
    this.#look();
  }

  async #look() {
    const path = `${this.config.urls.people}?page_size=${ALL}`;
    const answer = await fetch(path).then((r) => (r.ok ? r.json() : null)).catch(() => null);
    if (answer) this.#show(answer.results.filter((/** @type {Guest} */ one) => one.status === "waiting"));
  }

  /** @param {Guest[]} waiting */
  #show(waiting) {
    const names = andList(waiting.map((one) => one.player.name));
    const sentence = ngettext("%(names)s waits at the door.", "%(names)s wait at the door.", waiting.length);
    const text = fill(sentence, { names });
    this.badge.hidden = waiting.length === 0;
    setText(this.badge, String(waiting.length));
    this.badge.setAttribute("aria-label", waiting.length ? text : "");
    const entry = byId("menu-door");
    entry.hidden = waiting.length === 0;
    put(entry, `${text} `, h("a", { href: this.config.urls.night }, gettext("To the night")));
    if (!waiting.length || text === this.later) return clearBanner("door");
    const admit = () => Promise.all(waiting.map((one) => this.#admit(one.player.id))).then(() => this.#look());
    showBanner("door", { text, buttons: [
      { label: gettext("Later"), act: () => this.#later(text) },
      { label: gettext("Let in"), act: () => { admit(); }, kind: "go" },
    ] });
  }

  /** @param {string} text */
  #later(text) {
    this.later = text;
    clearBanner("door");
  }

  /** Let a guest in, as the night's page does. @param {number} player */
  async #admit(player) {
    const token = /** @type {HTMLInputElement} */ (document.querySelector("[name=csrfmiddlewaretoken]")).value;
    const body = new URLSearchParams({ csrfmiddlewaretoken: token, player: String(player) });
    const answer = await fetch(this.config.urls.admit, { method: "POST", body }).catch(() => null);
    if (!answer?.ok) toast(gettext("That did not work. Try it on the page of the night."), "error");
  }
}
