// @ts-check
/**
 * The shell of a table: connects the socket with the game's element, and shows the parts that
 * every game needs. The interface of an element is in docs/front-end.md.
 */
import { Clocks } from "games/kit/clocks.js";
import { afterFrame, byId, goTo, h } from "games/kit/page/dom.js";
import { tellReach } from "games/kit/page/reach.js";
import { fetched, laterTexts, retried } from "games/kit/page/fetched.js";
import { nameOf, seatsAt } from "games/kit/seats.js";
import { linesOf, named } from "games/kit/page/sentences.js";
import { Menu } from "games/shell/menu.js";
import { isCalm, skip } from "games/kit/page/motion.js";
import { clearBanner, showBanner, toast } from "games/kit/page/notices.js";
import { changes, wants } from "games/kit/page/preferences.js";
import { Side } from "games/shell/log_and_chat.js";
import { wireSheets } from "games/shell/sheets.js";
import { wireStrip } from "games/shell/strip.js";
import { KEYS, LETTERS } from "games/kit/asks.js";
import { TableSocket } from "games/shell/connection/socket.js";
import { buzz, sound } from "games/kit/audio/sound.js";
import { announce, forgetSaid, speak } from "games/kit/audio/speech.js";
import { fill } from "games/kit/page/text.js";
import { HURRY, TurnBar } from "games/kit/turn_bar.js";

/** Most late entries that are played with motion; of more, only the last one is. */
const MOST_ACTED = 3;
const LOG_LINES = 80;
/** How many of the house's greetings take one tap. */
const GREETINGS = 3;
const OFFLINE_AFTER = 800;
const DOOR_AFTER = 2000;
const DICE_AFTER = 500;
const TYPEFACES = ['1em "Open Sans"', '700 1em "Vollkorn"', '600 1em "JetBrains Mono"'];
/** Refusals that are not shown: the dice are on their way, or a link came too late. */
const SILENT = ["throw_under_way", "no_link_wanted"];

/** @typedef {import("games/shell/entering.js").Entering} Entering */
/** @typedef {import("games/shell/connection/socket.js").Chains} Chains */
/** @typedef {import("games/shell/connection/socket.js").Kept} Kept */
/** @typedef {import("games/shell/connection/socket.js").Message} Message */
/** @typedef {import("games/shell/connection/socket.js").EntryFrame} EntryFrame */
/** @typedef {import("games/shell/connection/socket.js").ErrorFrame} ErrorFrame */
/** @typedef {import("games/shell/connection/socket.js").StateFrame} StateFrame */
/** @typedef {import("games/shell/connection/socket.js").WelcomeFrame} WelcomeFrame */
/** @typedef {Pick<EntryFrame, "seq" | "events" | "headlines">} Late an entry that is still to be shown */
/** @typedef {{table: House.SentTable, state: StateFrame}} First */
/** @typedef {{entries: EntryFrame[], seq: number}} Told entries of the log, and the number of the last one */
/** @typedef {import("games/shell/keeping.js").Keeping} Keeping */

export class Shell {
  /**
   * @param {any} config @param {any} element
   * @param {import("games/kit/headlines.js").Headlines | null} headlines of a big screen
   * @param {First | null} first the table in the page; null if it comes with the connection
   */
  constructor(config, element, headlines, first) {
    this.config = config;
    this.element = element;
    /** @type {import("games/shell/connection/socket.js").You} */
    this.you = { seat: config.seat, host: config.host, tv: config.tv, name: "", player: null };
    /** Set before anything is shown. @type {House.SentTable} */
    this.table = /** @type {any} */ (null);
    /** @type {{view: House.KitView | null, choices: House.SentChoice[], joins: boolean} | null} */
    this.now = null;
    /** @type {Promise<[typeof import("games/shell/night_door.js"), typeof import("games/shell/watch.js")]> | null} */
    this.atDoor = null;
    /** The module of a shared device. @type {Keeping | null} */
    this.keeping = null;
    /** It comes. @type {Promise<Keeping> | null} */
    this.coming = null;
    /** The module with which host and scorekeeper enter for others at a real table. @type {Entering | null} */
    this.entering = null;
    /** Where games can be told while the house is out of reach: the part that keeps them.
     * @type {Promise<import("games/kit/played/going_on.js").GoingOn | null> | null} */
    this.goingOn = null;
    /** The host's module. @type {import("games/shell/watch.js").Watch | null} */
    this.watch = null;
    /** @type {Record<string, string> | null} */
    this.presence = null;
    /** @type {Promise<import("games/shell/dice/dice.js").TableDice | null> | null} */
    this.dice = null;
    /** The seats' chains as the house tells them; undefined at a table without chains. @type {Chains | undefined} */
    this.chains = undefined;
    /** @type {Late[]} late events that wait for their last entry */
    this.unshown = [];
    this.filled = Promise.resolve();
    /**
     * The last entries that were fetched.
     * @type {{seq: number | null, after: number, told: Promise<Told | null>} | null}
     */
    this.read = null;
    /** Commands that nobody pressed for, by their ids. @type {Set<string>} */
    this.unasked = new Set();
    /** The line about grades on the card of a result. */
    this.gradesText = "";
    /** My turn, until it is told. */
    this.turnText = "";
    /** @type {Promise<import("games/shell/grades_line.js").GradesLine> | null} */
    this.grades = null;
    /** What of them concerns the house. @type {import("games/kit/played/at_house.js").AtHouse | null} */
    this.atHouse = null;
    /** @type {Promise<import("games/shell/asking.js").Asking> | null} */
    this.asking = null;
    this.wasMine = false;
    this.isSettled = false;
    this.lineTimer = this.logTo = 0;
    // What happens is told in the sentences of events, which come after the board.
    this.socket = new TableSocket(config.urls.socket, config.outbox, config.tv,
      new Promise((stands) => afterFrame(() => stands(laterTexts()))));
    // A command about the last shown entry is refused when there is another one.
    const send = (/** @type {string} */ name, /** @type {object} */ args, /** @type {boolean} */ isOfLast = false) =>
      this.socket.command(name, args, isOfLast ? this.socket.seq : undefined, this.actsFor);
    this.send = send;
    this.bar = new TurnBar();
    this.clocks = new Clocks();
    this.side = new Side({
      lines: (events, seq) => linesOf(events, seatsAt(this.seats, seq), this.now?.view?.options),
      say: (text) => this.socket.say({ type: "chat", text }),
    });
    /** @type {Promise<import("games/shell/follow.js").Follower> | null} */
    this.follower = null;
    this.headlines = headlines;
    /** The last entry that is no news: it was in the log when the page was made, or when we came back. */
    this.newsAfter = Infinity;
    const wishes = async () => (await element.wishes?.()) ?? [];
    this.menu = config.tv ? null : new Menu(send, element.keys ?? "", config.leaving, wishes);
    /** @type {Promise<import("games/shell/joining.js").Door> | null} */
    this.door = null;
    if (!config.tv) [wireSheets, wireStrip].forEach((wire) => wire());
    this.#listenToSocket();
    this.#listenToElement();
    document.addEventListener("keydown", (event) => this.#key(event));
    if (!config.tv) this.#askLater();
    if (config.real && !config.tv) byId("open-menu").addEventListener("click", () => this.#offerEntering());
    if (config.urls.played && !config.tv) setTimeout(() => this.#prepareGoingOn(), DOOR_AFTER); // the board comes first
    this.#passMessages();
    if (first) this.#begin(first);
  }

  /** What the page was to tell, as of an answer that came too late, passes in the bar: nothing pushes the board. */
  #passMessages() {
    const holder = document.getElementById("messages");
    for (const line of holder?.children ?? []) {
      toast(line.textContent?.trim() ?? "", line.classList.contains("error") ? "error" : "info");
    }
    holder?.replaceChildren();
  }

  /** Show the state in the page; the connection then brings the entries since. @param {First} first */
  #begin({ table, state }) {
    this.socket.begin(state);
    this.#setTable(table);
    this.#setState(state);
    this.logTo = state.seq;
  }

  /** The seats with names and presence, in the element's form. */
  get seats() {
    return this.table.seats.map((s) => ({
      ...s,
      // Before the first presence, no player is shown as missing.
      presence: s.bot ? "bot" : this.presence ? this.presence[s.seat] ?? "gone" : "here",
    }));
  }

  /** The shown seat: our own, or that of the person with the device. @returns {number | null} */
  get seat() {
    return this.socket.hand === undefined ? this.you.seat : this.socket.hand;
  }

  /**
   * The seat to act for and its person, if it is not our own.
   * @returns {{seat: number, sitter: number | null} | undefined}
   */
  get actsFor() {
    const { seat } = this;
    return seat === null || seat === this.you.seat ? undefined : { seat, sitter: this.table.seats[seat].player };
  }

  /**
   * Request a seat to be shown, or none while the device is handed on; false without a connection.
   * @param {number | null} seat
   */
  hand(seat) {
    return this.socket.say({ type: "hand", seat });
  }

  #listenToSocket() {
    const on = (/** @type {string} */ type, /** @type {(detail: any) => void} */ act) =>
      this.socket.addEventListener(type, (event) => act(/** @type {CustomEvent} */ (event).detail));
    on("welcome", (frame) => this.#welcome(frame));
    on("table", (frame) => this.#setTable(frame.table));
    on("presence", (frame) => { this.presence = frame.presence; this.#refresh(); });
    on("state", (frame) => { this.unshown = []; this.#setState(frame); this.filled = this.#fillLog(frame.seq); });
    // Clocks come right after an entry: its motion gets its frame first.
    on("clocks", (frame) => { this.clocks.set(frame.clocks); afterFrame(() => this.#refresh()); });
    on("entry", (frame) => this.#entry(frame));
    on("answer", (detail) => this.#answered(detail));
    on("refused", (frame) => { this.side.giveBack(); complain(frame); });
    on("hand", () => this.#handed());
    on("dice_ask", async (frame) => (await this.#dice())?.answer(frame));
    on("chat", (frame) => this.#chat(frame.message));
    on("chat_kept", (frame) => this.side.keptBack(frame.text));
    on("hint", (frame) => this.element.showHint?.(frame.hint));
    on("asked", () => {
      document.getElementById("own-moves")?.removeAttribute("hidden");
      this.keeping?.redraw();
    });
    on("bye", (frame) => this.#bye(frame));
    on("line", ({ isOnline }) => this.#line(isOnline));
  }

  #listenToElement() {
    const on = (/** @type {string} */ type, /** @type {(detail: any) => void} */ act) =>
      this.element.addEventListener(type, (/** @type {CustomEvent} */ event) => act(event.detail));
    on("host-command", ({ name, args }) => this.socket.command(name, args, this.socket.seq));
    on("command", ({ name, args, basis, isByItself }) => {
      if (!this.canAct) return;
      const id = this.socket.command(name, args, basis, this.actsFor);
      forgetSaid();
      if (isByItself) this.unasked.add(id);
      this.#refresh();
    });
    on("say", ({ text, show, aloud }) => {
      if (show) toast(text);
      else announce(text);
      if (aloud) speak(text);
    });
    on("sound", ({ name }) => sound(name));
    on("greet", ({ text }) => this.side.greet(text));
    changes.addEventListener("greetings", () => this.#refresh());
    on("asking", ({ asking }) => this.headlines?.ask(asking));
    on("open-results", () => goTo(this.config.urls.results));
    on("ask-hint", () => this.socket.say({ type: "hint" }));
  }

  get canAct() {
    return !!this.socket.isOnline && this.table?.status === "playing" && !this.socket.isPending && !this.mustAccept;
  }

  /** Tell whether we have a seat: the table tells of a new one before the house welcomes us in it. */
  get isSeated() {
    const { seat, player: me } = this.you;
    return seat !== null || this.table.seats.some(({ player, gone }) => me && me === player && !gone);
  }

  /** Tell whether our seat has to accept the rules card. */
  get mustAccept() {
    const mine = this.table?.seats.find((s) => s.seat === this.seat);
    return Boolean(mine && !mine.accepted && !mine.gone) && ["playing", "paused"].includes(this.table.status);
  }

  /** @param {WelcomeFrame} frame */
  #welcome(frame) {
    // A view of another seat must not be taken for this one's: its own state follows.
    if (frame.you.seat !== this.you.seat) this.now = this.read = null;
    this.you = frame.you;
    this.presence = frame.presence;
    this.newsAfter = this.logTo || frame.seq;
    this.read = null;
    // The log is less urgent: it waits for the connection.
    if (this.logTo) this.filled = this.#fillLog(this.logTo);
    this.logTo = 0;
    this.clocks.set(frame.clocks);
    this.side.restore(frame.chat, frame.greetings);
    this.#setTable(frame.table);
    this.chains = frame.dice;
    if (frame.dice) setTimeout(() => this.#dice(), DICE_AFTER); // the board comes first
  }

  /** Load the page's part in the dice. */
  #dice() {
    this.dice ??= fetched(() => import("games/shell/dice/dice.js")).then(({ TableDice }) => new TableDice(this));
    return this.dice;
  }

  /** @param {House.SentTable} table */
  #setTable(table) {
    this.#follow(table, this.table ? null : undefined);
    this.table = named(table);
    this.menu?.show(this.table, { ...this.you, seat: this.seat });
    if (this.you.host && !this.config.tv) this.#watchDoor();
    this.atHouse?.look();
    this.#showCorrections();
    this.#refresh();
  }

  /** Offer to enter for others; few do, so the module is fetched when the menu is opened. */
  async #offerEntering() {
    const { Entering } = await fetched(() => import("games/shell/entering.js"));
    (this.entering ??= new Entering(this)).offer();
  }

  /** Load the part that keeps games while the house is out of reach: it cannot be fetched then. */
  #prepareGoingOn() {
    const modules = () => Promise.all([import("games/kit/played/going_on.js"), import("games/kit/played/at_house.js")]);
    this.goingOn = fetched(modules).then(async ([{ prepareGoingOn }, { AtHouse }]) => {
      const found = await prepareGoingOn(this);
      this.atHouse = found && new AtHouse(this, found);
      return found;
    });
  }

  #handed() {
    this.now = this.read = null;
    this.entering?.handed();
    this.keeping?.handed();
    this.#setTable(this.table);
  }

  /** Load the module of shared devices if this one is shared; most are not. @param {Kept[] | undefined} kept */
  async #keep(kept) {
    this.kept = kept;
    if (!kept && !this.coming) return;
    this.coming ??= fetched(() => import("games/shell/keeping.js")).then(({ Keeping }) => new Keeping(this));
    this.keeping = await this.coming;
    this.keeping.see(kept ?? []);
  }

  /** Return the events, on a shared device without private ones. @param {House.SentEvent[]} events */
  #forAll(events) {
    return this.you.keeps?.length ? events.filter((event) => !event.private) : events;
  }

  /**
   * Fetch the module that leads to the next table; few tables have one.
   * @param {House.SentTable} table @param {null} [before]
   */
  async #follow(table, before) {
    if (this.config.tv || !table.successor) return;
    this.follower ??= fetched(() => import("games/shell/follow.js")).then(({ Follower }) => new Follower(before));
    (await this.follower).see(table);
  }

  /** Show a host the guests waiting to be let into the night; the module is fetched for hosts only. */
  async #watchDoor() {
    if (this.atDoor) return;
    const board = new Promise((drawn) => setTimeout(drawn, DOOR_AFTER)); // the game's own modules come first
    const modules = () => Promise.all([import("games/shell/night_door.js"), import("games/shell/watch.js")]);
    this.atDoor = board.then(() => fetched(modules));
    const [door, watch] = await this.atDoor;
    new door.NightDoor(this.config);
    this.watch = new watch.Watch(this.send);
    this.#refresh();
  }

  /** Tell of corrections that wait for me; they are answered on the page of results. */
  #showCorrections() {
    const { player } = this.you;
    const isMe = (/** @type {House.SentPerson} */ one) => one.player === player;
    const mine = player && this.table.corrections.find((c) => c.asked.some(isMe));
    if (!mine) return clearBanner("corrections");
    const { by, reason } = mine;
    const sentence = gettext("%(name)s proposes a correction and asks you: %(reason)s");
    const text = fill(sentence, { name: by?.name ?? "", reason });
    const act = () => goTo(`${this.config.urls.results}#corrections`);
    showBanner("corrections", { text, kind: "warn", buttons: [{ label: gettext("Agree or refuse"), act }] });
  }

  /**
   * Show what a frame tells of the game.
   * @param {Pick<StateFrame, "view" | "choices" | "clocks" | "joins" | "kept">} frame
   * @param {boolean} [maySkip] drawing nothing where it tells what is shown already
   */
  #setState({ view, choices, clocks, joins = false, kept }, maySkip = false) {
    const isKnown = maySkip && this.clocks.agree(clocks, this.table.status === "paused");
    const before = isKnown && JSON.stringify(this.now);
    this.clocks.set(clocks);
    this.now = { view, choices, joins };
    if (before !== JSON.stringify(this.now)) this.#refresh();
    this.#keep(kept);
  }

  /** @param {EntryFrame} frame */
  #entry(frame) {
    this.unshown.push({ seq: frame.seq, events: this.#forAll(frame.events), headlines: frame.headlines });
    if (frame.table) this.#setTable(frame.table);
    if (!("view" in frame)) return;
    // Of people who have left their seats since, only the log tells.
    const since = Math.max(...this.table.seats.map((s) => s.before?.slice(-1)[0]?.upto ?? 0));
    const acted = (this.unshown.length > MOST_ACTED ? this.unshown.slice(-1) : this.unshown)
      .filter(({ seq }) => seq >= since);
    const entries = this.unshown;
    this.unshown = [];
    // Two of the three entries of a throw are the house's own: its beginning and the link of a device.
    const isGames = entries.some((entry) => entry.events.some(({ type }) => !type.startsWith("table.")));
    if (isGames) skip();
    this.#setState(/** @type {StateFrame} */ (frame), !isGames);
    const turn = this.#takeTurn();
    // The entries before may still be on their way, as when a shared device is handed on.
    this.filled.then(() => { for (const { seq, events } of entries) this.#record(seq, events); });
    const events = acted.flatMap((entry) => entry.events);
    for (const event of events) this.#house(event);
    const news = acted.filter(({ seq }) => seq > this.newsAfter);
    this.headlines?.call(news, this.seats, frame.view?.options);
    const headlines = this.headlines?.of(news, this.seats, frame.view?.options) ?? [];
    if (frame.view) this.#act(isGames ? events : [], frame.view, headlines);
    afterFrame(() => this.#tell(frame.view ? acted : [], turn));
  }

  /**
   * Tell screen readers of entries in their order, each in one text, whose turn it is with the last of them.
   * @param {Late[]} entries @param {string} turn "" where it is as before
   */
  #tell(entries, turn) {
    const all = entries.map(({ events }) => this.element.told?.(events) ?? { text: "", voice: "" });
    const texts = all.map(({ text }) => text).filter(Boolean), last = texts.pop();
    for (const text of [...texts, [last, turn].filter(Boolean).join(" ")]) announce(text);
    speak(all.map(({ voice }) => voice).filter(Boolean).join(" "));
  }

  /**
   * Play the motion of events, then show headlines; an error in motion stops nothing.
   * @param {House.SentEvent[]} events @param {House.KitView} view
   * @param {import("games/kit/headlines.js").Headline[]} headlines
   */
  async #act(events, view, headlines) {
    try {
      if (events.length) await this.element.play?.(events, view);
    } catch (error) {
      console.error(error);
    }
    this.headlines?.add(headlines);
  }

  /** Show a chat message; a big screen shows greetings only, for a moment. @param {Message} message */
  #chat(message) {
    const at = message.greeting ? this.#seatOf(message) : undefined, line = this.side.lineOf(message);
    this.side.add(message, this.you.name, !message.greeting || (wants("greetings") && !at));
    if (message.greeting) this.headlines?.greet(line);
    if (!at) return;
    announce(line);
    fetched(() => import("games/kit/page/flying.js")).then(({ fly }) => fly(this.side.wordsOf(message), at));
  }

  /** Return the element to which somebody's greeting flies; none in tournaments. @param {Message} message */
  #seatOf({ name }) {
    const found = this.seats?.find((one) => one.name === name && !one.gone);
    const isWanted = found && !this.config.tournament && wants("greetings") && !document.hidden;
    return isWanted ? this.element.seatBox?.(found.seat) : undefined;
  }

  /** The greetings by one tap: the first of the house's; none in tournaments, on a screen, and where not wanted. */
  get greetings() {
    const { tournament, tv } = this.config;
    return tournament || tv || !wants("greetings") ? [] : Object.values(this.side.greetings).slice(0, GREETINGS);
  }

  /** @param {House.SentEvent} event */
  #house({ type, data }) {
    if (type === "table.nudged" && data?.seat === this.you.seat) {
      sound("nudge");
      buzz([200, 80, 200]);
      toast(gettext("The table waits for you"));
    }
    const { seat, player } = this.you;
    if (type === "table.entered" && data?.seat === seat && data?.by_player !== player)
      fetched(() => import("games/shell/keeping.js")).then(({ showEntered }) => showEntered(data.by));
  }

  /** @param {{frame: import("games/shell/connection/outbox.js").CommandFrame, error?: ErrorFrame}} detail */
  #answered({ frame, error }) {
    // Another page of the player may have done it at the same moment: that is nobody's mistake.
    const wasByItself = this.unasked.delete(frame.id);
    if (error && !wasByItself) complain(error);
    if (error?.code === "stale" || error?.code === "not_open") this.socket.line.probe();
    const seat = frame.seat ?? this.you.seat;
    if (!error && seat !== null) this.keeping?.entered(seat);
    if (frame.name === "table.nudge" && !error) toast(gettext("Nudged."));
    this.#refresh();
  }

  #refresh() {
    if (!this.table || !this.now) return;
    const { view, choices } = this.now;
    const seats = this.seats;
    const clocks = this.clocks.left(this.table.status === "paused");
    if (view) {
      const about = { isTv: this.config.tv, isHost: this.you.host, lang: document.documentElement.lang };
      const isShared = Boolean(this.you.keeps?.length) || this.actsFor !== undefined;
      const parts = { seat: this.seat, seats, isShared, isTournament: this.config.tournament, ...about };
      this.element.init?.(parts);
      this.#settle();
      const { canAct, table: { status: tableStatus }, gradesText: grades, greetings } = this;
      this.element.update({ ...parts, view, choices, clocks, canAct, tableStatus, grades, greetings });
      this.#seeResult(this.element.shownResult ?? "");
      this.element.removeAttribute("aria-busy");
    }
    this.#showTurn(choices, clocks);
    if (!this.config.tv)
      this.#showDoor(this.now.joins && !this.isSeated && this.table.status === "playing", this.mustAccept);
    const after = document.getElementById("after");
    if (after) after.hidden = this.table.status !== "finished";
    const again = document.getElementById("again");
    if (again) again.hidden = this.you.seat === null && !this.you.host;
    if (this.table.status === "paused")
      showBanner("paused", { text: gettext("The game is paused."), kind: "warn", buttons: this.#resume() });
    else clearBanner("paused");
  }

  /** Ask for the line about grades once a result is shown; its module is fetched then. @param {string} key */
  async #seeResult(key) {
    const url = this.config.urls.grades;
    if (!url || this.config.tv || (!key && !this.grades)) return;
    const changed = (/** @type {string} */ text) => {
      this.gradesText = text;
      this.#refresh();
    };
    this.grades ??= fetched(() => import("games/shell/grades_line.js"))
      .then(({ GradesLine }) => new GradesLine(url, changed));
    (await this.grades).see(key);
  }

  /** Show joining or accepting; few need the module. @param {boolean} canJoin @param {boolean} mustAccept */
  async #showDoor(canJoin, mustAccept) {
    if (!canJoin && !mustAccept && !this.door) return;
    this.door ??= fetched(() => import("games/shell/joining.js"))
      .then(({ Door }) => new Door(this.send, this.config.adults, this.socket.outbox));
    (await this.door).show(canJoin, mustAccept);
  }

  /** Move log, chat, notices and their strip, or headlines, to the places of the game's element, if it has them. */
  #settle() {
    const { places } = this.element;
    if (!places || this.isSettled) return;
    this.isSettled = true;
    if (this.headlines) places.headlines?.append(this.headlines.el);
    if (this.config.tv) return;
    places.notices.append(byId("notices"));
    places.strip?.append(byId("strip"));
    this.side.settle(places, () => this.element.toggleChat());
  }

  #resume() {
    const act = () => { this.socket.command("table.resume", {}); };
    if (this.you.host) return [{ label: gettext("Go on"), act, kind: "go" }];
    // On the night's page an absent host can be replaced.
    const leave = () => goTo(this.config.urls.night);
    return this.config.tv ? [] : [{ label: gettext("To the night"), act: leave }];
  }

  /** @param {House.SentChoice[]} choices @param {Record<string, number>} clocks */
  #showTurn(choices, clocks) {
    const status = (this.now?.view && this.element.status) || { text: "", waitingFor: [] };
    const isPlaying = this.table.status === "playing";
    const isMine = isPlaying && (status.isMine ?? choices.some((c) => c.required));
    const left = isMine
      ? clocks[this.seat ?? -1]
      : Math.min(...status.waitingFor.map((/** @type {number} */ s) => clocks[s] ?? Infinity));
    const kind = this.table.status === "paused" ? "paused" : !isPlaying ? "over" : isMine ? "mine" : "wait";
    const text = {
      paused: gettext("Paused"),
      over: this.table.broken_off ? gettext("The game was broken off") : status.text,
      mine: status.text || gettext("Your turn"),
      wait: status.text,
    }[kind];
    const named = (this.keeping || this.entering) && isMine ? `${nameOf(this.seats, this.seat)} · ${text}` : text;
    const isShort = choices.some((c) => c.required && c.seconds && c.seconds <= HURRY);
    // What the element counts down is not said twice.
    this.bar.show(kind, named, Number.isFinite(left) && !status.isCounted ? left : null, isShort);
    if (isMine && !this.wasMine) this.#myTurn(text);
    this.wasMine = isMine;
    this.watch?.see(this.seats, status.waitingFor, this.you.host && isPlaying && Boolean(this.socket.isOnline));
  }

  /** @param {string} text */
  #myTurn(text) {
    sound("turn");
    buzz(150);
    this.turnText = text;
    // An entry that led to it takes it into its own text.
    queueMicrotask(() => announce(this.#takeTurn()));
  }

  /** Return the turn that is still to be told, "" for none. */
  #takeTurn() {
    const { turnText } = this;
    this.turnText = "";
    return turnText;
  }

  /** @param {boolean} isOnline */
  #line(isOnline) {
    clearTimeout(this.lineTimer);
    tellReach(isOnline);
    if (isOnline) {
      this.#showOffline(false);
      if (this.kept) this.#keep(this.kept); // what could not be asked for without a line
    } else {
      this.side.giveBack();
      this.keeping?.lineBroke?.();
      // Most breaks are over before a reader could notice.
      this.lineTimer = window.setTimeout(() => this.#showOffline(true), OFFLINE_AFTER);
    }
    this.#refresh();
  }

  /** @param {boolean} isOffline */
  #showOffline(isOffline) {
    document.documentElement.classList.toggle("is-offline", isOffline);
    if (!isOffline) return clearBanner("offline");
    if (this.config.tv) return; // its last picture stays, with the line of kit/page/reach.js
    const sentence = gettext("No connection for %(seconds)s s. What you see may be old.");
    const since = document.getElementById("reach");
    showBanner("offline", {
      text: (seconds) => (since && !since.hidden ? since.textContent?.trim() : "")
        || fill(sentence, { seconds: seconds + 1 }),
      kind: "stop",
      isUrgent: true,
    });
  }

  /** @param {{code: string, message: string}} frame */
  #bye({ message }) {
    this.socket.line.close();
    const text = message || gettext("This table is closed to you now.");
    const act = () => goTo(this.config.urls.night);
    clearBanner("offline");
    showBanner("bye", { text, kind: "stop", buttons: [{ label: gettext("To the night"), act }] });
  }

  /** Fill the log with earlier entries, but on a screen; it is optional: a failure is no error. @param {number} seq */
  async #fillLog(seq) {
    if (this.config.tv) return;
    const told = await this.entriesAfter(Math.max(0, seq - LOG_LINES));
    for (const entry of told?.entries ?? [])
      if (entry.seq <= seq) this.#record(entry.seq, this.#forAll(entry.events));
  }

  /**
   * Return the entries after one, and the number of the last one; null without an answer. Log and dice ask for the same
   * at the same time: what holds every entry to the last one is fetched once.
   * @param {number} after
   */
  async entriesAfter(after) {
    const { seq } = this.socket;
    if (!this.read || this.read.seq !== seq || this.read.after > after) {
      const path = `${this.config.urls.events}?after=${after}`;
      this.read = { seq, after, told: fetch(path).then((r) => (r.ok ? r.json() : null)).catch(() => null) };
    }
    const { read } = this, told = await read.told;
    if (this.read === read && (!told || (told.entries.slice(-1)[0]?.seq ?? after) < told.seq)) this.read = null;
    return told && { ...told, entries: told.entries.filter((one) => one.seq > after) };
  }

  /**
   * Write an entry into the log, except while a device is handed on: the state that follows asks again.
   * @param {number} seq
   * @param {House.SentEvent[]} events
   */
  #record(seq, events) {
    if (this.now?.view) this.side.record(seq, events);
  }

  /** Let the first button of the group of questions be pressed at once, and load the others: the board comes first. */
  #askLater() {
    byId("say-game").addEventListener("click", () => this.#asking().then((asking) => asking.ask(LETTERS.all)));
    setTimeout(() => this.#asking(), DOOR_AFTER);
  }

  /** Load the group of questions about the game. @returns {Promise<import("games/shell/asking.js").Asking>} */
  #asking() {
    this.asking ??= fetched(() => import("games/shell/asking.js")).then(async ({ Asking }) =>
      new Asking({ summary: () => this.#summary(), now: () => this.#known() }, (await this.element.asks?.()) ?? []));
    return this.asking;
  }

  /** Return what the element shows, with the clocks of this moment; null before there is a game. */
  #known() {
    const isPaused = this.table?.status === "paused";
    return this.now?.view && this.element.now ? { ...this.element.now, clocks: this.clocks.left(isPaused) } : null;
  }

  /** Return how the game stands, in sentences. @returns {Promise<string[]>} */
  async #summary() {
    const status = [this.element.status?.text ?? ""];
    const lines = await this.element.summary?.().catch(() => status) ?? status;
    return [this.table.status === "paused" ? gettext("The game is paused.") : "", ...lines];
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    const target = /** @type {Element} */ (event.target);
    const isTyping = target.closest("input, select, textarea, dialog[open]");
    if (isTyping || event.ctrlKey || event.altKey || event.metaKey || event.repeat || !wants("keys")) return;
    if (this.element.key?.(event)) event.preventDefault();
    else if (!this.config.tv && KEYS.includes(event.key.toUpperCase()) && this.now?.view) {
      event.preventDefault();
      this.#asking().then((asking) => asking.ask(event.key.toUpperCase()));
    }
  }
}

/** @param {{code: string, message: string}} refusal */
function complain({ code, message }) {
  if (!SILENT.includes(code)) toast(message || code, "error");
}

async function start() {
  if (document.documentElement.dataset.plays === "no") return; // the page says so: pages/oldest.js
  const config = JSON.parse(byId("config").textContent);
  await retried(() => import(config.module));
  const element = h(config.element, {});
  byId("game").append(element);
  byId("game").removeAttribute("aria-busy");
  const tv = config.tv && await fetched(() => import("games/kit/headlines.js"));
  const headlines = tv ? new tv.Headlines(byId("turnbar")) : null;
  const first = JSON.parse(byId("first").textContent);
  await element.prepare?.(first?.state.view ?? null);
  new Shell(config, element, headlines, first);
  afterFrame(() => {
    for (const src of config.scripts) document.head.append(h("script", { type: "module", src }));
    bringTypefaces();
  });
}

/**
 * Load the typefaces, also those that nothing shown has asked for: a sheet may open while the house is out of reach.
 * Nothing may move under a finger: where a device has not told that it has them (games/pages/base.js), letters change
 * only while nobody looks, or with the next page.
 */
function bringTypefaces() {
  for (const font of TYPEFACES) document.fonts.load(font).catch(() => {});
  const { classList } = document.documentElement;
  if (!classList.contains("without-typefaces")) return;
  document.addEventListener("visibilitychange", () => document.hidden && classList.remove("without-typefaces"));
}

if (isCalm()) document.documentElement.classList.add("is-calm");
start();
