// @ts-check
/**
 * <chicago-table>: shows a table of Chicago. It knows no rules: what may be done comes in
 * with the choices, what is done goes out as a `command` (docs/front-end.md).
 */
import { h } from "games/kit/dom.js";
import { nameOf } from "games/kit/seats.js";
import { TableElement } from "games/kit/table.js";
import { fill } from "games/kit/text.js";
import { Actions } from "chicago/actions.js";
import { Aside } from "chicago/aside.js";
import { Board, LastThrows } from "chicago/board.js";
import { describe } from "chicago/describe.js";
import { Felt, places } from "chicago/felt.js";
import { adviceText } from "chicago/hint.js";
import { OutcomeCard } from "chicago/outcome.js";
import { definitions, Stack } from "chicago/pieces.js";
import { play } from "chicago/play.js";
import { Seats } from "chicago/seats.js";
import { Selection } from "chicago/selection.js";
import { status } from "chicago/status.js";
import { announcement, called, countedMats } from "chicago/words.js";

class ChicagoTable extends TableElement {
  /** While the eye follows a throw, the dice are not put where they will end. */
  isActing = false;
  acts = 0;
  selection = new Selection({ laid: [], rolled: [], throws: 0, in_cup: 0 }, []);
  selectionKey = "";

  /** @returns {any} */
  get view() {
    return this.now?.view ?? null;
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

  /** @param {import("games/kit/table.js").Now} now */
  show({ view, canAct }) {
    const throwing = this.choice("throw");
    const key = JSON.stringify([view.cup, throwing?.options, view.turn]);
    if (key !== this.selectionKey) {
      this.selectionKey = key;
      this.selection = new Selection(view.cup, throwing?.options ?? []);
      this.actions.advise("");
    }
    if (canAct || !throwing) this.felt.shake(false);
    this.#render();
  }

  /**
   * Let the eye follow what happened; what may be done stands as it is now already.
   * @param {{type: string, data: any}[]} events
   */
  async play(events) {
    this.#announce(events);
    const act = ++this.acts;
    this.isActing = true;
    await play(events, {
      el: this.root,
      felt: this.felt,
      isOver: this.view.cup.throws === 0,
      stock: this.stock.el,
      seat: (seat) => this.seatsPart.card(seat)?.stack.el,
      sound: (name) => this.emit("sound", { name }),
    });
    if (act !== this.acts) return;
    this.isActing = false;
    this.#render();
  }

  /** @param {{type: string, data: any}} event @param {any[]} seats */
  describe(event, seats) {
    return describe(event, seats, this.view?.options ?? {});
  }

  /** Whose turn it is, in words. */
  get status() {
    return status(this.view, this.choices, this.seats, this.seat);
  }

  /** @param {any} hint */
  showHint(hint) {
    this.actions.advise(adviceText(hint, this.view));
  }

  /** The shortcuts in words, for the menu. */
  get keys() {
    return gettext("T throw, S stand, 1 2 3 dice");
  }

  /** @param {KeyboardEvent} event @returns {boolean} whether the key meant something */
  key(event) {
    const letter = event.key.toLowerCase();
    if (letter === "t") this.actions.go.el.click();
    else if (letter === "s") this.actions.stand.el.click();
    else if (["1", "2", "3"].includes(letter)) this.felt.press(Number(letter));
    else return false;
    return true;
  }

  build() {
    this.felt = new Felt((key) => this.#toggle(key), () => this.view.cup.throws === 0 && this.#throw());
    this.board = new Board();
    this.last = new LastThrows();
    this.seatsPart = new Seats();
    this.outcome = new OutcomeCard();
    this.stock = new Stack();
    this.aside = new Aside((name, args) => this.command(name, args));
    this.actions = new Actions({
      onThrow: () => this.#throw(),
      onStand: (args) => this.command("stand", args),
      onTurn: () => this.canAct && this.selection.toggleTurn() && this.#render(),
      onHint: () => this.canAct && this.emit("ask-hint", {}),
    });
    this.actions.more.append(this.aside.calls);
    this.stockBox = h(
      "div",
      { class: "ct-stock" },
      this.stock.el,
      h("span", { class: "ct-label", "aria-hidden": "true" }, gettext("Stock")),
    );
    const table = h(
      "div",
      { class: "ct-table" },
      this.felt.el,
      this.board.phase,
      this.stockBox,
      this.outcome.el,
      this.aside.ask,
    );
    const dock = h("div", { class: "ct-dock" }, this.last.el, this.actions.el);
    return h("div", { class: "ct" }, definitions(), this.seatsPart.el, this.board.el, table, dock);
  }

  #render() {
    const { view } = this;
    if (!view) return;
    const throwing = this.choice("throw");
    this.seatsPart.show(view, this.seats, this.seat);
    this.board.show(view, this.seats);
    this.last.show(view, this.seats);
    this.outcome.show(view, this.seats);
    this.#showStock();
    if (!this.isActing) this.#showFelt(throwing !== null);
    this.aside.show(view, this.choices, this.seats, this.canAct);
    const open = { throwing, standing: this.choice("stand"), canAct: this.canAct };
    this.actions.show(view, this.selection, open, { seats: this.seats, me: this.seat });
    this.root.dataset.phase = view.phase;
    this.root.toggleAttribute("data-ended", this.now?.hasEnded ?? false);
    this.root.toggleAttribute("data-mine", Boolean(open.throwing || open.standing));
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

  /** What the mat on the felt says: whose dice these are. */
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
    this.emit("say", { text: this.#why(key), show: true });
  }

  /** Why a die can't be laid out. @param {string} key */
  #why(key) {
    if (key.startsWith("l")) return gettext("Dice laid out do not go back.");
    const face = this.selection.faces.get(key);
    const isKept = this.selection.options.some((o) => face !== undefined && o.lay.includes(face));
    if (!isKept) return gettext("Under these house rules this die goes back when you throw again.");
    return gettext("At least one die must go back into the cup. To keep all three, stand.");
  }

  #throw() {
    if (!this.selection.option) return;
    this.felt.shake(true);
    this.command("throw", this.selection.option);
  }

  /** @param {{type: string, data: any}[]} events */
  #announce(events) {
    for (const { type, data } of events) {
      if (type === "announced") this.emit("say", { text: announcement(data), aloud: true });
      else if (["chick_thrown", "game_ended"].includes(type)) {
        this.emit("say", { text: this.describe({ type, data }, this.seats) ?? "", aloud: true });
      } else if (
        ["dice_thrown", "forfeit_taken", "mat_taken", "mat_given", "player_safe", "seat_joined"].includes(type)
      ) {
        this.emit("say", { text: this.describe({ type, data }, this.seats) ?? "" });
      }
    }
  }
}

customElements.define("chicago-table", ChicagoTable);
