// @ts-check
/** What was under way when the house was lost: sent and not answered, or chosen and not sent. It is kept or dropped. */
import { h, put } from "games/kit/page/dom.js";
import { fill } from "games/kit/page/text.js";
import { wordsWith, worded } from "games/kit/words.js";

/** @typedef {import("games/shell/connection/outbox.js").CommandFrame} CommandFrame */
/** @typedef {import("games/kit/played/going_on.js").Shell} Shell */
/** @typedef {import("games/kit/played/device_list.js").DeviceList} DeviceList */
/** @typedef {{text: string, drop: () => void}} Begun what an element has been given and has not sent */

/** Tell whether a command says something of the game: what pages say to the house by themselves is not asked about. */
const isOfGame = (/** @type {CommandFrame} */ { name }) => !name.startsWith("table.") || name === "table.state_result";

export class UnderWay {
  /** The entries that were kept, by the ids of their commands. @type {Set<string>} */
  kept = new Set();
  /** What was chosen and is kept: not asked about again. */
  keptText = "";

  /** @param {Shell} shell @param {DeviceList} list @param {() => void} changed */
  constructor(shell, list, changed) {
    this.shell = shell;
    this.list = list;
    this.changed = changed;
    this.el = h("section", { class: "notice warn played-under-way", hidden: true });
    shell.socket.addEventListener("entry", (event) => this.#told(/** @type {CustomEvent} */ (event).detail));
  }

  /** Ask about what is under way, if there is something new. */
  ask() {
    const { outbox } = this.shell.socket;
    const frames = outbox.frames.filter((frame) => isOfGame(frame) && !this.kept.has(frame.id));
    const begun = this.shell.element.begun?.() ?? null;
    const texts = [...frames.map((frame) => this.#words(frame)), begun && begun.text !== this.keptText && begun.text];
    const said = texts.filter(Boolean).join(" · ");
    this.el.hidden = !said;
    if (!said) return;
    const sentence = gettext(
      "This has not reached the house: %(entry)s. Is it kept for the house, or told here with the game?",
    );
    const keep = () => this.#keep(frames, begun), drop = () => this.#drop(frames, begun);
    put(this.el, h("p", {}, fill(sentence, { entry: said })), h("div", { class: "row" },
      h("button", { type: "button", class: "button", onclick: drop }, gettext("Drop it")),
      h("button", { type: "button", class: "button go", onclick: keep }, gettext("Keep it for the house"))));
  }

  /** @param {CommandFrame} frame */
  #words({ name, args }) {
    const { now, element } = this.shell, choice = now?.choices.find((one) => one.name === name);
    return (choice && element.now && wordsWith(choice, args, element.now).label) || worded(name.replace("table.", ""));
  }

  /** @param {CommandFrame[]} frames @param {Begun | null} begun */
  #keep(frames, begun) {
    for (const { id } of frames) this.kept.add(id);
    this.keptText = begun?.text ?? "";
    this.el.hidden = true;
  }

  /** @param {CommandFrame[]} frames @param {Begun | null} begun */
  #drop(frames, begun) {
    for (const { id } of frames) this.shell.socket.outbox.take(id);
    begun?.drop();
    this.el.hidden = true;
    this.changed();
  }

  /**
   * An entry that was kept comes before the games of the list: the device has seen it.
   * @param {{seq: number, id?: string}} entry
   */
  #told({ seq, id }) {
    if (id && this.kept.delete(id) && this.list.seq === seq - 1) this.list.remove([], seq);
  }
}
