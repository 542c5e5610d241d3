// @ts-check
/** The dock: the question, the big buttons, the starter's declaration, and the other open acts. */
import { beforeFrame, h, setAttr, setText, setVars } from "games/kit/page/dom.js";
import { fetched } from "games/kit/page/fetched.js";
import { GreetingRow } from "games/kit/greetings.js";
import { nameOf } from "games/kit/seats.js";
import { StrayTaps } from "games/kit/stray_taps.js";
import { Forward } from "games/kit/page/forward.js";
import { Tabs } from "games/kit/page/tabs.js";
import { told } from "games/kit/page/sentences.js";
import { fill } from "games/kit/page/text.js";
import { BY_ITSELF_MS } from "games/kit/table.js";
import { optionWords, said, wordsWith } from "games/kit/words.js";
import { Declaration } from "chicago/actions/declaration.js";
import { called, isLowRound } from "chicago/words/words.js";

/** @typedef {import("chicago/actions/selection.js").DiceSelection} DiceSelection */
/** @typedef {import("games/kit/table.js").Now<Chicago.View, Chicago.Choice>} Now */

/**
 * @typedef {object} Open the open acts
 * @property {Chicago.Choices["throw"] | null} throwing the open choice, or null
 * @property {Chicago.Choices["stand"] | null} standing the open choice, or null
 * @property {Chicago.Choices["type_dice" | "enter_result"] | null} typing the choice of real dice or of their result
 * @property {Chicago.Choices["declare"] | null} declaring the open choice of a valuation before a result is entered
 * @property {boolean} canAct false while offline, paused or waiting for an answer
 * @property {boolean} isForced there is only one way to throw, and no other answer
 */

/** Letters of a text that has smaller ones, so that it is whole. */
const LONG_NEED = 60, LONG_LARGE = 40;

export class Dock {
  /**
   * @param {{onThrow: () => void, onStand: (args: object) => void, onTurn: () => void, onHint: () => void,
   *   onResult: () => void, onType: (args: object) => void, onHouse: () => void,
   *   onDeclare: (args: object) => void, onGreet: (text: string) => void}} on
   * @param {{ask: HTMLElement, calls: HTMLElement, last: HTMLElement}} parts the other parts of the dock
   */
  constructor(on, { ask, calls, last }) {
    this.on = on;
    this.ask = ask;
    this.declaration = new Declaration(() => this.#labelStand());
    this.need = h("p", { class: "ct-need" });
    this.dots = h("p", { class: "ct-throws" });
    this.go = button("ct-go", "T", on.onThrow, (why) => this.explain(why));
    this.stand = button("ct-stand", "S", () => this.#stand(), (why) => this.explain(why));
    this.turn = h("button", { type: "button", class: "ct-turn", onclick: on.onTurn });
    /** The input of real dice. @type {import("games/kit/faces.js").Faces | null} */
    this.faces = null;
    /** The input of a result. @type {import("chicago/actions/entry.js").ResultEntry | null} */
    this.entry = null;
    /** The results that can be entered, on the felt: the real dice are elsewhere. */
    this.values = h("div", { class: "ct-values", hidden: true });
    this.typing = h("div", { class: "ct-typing" });
    this.hint = h("button", { type: "button", class: "ct-hintbtn", onclick: on.onHint }, gettext("Hint"));
    this.advice = h("p", { class: "ct-advice", role: "status", hidden: true });
    const again = { type: "button", class: "ct-resultbtn", onclick: on.onResult };
    this.result = h("button", again, gettext("Show the result"));
    const beside = { log: h("div", { id: "ct-log" }), chat: h("div", { id: "ct-chat" }) };
    this.places = { ...beside, notices: h("div", { class: "ct-notices" }), strip: h("div", { class: "ct-strip" }) };
    this.greetings = new GreetingRow("ct-greets", on.onGreet);
    const play = h("div", { class: "ct-mid" }, this.places.notices, last, this.greetings.el, this.declaration.el);
    this.tabs = new Tabs(
      gettext("Beside the dice"),
      [["play", gettext("Play"), play], ["log", gettext("Log"), beside.log], ["chat", gettext("Chat"), beside.chat]],
      (name) => {
        setAttr(this.el, "data-tab", name);
        this.forward.opened();
      },
    );
    this.forward = new Forward(this.tabs, "play", () => false);
    this.more = h("div", { class: "ct-more" }, this.turn, this.hint, this.result, calls, this.tabs.el);
    this.el = h(
      "section",
      { class: "ct-dock", "aria-label": gettext("What you can do"), data: { tab: "play" } },
      h("div", { class: "ct-info" }, this.need, this.dots, this.advice),
      play,
      h("div", { class: "ct-side tabs-panel" }, this.forward.el, beside.log, beside.chat),
      h("div", { class: "ct-buttons" }, this.stand.el, this.go.el),
      this.typing,
      ask,
      this.more,
    );
    /** @type {Now | null} */
    this.now = null;
    /** @type {Open} */
    this.open = { throwing: null, standing: null, typing: null, declaring: null, canAct: false, isForced: false };
    setVars(this.el, { "--alone": `${BY_ITSELF_MS}ms` });
    new StrayTaps(this.el);
  }

  /**
   * @param {Now} now
   * @param {DiceSelection} selection
   * @param {Open} open
   * @param {string} question open besides throwing; "" for none
   */
  show(now, selection, open, question) {
    const { view } = now;
    this.now = now;
    this.open = open;
    const isMine = Boolean(open.throwing || open.standing || open.typing);
    this.#showFaces(open);
    this.#showEntry(open, now);
    const isAsked = isMine || this.ask.hasChildNodes();
    this.forward.show(isAsked ? [question, isMine].join() : "");
    setAttr(this.el, "data-mode", question ? "ask" : open.typing ? "type" : isMine ? "turn" : "wait");
    const text = question || (isMine ? need(now) : waiting(view, now));
    setText(this.need, text);
    const isLarge = this.el.closest("[data-fit~=big]") !== null;
    setAttr(this.need, "data-long", text.length > (isLarge ? LONG_LARGE : LONG_NEED));
    throwDots(this.dots, view, Boolean(question));
    this.greetings.show(now.hasEnded || question || isMine ? { ...now, greetings: [] } : now);
    this.declaration.show((view.declares && open.standing?.options) || []);
    this.#labelGo(now, selection, isMine && !open.typing);
    this.#labelStand();
    this.#labelTurn(selection);
    this.result.hidden = !view.outcome;
    this.hint.hidden = !(isMine && !open.typing && view.options.hints);
    setAttr(this.hint, "aria-disabled", open.canAct ? null : "true");
    beforeFrame(this.#keepFocus);
  }

  /** Show the input for real dice that are to be typed. @param {Open} open */
  async #showFaces({ typing, canAct }) {
    this.typing.hidden = !typing;
    if (this.faces) this.faces.el.hidden = typing?.name !== "type_dice";
    if (typing?.name !== "type_dice") return;
    const module = await fetched(() => import("games/kit/faces.js"));
    if (this.open.typing !== typing) return;
    if (!this.faces) {
      this.faces = new module.Faces(this.on.onType);
      this.typing.append(this.faces.el);
    }
    this.faces.show(typing, canAct);
  }

  /** Show the input for the result of real dice. @param {Open} open @param {Now} now */
  async #showEntry({ typing, declaring, canAct }, now) {
    const isEntering = typing?.name === "enter_result";
    this.values.hidden = !isEntering;
    if (this.entry) this.entry.el.hidden = !isEntering;
    if (!isEntering) return;
    const module = await fetched(() => import("chicago/actions/entry.js"));
    if (this.open.typing !== typing) return;
    if (!this.entry) {
      this.entry = new module.ResultEntry(this.on);
      this.typing.append(this.entry.el);
      this.values.append(this.entry.values);
    }
    this.entry.show(typing, declaring, now, canAct);
  }

  /** Open the chat, or go back to the dice. */
  toggleChat() {
    this.tabs.select(this.tabs.selected === "chat" ? "play" : "chat");
    if (this.tabs.selected === "chat") this.places.chat.querySelector("input")?.focus();
  }

  /** @param {string} text advice, or "" */
  advise(text) {
    setText(this.advice, text);
    this.advice.hidden = text === "";
  }

  /** Show the reason why an act is not possible, where it was tried. @param {string} why */
  explain(why) {
    if (why) this.advise(why);
  }

  /** @param {Now} now @param {DiceSelection} selection @param {boolean} isMine */
  #labelGo(now, selection, isMine) {
    const { throwing, canAct, isForced } = this.open;
    // Also of dice that may not be thrown: the button says why.
    const chosen = { throws: Math.max(1, selection.inCup) };
    const { label } = optionWords(throwing ?? { name: "throw", seat: now.me }, chosen, -1, now);
    const why = throwing ? whyNotNow(canAct) : gettext("You have no throw left.");
    this.go.show(isMine, label, throwing && canAct && selection.option !== null ? "" : why);
    setAttr(this.go.el, "data-alone", isForced && canAct);
  }

  #labelStand() {
    const { standing, throwing, canAct } = this.open, { now } = this;
    if (!now) return;
    const words = standing ? wordsWith(standing, this.declaration.args, now)
      : optionWords({ ...throwing, name: "stand", seat: now.me }, {}, -1, now);
    this.stand.show(Boolean(standing || throwing), words.label, standing ? whyNotNow(canAct) : whyNoStand(now.view));
  }

  /** @param {DiceSelection} selection */
  #labelTurn(selection) {
    this.turn.hidden = !selection.canTurn || selection.isForced;
    setText(this.turn, gettext("Turn two sixes"));
    setAttr(this.turn, "aria-pressed", String(selection.turning !== ""));
    setAttr(this.turn, "aria-disabled", this.open.canAct ? null : "true");
  }

  #stand() {
    if (this.open.standing) this.on.onStand(this.declaration.args);
  }

  /** Move the focus to the next button when the focused one has gone. */
  #keepFocus = () => {
    const focused = document.activeElement;
    if (!(focused instanceof HTMLElement) || !this.el.contains(focused) || focused.offsetParent) return;
    const next = [this.go.el, this.stand.el, ...this.ask.querySelectorAll("button")].find((b) => b.offsetParent);
    next?.focus();
  };
}

/** Return a big button; if it is disabled, pressing it shows the reason. @param {string} kind @param {string} key
 * @param {() => void} onPress @param {(why: string) => void} onRefused */
function button(kind, key, onPress, onRefused) {
  const label = h("span", {});
  let refusal = "";
  const press = () => (el.getAttribute("aria-disabled") === "true" ? onRefused(refusal) : onPress());
  const el = h(
    "button",
    { type: "button", class: `ct-big ${kind}`, "aria-keyshortcuts": key, onclick: press },
    label,
    h("kbd", { class: "ct-key", "aria-hidden": "true" }, key),
  );
  const show = (/** @type {boolean} */ isOpen, /** @type {string} */ text, /** @type {string} */ why) => {
    el.hidden = !isOpen;
    setText(label, text);
    refusal = why.trim();
    setAttr(el, "aria-disabled", why ? "true" : null);
  };
  return { el, show };
}

/** Return a blank reason while acting is not possible: the page shows it elsewhere. @param {boolean} canAct */
function whyNotNow(canAct) {
  return canAct ? "" : " ";
}

/** @param {Chicago.View} view */
function whyNoStand(view) {
  if (!view || view.cup.throws === 0) return gettext("Throw first.");
  if (view.exactly && view.throws_allowed !== null)
    return fill(
      ngettext(
        "You must throw exactly as often as the starter: %(count)s time.",
        "You must throw exactly as often as the starter: %(count)s times.",
        view.throws_allowed,
      ),
      { count: view.throws_allowed },
    );
  return gettext("Three sixes must be turned: throw on.");
}

/** Return what the turn is about: the result that must be beaten. @param {Now} now */
export function need(now) {
  const open = ["enter_result", "type_dice", "throw"].map((name) => now.choices.find((one) => one.name === name));
  return said("question", open.find(Boolean) ?? { name: "stand", seat: now.me }, now);
}

/** @param {Chicago.View} view */
function mustBeat(view) {
  if (view.for_high) return gettext("%(name)s must beat the high: %(result)s");
  return isLowRound(view) ? gettext("%(name)s must get below %(result)s") : gettext("%(name)s must beat %(result)s");
}

/** @param {Chicago.View} view @param {{seats: import("games/kit/seats.js").SeatInfo[], me: number | null}} who */
export function waiting(view, { seats, me }) {
  // That it is over says the bar; here, who has lost.
  if (view.outcome) return view.outcome.title[1].by ? told(view.outcome.title, seats, view.options) : "";
  if (view.turn === null) return "";
  const name = nameOf(seats, view.turn);
  const place = me === null ? -1 : view.waiting.indexOf(me);
  if (place === 0) return gettext("You are next");
  if (place > 0)
    return fill(ngettext("%(count)s player before you", "%(count)s players before you", place + 1), {
      count: place + 1,
    });
  if (view.beat) return fill(mustBeat(view), { name, result: called(view.beat) });
  return fill(gettext("%(name)s starts the round"), { name });
}

/** Show the throws of the turn. @param {HTMLElement} element @param {Chicago.View} view @param {boolean} isAsked */
function throwDots(element, view, isAsked) {
  element.hidden = view.turn === null || isAsked;
  setText(element, fill(gettext("Throw %(number)s of %(all)s"), view.throw));
}
