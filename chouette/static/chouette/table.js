// @ts-check
/**
 * <chouette-table>: shows a table of backgammon. It knows no rules: legal acts come with the
 * choices, an act is sent as a `command` (docs/front-end.md). This file connects the parts; each
 * of them has an `el` and a `show(now)`.
 */
import { h, isSeen, setAttr, setText, setVars } from "games/kit/page/dom.js";
import { fetched } from "games/kit/page/fetched.js";
import { TableElement } from "games/kit/table.js";
import { isAsked } from "games/kit/words.js";
import { manner } from "games/kit/page/sentences.js";
import { Forward } from "games/kit/page/forward.js";
import { Tabs } from "games/kit/page/tabs.js";
import { Board } from "chouette/board/board.js";
import { Dock } from "chouette/dock/dock.js";
import { Later } from "chouette/sheet/later.js";
import { MARKS } from "chouette/marks.js";
import { TABLE_SIZES } from "chouette/sizes.js";
import { Members } from "chouette/team/members.js";
import { Advice } from "chouette/team/ready.js";
import { captionOf, gameOf, isBetween, nextGame, requestText, rolledDice } from "chouette/words/words.js";

/** @typedef {import("games/kit/table.js").Now<Chouette.View, Chouette.Choice>} Now of every part */
/** @typedef {{ show: (now: Now) => void }} Part */

/**
 * @typedef {object} Acts the acts of a part
 * @property {(name: string, args: object, isByItself?: boolean) => void} command answers the open choice `name`
 * @property {(play: string) => boolean} layPlay makes a play on the board, unless another has been begun
 * @property {() => string | null} inHand the complete play that is made and not sent
 * @property {() => boolean} isInFront whether no other tab has the dock's place
 * @property {() => boolean} hasLargeText whether letters are so large that what is rare has no room beside the rest
 * @property {(isByKey: boolean) => void} followPlay tells that the play in hand has changed
 * @property {(text: string) => void} countPlay says in Confirm's place when the play is sent by itself
 * @property {(type: string, detail: object) => void} emit an event for the shell
 * @property {(play: string | null) => void} showPlay draws a play on the board; null removes it
 * @property {(answers: import("chouette/team/member.js").Answer[]) => void} showAnswers lets seats be tapped
 */

/** @extends {TableElement<Chouette.View, Chouette.Choice>} */
class ChouetteTable extends TableElement {
  static sizes = TABLE_SIZES;
  static marks = MARKS;
  static look = "chouette.look";
  /** Line and cubes where the board is a real one. @type {import("chouette/wood/picture.js").Picture | null} */
  picture = null;
  isWood = false;

  isBig = false;

  /** @type {Acts} */
  acts = {
    command: (name, args, isByItself) => this.command(name, args, isByItself),
    layPlay: (play) => this.board.layPlay(play),
    inHand: () => this.board.inHand,
    isInFront: () => this.forward.isInFront,
    hasLargeText: () => /\bbig\b/.test(this.dataset.fit ?? ""),
    followPlay: (isByKey) => this.dock.followPlay(isByKey),
    countPlay: (text) => this.board.countPlay(text),
    emit: (type, detail) => this.emit(type, detail),
    showPlay: (play) => this.board.showPlay(play),
    showAnswers: (answers) => this.members.showAnswers(answers),
  };
  members = new Members(this.acts);
  board = new Board(this.acts);
  dock = new Dock(this.acts, this.board.bar.el);
  sheet = new Later("bt-sheet", () => import("chouette/sheet/sheet.js"), ({ Sheet }) => new Sheet(this.acts),
    () => false);
  team = new Later("bt-team", () => import("chouette/team/team.js"), ({ Team }) => new Team(this.acts),
    ({ view, me }) => view.format === "chouette" && me !== null);
  /** The parts that are drawn at once, and those that follow a frame later. @type {Part[]} */
  parts = [this.board, this.dock];
  /** @type {Part[]} */
  laterParts = [this.members, this.sheet, this.team];
  /** The ready phrases of my side, for whoever asks for advice. */
  advice = new Advice();
  caption = h("p", { class: "bt-caption" });
  notices = h("div", { class: "bt-notices" });
  strip = h("div", { class: "bt-strip" });
  log = h("div", { class: "bt-log" });
  chat = h("div", { class: "bt-chat" });
  files = h("div", { class: "bt-files" });
  talk = h("div", { class: "bt-talk" }, this.team.el);
  scores = h("div", { class: "bt-scores" }, this.sheet.el);
  /** The dock and, by tabs in its place or under it, the Team, the sheet, the log and the chat. */
  tabs = new Tabs(gettext("Parts of the table"), [
    ["play", playTitle(), this.dock.el], ["team", gettext("Team"), this.talk],
    ["sheet", gettext("Sheet"), this.scores], ["log", gettext("Log"), this.log], ["chat", gettext("Chat"), this.chat],
    ["files", gettext("Download"), this.files],
  ], (name) => this.#opened(name));
  /** The dock comes forward when something is asked; on a desk it is seen beside all tabs. */
  forward = new Forward(this.tabs, "play", () => /desk|tablet/.test(this.dataset.fit ?? ""));

  /**
   * Fetch the modules of real boards before anything is shown or told.
   * @param {Chouette.View | null} view null: of any table
   */
  async prepare(view) {
    if (view && view.options.board !== "wood") return;
    await fetched(() => Promise.all([
      import("chouette/dock/wood_decisions.js"),
      import("chouette/wood/picture.js"),
    ]));
  }

  /** @param {{isTv: boolean}} context */
  init(context) {
    super.init(context);
    if (context.isTv && !this.isBig) this.#makeBig();
  }

  /** Put the evening in the place of the dock: a big screen has nothing to tap. */
  async #makeBig() {
    this.isBig = true;
    this.parts = [this.members, this.board];
    this.laterParts = [];
    const { Evening } = await fetched(() => import("chouette/evening.js"));
    const evening = new Evening((asking) => this.emit("asking", { asking }));
    this.parts.push(evening);
    this.root.append(evening.el);
    if (this.now) evening.show(this.now);
  }

  /** @param {Now} now */
  show(now) {
    if (now.view.options.board === "wood" && !this.isWood) this.#layWood();
    // The seats are there before the open decision; from then on they follow a frame later.
    if (!this.members.known) this.members.show(now);
    for (const part of this.parts) part.show(now);
    setAttr(this.root, "data-phase", now.hasEnded ? "over" : isBetween(now.view) ? "between" : now.view.phase);
    this.#showQuestion(now);
  }

  /** @param {Now} now */
  showLater(now) {
    for (const part of this.laterParts) part.show(now);
    this.#showFrame();
  }

  /** Put line and cubes in the place of the board, if the board is a real one. */
  async #layWood() {
    this.isWood = true;
    this.parts = this.parts.filter((part) => part !== this.board);
    setAttr(this.root, "data-wood", true);
    const { Picture } = await fetched(() => import("chouette/wood/picture.js"));
    this.picture = new Picture();
    this.parts.push(this.picture);
    this.board.el.replaceWith(this.picture.el);
    if (this.now) this.picture.show(this.now);
  }

  seatBox(/** @type {number} */ seat) {
    return this.members.mates.get(seat)?.el;
  }

  get shownResult() {
    const view = this.now?.view;
    if (!view?.last_game) return "";
    return view.phase === "over" || isBetween(view) ? String(view.last_game.number) : "";
  }

  /** Show a new decision of mine in place of another tab; at a real board only a sign tells of it. @param {Now} now */
  #showQuestion({ choices }) {
    const asked = choices.filter((choice) => isAsked(choice) && choice.name !== "result");
    this.forward.show(asked.map(({ name, basis }) => name + basis).join(), this.isWood);
  }

  /** Bring the dock with a touch of the board, for whoever plays. */
  #touched = () => this.now && this.now.me !== null && this.forward.come();

  /** @param {Chouette.Event[]} events @param {Chouette.View} view */
  async play(events, view) {
    this.advice.hear(events);
    const name = sounded(events);
    if (name) this.emit("sound", { name });
    if (!this.isWood) await this.board.play(events, view);
    if (events.some(({ type }) => type === "game_ended")) this.dock.sendPoints((seat) => this.members.totalOf(seat));
  }

  /**
   * Return what is told of events: the end of a game with its cubes, and who plays next; who rolls knows of their ring.
   * @param {Chouette.Event[]} events
   */
  spoken(events) {
    const isEnd = events.some(({ type }) => type === "game_ended"), { now } = this;
    const isTold = (/** @type {Chouette.Event} */ { type, data }) =>
      isEnd && type === "cube_settled" && !isAnswer(data.how) || type === "ring_opened" && data.seat === now?.me;
    return super.spoken(events.filter((event) => !isTold(event))).map((told) => {
      const isOver = ["game_ended", "session_ended"].includes(told.event.type);
      // There are roles only if another game follows.
      return isOver && now?.view.roles ? { ...told, text: `${told.text} ${nextGame(now.view, now.seats)}` } : told;
    });
  }

  /** The sentence of the turn bar; the dock counts down the time in which others may double. */
  get status() {
    const turn = super.status, { now } = this;
    if (!now) return turn;
    const isRinging = now.view.phase === "playing" && gameOf(now.view).window?.ring;
    const text = turn.isMine ? turn.text : requestText(now) || turn.text;
    return { ...turn, text, isCounted: Boolean(isRinging) && !turn.isMine && !now.isTv };
  }

  /** Return the state of the game, to be spoken. @returns {Promise<string[]>} */
  async summary() {
    const { summary } = await fetched(() => import("chouette/words/summary.js"));
    return this.now ? summary(this.now) : [];
  }

  /** Return the answers to single questions, by their letters. */
  async asks() {
    const { asks } = await fetched(() => import("chouette/words/asks.js"));
    return asks(() => this.dock.askHint(), this.advice.bySeat);
  }

  /** Return how games that are told without the house are counted. */
  counting() {
    return fetched(() => import("chouette/wood/counting.js"));
  }

  /** The shortcuts in words, for the menu. */
  get keys() {
    return gettext("R roll, D double, N no double, M more time, T take, E beaver, P drop, U undo, Enter confirm");
  }

  /** Return the player's wishes of this game, for the menu. */
  async wishes() {
    return (await fetched(() => import("chouette/words/wishes.js"))).wishes();
  }

  /** @param {KeyboardEvent} event @returns {boolean} whether the key was used */
  key(event) {
    if (event.key === "Escape" && this.tabs.selected !== "play") {
      this.tabs.select("play");
      return true;
    }
    return (!this.isWood && this.board.key(event)) || this.dock.key(event);
  }

  /** @param {import("chouette/dock/hint.js").Hint} hint */
  showHint(hint) {
    this.dock.showHint(hint);
  }

  /** Return the dice that are rolled and not played yet, as the board shows them. @returns {number[]} */
  thrown(/** @type {Chouette.View} */ view) {
    return rolledDice(view);
  }

  /** Return the seats whose devices are asked when a seat throws, the other side's first. @returns {number[]} */
  opponents(/** @type {number} */ roller, /** @type {Chouette.View} */ { game, line, seats }) {
    const others = (/** @type {number[]} */ all) => [...new Set(all)].filter((seat) => seat !== roller);
    if (!game) return others(line);
    const own = [game.box, game.partner], isOfBox = own.includes(roller);
    const isIn = (/** @type {Chouette.TableSeat} */ one) =>
      one.role !== "none" && !(isOfBox && own.includes(one.seat));
    return others([isOfBox ? game.captain : game.box, ...seats.filter(isIn).map(({ seat }) => seat)]);
  }

  /** The places of the shell's log, chat, notices and their strip, of a replay's files, and of headlines. */
  get places() {
    const { log, chat, files, notices, strip, root: headlines } = this;
    return { log, chat, files, notices, strip, headlines };
  }

  /** Say what the tapped word means. @param {Event} event */
  async #explain({ target }) {
    const word = /** @type {Element} */ (target).closest("[data-word]")?.getAttribute("data-word");
    if (!word) return;
    const { explanation } = await fetched(() => import("chouette/words/explaining.js"));
    this.emit("say", { text: explanation(word), show: true });
  }

  /** Handle the chat's button in the bar: open the chat, or go back to the decision. */
  toggleChat() {
    this.tabs.select(this.tabs.selected === "chat" ? "play" : "chat");
  }

  /** Show the caption and the tabs. */
  #showFrame() {
    if (this.isBig || !this.now) return;
    setText(this.caption, captionOf(this.now.view, this.now.clocks));
    this.tabs.offer("team", !this.team.el.hidden);
    this.tabs.offer("chat", this.chat.childElementCount > 0);
    this.tabs.offer("files", this.files.childElementCount > 0);
    this.#showUnread();
  }

  /** Handle the opening of another tab. @param {string} name */
  #opened(name) {
    setAttr(this.root, "data-tab", name);
    this.forward.opened();
    this.#showUnread();
  }

  /** End the dock's content above the notices, so that the dock does not move. */
  #makeRoom() {
    setVars(this.root, { "--notices": `${Math.ceil(this.notices.offsetHeight)}px` });
  }

  /** Mark visible lines as read, and show the number of unread ones. */
  #showUnread() {
    // Checking whether an element is visible costs a styling of the page: only if it matters.
    if (this.team.unread && isSeen(this.team.el)) this.team.markRead();
    this.tabs.mark("team", this.team.unread);
  }

  build() {
    this.team.onReady = () => this.#showFrame();
    // On a phone the sheet is behind its tab.
    const sight = new IntersectionObserver((changes) => {
      if (!changes.some(({ isIntersecting }) => isIntersecting)) return;
      this.sheet.request();
      sight.disconnect();
    });
    sight.observe(this.scores);
    new ResizeObserver(() => this.#makeRoom()).observe(this.notices);
    this.board.el.addEventListener("pointerdown", this.#touched);
    const parts = [this.strip, this.members.el, this.board.el, this.#side()];
    const onclick = (/** @type {Event} */ event) => this.#explain(event);
    return h("div", { class: "bt", data: { tab: "play" }, onclick }, parts);
  }

  /** Return the dock and the panels in its place, with their tabs. */
  #side() {
    const all = [this.dock.el, this.talk, this.scores, this.log, this.chat, this.files];
    const panels = h("div", { class: "bt-panels tabs-panel" }, this.forward.el, all);
    const head = h("div", { class: "bt-tools" }, this.caption);
    return h("div", { class: "bt-side" }, head, this.notices, panels, this.tabs.el);
  }
}

/** Tell whether a cube went out by an answer. @param {string} how */
const isAnswer = (how) => ["dropped", "beaver_dropped"].includes(how);

/** Return at most one sound for simultaneous events. @param {{type: string}[]} events */
function sounded(events) {
  const types = events.map((event) => event.type);
  if (types.includes("flag_fell")) return "nudge";
  if (types.includes("session_ended")) return "end";
  if (types.includes("game_ended")) return "win";
  if (types.some((type) => manner(type).answeredBy)) return "offer";
  return types.includes("double_taken") ? "tap" : "";
}

/** Return the title of the first tab: the dock; where that is always visible, the Team and the sheet. */
function playTitle() {
  const [dock, rest] = [gettext("Game"), gettext("Team and sheet")];
  return [h("span", { class: "bt-together" }, dock), h("span", { class: "bt-apart" }, rest)];
}

customElements.define("chouette-table", ChouetteTable);
