// @ts-check
/**
 * A device that several share: it shows one seat at a time, and goes to the seat that is asked. Before a seat with
 * secrets is shown, the device asks to be handed on.
 */
import { byId, h, put, setAttr } from "games/kit/page/dom.js";
import { toast } from "games/kit/page/notices.js";
import { nameOf } from "games/kit/seats.js";
import { announce } from "games/kit/audio/speech.js";
import { StrayTaps } from "games/kit/stray_taps.js";
import { fill } from "games/kit/page/text.js";

/** @typedef {import("games/shell/connection/socket.js").Kept} Kept */
/** @typedef {import("games/shell/connection/socket.js").You} You */
/** @typedef {import("games/shell/entering.js").Entering} Entering */
/** @typedef {import("games/kit/seats.js").SeatInfo} SeatInfo */

/** @typedef {(seat: number | null) => boolean} Hand goes to a seat */

/** The data and functions that this module needs of the shell. */
/** @typedef {{seats: SeatInfo[], seat: number | null, you: You, hand: Hand, socket: EventTarget}} Shown */
/** @typedef {Shown & {entering: Entering | null}} Shell */

export class Keeping {
  /** @param {Shell} shell */
  constructor(shell) {
    this.shell = shell;
    /** @type {Kept[]} */
    this.kept = [];
    /** The seat that was requested and is not shown yet. @type {number | null | undefined} */
    this.wanted = undefined;
    /** The seat that was put off by "Not now". @type {number | null} */
    this.putOff = null;
    /** The seat that was tapped: it is shown until an act is entered for it. @type {number | null} */
    this.chosen = null;
    // A page made for a shared device has the strip's place already, so that the board does not move.
    this.bar = document.getElementById("keeping") ?? h("div", { class: "keeping" });
    setAttr(this.bar, "role", "group");
    setAttr(this.bar, "aria-label", gettext("Whose seat is shown"));
    if (!this.bar.parentElement) byId("turnbar").after(this.bar);
    this.title = h("h2", { id: "hand-title" });
    this.yes = h("button", { type: "button", class: "button go big", onclick: () => this.#take() });
    const no = h("button", { type: "button", class: "button", onclick: () => this.#later() }, gettext("Not now"));
    const inside = [this.title, h("div", { class: "sheet-answers" }, no, this.yes)];
    const about = { id: "hand", class: "sheet hand", "aria-labelledby": "hand-title", data: { grave: "" } };
    this.cover = h("dialog", about, inside);
    this.cover.addEventListener("cancel", () => this.#later());
    document.body.append(this.cover);
    // It comes by itself, and its answer shows what a player alone may see.
    new StrayTaps(this.cover);
    // After a new line, or the loss of a seat, the seat that was asked for never comes.
    shell.socket.addEventListener("welcome", () => this.lineBroke());
    // An open sheet is about the shown seat: the device goes on when the sheet has closed.
    document.addEventListener("close", ({ target }) => {
      if (target !== this.cover) this.#follow();
    }, true);
  }

  /**
   * Take the seats that this device keeps, with each state; none if it keeps none any more.
   * @param {Kept[]} kept
   */
  see(kept) {
    this.kept = kept;
    if (!kept.some(({ seat }) => seat === this.#coveredFor)) this.cover.close();
    this.#draw();
    this.#follow();
  }

  /**
   * Go on to the next asked seat after an act was entered for a seat, unless another was tapped meanwhile.
   * @param {number} seat
   */
  entered(seat) {
    if (this.chosen !== seat) return;
    this.chosen = null;
    this.#follow(); // the answer may come after the entry that tells who is asked
  }

  /** Draw the strip when the device shows another seat; that seat's state follows. */
  handed() {
    this.wanted = undefined;
    this.#draw();
  }

  /** Forget the requested seat, which gets no answer any more: the seats are checked again when connected. */
  lineBroke() {
    this.wanted = undefined;
  }

  /** Draw the strip when another phone asks to go on for a player. */
  redraw() {
    this.#draw();
  }

  /** The seat that the device waits to be handed to, or null. @returns {number | null} */
  get #coveredFor() {
    return this.cover.open ? Number(this.cover.dataset.seat) : null;
  }

  /** Go to the next seat that is asked, unless the shown seat is asked or was chosen. */
  #follow() {
    if (this.shell.entering?.isOn) return;
    if (this.wanted !== undefined || document.querySelector("dialog[open]:not(#hand)")) return;
    const { seat: current, you } = this.shell;
    const chosen = this.kept.find(({ seat }) => seat === this.chosen);
    if (chosen) return [current, this.#coveredFor].includes(chosen.seat) ? undefined : this.#go(chosen);
    const at = this.kept.findIndex(({ seat }) => seat === current);
    if (this.kept[at]?.asked || this.kept.find(({ seat }) => seat === this.#coveredFor)?.asked) return;
    const next = [...this.kept.slice(at + 1), ...this.kept.slice(0, at + 1)].find(({ asked }) => asked);
    if (next && next.seat !== this.putOff) this.#go(next);
    else if (!next && this.kept[at]?.secret && current !== you.seat) this.#hand(null);
    else if (!this.kept.length && current !== you.seat) this.#hand(you.seat);
  }

  /** Show a seat; one with secrets only when its person has the device. @param {Kept} kept */
  #go({ seat, secret }) {
    if (!secret) return this.#hand(seat);
    this.#hand(null);
    const name = nameOf(this.shell.seats, seat);
    this.cover.dataset.seat = String(seat);
    put(this.title, fill(gettext("Hand it to %(name)s"), { name }));
    this.yes.dataset.act = String(seat); // another seat's button
    put(this.yes, fill(gettext("I am %(name)s"), { name }));
    if (!this.cover.open) this.cover.showModal();
    announce(this.title.textContent ?? "");
  }

  #take() {
    const seat = this.#coveredFor;
    this.cover.close();
    this.putOff = null;
    if (seat !== null) this.#hand(seat);
  }

  #later() {
    this.putOff = this.#coveredFor;
    this.chosen = null;
    this.cover.close();
  }

  /** @param {number | null} seat */
  #hand(seat) {
    if (seat === this.shell.seat && this.wanted === undefined) return;
    // Without a connection no seat is requested: the seats are checked again when it is there.
    this.wanted = this.shell.hand(seat) ? seat : undefined;
  }

  #draw() {
    this.bar.hidden = !this.kept.length;
    put(this.bar, this.kept.map((kept) => {
      const isShown = kept.seat === this.shell.seat;
      const onclick = () => {
        this.putOff = null;
        this.chosen = kept.seat;
        if (!isShown) this.#go(kept);
      };
      const name = nameOf(this.shell.seats, kept.seat);
      const chip = h("button", { type: "button", class: "button chip", onclick, data: { seat: kept.seat } }, name);
      setAttr(chip, "aria-pressed", String(isShown));
      setAttr(chip, "data-asked", kept.asked);
      if (kept.asked) chip.append(h("span", { class: "visually-hidden" }, ` ${gettext("is asked")}`));
      return chip;
    }));
    const box = byId("own-moves");
    const link = box.querySelector("a");
    if (!box.hidden) this.bar.append(h("a", { class: "button go", href: link.href }, gettext("Another phone asks …")));
  }
}

/** Tell a player that another one has entered for them. @param {string} by */
export function showEntered(by) {
  toast(fill(gettext("%(by)s entered this for you."), { by }));
}
