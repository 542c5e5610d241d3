// @ts-check
/** My side's talk and suggested plays, never shown to others (docs/rules-chouette.md §4.9). */
import { beforeFrame, h, isSeen, put, setAttr, setText } from "games/kit/page/dom.js";
import { nameOf, namesOf } from "games/kit/seats.js";
import { fill } from "games/kit/page/text.js";
import { person } from "chouette/sheet/rows.js";
import { Suggestions } from "chouette/team/plays.js";
import { FITS, isAdvice, readyText, saidText } from "chouette/team/ready.js";
import { gameOf } from "chouette/words/words.js";

/** @typedef {import("chouette/table.js").Acts} Acts */
/** @typedef {import("chouette/table.js").Now} Now */

const LONGEST = 200;

export class Team {
  /** Number of lines and suggestions since the panel was last open. */
  unread = 0;

  /** @param {Acts} acts */
  constructor(acts) {
    this.acts = acts;
    this.why = h("p", { class: "bt-team-hears" });
    this.request = h("p", { class: "bt-team-asked" }, gettext("The Captain asks for your advice on this play."));
    this.talk = h("ul", { class: "bt-team-talk", tabindex: 0, "aria-label": gettext("Said in the Team") });
    this.plays = new Suggestions(acts);
    this.quick = h("div", { class: "bt-team-quick" });
    this.ask = h("div", { class: "bt-team-ask" });
    this.field = h("input", {
      maxlength: LONGEST,
      autocomplete: "off",
      enterkeyhint: "send",
      "aria-label": gettext("Say something to your side"),
      placeholder: gettext("Say something"),
    });
    this.go = h("button", { class: "button" }, gettext("Say it"));
    this.form = h(
      "form",
      { class: "bt-team-say", onsubmit: (/** @type {Event} */ e) => this.#submit(e) },
      this.field,
      this.go,
    );
    this.title = h("h2", { class: "bt-team-title" });
    const read = [this.title, this.why, this.request, this.plays.el, this.talk,
      h("div", { class: "bt-team-chips" }, this.ask, this.quick)];
    this.el = h("section", { class: "bt-team" }, h("div", { class: "bt-team-read" }, read), this.form);
    this.keys = { talk: "", quick: "", ask: "" };
    /** @type {{game: number, lines: number, plays: number, isAsked: boolean} | null} */
    this.last = null;
  }

  /** The number of lines. */
  get count() {
    return this.talk.children.length;
  }

  /** Opening the panel marks everything in it as read. */
  markRead() {
    this.unread = 0;
  }

  /** @param {Now} now */
  show(now) {
    const isThere = hasChannel(now);
    const why = isThere ? audience(now) : whyNone(now);
    this.el.hidden = !why;
    setAttr(this.el, "data-channel", isThere ? "open" : "none");
    setText(this.why, why);
    setAttr(this.field, "title", why);
    const isOfBox = isThere && [gameOf(now.view).box, gameOf(now.view).partner].includes(now.me);
    setText(this.title, isOfBox ? gettext("The Box and its partner") : "");
    this.request.hidden = !isThere || !isAsked(now);
    this.#showTalk(now, isThere);
    this.plays.show(now, isThere);
    this.#showSaying(now, isThere);
    this.#showAsking(now);
    this.#announce(now, isThere);
  }

  /** @param {Now} now @param {boolean} isThere */
  #showTalk({ view, seats }, isThere) {
    const lines = view.me && isThere ? view.me.talk : [];
    this.talk.hidden = lines.length === 0;
    const key = JSON.stringify([lines, seats.map((s) => s.name)]);
    if (key === this.keys.talk) return;
    this.keys.talk = key;
    put(
      this.talk,
      lines.map((line) => h("li", {}, person(seats, line.seat), " ", readyText(line.text))),
    );
    beforeFrame(this.#toEnd);
  }

  #toEnd = () => {
    this.talk.scrollTop = this.talk.scrollHeight;
  };

  /** @param {Now} now @param {boolean} isThere */
  #showSaying({ view, choices, canAct }, isThere) {
    const choice = isThere ? choices.find((c) => c.name === "say") : null;
    this.form.hidden = !choice;
    setAttr(this.go, "disabled", !canAct);
    const texts = (choice?.options ?? []).map((o) => o.text).filter((/** @type {string} */ text) =>
      FITS[text]?.includes(gameOf(view).stage) ?? true);
    for (const button of this.quick.children) setAttr(button, "disabled", !canAct);
    this.quick.hidden = texts.length === 0;
    const key = JSON.stringify(texts);
    if (key === this.keys.quick) return;
    this.keys.quick = key;
    put(
      this.quick,
      texts.map((/** @type {string} */ text) =>
        h(
          "button",
          { class: "button", type: "button", disabled: !canAct, onclick: () => this.acts.command("say", { text }) },
          readyText(text),
        ),
      ),
    );
  }

  /** Show the Captain's buttons to ask a member for advice. @param {Now} now */
  #showAsking({ choices, seats, canAct }) {
    const options = choices.find((c) => c.name === "ask_advice")?.options ?? [];
    this.ask.hidden = options.length === 0;
    for (const button of this.ask.querySelectorAll("button")) setAttr(button, "disabled", !canAct);
    const key = JSON.stringify([options, seats.map((s) => s.name)]);
    if (key === this.keys.ask) return;
    this.keys.ask = key;
    put(
      this.ask,
      h("span", {}, gettext("Ask for advice on this play:")),
      options.map((args) =>
        h(
          "button",
          { class: "button", type: "button", disabled: !canAct, onclick: () => this.acts.command("ask_advice", args) },
          nameOf(seats, args.seat),
        ),
      ),
    );
  }

  /** @param {Event} event */
  #submit(event) {
    event.preventDefault();
    const text = this.field.value.trim();
    if (!text || this.go.disabled) return;
    this.acts.command("say", { text });
    this.field.value = "";
  }

  /** Announce new lines politely, but not at the first look. @param {Now} now @param {boolean} isThere */
  #announce({ view, seats, me }, isThere) {
    const before = this.last, own = /** @type {Chouette.OwnView} */ (view.me);
    const isCalled = isThere && isAsked({ view, me });
    const now = {
      game: view.game?.number ?? 0,
      lines: isThere ? own.talk.length : 0,
      plays: isThere ? own.suggestions.length : 0,
      isAsked: isCalled,
    };
    this.last = now;
    if (!before || !isThere) return;
    const [lines, plays] = before.game === now.game ? [before.lines, before.plays] : [0, 0];
    if (isCalled && !before.isAsked) this.acts.emit("say", { text: this.request.textContent, show: true });
    const others = (/** @type {{seat: number}} */ one) => one.seat !== me;
    const said = own.talk.slice(lines).filter(others), drawn = own.suggestions.slice(plays).filter(others);
    // Advice is heard by whoever asks for it (chouette/words/asks.js).
    for (const { seat, text } of said.filter((one) => !isAdvice(one.text)))
      this.acts.emit("say", { text: saidText(nameOf(seats, seat), readyText(text)) });
    const news = said.length + drawn.length;
    if (!news && !this.unread) return;
    this.unread = isSeen(this.el) ? 0 : this.unread + news;
  }
}

/** @param {Now} now @returns {string} my role in the running game; "" for spectators */
function roleOf({ view, me }) {
  return me === null ? "" : (view.seats[me]?.role ?? "");
}

/** Tell whether I belong to a side that talks: nobody else has a channel. @param {Now} now */
function hasChannel(now) {
  const role = roleOf(now);
  if (!now.view.me || now.view.phase !== "playing" || now.view.format !== "chouette") return false;
  if (role === "box") return gameOf(now.view).partner !== null;
  return ["captain", "stand_in", "member", "partner"].includes(role);
}

/** Return the reason why I have no channel; "" if none is needed. @param {Now} now */
function whyNone(now) {
  if (now.me === null || now.view.format !== "chouette" || now.view.phase === "over") return "";
  if (now.view.phase !== "playing") return gettext("The Team talks while a game is played.");
  return (
    {
      box: gettext("You are the Box: you play alone and hear nothing of the Team's talk."),
      out: gettext("You are out of this game: you give no more advice and don't hear the Team."),
    }[roleOf(now)] ?? gettext("You are not in this game: its talk is not for you.")
  );
}

/** Tell whether the Captain has asked me for advice. @param {Pick<Now, "view" | "me">} now */
const isAsked = ({ view, me }) => me !== null && gameOf(view).asked.includes(me);

/** Return the hearers of my talk, or the reason why I may not talk. @param {Now} now */
function audience(now) {
  const { view, seats, me } = now;
  const others = (view.me?.hears ?? []).filter((seat) => seat !== me);
  if (!others.length) return whySilent(now);
  const names = namesOf(seats, others);
  const isTeam = gameOf(view).box !== me && gameOf(view).partner !== me;
  return fill(isTeam ? gettext("Heard by %(names)s, never by the Box.") : gettext("Heard by %(names)s alone."), {
    names,
  });
}

/** @param {Now} now */
function whySilent(now) {
  const { options, seats } = now.view, game = gameOf(now.view);
  if (options.consultation === "none") return gettext("House rule: nobody advises the Captain.");
  const isLow = options.consultation === "cube_at_least" && !game.cubes.some((cube) =>
    cube.result === null && cube.value >= options.consultation_from);
  if (isLow)
    return fill(gettext("House rule: the talk begins when a cube stands at %(value)s or more."), {
      value: options.consultation_from,
    });
  const cube = now.me === null ? null : seats[now.me].cube, own = cube === null ? undefined : game.cubes[cube];
  const isBound = options.consultation === "own_cube_turned" && roleOf(now) === "member";
  if (!isBound || own?.turned || isAsked(now))
    return gettext("Nobody of your side is left to talk with.");
  return options.captain_may_ask
    ? gettext("House rule: you may advise once your own cube has been offered and taken, or when the Captain asks you.")
    : gettext("House rule: you may advise once your own cube has been offered and taken.");
}
