// @ts-check
/**
 * The replay: shows the spectators' view after each entry of the log in a game's element.
 * Nothing is played here: the element gets no choices, and its commands are ignored.
 */
import { byId, h, setAttr, setText } from "games/kit/page/dom.js";
import { linesOf, named, namedSeat } from "games/kit/page/sentences.js";
import { isCalm, skip } from "games/kit/page/motion.js";
import { fill } from "games/kit/page/text.js";
import { Grades } from "games/replay/grades.js";

const PAUSE_MS = 1100;
const LOG_LINES = 400;

/** @typedef {{seq: number, at: string, events: House.SentEvent[], view: House.KitView, names: string[]}} Frame */
/** @typedef {import("games/kit/seats.js").SeatInfo} SeatInfo */
/** @typedef {{number: number, first: number, last: number}} Span */

class Replay {
  /** @param {Page.Replay} config @param {Page.GameElement} element */
  constructor(config, element) {
    this.config = config;
    this.element = element;
    /** @type {Map<number, Frame>} */
    this.frames = new Map();
    this.seats = named(config.table).seats.map((s) => ({ ...s, presence: "here" }));
    this.at = 0;
    this.isSettled = false;
    this.timer = 0;
    /** @type {Span} */
    this.span = config.games[0];
    this.slider = byId("replay-step");
    /** The mistake shown, of several there. @type {import("games/replay/grades.js").Mistake | null} */
    this.mistake = null;
    this.grades = config.grades.length ? new Grades(config.grades, config.deeper, this.go.bind(this)) : null;
    this.#listen();
  }

  #listen() {
    const on = (/** @type {string} */ id, /** @type {() => void} */ act) => byId(id).addEventListener("click", act);
    on("replay-first", () => this.go(this.span.first));
    on("replay-last", () => this.go(this.span.last));
    on("replay-back", () => this.#step(-1));
    on("replay-next", () => this.#step(1));
    on("replay-play", () => this.#toggle());
    this.slider.addEventListener("input", () => this.go(this.span.first + Number(this.slider.value)));
    document.getElementById("replay-game")?.addEventListener("change", (event) =>
      this.go(Number(/** @type {HTMLSelectElement} */ (event.target).value)));
    byId("replay-log").addEventListener("click", (/** @type {Event} */ event) => {
      const line = /** @type {Element} */ (event.target).closest("li");
      if (line) this.go(Number(line.dataset.seq));
    });
    addEventListener("keydown", (event) => this.#key(event));
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    const target = /** @type {Element} */ (event.target);
    if (target.closest("input, select, summary") || event.ctrlKey || event.altKey || event.metaKey) return;
    if (event.key === " " && target.closest("button, a")) return;
    /** @type {Record<string, () => void>} */
    const acts = {
      ArrowRight: () => this.#step(1),
      ArrowLeft: () => this.#step(-1),
      Home: () => this.go(this.span.first),
      End: () => this.go(this.span.last),
      " ": () => this.#toggle(),
    };
    if (!acts[event.key]) return;
    event.preventDefault();
    acts[event.key]();
  }

  #toggle() {
    if (this.timer) return this.#stop();
    if (this.at >= this.span.last) this.go(this.span.first);
    const step = async () => {
      await this.#step(1);
      if (this.at >= this.span.last) this.#stop();
    };
    this.timer = window.setInterval(step, PAUSE_MS);
    this.#showPlaying();
  }

  #stop() {
    clearInterval(this.timer);
    this.timer = 0;
    this.#showPlaying();
  }

  #showPlaying() {
    setAttr(byId("replay-play"), "aria-pressed", String(this.timer !== 0));
    setText(byId("replay-play").querySelector("span"), this.timer ? gettext("Pause") : gettext("Play"));
  }

  /** Go on, or back, to the next entry at which something is said or seen. @param {1 | -1} way */
  async #step(way) {
    const { first, last } = this.span;
    let seq = this.at + way;
    while (seq > first && seq < last && await this.#isSilent(seq)) seq += way;
    await this.go(seq, way > 0);
  }

  /** Tell whether an entry says and shows nothing, as the wish for a throw. @param {number} seq */
  async #isSilent(seq) {
    const frame = await this.#frame(seq);
    if (!frame || this.grades?.before(seq) || this.#words(frame).length) return false;
    const before = await this.#frame(seq - 1);
    return JSON.stringify(before?.view) === JSON.stringify(frame.view);
  }

  /**
   * Show the table after an entry.
   * @param {number} wanted
   * @param {boolean} [isStep] play the motion of this entry
   * @param {import("games/replay/grades.js").Mistake | null} [mistake] which one, of several there
   */
  async go(wanted, isStep = false, mistake = null) {
    const games = this.config.games;
    const seq = Math.min(Math.max(wanted, games[0].first), games[games.length - 1].last);
    this.at = seq;
    this.mistake = mistake ?? this.grades?.before(seq) ?? null;
    this.span = games.find((/** @type {Span} */ g) => seq <= g.last) ?? games[0];
    const frame = await this.#frame(seq);
    if (!frame || this.at !== seq) return;
    skip();
    this.#show(frame);
    if (isStep && !isCalm()) await Promise.resolve(this.element.play?.(frame.events, frame.view)).catch(console.error);
  }

  /** Return the seats as they were at an entry: under the names of who sat there then. @param {Frame} frame */
  #seatsAt({ names, seq }) {
    const before = (/** @type {SeatInfo} */ s) => s.before?.filter(({ upto }) => upto <= seq);
    const then = this.seats.map((s) => ({ ...s, name: names[s.seat] || s.name, before: before(s) }));
    return then.map(namedSeat);
  }

  /** @param {Frame} frame */
  #show(frame) {
    const { mistake } = this, lang = document.documentElement.lang;
    const own = this.config.seats[this.config.games.indexOf(this.span)] ?? null;
    const parts = { seat: null, seats: this.#seatsAt(frame), isTv: false, lang };
    this.element.init?.(parts);
    this.#settle();
    this.element.update({
      ...parts,
      // The numbers of a play are those of the board as whoever made it sees it.
      eye: mistake?.seat ?? own,
      lesson: mistake,
      view: frame.view,
      choices: [],
      clocks: {},
      canAct: false,
      tableStatus: "finished",
    });
    const count = this.span.last - this.span.first;
    this.slider.max = String(count);
    this.slider.value = String(frame.seq - this.span.first);
    const step = fill(gettext("Step %(number)s of %(all)s"), {
      number: frame.seq - this.span.first + 1,
      all: count + 1,
    });
    setText(byId("replay-count"), `${frame.seq - this.span.first + 1} / ${count + 1}`);
    setAttr(this.slider, "aria-valuetext", step);
    setText(byId("turn-text"), (mistake && this.grades?.titleOf(mistake)) || step);
    this.#say(frame);
    setAttr(byId("replay-link"), "href", `?at=${frame.seq}`);
    history.replaceState(null, "", `?at=${frame.seq}`);
    const games = /** @type {HTMLSelectElement | null} */ (document.getElementById("replay-game"));
    if (games) games.value = String(this.span.first);
    this.#mark(frame.seq);
    this.grades?.show(this.span, frame.seq, mistake);
    if (frame.seq + 10 <= this.span.last) this.#frame(frame.seq + 10);
  }

  /** Say what was done at a step, or what the mistake before it was; the table itself tells how a game ended. */
  #say(/** @type {Frame} */ frame) {
    const { mistake } = this, said = byId("replay-said");
    setText(said, mistake ? mistake.text : this.#words(frame).join(" "));
    said.classList.toggle("visually-hidden", Boolean(mistake?.card || this.element.shownResult));
  }

  /** Move steps, log and files to the places of the game's element, if it has them. */
  #settle() {
    const { places } = this.element;
    if (!places || this.isSettled) return;
    this.isSettled = true;
    places.notices.append(byId("notices"));
    const mistakes = document.getElementById("replay-mistakes");
    if (mistakes) places.log.append(mistakes);
    places.log.append(byId("replay-log"));
    byId("replay-side").hidden = true;
    const files = document.getElementById("replay-files");
    if (!files || !places.files) return;
    files.classList.remove("menu-body");
    places.files.append(files);
    byId("replay-download").hidden = true;
  }

  /** @param {Frame} frame @returns {string[]} */
  #words(frame) {
    return linesOf(frame.events, this.#seatsAt(frame), frame.view?.options);
  }

  /** Mark the line of an entry in the log, after adding the lines that have arrived. @param {number} seq */
  #mark(seq) {
    const log = byId("replay-log");
    const known = [...this.frames.values()].filter((f) => f.seq >= this.span.first && f.seq <= this.span.last);
    const key = `${this.span.first}:${known.length}`;
    if (log.dataset.key !== key) {
      log.dataset.key = key;
      const sorted = known.sort((a, b) => a.seq - b.seq).slice(-LOG_LINES);
      const lines = sorted.map((f) => ({ seq: f.seq, words: this.#words(f) })).filter((l) => l.words.length);
      log.replaceChildren(...lines.map((l) => h("li", { data: { seq: l.seq } }, l.words.map((w) => h("p", {}, w)))));
    }
    for (const line of log.children) setAttr(line, "aria-current", Number(line.dataset.seq) === seq ? "step" : null);
    log.querySelector("[aria-current]")?.scrollIntoView({ block: "nearest" });
  }

  /**
   * Return the frame of an entry; it is fetched with the following ones if it is missing.
   * @param {number} seq
   * @returns {Promise<Frame | undefined>}
   */
  async #frame(seq) {
    if (!this.frames.has(seq)) {
      const found = await fetch(`${this.config.frames}?first=${seq}`)
        .then((r) => (r.ok ? r.json() : null))
        .catch(() => null);
      for (const frame of found?.frames ?? []) this.frames.set(frame.seq, frame);
      if (!found) setText(byId("replay-said"), gettext("These steps could not be fetched. Try again."));
    }
    return this.frames.get(seq);
  }
}

async function start() {
  const config = JSON.parse(byId("config").textContent);
  await import(config.module);
  const element = h(config.element, {});
  byId("game").append(element);
  byId("game").removeAttribute("aria-busy");
  await element.prepare?.(null);
  await new Replay(config, element).go(config.at);
}

if (isCalm()) document.documentElement.classList.add("is-calm");
start();
