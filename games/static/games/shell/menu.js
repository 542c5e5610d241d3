// @ts-check
/** The menu: leaving, and parts that are fetched when it is opened: this browser's wishes, the host's acts. */
import { byId } from "games/kit/page/dom.js";
import { fetched } from "games/kit/page/fetched.js";
import { confirmed } from "games/kit/page/notices.js";

/** Milliseconds after which the screen is kept on. */
const AWAKE_FROM = 5000;
/** Milliseconds that the menu waits for its parts. */
const PARTS_WITHIN = 500;

export class Menu {
  /**
   * @param {(name: string, args: object) => void} send
   * @param {string} keys the game's shortcuts in words, "" where it has none
   * @param {{kind: string, note: string}} leaving the game's rules for leaving
   * @param {() => Promise<import("games/shell/wishes.js").OwnWish[]>} own the game's own wishes
   */
  constructor(send, keys, leaving, own) {
    this.own = own;
    this.leaving = leaving;
    this.send = send;
    /** @type {Promise<import("games/shell/host.js").HostPanel> | null} */
    this.host = null;
    this.dialog = byId("menu");
    this.leave = byId("leave");
    /** @type {House.SentTable | null} */
    this.table = null;
    /** The name at the shown seat if it is kept for another person. @type {string | undefined} */
    this.leaver = "";
    this.isHost = this.isShared = false;
    // No phone goes to sleep in its first seconds: the table is loaded first.
    setTimeout(async () => (await fetched(() => import("games/shell/wake_lock.js"))).keepScreenOn(), AWAKE_FROM);
    byId("open-menu").addEventListener("click", () => this.#open());
    this.leave.addEventListener("click", async () => {
      this.dialog.close();
      const question = [this.leaver, this.#whatLeavingDoes()].filter(Boolean).join(": ");
      if (await confirmed(question, gettext("Leave the seat"))) send("table.leave", {});
    });
    this.keys = keys;
    /** Whether the wishes were shown as those of a shared device. @type {boolean | null} */
    this.wishesOf = null;
    this.wishes = Promise.resolve();
  }

  /**
   * @param {House.SentTable} table
   * @param {{seat: number | null, host: boolean, keeps?: number[]}} you
   */
  show(table, you) {
    this.table = table;
    this.isShared = Boolean(you.keeps?.length);
    this.leaver = table.seats.find((s) => s.seat === you.seat && s.keeper)?.name;
    this.isHost = you.host;
    this.leave.hidden = you.seat === null || !["playing", "paused"].includes(table.status);
    if (this.dialog.open && this.isHost) this.#showHost();
    if (!you.host) byId("menu-host").hidden = true;
  }

  /** @returns {string} while the game is paused, a seat waits in any case */
  #whatLeavingDoes() {
    if (this.leaving.kind === "by_host" || this.table?.status === "paused")
      return gettext("Leave your seat? The host can give it to somebody else.");
    return `${gettext("Leave the table? You are out of the game at once.")} ${this.leaving.note}`;
  }

  /** Open the menu with all its parts, unless they are slow: parts that come later move the buttons under a finger. */
  async #open() {
    this.wishes = this.#showWishes();
    const parts = Promise.allSettled([this.wishes, this.isHost && this.#showHost()]);
    await Promise.race([parts, new Promise((late) => setTimeout(late, PARTS_WITHIN))]);
    if (!this.dialog.open) this.dialog.showModal();
  }

  /** Fetch the wishes when the menu is opened, so that the table is ready sooner. */
  async #showWishes() {
    if (this.wishesOf === this.isShared) return;
    this.wishesOf = this.isShared;
    const { showWishes } = await fetched(() => import("games/shell/wishes.js"));
    showWishes(byId("menu-wishes"), this.keys, await this.own(), this.isShared);
  }

  /** Fetch the host's part when a host first opens the menu: most people at a table are guests. */
  async #showHost() {
    this.host ??= fetched(() => import("games/shell/host.js")).then(({ HostPanel }) => new HostPanel(this.send));
    const panel = await this.host;
    // It stands below the wishes: none of its buttons moves when they are late.
    await this.wishes.catch(() => {});
    if (this.table) panel.show(this.table);
  }
}
