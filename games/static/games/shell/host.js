// @ts-check
/** Acts of the host at a running table, seat by seat. Each is an event that everybody sees. */
import { byId, h, put, setAttr, setText } from "games/kit/page/dom.js";
import { afterRelease } from "games/kit/page/held.js";
import { confirmed } from "games/kit/page/notices.js";
import { fill } from "games/kit/page/text.js";

/** @typedef {(name: string, args: object, isOfLast?: boolean) => void} Send */

export class HostPanel {
  /** @param {Send} send */
  constructor(send) {
    this.send = send;
    this.root = byId("menu-host");
  }

  /**
   * Draw the panel; the members are fetched with the page as it is on the server now.
   * @param {House.SentTable} table
   */
  async show(table) {
    this.root.hidden = false;
    this.#draw(table, document);
    const page = await fetch(location.href).then((r) => r.text()).catch(() => "");
    const fresh = new DOMParser().parseFromString(page, "text/html");
    if (fresh.getElementById("members")) afterRelease(() => this.#redraw(table, fresh));
  }

  /** @param {House.SentTable} table @param {Document} page */
  #redraw(table, page) {
    this.#draw(table, page);
    this.#closing(page);
    const person = page.getElementById("menu-person");
    if (person && !byId("menu-person").contains(document.activeElement)) byId("menu-person").replaceWith(person);
  }

  /** @param {House.SentTable} table @param {Document} page that has the members */
  #draw(table, page) {
    if (this.root.contains(document.activeElement) && this.root.childElementCount) return;
    const seated = new Set(table.seats.map((s) => String(s.player)));
    const free = options(page, "members").filter(([id]) => !seated.has(id));
    const takesIn = page.getElementById("members")?.dataset.takesIn && table.status === "playing";
    const present = table.seats.filter((s) => !s.gone);
    const isRunning = table.status === "playing" || table.status === "paused";
    put(
      this.root,
      h("h3", {}, gettext("Host")),
      isRunning && this.#tableButtons(table),
      isRunning && this.#scorekeeper(table, page),
      isRunning && this.#order(options(page, "order"), table),
      isRunning && this.#clocks(options(page, "clocks")),
      isRunning && this.#takingBack(options(page, "told"), table, page.getElementById("why-told")),
      isRunning && present.map((seat) => this.#seat(seat, free)),
      takesIn && h("h4", {}, gettext("One more at the table")),
      takesIn && this.#give(gettext("One more at the table"), gettext("Add"), "table.join", {}, free),
    );
    this.root.hidden = !isRunning;
    this.#closing(page);
  }

  /**
   * Disable closing with the reason if the table can't be closed now; offer to close it after the game.
   * @param {Document} page
   */
  #closing(page) {
    const after = page.getElementById("close-after")?.textContent ?? "";
    for (const later of this.root.querySelectorAll("[data-after]")) {
      if (later instanceof HTMLElement) later.hidden = later.dataset.after !== after;
    }
    const why = page.getElementById("why-open")?.textContent ?? "";
    const [button, hint] = this.root.querySelectorAll("[data-closing]");
    if (!button) return;
    setAttr(button, "disabled", why !== "");
    setText(hint, why);
    hint.hidden = why === "";
  }

  /** @param {House.SentTable} table */
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
      this.#closeAfter(true, gettext("Close after this game")),
      this.#closeAfter(false, gettext("Do not close after this game")),
      this.#button(gettext("Break off"), "table.end", {}, "danger", gettext("Break the game off without a result?")),
      h("p", { class: "hint", id: "closing-why", data: { closing: "" }, hidden: true }),
    );
  }

  /** Return a button that is hidden until the rules allow it. @param {boolean} on @param {string} label */
  #closeAfter(on, label) {
    const button = this.#button(label, "table.close_after", { on });
    setAttr(button, "data-after", on ? "on" : "off");
    button.hidden = true;
    return button;
  }

  /** Return the choice of the scorekeeper. @param {House.SentTable} table @param {Document} page */
  #scorekeeper({ scorekeeper }, page) {
    const label = gettext("Scorekeeper");
    const withPhone = options(page, "members", "option:not([data-no-phone])");
    const field = h("select", { "aria-label": label }, scorekeeper ? null : h("option", { value: "" }, "–"),
      withPhone.map(([id, name]) => h("option", { value: id, selected: Number(id) === scorekeeper?.player }, name)));
    field.addEventListener("change", () => this.send("table.scorekeeper", { player: Number(field.value) }));
    return h("label", { class: "row" }, h("span", {}, label), field);
  }

  /**
   * Return the order of play if the host sets it: each tap moves a seat one place up.
   * @param {[string, string][]} order seats and names
   * @param {House.SentTable} table
   * @returns {Element | null}
   */
  #order(order, table) {
    if (order.length < 2) return null;
    const list = h("ol", { class: "host-order" });
    const draw = () => put(list, order.map(([seat, name], place) => h("li", {}, name, place > 0 && up(seat, name))));
    const up = (/** @type {string} */ seat, /** @type {string} */ name) => {
      const act = () => {
        const to = order.findIndex(([one]) => one === seat) - 1;
        this.send("table.place", { ...upon(table, seat), to });
        order.splice(to, 0, ...order.splice(to + 1, 1));
        draw();
      };
      const label = fill(gettext("%(name)s one place up"), { name });
      return h("button", { type: "button", class: "icon-button", "aria-label": label, onclick: act }, "↑");
    };
    draw();
    return h("section", {}, h("h4", {}, gettext("The first line")), list);
  }

  /**
   * Return the choice of a game clock for a table that has none.
   * @param {[string, string][]} clocks house rules as JSON, and their words
   * @returns {Element | null}
   */
  #clocks(clocks) {
    if (!clocks.length) return null;
    const title = gettext("Game clock from the next game on");
    const ways = clocks.map(([rules, words]) => h("option", { value: rules }, words));
    const field = h("select", { "aria-label": title }, ways);
    const act = () => {
      this.send("table.clock", { rules: JSON.parse(field.value) });
      byId("menu").close();
    };
    const button = h("button", { type: "button", class: "button", onclick: act }, gettext("Put in"));
    return h("section", { class: "host-clock" }, h("h4", {}, title), h("div", { class: "row" }, field, button));
  }

  /**
   * Return buttons to take back acts that seats have told of a real table.
   * @param {[string, string][]} acts seats and names
   * @param {House.SentTable} table
   * @param {HTMLElement | null} told why others can't be taken back, "" for nothing to say, and whether games can
   * @returns {Element | null}
   */
  #takingBack(acts, table, told) {
    const why = told?.textContent ?? "", hasGames = told?.hasAttribute("data-handed");
    if (!acts.length && !why && !hasGames) return null;
    const games = hasGames && this.#button(
      gettext("Take back the games played without the house"), "table.take_back_game", {}, "",
      gettext("Take back the games that were handed over last?"), true,
    );
    const buttons = acts.map(([seat, name]) => this.#button(
      fill(gettext("Take back: %(name)s"), { name }), "table.take_back", upon(table, seat), "",
      fill(gettext("Take back what %(name)s told last, and all that came after it?"), { name }), true,
    ));
    return h("section", {}, h("h4", {}, gettext("Told wrongly?")), h("div", { class: "row" }, buttons, games),
      why ? h("p", { class: "hint" }, why) : null);
  }

  /** @param {House.SentTableSeat} seat @param {[string, string][]} free */
  #seat(seat, free) {
    const args = { seat: seat.seat, sitter: seat.player };
    const name = { name: seat.name };
    const isPerson = seat.player !== null;
    const isOpen = isPerson && !seat.accepted;
    const level = options(document, "bot-levels").find(([id]) => id === seat.bot)?.[1] ?? seat.bot;
    const ofPerson = isOpen ? gettext("rules not accepted yet") : seat.keeper ? gettext("no phone") : "";
    const badge = seat.bot ? fill(gettext("Bot: %(level)s"), { level }) : isPerson ? ofPerson : gettext("empty");
    return h(
      "details",
      { class: "host-seat" },
      h("summary", {}, seat.name.replace(/ 🤖$/u, ""), badge && h("span", { class: "badge" }, badge)),
      h(
        "div",
        { class: "row" },
        isPerson && this.#button(gettext("Nudge"), "table.nudge", args),
        !isOpen && this.#button(gettext("Let the clock play"), "table.play_on", args),
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
   * Return a choice of the members without a seat and the bots, with a button that seats the chosen one.
   * @param {string} title
   * @param {string} label
   * @param {string} name of the command
   * @param {object} args of the command, besides the player or bot
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
   * @param {boolean} [isOfLast] it refers to the last entry that was shown
   */
  #button(label, name, args, kind = "", question = "", isOfLast = false) {
    const act = async () => {
      byId("menu").close();
      if (!question || (await confirmed(question, label))) this.send(name, args, isOfLast);
    };
    return h("button", { type: "button", class: `button ${kind}`, onclick: act }, label);
  }
}

/**
 * Return the arguments of an act upon a seat: the seat, and the person whom the panel shows there.
 * @param {House.SentTable} table
 * @param {string} seat
 */
function upon(table, seat) {
  return { seat: Number(seat), sitter: table.seats[Number(seat)].player };
}

/**
 * @param {Document} from
 * @param {string} id of a datalist
 * @param {string} [which]
 * @returns {[string, string][]}
 */
function options(from, id, which = "option") {
  const list = from.getElementById(id);
  const found = /** @type {NodeListOf<HTMLOptionElement>} */ (list?.querySelectorAll(which) ?? []);
  return [...found].map((o) => [o.value, o.label]);
}
