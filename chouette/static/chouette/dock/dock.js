// @ts-check
/** The open acts: my decision, or the seats that the table waits for; and a row for the rest. */
import { beforeFrame, h, setAttr, setText } from "games/kit/page/dom.js";
import { fetched, laterTexts } from "games/kit/page/fetched.js";
import { watchRoom } from "games/kit/fit.js";
import { StrayTaps } from "games/kit/stray_taps.js";
import { ofNextGame, panels } from "chouette/dock/decisions.js";
import { lay, Memory, panelNode, Scene } from "chouette/dock/parts.js";
import { TimeAsked } from "chouette/dock/time_asked.js";
import { DOCK_SIZES } from "chouette/sizes.js";
import { isBetween } from "chouette/words/words.js";

/** @typedef {import("chouette/table.js").Acts} Acts */
/** @typedef {import("chouette/table.js").Now} Now */

/** The decisions on which a bot can advise, and the acts in the sheet of their own. */
const ADVISED = ["move", "cube", "offer", "answer_batch", "answer", "reply"];
/** @type {(keyof Chouette.Choices)[]} */
const RARE_CHOICES = ["resign", "propose", "name_proxy", "name_deputy", "leave_after"];
/** Letters of a single button aside that leave a question its room where letters are large. */
const FEW_LETTERS = 9;
/** How words are made smaller, where large ones and usual ones have no room to be whole (text.css, dock.css). */
const SMALLER = [null, "less", "small", "least"], USUAL = [null, "small"];

export class Dock {
  /** @type {Scene | null} */
  scene = null;
  /** The decision for which advice was asked. */
  hintKey = "";
  /** The choice whose dice are typed. @type {keyof Chouette.Choices} */
  typed = "type_dice";
  isLoading = false;
  /** The buttons that stand in *More*, where letters are large. @type {HTMLElement[]} */
  inMore = [];

  /** @param {Acts} acts @param {HTMLElement} controls the board's: the unfinished play, Undo, Confirm */
  constructor(acts, controls) {
    this.acts = acts;
    this.timeAsked = new TimeAsked(acts);
    this.memory = new Memory(() => this.now && this.show(this.now));
    /** Loaded when it is first opened. @type {import("chouette/dock/more.js").More | null} */
    this.more = null;
    // The bar at the top has the seconds, and announces the last ones.
    this.time = h("div", { class: "bt-countdown", "aria-hidden": "true" });
    /** Comes with the decisions about doubling. @type {import("chouette/dock/countdown.js").Countdown | undefined} */
    this.countdown = undefined;
    this.main = h("div", { class: "bt-d-panels" });
    this.advice = h("p", { class: "bt-d-advice", role: "status" });
    this.advice.hidden = true;
    this.aside = h("div", { class: "bt-d-aside" });
    this.foot = h("div", { class: "bt-d-buttons" });
    /** The input of real dice. @type {import("games/kit/faces.js").Faces | null} */
    this.faces = null;
    this.typing = h("div", { class: "bt-d-typing" });
    this.el = h(
      "section",
      { class: "bt-dock", tabindex: -1, "aria-label": gettext("What you can do") },
      controls,
      this.aside,
      this.time,
      this.main,
      this.typing,
      this.advice,
      this.foot,
    );
    for (const part of [this.aside, this.main, this.foot])
      part.addEventListener("click", ({ target }) => target instanceof Element && this.scene?.press(target));
    new StrayTaps(this.el);
    watchRoom(this.el, "dock", DOCK_SIZES);
    new ResizeObserver(() => beforeFrame(this.#fitWords)).observe(this.main);
  }

  /** @param {Now} now */
  show(now) {
    this.now = now;
    this.memory.byItself?.show(now);
    const hadFocus = this.el.contains(document.activeElement);
    const scene = new Scene(now, this.acts, this.memory, () => this.now && this.show(this.now));
    this.scene = scene;
    const list = panels(scene);
    lay(this.main, list.map(panelNode));
    lay(this.foot, list.flatMap(({ buttons = [] }) => buttons));
    const isOffered = list.some(({ kind }) => kind === "offer");
    setAttr(this.foot, "data-count", String(this.foot.childElementCount));
    setAttr(this.foot, "data-grave", isOffered);
    this.#showAside(scene, isOffered);
    // Whoever only looks on has no button in it that the keyboard could scroll it by.
    setAttr(this.el, "tabindex", scene.me === null ? "0" : "-1");
    setAttr(this.el, "data-mine", isOffered || list.some(({ kind }) => kind === "mine"));
    this.#showFaces(scene);
    this.#loadWood(now);
    if (!this.isLoading && mayGoByItself(now)) this.#loadByItself();
    this.#showTime(now);
    const isBySeat = scene.choice("answer_batch") || scene.cubesOf("offer").length > 1;
    this.acts.showAnswers((isBySeat && this.memory.rare("answers")?.seatAnswers(scene)) || []);
    if (this.hintKey && this.hintKey !== about(now)) this.#advise("");
    if (hadFocus) this.#keepFocus();
    this.timeAsked.show(now);
    beforeFrame(this.#fitWords);
  }

  /** Let a question and a result be whole: their letters are smaller where they leave them no room. */
  #fitWords = () => {
    const { main } = this, sizes = this.acts.hasLargeText() ? SMALLER : USUAL;
    setAttr(main, "data-long", null);
    sizes.find((size) => {
      setAttr(main, "data-long", size);
      return main.scrollHeight <= main.clientHeight;
    });
  };

  /** Show the time until what ends by time, or is done by itself. @param {Now} now */
  #showTime(now) {
    const { byItself, here } = this.memory;
    this.countdown ??= (now.view.pause ? this.memory.rare("cubes") : here.cubes)?.countdownIn(this.time);
    this.countdown?.show(now, byItself?.time ?? null);
    this.acts.countPlay(byItself?.plan?.name === "move" ? byItself.text : "");
  }

  /** Follow the play in hand. @param {boolean} isByKey it was made by a key, or without a pointer by a screen reader */
  followPlay(isByKey) {
    const { now, memory: { byItself } } = this;
    if (!now || !byItself) return;
    if (isByKey) byItself.isByPointer = false;
    byItself.show(now);
    this.#showTime(now);
  }

  /** Fetch the module of what is done by itself; few turns need it. */
  async #loadByItself() {
    this.isLoading = true;
    const { ByItself, handsOf } = await fetched(() => import("chouette/dock/by_itself.js"));
    this.memory.byItself = new ByItself(handsOf(this));
    if (this.now) this.show(this.now);
  }

  /**
   * Let the points of a game that has just ended travel to the tiles.
   * @param {(seat: number) => HTMLElement | undefined} tile
   */
  async sendPoints(tile) {
    await this.memory.whenHere("results");
    this.memory.rare("results")?.sendPoints(this.main, tile);
  }

  /** Load the module of real boards at such a table; most tables never need it. @param {Now} now */
  async #loadWood(now) {
    if (this.memory.wood || now.view.options.board !== "wood") return;
    this.memory.wood = await this.#loaded(() => import("chouette/dock/wood_decisions.js"));
    if (this.memory.wood && this.now) this.show(this.now);
  }

  /** Show the input for real dice that are to be typed. @param {Scene} scene */
  async #showFaces(scene) {
    const choice = scene.choice("type_dice") ?? scene.choice("opening_roll") ?? scene.choice("order_die");
    const isTyped = choice?.options?.some((o) => o.dice) ?? false;
    this.typing.hidden = !isTyped;
    if (!choice || !isTyped) return;
    const module = await this.#loaded(() => import("games/kit/faces.js"));
    if (!module || this.scene !== scene) return;
    if (!this.faces) {
      this.faces = new module.Faces((args) => this.acts.command(this.typed, args));
      this.typing.append(this.faces.el);
    }
    this.typed = choice.name;
    this.faces.show(choice, scene.now.canAct);
  }

  /** Show the advice that was asked for. @param {import("chouette/dock/hint.js").Hint} hint */
  async showHint(hint) {
    const words = await this.#loaded(() => import("chouette/dock/hint.js"));
    if (!words || !this.scene || this.hintKey !== about(this.scene.now)) return;
    this.#advise(words.adviceText(this.scene, hint));
    if (hint.name === "move") this.acts.showPlay(hint.args.play ?? null);
  }

  /** Open the sheet of rare acts. */
  async openMore() {
    const module = await this.#loaded(() => import("chouette/dock/more.js"));
    if (!module || !this.scene) return;
    if (!this.more) {
      this.more = new module.More();
      this.el.append(this.more.el);
    }
    this.more.open(this.scene, this.inMore);
  }

  /** Return a module loaded on demand, null without a connection. @template T @param {() => Promise<T>} load */
  #loaded(load) {
    return laterTexts().then(load).catch(() => {
      this.acts.emit("say", { text: gettext("No connection: try again."), show: true });
      return null;
    });
  }

  /** @param {KeyboardEvent} event @returns {boolean} whether the key was used */
  key(event) {
    return !this.more?.el.open && (this.scene?.strike(event.key.toUpperCase()) ?? false);
  }

  /** Show the row for the rest: with large letters it is one button. @param {Scene} scene @param {boolean} isOffered */
  #showAside(scene, isOffered) {
    // The six results of a real board need the room.
    const isShown = !scene.now.hasEnded && !this.memory.wood?.isEntering(scene);
    const all = isShown ? this.#asideButtons(scene, isOffered) : [];
    const isCalm = isShown && !isOffered && !this.#hasResult(scene);
    const isMore = isCalm && RARE_CHOICES.some((name) => scene.choice(name));
    const isFew = !isMore && all.length === 1 && (all[0].textContent ?? "").length <= FEW_LETTERS;
    const isBehind = this.acts.hasLargeText() && all.length > 0 && !isFew;
    const more = scene.button({ id: "more", label: gettext("More"), run: () => this.openMore(), kind: "bt-d-small" });
    this.inMore = isBehind ? all : [];
    lay(this.aside, [...(isBehind ? [] : all), isMore || isBehind ? more : null]);
    this.more?.show(scene, this.inMore);
  }

  /** Tell whether the card of a result has the room of what is rare, also while its next game is thrown for. */
  #hasResult(/** @type {Scene} */ { view }) {
    return Boolean(view.last_game) && isBetween(view);
  }

  /** Return the buttons that are not urgent; an offer hides them. @param {Scene} scene @param {boolean} isOffered */
  #asideButtons(scene, isOffered) {
    const auto = scene.args("auto")[0], hasResult = this.#hasResult(scene);
    const pressed = { pressed: !auto?.on, kind: "bt-d-small bt-d-auto" };
    return [
      ...(isAdvised(scene.now)
        ? [scene.button({ id: "hint", label: gettext("Hint"), run: () => this.askHint(), kind: "bt-d-small" })]
        : []),
      ...(scene.choice("take_back") ? [scene.button({ name: "take_back", kind: "bt-d-small" })] : []),
      ...(this.memory.wood?.takingBackAsHost(scene) ?? []),
      ...(hasResult && !isOffered ? [] : ofNextGame(scene)),
      ...(auto && !isOffered && !hasResult
        ? [scene.button({ id: "auto", name: "auto", args: auto, ...pressed, label: autoLabel(scene, auto) })]
        : []),
    ];
  }

  /** Ask for a bot's advice on my decision, where the house rules allow it. */
  askHint() {
    if (!this.now?.canAct || !isAdvised(this.now)) return;
    this.hintKey = about(this.now);
    this.acts.emit("ask-hint", {});
  }

  /** @param {string} text */
  #advise(text) {
    setText(this.advice, text);
    this.advice.hidden = text === "";
    if (text) return;
    this.hintKey = "";
    this.acts.showPlay(null);
  }

  /** Keep the focus in the dock when the focused button has gone. */
  #keepFocus() {
    const focused = document.activeElement;
    const isKept =
      focused instanceof HTMLElement && focused !== this.el && this.el.contains(focused) && focused.offsetParent;
    if (isKept) return;
    const { main, aside, foot } = this;
    const at = (/** @type {HTMLElement} */ el, /** @type {string} */ which) =>
      /** @type {HTMLElement | null} */ (el.querySelector(which));
    const first = (/** @type {string} */ which) => at(foot, which) ?? at(main, which);
    (first("[data-act].go") ?? first("[data-act]") ?? at(aside, "[data-act]") ?? this.el).focus();
  }
}

/**
 * Tell whether something may be done by itself (chouette/dock/by_itself.js): a play, or the roll of whoever may not
 * double or is on auto no double.
 * @param {Now} now
 */
function mayGoByItself({ view, choices }) {
  const has = (/** @type {string} */ name) => choices.some((choice) => choice.name === name);
  return has("move") || (has("roll") && (view.me?.auto || !has("offer") && !has("cube")));
}

/** Tell whether a bot may advise on my decision. @param {Now} now */
const isAdvised = ({ view: { options }, choices }) => options.hints && options.board !== "wood"
  && choices.some((choice) => choice.required && ADVISED.includes(choice.name));

/** Return the name of the switch, whichever way it is. @param {Scene} scene @param {object} args */
const autoLabel = (scene, args) => scene.words("auto", args, { on: true }).label;

/** Return a key of my open decision, to compare. @param {Now} now */
function about(now) {
  return JSON.stringify(now.choices.filter((c) => c.required).map((c) => [c.name, c.basis]));
}
