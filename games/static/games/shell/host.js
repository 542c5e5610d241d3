// @ts-check
/** What the host may do at a running table, seat by seat. Everything is an event that all see. */
import { byId, h, put, setAttr, setText } from "games/kit/dom.js";
import { confirmed } from "games/kit/notices.js";
import { fill } from "games/kit/text.js";

/** @typedef {(name: string, args: object) => void} Send */

export class HostPanel {
  /** @param {Send} send */
  constructor(send) {
    this.send = send;
    this.root = byId("menu-host");
  }

  /**
   * Draw the panel anew; members come from the page, as it is on the server now.
   * @param {any} table
   */
  async show(table) {
    this.root.hidden = false;
    this.#draw(table, document);
    const page = await fetch(location.href).then((r) => r.text()).catch(() => "");
    const fresh = new DOMParser().parseFromString(page, "text/html");
    if (!fresh.getElementById("members")) return;
    this.#draw(table, fresh);
    this.#closing(fresh);
  }

  /** @param {any} table @param {Document} page that knows the members */
  #draw(table, page) {
    if (this.root.contains(document.activeElement) && this.root.childElementCount) return;
    const seated = new Set(table.seats.map((/** @type {any} */ s) => String(s.player)));
    const free = options(page, "members").filter(([id]) => !seated.has(id));
    const takesIn = page.getElementById("members")?.dataset.takesIn && table.status === "playing";
    const present = table.seats.filter((/** @type {any} */ s) => !s.gone);
    const isRunning = table.status === "playing" || table.status === "paused";
    put(
      this.root,
      h("h3", {}, gettext("Host")),
      isRunning && this.#tableButtons(table),
      isRunning && present.map((/** @type {any} */ seat) => this.#seat(seat, free)),
      takesIn && h("h4", {}, gettext("One more at the table")),
      takesIn && this.#give(gettext("One more at the table"), gettext("Add"), "table.join", {}, free),
    );
    this.root.hidden = !isRunning;
    this.#closing(page);
  }

  /** Say why the table cannot be closed now, and then let nobody try. @param {Document} page */
  #closing(page) {
    const why = page.getElementById("why-open")?.textContent ?? "";
    const [button, hint] = this.root.querySelectorAll("[data-closing]");
    if (!button) return;
    setAttr(button, "disabled", why !== "");
    setText(hint, why);
    hint.hidden = why === "";
  }

  /** @param {any} table */
  #tableButtons(table) {
    const isPaused = table.status === "paused";
    const closing = this.#button(
      gettext("Close the table"),
      "table.close",
      {},
      "",
      gettext("End the game here, with its result?"),
    );
    setAttr(closing, "data-closing", true);
    setAttr(closing, "aria-describedby", "closing-why");
    return h(
      "div",
      { class: "row" },
      this.#button(isPaused ? gettext("Go on") : gettext("Pause"), isPaused ? "table.resume" : "table.pause", {}, "go"),
      closing,
      this.#button(gettext("Break off"), "table.end", {}, "danger", gettext("Break the game off without a result?")),
      h("p", { class: "hint", id: "closing-why", data: { closing: "" }, hidden: true }),
    );
  }

  /** @param {any} seat @param {[string, string][]} free */
  #seat(seat, free) {
    const args = { seat: seat.seat };
    const name = { name: seat.name };
    const isPerson = seat.player !== null;
    const level = options(document, "bot-levels").find(([id]) => id === seat.bot)?.[1] ?? seat.bot;
    const badge = seat.bot ? fill(gettext("Bot: %(level)s"), { level }) : isPerson ? "" : gettext("empty");
    return h(
      "details",
      { class: "host-seat" },
      h("summary", {}, seat.name.replace(/ 🤖$/u, ""), badge && h("span", { class: "badge" }, badge)),
      h(
        "div",
        { class: "row" },
        isPerson && this.#button(gettext("Nudge"), "table.nudge", args),
        this.#button(gettext("Let the clock play"), "table.play_on", args),
        isPerson &&
          this.#button(
            gettext("Free the seat"),
            "table.kick",
            args,
            "danger",
            fill(gettext("Take %(name)s off the seat? It stays in the game and waits for somebody else."), name),
          ),
        this.#button(
          gettext("Out of the game"),
          "table.forfeit",
          args,
          "danger",
          fill(
            gettext(
              "Take %(name)s out of the game? What leaving costs by the rules is due, and nobody else gets the seat.",
            ),
            name,
          ),
        ),
      ),
      this.#give(
        fill(gettext("Substitute for %(name)s"), name),
        gettext("Give the seat"),
        "table.substitute",
        args,
        free,
      ),
    );
  }

  /**
   * A choice of the members without a seat and the bots, and the button that seats one.
   * @param {string} title
   * @param {string} label
   * @param {string} name of the command
   * @param {object} args what the command says besides who
   * @param {[string, string][]} free
   */
  #give(title, label, name, args, free) {
    const bots = options(document, "bot-levels").map(([level, label]) =>
      h("option", { value: `bot:${level}` }, fill(gettext("Bot: %(level)s"), { level: label })),
    );
    const people = free.map(([id, name]) => h("option", { value: `player:${id}` }, name));
    const field = h("select", { "aria-label": title }, people, bots);
    const act = () => {
      const [kind, value] = field.value.split(":");
      this.send(name, { ...args, [kind]: kind === "bot" ? value : Number(value) });
      byId("menu").close();
    };
    return h("div", { class: "row" }, field, h("button", { type: "button", class: "button", onclick: act }, label));
  }

  /**
   * @param {string} label
   * @param {string} name
   * @param {object} args
   * @param {string} [kind]
   * @param {string} [question]
   */
  #button(label, name, args, kind = "", question = "") {
    const act = async () => {
      byId("menu").close();
      if (!question || (await confirmed(question, label))) this.send(name, args);
    };
    return h("button", { type: "button", class: `button ${kind}`, onclick: act }, label);
  }
}

/**
 * @param {Document} from
 * @param {string} id of a datalist
 * @returns {[string, string][]}
 */
function options(from, id) {
  const list = from.getElementById(id);
  return [...(list?.querySelectorAll("option") ?? [])].map((o) => [o.value, o.label]);
}
