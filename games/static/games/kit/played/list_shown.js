// @ts-check
/** The list of games that this device keeps: read, as text to copy, and as a picture to save. */
import { h, put, setText } from "games/kit/page/dom.js";
import { fill } from "games/kit/page/text.js";
import { nameOf } from "games/kit/seats.js";
import { gameLines, headOf, listLines } from "games/kit/played/words.js";

/** @typedef {import("games/kit/seats.js").SeatInfo} SeatInfo */
/** @typedef {import("games/kit/played/device_list.js").PlayedGame} PlayedGame */
/** @typedef {import("games/kit/played/fields.js").Form} Form */
/** @typedef {import("games/kit/played/going_on.js").Counted} Counted */
/** @typedef {{next: () => void, change: (one: PlayedGame) => void, back: () => void}} Acts */
/**
 * @typedef {object} Given
 * @property {Form} form
 * @property {SeatInfo[]} seats
 * @property {PlayedGame[]} games
 * @property {Counted} counted
 * @property {boolean} mayGoOn
 * @property {boolean} isByRounds
 * @property {House.SentTable} table
 */

/** The picture's measures in pixels of its own. */
const WIDTH = 720, MARGIN = 28, LINE = 30, LETTERS = "20px sans-serif", HEAD = "bold 24px sans-serif";

export class ListShown {
  /** @param {Acts} acts */
  constructor(acts) {
    this.acts = acts;
    const plain = { type: "button", class: "button" };
    this.games = h("ol", { class: "played-games" });
    this.over = h("p", { class: "played-over" });
    this.standing = h("dl", { class: "played-standing" });
    this.counted = h("section", {}, h("h3", {}, gettext("Counted on this device")), this.standing);
    this.asText = h("button", { ...plain, onclick: () => this.#showText() }, gettext("As text"));
    this.asPicture = h("a", { class: "button", download: "stammtisch.png" }, gettext("As a picture"));
    this.field = h("textarea", { class: "played-text", readonly: true, rows: 8, id: "played-text" });
    const hint = gettext("The text is marked: copy it, and paste it where you like.");
    this.text = h("div", { hidden: true }, h("label", { for: "played-text" }, hint), this.field);
    this.back = h("button", { ...plain, onclick: () => acts.back() }, gettext("Take the last round back"));
    this.next = h("button", { ...plain, class: "button go big", onclick: () => acts.next() });
    this.el = h("section", { class: "played-list", hidden: true }, this.games, this.over, this.counted,
      h("div", { class: "row" }, this.asText, this.asPicture), this.text,
      h("div", { class: "sheet-answers played-ends" }, this.back, this.next));
  }

  /** @param {Given} given */
  show(given) {
    const { games, counted, mayGoOn, isByRounds, seats } = given;
    const lines = this.#lines(given), hasGames = games.length > 0;
    put(this.games, games.map((one, n) => this.#game(given, one, counted.games[n])));
    setText(this.over, counted.next.over ?? "");
    put(this.standing, counted.standing.map(({ seat, total }) =>
      h("div", {}, h("dt", { class: `seat-${seat % 12}` }, nameOf(seats, seat)), h("dd", {}, total))));
    this.counted.hidden = !counted.standing.length || !hasGames;
    this.asText.hidden = this.asPicture.hidden = !hasGames;
    if (!hasGames) this.text.hidden = true;
    this.back.hidden = !isByRounds || !hasGames || !mayGoOn;
    this.next.hidden = !mayGoOn || Boolean(counted.next.over);
    setText(this.next, isByRounds ? gettext("Next round") : gettext("Next game"));
    this.field.value = lines.join("\n");
    if (hasGames) this.#draw(lines);
  }

  /** @param {Given} given @param {PlayedGame} one @param {string} moved */
  #game({ form, seats, isByRounds, mayGoOn }, one, moved) {
    const change = h("button", {
      type: "button", class: "button", onclick: () => this.acts.change(one),
      "aria-label": fill(gettext("Change game %(number)s"), { number: one.number }),
    }, gettext("Change"));
    return h("li", { data: { game: one.id } },
      h("div", {}, h("strong", {}, headOf(one)), gameLines(form, one.game, seats).map((line) => h("p", {}, line)),
        moved && h("p", { class: "played-moved" }, moved)),
      !isByRounds && mayGoOn && change);
  }

  /** @param {Given} given @returns {string[]} */
  #lines({ form, seats, games, counted, table }) {
    const title = fill(gettext("Table %(number)s, played without the house"), { number: table.number });
    const standing = counted.standing.map(({ seat, total }) => fill(gettext("%(label)s: %(value)s"),
      { label: nameOf(seats, seat), value: total }));
    return [...listLines({ title, form, seats, games, standing }), new URL(table.url, location.href).href];
  }

  /** Show the text and mark it; without HTTPS a page may not copy by itself. */
  #showText() {
    this.text.hidden = false;
    this.field.focus();
    this.field.select();
    this.field.scrollTop = 0;
  }

  /** Draw the picture that the link saves. @param {string[]} lines */
  #draw(lines) {
    const canvas = h("canvas", { width: WIDTH, height: 10 }), pen = canvas.getContext("2d");
    if (!pen) return;
    pen.font = LETTERS;
    const rows = lines.flatMap((line, n) => folded(pen, line, n === 0));
    canvas.height = 2 * MARGIN + rows.length * LINE;
    pen.fillStyle = "#fffaf1";
    pen.fillRect(0, 0, canvas.width, canvas.height);
    pen.fillStyle = "#2b2018";
    rows.forEach(({ text, isHead }, n) => {
      pen.font = isHead ? HEAD : LETTERS;
      pen.fillText(text, MARGIN, MARGIN + (n + 0.75) * LINE);
    });
    this.asPicture.href = canvas.toDataURL("image/png");
  }
}

/**
 * Fold a line to the picture's width.
 * @param {CanvasRenderingContext2D} pen @param {string} line @param {boolean} isHead
 */
function folded(pen, line, isHead) {
  const indent = line.match(/^ */)?.[0] ?? "";
  /** @type {{text: string, isHead: boolean}[]} */
  const rows = [];
  let text = indent;
  for (const word of line.trim().split(" ")) {
    const longer = text.trim() ? `${text} ${word}` : `${indent}${word}`;
    if (text.trim() && pen.measureText(longer).width > WIDTH - 2 * MARGIN) {
      rows.push({ text, isHead });
      text = `${indent}  ${word}`;
    } else text = longer;
  }
  return [...rows, { text, isHead }];
}
