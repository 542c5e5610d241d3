// @ts-check
/**
 * <chicago-table>: shows a table of Chicago. It knows no rules: legal acts come with the choices,
 * an act is sent as a `command` (docs/front-end.md).
 */
import { h } from "games/kit/page/dom.js";
import { fetched } from "games/kit/page/fetched.js";
import { nameOf } from "games/kit/seats.js";
import { BY_ITSELF_MS, TableElement } from "games/kit/table.js";
import { fill } from "games/kit/page/text.js";
import { Dock } from "chicago/actions/actions.js";
import { Aside } from "chicago/actions/aside.js";
import { Board, LastThrows } from "chicago/felt/board.js";
import { EndingCard } from "chicago/words/endings.js";
import { Felt, places } from "chicago/felt/felt.js";
import { adviceText } from "chicago/actions/hint.js";
import { OutcomeCard } from "chicago/words/outcome.js";
import { definitions, Stack } from "chicago/felt/pieces.js";
import { play } from "chicago/felt/play.js";
import { Seats } from "chicago/seats.js";
import { MARKS } from "chicago/marks.js";
import { SIZES } from "chicago/sizes.js";
import { DiceSelection } from "chicago/actions/selection.js";
import { called, countedMats } from "chicago/words/words.js";

/** @extends {TableElement<Chicago.View, Chicago.Choice>} */
class ChicagoTable extends TableElement {
  static sizes = SIZES;
  static marks = MARKS;
  /** While a throw is shown in motion, the dice are not put into their final places. */
  isActing = false;
  acts = 0;
  selection = new DiceSelection({ laid: [], rolled: [], throws: 0, in_cup: 0 }, []);
  selectionKey = "";
  /** The basis of the choice whose only answer this page sends by itself. */
  alone = 0;

  felt = new Felt((key) => this.#toggle(key), () => this.view.cup.throws === 0 && this.#throw());
  board = new Board();
  last = new LastThrows();
  seatsPart = new Seats();
  outcome = new OutcomeCard();
  card = new EndingCard();
  stock = new Stack();
  aside = new Aside((name, args) => this.command(name, args));
  dock = new Dock(this.#acts(), { ask: this.aside.ask, calls: this.aside.calls, last: this.last.el });
  stockBox = h(
    "div",
    { class: "ct-stock" },
    this.stock.el,
    h("span", { class: "ct-label dice-caption", "aria-hidden": "true" }, gettext("Stock")),
  );

  /** The view, once there is one. */
  get view() {
    return /** @type {Chicago.View} */ (this.now?.view);
  }

  get choices() {
    return this.now?.choices ?? [];
  }

  get seats() {
    return this.now?.seats ?? [];
  }

  get seat() {
    return this.now?.me ?? null;
  }

  get canAct() {
    return this.now?.canAct ?? false;
  }

  /** @param {import("games/kit/table.js").Now<Chicago.View, Chicago.Choice>} now */
  show({ view, canAct }) {
    const throwing = this.choice("throw");
    const key = JSON.stringify([view.cup, throwing?.options, view.turn]);
    if (key !== this.selectionKey) {
      this.selectionKey = key;
      this.selection = new DiceSelection(view.cup, throwing?.options ?? [], view.usual);
      this.dock.advise("");
    }
    if (canAct || !throwing) this.felt.shake(false);
    this.#showTable();
    this.#throwAlone();
  }

  showLater() {
    this.board.show(this.view, this.seats);
    this.last.show(this.view, this.seats);
  }

  /** The open choice of real dice, or of their result; null without one. */
  get typing() {
    return this.choice("type_dice") ?? this.choice("enter_result");
  }

  /** Tell whether there is only one way to throw on, and no other decision. The first throw is never forced. */
  get isForced() {
    const throwing = this.choice("throw");
    const isOnly = this.choices.filter((one) => one.required).length === 1 && throwing?.required;
    return Boolean(isOnly && throwing.options?.length === 1 && this.view.cup.throws > 0);
  }

  /** Announce a throw that is the only possible one, and throw it without a tap. */
  #throwAlone() {
    const basis = (this.isForced && this.canAct && this.choice("throw")?.basis) || 0;
    if (basis === this.alone) return;
    this.alone = basis;
    if (!basis) return;
    setTimeout(() => this.alone === basis && this.isForced && this.canAct && this.#throw(true), BY_ITSELF_MS);
  }

  /**
   * Play the motion of events; the choices already belong to the new state.
   * @param {Chicago.Event[]} events
   */
  async play(events) {
    const act = ++this.acts;
    this.isActing = true;
    await play(events, {
      el: this.root,
      felt: this.felt,
      isOver: this.view.cup.throws === 0,
      stock: this.stock.el,
      seat: (seat) => this.seatsPart.card(seat)?.stack.el,
      sound: (name) => this.emit("sound", { name }),
      ends: this.view.ending !== null || this.view.outcome !== null,
    });
    if (act !== this.acts) return;
    this.isActing = false;
    this.#render();
  }

  /** Return the state of the game, to be spoken. @returns {Promise<string[]>} */
  async summary() {
    const { summary } = await fetched(() => import("chicago/words/summary.js"));
    return this.now ? summary(this.now) : [];
  }

  /** The places of the shell's log, chat and notices; of headlines on a big screen. */
  get places() {
    return { ...this.dock.places, headlines: this.root };
  }

  /** @param {{isTv: boolean}} context */
  init(context) {
    super.init(context);
    // A big screen shows ends beside the felt.
    if (context.isTv && this.card.el.parentElement !== this.root) this.root.append(this.card.el, this.outcome.el);
  }

  seatBox(/** @type {number} */ seat) {
    return this.seatsPart.card(seat)?.el;
  }

  toggleChat() {
    this.dock.toggleChat();
  }

  /** @param {import("chicago/actions/hint.js").Hint} hint */
  showHint(hint) {
    if (this.now) this.dock.advise(adviceText(hint, this.now));
  }

  /** Return the answers to single questions, by their letters. */
  async asks() {
    const { asks } = await fetched(() => import("chicago/words/asks.js"));
    return asks(() => this.#askHint());
  }

  /** Return what was chosen for real dice and has not been sent. */
  begun() {
    return this.dock.entry?.begun ?? this.dock.faces?.begun ?? null;
  }

  /** Return how rounds that are told without the house are counted. */
  counting() {
    return fetched(() => import("chicago/counting.js"));
  }

  /** The shortcuts in words, for the menu. */
  get keys() {
    return gettext("T throw, S stand, 1 2 3 dice");
  }

  /** Return the faces of the last throw, as the table shows them. @returns {number[]} */
  thrown(/** @type {Chicago.View} */ { cup }) {
    return cup.rolled;
  }

  /** Return the seats whose devices are asked when a seat throws, the one before it first. @returns {number[]} */
  opponents(/** @type {number} */ roller, /** @type {Chicago.View} */ { order, seats }) {
    const isIn = (/** @type {number} */ seat) => /^(in|out)$/.test(seats[seat].status);
    const ring = order.filter(isIn), at = ring.indexOf(roller);
    return [...ring.slice(at + 1), ...ring.slice(0, Math.max(at, 0))].reverse();
  }

  /** @param {KeyboardEvent} event @returns {boolean} whether the key was used */
  key(event) {
    const letter = event.key.toLowerCase();
    if (letter === "t") this.dock.go.el.click();
    else if (letter === "s") this.dock.stand.el.click();
    else if (letter === "escape") return this.card.dismiss();
    else if (["1", "2", "3"].includes(letter)) this.felt.press(Number(letter));
    else return false;
    return true;
  }

  /** Return the dock's acts. */
  #acts() {
    return {
      onThrow: () => this.#throw(),
      onStand: (/** @type {object} */ args) => this.command("stand", args),
      onTurn: () => this.canAct && this.selection.toggleTurn() && this.#render(),
      onType: (/** @type {object} */ args) => this.typing && this.command(this.typing.name, args),
      onHouse: () => this.command("throw", { lay: [], turn: false }),
      onDeclare: (/** @type {object} */ args) => this.command("declare", args),
      onHint: () => this.#askHint(),
      onResult: () => this.outcome.put(false),
      onGreet: (/** @type {string} */ text) => this.emit("greet", { text }),
    };
  }

  /** Ask for the best move, where the house rules allow it and there is one to make. */
  #askHint() {
    const isMine = this.choice("throw") ?? this.choice("stand");
    if (this.canAct && isMine && this.view.options.hints) this.emit("ask-hint", {});
  }

  build() {
    this.aside.onChange = () => this.#render();
    const onFelt = [
      this.felt.el, this.board.phase, this.stockBox, this.dock.values, this.card.el, this.outcome.el,
    ];
    const table = h("div", { class: "ct-table" }, onFelt);
    // Whoever plays sees the dock after a touch of the felt.
    table.addEventListener("pointerdown", () => this.seat !== null && this.dock.forward.come());
    const parts = [this.seatsPart.el, this.board.el, table, this.dock.el, this.dock.places.strip];
    return h("div", { class: "ct" }, definitions(), parts);
  }

  #render() {
    if (!this.view) return;
    this.#showTable();
    this.showLater();
  }

  /** Show all parts but the slate and the last results. */
  #showTable() {
    const { view } = this;
    this.seatsPart.show(view, this.seats, this.seat, this.now?.isTv ?? false);
    this.outcome.show(this.isActing ? { ...view, outcome: null } : view, this.seats);
    // The end of the last turn gives way to the entry of this one: it is on the slate, too.
    const isEntering = this.choice("enter_result") !== null;
    this.card.show(view, this.seats, this.isActing || isEntering);
    this.#showStock();
    const { typing } = this;
    const throwing = typing ? null : this.choice("throw");
    const standing = this.choice("stand"), declaring = this.choice("declare");
    if (!this.isActing) this.#showFelt(throwing !== null);
    if (this.now) this.aside.show(this.now);
    const open = { throwing, standing, typing, declaring, canAct: this.canAct, isForced: this.isForced };
    if (this.now) this.dock.show(this.now, this.selection, open, this.aside.question);
    this.root.dataset.phase = view.phase;
    this.root.toggleAttribute("data-mine", Boolean(throwing || standing || typing));
  }

  /** @param {boolean} isMine */
  #showFelt(isMine) {
    const isTipped = this.view.cup.throws > 0;
    const picture = { caption: this.#caption(), isTipped, isWaiting: isMine && !isTipped };
    this.felt.show(places(this.view, this.selection, this.canAct), picture);
  }

  #showStock() {
    this.stockBox.hidden = this.view.stock === null;
    const count = this.view.stock ?? 0;
    this.stock.show(count, fill(gettext("%(mats)s in the stock"), { mats: countedMats(count, this.view.options) }));
  }

  /** Return the text of the mat on the felt: the player of these dice. */
  #caption() {
    const { view } = this;
    const last = view.history[view.history.length - 1];
    if (view.cup.throws > 0) return view.cup.laid.length ? "" : gettext("Laid out");
    if (!last) return "";
    return fill(gettext("%(name)s: %(result)s"), { name: nameOf(this.seats, last.seat), result: called(last) });
  }

  /** @param {string} key */
  #toggle(key) {
    if (!this.choice("throw") || !this.canAct) return;
    if (this.selection.toggle(key)) {
      this.emit("sound", { name: "tap" });
      return this.#render();
    }
    const why = this.#why(key);
    this.dock.explain(why);
  }

  /** Return the reason why a die can't be laid out. @param {string} key */
  #why(key) {
    if (key.startsWith("l")) return gettext("Dice laid out do not go back.");
    const face = this.selection.faces.get(key);
    const isKept = this.selection.options.some((o) => face !== undefined && o.lay.includes(face));
    if (!isKept) return gettext("Under these house rules this die goes back when you throw again.");
    return gettext("At least one die must go back into the cup. To keep all three, stand.");
  }

  /** @param {boolean} [isByItself] */
  #throw(isByItself = false) {
    if (!this.selection.option || !this.canAct || this.typing) return;
    this.felt.shake(true);
    this.command("throw", this.selection.option, isByItself);
  }
}

customElements.define("chicago-table", ChicagoTable);
