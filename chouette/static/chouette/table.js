// @ts-check
/**
 * <chouette-table>: shows a table of backgammon. It knows no rules: what may be done comes in
 * with the choices, what is done goes out as a `command` (docs/front-end.md). This file joins
 * the parts; each of them has an `el` and a `show(now)`.
 */
import { h, setAttr, setText } from "games/kit/dom.js";
import { TableElement } from "games/kit/table.js";
import { Board } from "chouette/board/board.js";
import { storyText } from "chouette/board/words.js";
import { announce } from "chouette/announcing.js";
import { describe } from "chouette/describe.js";
import { Dock } from "chouette/dock/dock.js";
import { Drawer, Drawers, Later } from "chouette/sheet/drawers.js";
import { Members } from "chouette/team/members.js";
import { status } from "chouette/status.js";
import { captionOf, isBetween } from "chouette/words.js";

/** @typedef {import("games/kit/table.js").Now} Now what every part is shown; its view as in chouette/rules/view.py */

/**
 * @typedef {object} Acts what a part may do
 * @property {(name: string, args: object) => void} command answers the open choice `name`
 * @property {(type: string, detail: object) => void} emit an event for the shell
 * @property {(play: string | null) => void} showPlay draws a play on the board, or no longer
 */

class ChouetteTable extends TableElement {
  /** @param {Now} now */
  show(now) {
    for (const part of this.parts) part.show(now);
    this.#showFrame();
  }

  /** @param {{type: string, data: any}[]} events @param {any} view */
  async play(events, view) {
    if (this.now) announce(events, this.now, (type, detail) => this.emit(type, detail));
    await this.board.play(events, view);
  }

  /** @param {{type: string, data: any}} event @param {any[]} seats */
  describe(event, seats) {
    return describe(event, seats);
  }

  get status() {
    return this.now ? status(this.now) : { text: "", waitingFor: [] };
  }

  /** The shortcuts in words, for the menu. */
  get keys() {
    return gettext("R roll, D double, N no double, T take, P drop, U undo, Enter confirm");
  }

  /** @param {KeyboardEvent} event @returns {boolean} whether the key meant something */
  key(event) {
    if (event.key === "Escape") return this.drawers.shut();
    return this.board.key(event) || this.dock.key(event);
  }

  /** @param {any} hint */
  showHint(hint) {
    this.dock.showHint(hint);
  }

  /** What the layout depends on, and the row of buttons. */
  #showFrame() {
    const { view, seats, hasEnded, isTv } = this.now;
    setAttr(this.root, "data-phase", hasEnded ? "over" : isBetween(view) ? "between" : view.phase);
    setText(this.drawers.caption, captionOf(view, isTv));
    // Elsewhere it stands under the board; on the big screen the board has all the height.
    setText(this.drawers.story, isTv ? storyText(view.game, seats) : "");
    this.talkDrawer.button.hidden = this.team.el.hidden;
    if (this.team.unread && this.talkDrawer.isShown) this.team.markRead();
    this.talkDrawer.setUnread(this.team.unread);
  }

  /** Opening the talk marks it as read. */
  #opened() {
    if (this.talkDrawer.isOpen) this.team.markRead();
    this.talkDrawer.setUnread(this.team.unread);
  }

  build() {
    /** @type {Acts} */
    const acts = {
      command: (name, args) => this.command(name, args),
      emit: (type, detail) => this.emit(type, detail),
      showPlay: (play) => this.board.showPlay(play),
    };
    this.members = new Members(acts);
    this.board = new Board(acts);
    this.dock = new Dock(acts);
    this.sheet = new Later("bt-sheet", () => import("chouette/sheet/sheet.js"), ({ Sheet }) => new Sheet(acts));
    this.team = new Later("bt-team", () => import("chouette/team/team.js"), ({ Team }) => new Team(acts));
    this.team.onReady = () => this.#showFrame();
    this.parts = [this.members, this.board, this.dock, this.sheet, this.team];
    this.sheetDrawer = new Drawer("bt-scores", gettext("Sheet"), this.sheet.el);
    this.talkDrawer = new Drawer("bt-talk", gettext("Team"), this.team.el);
    this.drawers = new Drawers([this.sheetDrawer, this.talkDrawer], () => this.#opened());
    const side = h("div", { class: "bt-side" }, this.drawers.el, this.dock.el, this.talkDrawer.el, this.sheetDrawer.el);
    return h("div", { class: "bt" }, this.members.el, this.board.el, side);
  }
}

customElements.define("chouette-table", ChouetteTable);
