// @ts-check
/**
 * The rare acts, in a sheet that has the dock's room: which, how, and what it costs; the board stays seen.
 * The forms are built once, so that no typed text is lost while the table goes on.
 */
import { h, put, setText } from "games/kit/page/dom.js";
import { StrayTaps } from "games/kit/stray_taps.js";
import { fill } from "games/kit/page/text.js";
import { settledText } from "chouette/dock/decisions.js";
import { lay } from "chouette/dock/parts.js";
import { isDuel, pointsText } from "chouette/words/words.js";

/** @typedef {import("chouette/dock/parts.js").Scene} Scene */

const MOST_SETTLED = 3 * 2 ** 15;

export class More {
  /** The level to be confirmed, 0 for none. */
  level = 0;
  /** The act that has been chosen. @type {Part | null} */
  chosen = null;
  /** What stands beside the question where letters are small. @type {HTMLElement[]} */
  rest = [];

  constructor() {
    this.after = new Part(gettext("After this game"), "leave_after");
    this.giveUp = new Part(gettext("Resign"), "resign");
    this.settle = new Settle((args) => this.#send("propose", args));
    this.proxy = new ProxyForm((args) => this.#send("name_proxy", args));
    this.deputy = new Part(gettext("Hand the dice on"), "name_deputy");
    this.head = h("h2", { id: "bt-d-more-title" }, gettext("More"));
    const close = h(
      "button",
      { type: "button", class: "icon-button", "aria-label": gettext("Close"), onclick: () => this.close() },
      "✕",
    );
    this.back = h(
      "button",
      { type: "button", class: "icon-button", "aria-label": gettext("Back"), onclick: () => this.#choose(null) },
      "‹",
    );
    /** @type {Part[]} */
    this.parts = [this.after, this.giveUp, this.settle, this.deputy, this.proxy];
    this.list = h("div", { class: "bt-d-parts" });
    this.el = h(
      "dialog",
      { class: "sheet bt-d-more", "aria-labelledby": "bt-d-more-title", onclose: () => this.#closed() },
      h("header", { class: "sheet-head" }, this.back, this.head, close),
      this.list,
      this.parts.map((part) => part.el),
    );
    this.el.addEventListener("keydown", (/** @type {KeyboardEvent} */ event) => event.key === "Escape" && this.close());
    new StrayTaps(this.el);
    this.el.addEventListener("click", (/** @type {MouseEvent} */ event) => {
      const target = /** @type {Element} */ (event.target), act = target.closest("[data-act]");
      const isRest = this.rest.some((one) => one.dataset.act === act?.getAttribute("data-act"));
      this.scene?.press(target);
      if (isRest) this.close();
    });
  }

  /** @param {Scene} scene @param {HTMLElement[]} rest */
  open(scene, rest) {
    this.level = 0;
    this.chosen = null;
    this.show(scene, rest);
    // Not modal: the board and whose turn it is stay seen.
    if (!this.el.open) this.el.show();
  }

  /** @param {Part | null} part */
  #choose(part) {
    this.level = 0;
    this.chosen = part;
    this.scene?.redraw();
    /** @type {HTMLElement} */ (part ? this.back : this.list.querySelector("button") ?? this.head).focus();
  }

  close() {
    if (this.el.open) this.el.close();
  }

  /** @param {Scene} scene @param {HTMLElement[]} rest */
  show(scene, rest) {
    this.scene = scene;
    this.rest = rest;
    this.after.el.hidden = !scene.choice("leave_after");
    if (!this.after.el.hidden) lay(this.after.body, leaving(scene));
    this.giveUp.el.hidden = !scene.choice("resign");
    if (!this.giveUp.el.hidden) lay(this.giveUp.body, this.#resigning(scene));
    this.deputy.el.hidden = !scene.choice("name_deputy");
    if (!this.deputy.el.hidden) lay(this.deputy.body, this.#deputing(scene));
    this.settle.show(scene);
    this.proxy.show(scene);
    const open = this.parts.filter((part) => !part.el.hidden);
    if (this.chosen?.el.hidden) this.chosen = null;
    for (const part of open) part.el.hidden = part !== this.chosen;
    this.back.hidden = !this.chosen;
    this.list.hidden = Boolean(this.chosen);
    setText(this.head, this.chosen?.title ?? gettext("More"));
    const opening = open.map((part) =>
      scene.button({ id: `part ${part.name}`, label: part.title, run: () => this.#choose(part) }));
    lay(this.list, [...rest, ...opening]);
  }

  /** Return the part for naming a deputy: they roll and move, the cube stays with its holder. */
  #deputing(/** @type {Scene} */ scene) {
    const note = gettext("They roll and move for the rest of this game. You go on deciding about your cube.");
    const buttons = scene.args("name_deputy").map(({ seat }) =>
      scene.button({ id: `deputy ${seat}`, label: scene.name(seat), run: () => this.#send("name_deputy", { seat }) }));
    return [h("p", { class: "bt-d-note" }, note), h("div", { class: "bt-d-buttons" }, buttons)];
  }

  #closed() {
    this.level = 0;
    this.chosen = null;
    this.scene?.redraw();
  }

  /** @param {string} name @param {object} args */
  #send(name, args) {
    if (!this.scene?.now.canAct) return;
    this.scene.acts.command(name, args);
    this.close();
  }

  /** @param {Scene} scene @returns {HTMLElement[]} */
  #resigning(scene) {
    const words = ["", gettext("Single game"), gettext("Gammon"), gettext("Backgammon")];
    const levels = scene.args("resign").map((o) => o.level);
    if (!levels.includes(this.level)) this.level = 0;
    const pick = (/** @type {number} */ level) => { this.level = level; scene.redraw(); };
    if (this.level) return this.#confirming(scene, words[this.level], pick);
    const buttons = levels.map((level) =>
      scene.button({
        id: `level ${level}`,
        label: `${level}× ${words[level]}`,
        kind: "stop",
        run: () => pick(level),
        note: fill(gettext("costs %(points)s"), { points: pointsText(cost(scene, level)) }),
      }),
    );
    const who = whoAnswers(scene);
    const more =
      levels[0] > 1 ? [h("p", { class: "bt-d-note" }, gettext("Less was refused: offer more, or play on."))] : [];
    return [h("p", { class: "bt-d-note" }, who), ...more, h("div", { class: "bt-d-buttons" }, buttons)];
  }

  /** @param {Scene} scene @param {string} word @param {(level: number) => void} pick @returns {HTMLElement[]} */
  #confirming(scene, word, pick) {
    const { level } = this;
    const sure = gettext("Resign %(level)s× (%(word)s)? It costs you %(points)s.");
    return [
      h("p", { class: "bt-d-title" }, fill(sure, { level, word, points: pointsText(cost(scene, level)) })),
      h("div", { class: "bt-d-buttons" },
        scene.button({
          id: "sure",
          label: gettext("Yes, resign"),
          note: fill(gettext("costs %(points)s"), { points: pointsText(cost(scene, level)) }),
          kind: "stop",
          run: () => this.#send("resign", { level }),
        }),
        scene.button({ id: "no", label: gettext("Play on"), kind: "go", run: () => pick(0) }),
      ),
    ];
  }
}

/**
 * Return the part for leaving when the game is over: it costs nothing, and can be taken back until then.
 * @param {Scene} scene
 * @returns {HTMLElement[]}
 */
function leaving(scene) {
  const [args] = scene.args("leave_after");
  const label = args.on ? gettext("I leave after this game") : gettext("I stay after all");
  return [h("div", { class: "bt-d-buttons" }, scene.button({ id: "leave_after", name: "leave_after", args, label }))];
}

/** Return the side that answers a resignation, as a sentence. @param {Pick<Scene, "view" | "isBox">} scene */
export function whoAnswers({ view, isBox }) {
  if (isDuel(view)) return gettext("The other side accepts or refuses.");
  return isBox
    ? gettext("Each member accepts or refuses for themselves.")
    : gettext("You resign your own cube only. The Box accepts or refuses.");
}

/** The cost of resigning: all cubes for the Box, their own for a member. @param {Scene} scene @param {number} level */
function cost(scene, level) {
  const live = scene.game.cubes.filter((c) => c.result === null && !c.extra);
  const mine = scene.isBox ? live : live.filter((c) => c.holder === scene.me);
  return mine.reduce((sum, c) => sum + c.worth[level - 1], 0);
}

/** A part of the sheet: a heading and a body. */
class Part {
  /** @param {string} title @param {keyof Chouette.Choices} name */
  constructor(title, name) {
    this.title = title;
    this.name = name;
    this.body = h("div", { class: "bt-d-more-body" });
    this.el = h("section", { class: "bt-d-part", "aria-label": title, data: { part: name } }, this.body);
    this.el.hidden = true;
  }
}

/** A part that is a form: fields by name, a line for errors, one button. */
class Form extends Part {
  /**
   * @param {string} title
   * @param {keyof Chouette.Choices} name
   * @param {string} label
   * @param {(args: object) => void} send
   * @param {HTMLElement[]} fields
   */
  constructor(title, name, label, send, fields) {
    super(title, name);
    this.error = h("p", { class: "bt-d-why", role: "alert" });
    this.form = h(
      "form",
      { class: "bt-d-form", novalidate: true },
      fields,
      this.error,
      this.go = h("button", { class: "button go bt-d-do" }, h("span", {}, label), this.price = h("small", {})),
    );
    this.form.addEventListener("input", () => this.#priced());
    this.form.addEventListener("submit", (/** @type {Event} */ event) => {
      event.preventDefault();
      const found = this.read(new FormData(this.form));
      setText(this.error, typeof found === "string" ? found : "");
      if (typeof found !== "string") send(found);
    });
    this.body.append(this.form);
  }

  /** Say on the button what it comes to. */
  #priced() {
    const found = this.read(new FormData(this.form));
    setText(this.price, typeof found === "string" ? "" : this.costs(found));
  }

  /** Return what the form comes to, "" where it costs nothing. @param {object} _args */
  costs(_args) {
    return "";
  }

  /** Return the fields' content, or the mistake in it. @param {FormData} data @returns {object | string} */
  read(data) {
    return data;
  }

  /** @param {Scene} scene */
  show(scene) {
    this.scene = scene;
    this.el.hidden = !scene.choice(this.name);
    if (this.el.hidden) return;
    this.fill(scene);
    this.#priced();
  }

  /** @param {Scene} scene */
  fill(scene) {
    void scene;
  }
}

/** @param {string} label @param {HTMLElement} control */
function field(label, control) {
  return h("label", { class: "field" }, h("span", {}, label), control);
}

/**
 * Set the options of a select, unless they are the same already.
 * @param {HTMLSelectElement} select
 * @param {[string | number, string][]} options
 */
function offer(select, options) {
  const key = JSON.stringify(options);
  if (select.dataset.key === key) return;
  const { value } = select;
  put(select, options.map(([v, text]) => h("option", { value: v }, text)));
  select.dataset.key = key;
  if (options.some(([v]) => String(v) === value)) select.value = value;
}

/**
 * Tell whether I am the opponent of a cube's member: as the Box, or as the giver of an extra.
 * @param {Scene} scene
 * @param {number} cube
 */
function isAgainst(scene, cube) {
  return scene.game.cubes[cube].against === scene.me;
}

class Settle extends Form {
  /** @param {(args: object) => void} send */
  constructor(send) {
    const cube = h("select", { name: "cube" });
    const who = h(
      "select",
      { name: "who" },
      h("option", { value: 1 }, gettext("I get")),
      h("option", { value: -1 }, gettext("I pay")),
    );
    const points = h("input", {
      type: "number",
      name: "points",
      min: 0,
      max: MOST_SETTLED,
      step: 1,
      value: 1,
      inputmode: "numeric",
    });
    const open = h("p", { class: "bt-d-note" });
    super(gettext("Settle a cube"), "propose", gettext("Propose"), send, [
      open,
      field(gettext("Whose cube"), cube),
      h("div", { class: "bt-d-pair" }, field(gettext("Who pays"), who), field(gettext("Points"), points)),
    ]);
    /** @type {HTMLSelectElement} */ this.cube = cube;
    /** @type {HTMLElement} */ this.open = open;
  }

  /** @param {Scene} scene */
  fill(scene) {
    const cubes = scene.cubesOf("propose");
    offer(
      this.cube,
      cubes.map((i) => [
        i,
        `${scene.cubeName(i)} (${scene.game.cubes[i].value})`,
      ]),
    );
    /** @type {HTMLElement} */ (this.cube.closest("label")).hidden = cubes.length < 2;
    const mine = scene.game.proposals.filter((p) => p.by === scene.me);
    const texts = mine.map((p) =>
      isAgainst(scene, p.cube)
        ? fill(gettext("%(name)s: %(what)s"), { name: scene.cubeName(p.cube), what: settledText(-p.points) })
        : settledText(p.points),
    );
    setText(
      this.open,
      texts.length
        ? fill(gettext("Proposed: %(proposals)s"), { proposals: texts.join("; ") })
        : gettext("Ends the cube for points that both agree on. 0: nobody pays."),
    );
  }

  /** @param {{cube: number, points: number}} args */
  costs({ cube, points }) {
    return settledText(this.scene && isAgainst(this.scene, cube) ? -points : points);
  }

  /** @param {FormData} data */
  read(data) {
    const text = String(data.get("points")).trim();
    const points = Number(text);
    if (!/^\d+$/.test(text) || points > MOST_SETTLED) return gettext("Whole points, please: 0 or more.");
    // The points are the member's: the member pays the gain of the Box, or of the giver of an extra.
    const cube = Number(data.get("cube"));
    const sign = Number(data.get("who")) * (this.scene && isAgainst(this.scene, cube) ? -1 : 1);
    return { cube, points: points * sign || 0 };
  }
}

class ProxyForm extends Form {
  /** @param {(args: object) => void} send */
  constructor(send) {
    const seat = h("select", { name: "seat" });
    super(gettext("If I leave"), "name_proxy", gettext("Save"), send, [
      field(gettext("My cube then goes to"), seat),
      h("p", { class: "bt-d-note" }, gettext("Nobody: then the Captain looks after it.")),
    ]);
    /** @type {HTMLSelectElement} */ this.seat = seat;
  }

  /** @param {Scene} scene */
  fill(scene) {
    const named = scene.view.seats.find((s) => s.seat === scene.me)?.proxy ?? null;
    const seats = scene.args("name_proxy").map((o) => o.seat).filter((s) => s !== null);
    if (named !== null) seats.push(named);
    const isNew = this.seat.dataset.named !== String(named);
    offer(this.seat, [
      ["", gettext("Nobody")],
      ...seats.sort((a, b) => a - b).map((s) => /** @type {[number, string]} */ ([s, scene.name(s)])),
    ]);
    if (isNew) this.seat.value = String(named ?? "");
    this.seat.dataset.named = String(named);
  }

  /** @param {FormData} data */
  read(data) {
    const text = data.get("seat");
    const seat = text === "" ? null : Number(text);
    const isOpen = this.scene?.args("name_proxy").some((o) => o.seat === seat);
    return isOpen ? { seat } : gettext("That is how it is already.");
  }
}
