// @ts-check
/** What may be done now: my decision, or what the table waits for; and a row for the rest. */
import { h, setAttr, setText } from "games/kit/dom.js";
import { panels } from "chouette/dock/decisions.js";
import { lay, Memory, panelNode, Scene } from "chouette/dock/parts.js";

/** @typedef {import("chouette/table.js").Acts} Acts */
/** @typedef {import("chouette/table.js").Now} Now */

/** The decisions about which a bot can be asked, and those that have a sheet of their own. */
const ADVISED = ["move", "cube", "offer", "answer_batch", "answer", "reply"];
const RARE = ["resign", "propose", "name_proxy"];

export class Dock {
  /** @type {Scene | null} */
  scene = null;
  /** The decision about which advice was asked. */
  askedAbout = "";

  /** @param {Acts} acts */
  constructor(acts) {
    this.acts = acts;
    this.memory = new Memory();
    /** Loaded when it is opened first. @type {import("chouette/dock/more.js").More | null} */
    this.more = null;
    this.main = h("div", { class: "bt-d-panels" });
    this.advice = h("p", { class: "bt-d-advice", role: "status" });
    this.advice.hidden = true;
    this.aside = h("div", { class: "bt-d-aside" });
    this.el = h(
      "section",
      { class: "bt-dock", tabindex: -1, "aria-label": gettext("What you can do") },
      this.main,
      this.advice,
      this.aside,
    );
    this.main.addEventListener("click", (/** @type {MouseEvent} */ event) => this.#pressed(event));
    this.aside.addEventListener("click", (/** @type {MouseEvent} */ event) => this.#pressed(event));
  }

  /** @param {Now} now */
  show(now) {
    this.now = now;
    const hadFocus = this.el.contains(document.activeElement);
    const scene = new Scene(now, this.acts, this.memory, () => this.now && this.show(this.now));
    this.scene = scene;
    const shown = now.hasEnded ? [] : panels(scene);
    lay(this.main, shown.map(panelNode));
    const isOffered = shown.some(({ kind }) => kind === "offer");
    lay(this.aside, now.hasEnded ? [] : this.#asideButtons(scene, isOffered));
    setAttr(this.el, "data-mine", isOffered || shown.some(({ kind }) => kind === "mine"));
    this.more?.show(scene);
    if (this.askedAbout && this.askedAbout !== about(now)) this.#advise("");
    if (hadFocus) this.#keepFocus();
    this.#rollIfWished(scene);
  }

  /** Advice that was asked for. @param {any} hint as in chouette/bot/bots.py */
  async showHint(hint) {
    const words = await this.#loaded(import("chouette/dock/hint.js"));
    if (!words || !this.scene || this.askedAbout !== about(this.scene.now)) return;
    this.#advise(words.adviceText(this.scene, hint));
    if (hint.name === "move") this.acts.showPlay(hint.args.play);
  }

  /** The sheet for what is rarely done. */
  async openMore() {
    const module = await this.#loaded(import("chouette/dock/more.js"));
    if (!module || !this.scene) return;
    if (!this.more) {
      this.more = new module.More();
      this.el.append(this.more.el);
    }
    this.more.open(this.scene);
  }

  /** A module that is seldom wanted comes when it is; null without a line. @template T @param {Promise<T>} module */
  #loaded(module) {
    return module.catch(() => {
      this.acts.emit("say", { text: gettext("No connection: try again."), show: true });
      return null;
    });
  }

  /** @param {KeyboardEvent} event @returns {boolean} whether the key meant something */
  key(event) {
    return !this.more?.el.open && (this.scene?.strike(event.key.toUpperCase()) ?? false);
  }

  /** What is not urgent gives way to an offer. @param {Scene} scene @param {boolean} isOffered */
  #asideButtons(scene, isOffered) {
    const auto = scene.args("auto")[0];
    const ask = () => {
      this.askedAbout = about(scene.now);
      this.acts.emit("ask-hint", {});
    };
    const isAdvised = scene.view.options.hints && scene.now.choices.some((c) => c.required && ADVISED.includes(c.name));
    const isMore = !isOffered && RARE.some((name) => scene.choice(name));
    return [
      isAdvised ? scene.button({ id: "hint", label: gettext("Hint"), run: ask, kind: "bt-d-small" }) : null,
      scene.choice("take_back")
        ? scene.button({ name: "take_back", label: gettext("Take back"), kind: "bt-d-small" })
        : null,
      auto && !isOffered
        ? scene.button({
            id: "auto",
            name: "auto",
            args: auto,
            pressed: !auto.on,
            label: gettext("Auto no double"),
            kind: "bt-d-small bt-d-auto",
          })
        : null,
      isMore
        ? scene.button({ id: "more", label: gettext("More"), run: () => this.openMore(), kind: "bt-d-small" })
        : null,
    ];
  }

  /** The second tap of a hurried thumb is no answer to what the first one brought. @param {MouseEvent} event */
  #pressed(event) {
    const target = /** @type {Element} */ (event.target);
    const isToggle = target.closest("[aria-pressed]") !== null;
    if (event.detail < 2 || isToggle) this.scene?.press(target);
  }

  /** @param {string} text */
  #advise(text) {
    setText(this.advice, text);
    this.advice.hidden = text === "";
    if (text) return;
    this.askedAbout = "";
    this.acts.showPlay(null);
  }

  /** A button that has gone takes the focus with it: the dock keeps it for what can be done next. */
  #keepFocus() {
    const focused = document.activeElement;
    const isKept =
      focused instanceof HTMLElement && focused !== this.el && this.el.contains(focused) && focused.offsetParent;
    if (isKept) return;
    const { main, aside } = this;
    (
      main.querySelector("[data-act].go") ??
      main.querySelector("[data-act]") ??
      aside.querySelector("[data-act]") ??
      this.el
    ).focus();
  }

  /**
   * Roll by itself after the window was closed in order to roll; a double that came up ends that wish.
   * @param {Scene} scene
   */
  #rollIfWished(scene) {
    const isOpen = scene.choice("cube") || scene.choice("close_window");
    if (!this.memory.wantsRoll || !scene.now.canAct || isOpen) return;
    this.memory.wantsRoll = false;
    // Not while the table is still being drawn: a command draws it again.
    if (scene.choice("roll")) queueMicrotask(() => this.acts.command("roll", {}));
  }
}

/** What is asked of me now, as a name to compare. @param {Now} now */
function about(now) {
  return JSON.stringify(now.choices.filter((c) => c.required).map((c) => [c.name, c.basis]));
}
