// @ts-check
/**
 * The log in words and the chat. They are in the places of the game's element, if it has them; else at the side:
 * in a drawer on a phone, in a column where there is room.
 */
import { afterFrame, beforeFrame, byId, h, isSeen, setAttr, setText } from "games/kit/page/dom.js";
import { sound } from "games/kit/audio/sound.js";
import { fill, timeText } from "games/kit/page/text.js";
import { toast } from "games/kit/page/notices.js";

const LONGEST_LOG = 200;

/** @typedef {import("games/shell/connection/socket.js").Message} Message */

export class Side {
  /**
   * @param {{lines: (events: House.SentEvent[], seq: number) => string[], say: (text: string) => boolean}} how
   *   `say` tells whether the text was sent
   */
  constructor(how) {
    this.how = how;
    this.root = byId("side");
    /** Opens and closes the chat in its place at the game; without one, the side does. @type {(() => void) | null} */
    this.toggleChat = null;
    this.log = byId("log");
    this.chat = byId("chat");
    this.field = byId("chat-text");
    /** @type {string | null} our own text that has not come back yet */
    this.sent = null;
    this.unread = 0;
    this.lastSeq = 0;
    /** @type {Record<string, string>} */
    this.greetings = {};
    this.tabs = ["log", "chat"];
    for (const tab of this.tabs) byId(`tab-${tab}`).addEventListener("click", () => this.open(tab));
    byId("tab-log").parentElement.addEventListener("keydown", (/** @type {KeyboardEvent} */ e) => this.#arrows(e));
    document.getElementById("open-side")?.addEventListener("click", () => (this.toggleChat ?? this.toggle)());
    byId("close-side").addEventListener("click", () => this.toggle(false));
    byId("chat-form").addEventListener("submit", (/** @type {Event} */ e) => this.#send(e));
    this.root.addEventListener("keydown", (/** @type {KeyboardEvent} */ e) => e.key === "Escape" && this.toggle(false));
    // Opening a place shows the lines that have come meanwhile.
    new ResizeObserver(() => this.isChatShown && this.#read()).observe(this.chat);
  }

  /**
   * Move the log and the chat to their places at the game.
   * @param {{log: HTMLElement, chat: HTMLElement}} places @param {() => void} toggleChat
   */
  settle({ log, chat }, toggleChat) {
    this.toggleChat = toggleChat;
    for (const [place, tab] of /** @type {const} */ ([[log, "log"], [chat, "chat"]])) {
      const panel = byId(`panel-${tab}`);
      for (const name of ["role", "aria-labelledby", "tabindex"]) setAttr(panel, name, null);
      panel.hidden = false;
      place.append(panel);
    }
    this.root.classList.add("is-elsewhere");
  }

  /** Tell whether the chat can be read now. */
  get isChatShown() {
    return isSeen(this.chat);
  }

  /** @param {boolean} [isOpen] */
  toggle = (isOpen = !this.root.classList.contains("is-open")) => {
    this.root.classList.toggle("is-open", isOpen);
    const button = document.getElementById("open-side");
    if (button) setAttr(button, "aria-expanded", String(isOpen));
    if (isOpen && this.unread) this.open("chat");
    else if (isOpen) byId("tab-log").focus();
    else if (this.root.contains(document.activeElement)) button?.focus();
  };

  /** @param {string} wanted "log" or "chat" */
  open(wanted) {
    for (const tab of this.tabs) {
      const isIt = tab === wanted;
      byId(`panel-${tab}`).hidden = !isIt;
      setAttr(byId(`tab-${tab}`), "aria-selected", String(isIt));
      setAttr(byId(`tab-${tab}`), "tabindex", isIt ? "0" : "-1");
    }
    if (wanted === "chat") this.#read();
    this.#toEnd();
  }

  /**
   * Write the lines of an entry into the log.
   * @param {number} seq
   * @param {House.SentEvent[]} events
   */
  record(seq, events) {
    if (seq <= this.lastSeq) return;
    this.lastSeq = seq;
    const lines = this.how.lines(events, seq);
    if (!lines.length) return;
    afterFrame(() => {
      this.log.append(h("li", { data: { seq } }, lines.map((line) => h("p", {}, line))));
      while (this.log.childElementCount > LONGEST_LOG) this.log.firstElementChild.remove();
      this.#toEnd();
    });
  }

  /** @param {Message[]} lines the chat so far @param {Record<string, string>} greetings by key, in our words */
  restore(lines, greetings) {
    this.greetings = greetings;
    this.chat.replaceChildren(...lines.map((line) => this.#line(line)));
    this.#drawGreetings(Object.values(greetings));
    this.#toEnd();
  }

  /** Draw a button for each greeting; the same ones stay, because a finger may be upon one. @param {string[]} texts */
  #drawGreetings(texts) {
    const place = byId("chat-greetings"), shown = [...place.children];
    if (texts.length === shown.length && shown.every((button, i) => button.textContent === texts[i])) return;
    place.replaceChildren(...texts.map((text) =>
      h("button", { type: "button", class: "button", onclick: () => this.#say(text) }, text)));
  }

  /** Note that a text of ours is shown to nobody before the game is over. @param {string} text */
  keptBack(text) {
    this.sent = null;
    const note = gettext("Kept back: all will read it when the game is over.");
    this.chat.append(h("li", { class: "is-kept" }, h("p", {}, text), h("p", {}, h("small", {}, note))));
    toast(note);
    this.#toEnd();
  }

  /** Send a greeting. @param {string} text */
  greet(text) {
    this.#say(text);
  }

  /** @param {Message} message @param {string} me @param {boolean} [isCalled] whoever does not read the chat is told */
  add(message, me, isCalled = true) {
    this.chat.append(this.#line(message));
    for (const kept of this.chat.querySelectorAll(".is-kept")) {
      if (message.name === me && kept.firstElementChild?.textContent === message.text) kept.remove();
    }
    const isMine = message.name === me && message.text === this.sent;
    if (isMine) this.sent = null;
    else if (!this.isChatShown && isCalled) this.#miss(message);
    this.#toEnd();
  }

  /** Put a text that was not delivered back into the field, so that it is not lost. */
  giveBack() {
    if (this.sent !== null && !this.field.value) this.field.value = this.sent;
    this.sent = null;
  }

  /** @param {Message} message */
  #miss(message) {
    this.unread += 1;
    sound("chat");
    this.#count();
    toast(this.lineOf(message));
  }

  /** Return a message as one line; a greeting in the reader's language. @param {Message} message */
  lineOf(message) {
    return fill(gettext("%(label)s: %(value)s"), { label: message.name, value: this.wordsOf(message) });
  }

  /** @param {Message} message */
  wordsOf({ greeting, text }) {
    return this.greetings[greeting] ?? text;
  }

  /** @param {Message} message */
  #line(message) {
    const time = h("time", { datetime: message.at }, timeText(message.at));
    return h("li", {}, h("p", {}, h("b", {}, message.name), " ", time), h("p", {}, this.wordsOf(message)));
  }

  #read() {
    if (this.unread) this.#toEnd();
    this.unread = 0;
    this.#count();
  }

  #count() {
    const badge = document.getElementById("unread");
    if (!badge) return;
    badge.hidden = this.unread === 0;
    setText(badge, String(this.unread));
  }

  /** @param {Event} event */
  #send(event) {
    event.preventDefault();
    const text = this.field.value.trim();
    if (text && this.#say(text)) this.field.value = "";
  }

  /** @param {string} text */
  #say(text) {
    const isSent = this.how.say(text);
    if (isSent) this.sent = text;
    else toast(gettext("Not sent: there is no connection."), "error");
    return isSent;
  }

  /** @param {KeyboardEvent} event */
  #arrows(event) {
    if (event.key !== "ArrowLeft" && event.key !== "ArrowRight") return;
    const next = byId("panel-log").hidden ? "log" : "chat";
    this.open(next);
    byId(`tab-${next}`).focus();
  }

  #toEnd() {
    beforeFrame(this.#scroll);
  }

  #scroll = () => {
    const log = byId("panel-log");
    for (const list of [log, log.parentElement, this.chat]) list.scrollTop = list.scrollHeight;
  };
}
