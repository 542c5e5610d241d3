// @ts-check
/**
 * Takes the list to another address of the house, where this device has neither storage nor seat: a page of that
 * address gets it behind the "#", which no server reads, and proposes it to the table's host.
 */
import { h } from "games/kit/page/dom.js";
import { clearBanner, showBanner } from "games/kit/page/notices.js";
import { PlayedSheet } from "games/kit/played/sheet.js";

/** @typedef {import("games/kit/played/device_list.js").DeviceList} DeviceList */

export class Elsewhere {
  /** @param {DeviceList} list @param {string} table its id @param {() => string} name of who plays here */
  constructor(list, table, name) {
    this.list = list;
    this.table = table;
    this.name = name;
    this.sheet = new PlayedSheet("elsewhere");
    this.field = h("input", {
      id: "elsewhere-address", type: "text", inputmode: "url", autocomplete: "off", autocapitalize: "none",
      spellcheck: "false", placeholder: "stammtisch.local:8000", enterkeyhint: "go",
    });
    const label = h("label", { for: "elsewhere-address" }, gettext("The new address, typed or pasted"));
    const go = h("button", { class: "button go" }, gettext("Hand over there"));
    const ends = h("div", { class: "sheet-answers" }, go);
    this.form = h("form", { class: "played-body" }, h("div", { class: "field" }, label, this.field), ends);
    this.form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.#go();
    });
  }

  /** Offer it among the notices. */
  offer() {
    const text = gettext("Has the house another address now? The games can be handed over there.");
    showBanner("elsewhere", { text, buttons: [{ label: gettext("Enter the address"), act: () => this.#show() }] });
  }

  withdraw() {
    clearBanner("elsewhere");
    this.sheet.close();
  }

  #show() {
    const text = gettext("A new tab opens there and proposes the games to the host. This page and its list stay.");
    this.sheet.show(gettext("The house has another address"), [h("p", {}, text), this.form], []);
    this.sheet.openInstead();
    this.field.focus();
  }

  #go() {
    const origin = originOf(this.field.value);
    if (!origin) return this.sheet.say(gettext("That is no address of a house. It begins with http:// or https://."));
    const told = { table: this.table, name: this.name(), seq: this.list.seq, games: this.list.games() };
    const href = `${origin}${document.documentElement.dataset.base}handed/#${encodeURIComponent(JSON.stringify(told))}`;
    h("a", { href, target: "_blank", rel: "noopener" }).click();
    this.sheet.close();
  }
}

/** Return the origin of an address as people type or paste it; "" for none. @param {string} typed */
export function originOf(typed) {
  const text = typed.trim();
  if (/\s|^[a-z]+:\/(?!\/)/i.test(text)) return "";
  try {
    const { protocol, origin, username } = new URL(text.includes("://") ? text : `http://${text}`);
    return text && ["http:", "https:"].includes(protocol) && !username ? origin : "";
  } catch {
    return "";
  }
}
