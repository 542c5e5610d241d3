// @ts-check
/** A row of the score sheet with the payments behind it, and the sheet's words. */
import { h } from "games/kit/page/dom.js";
import { nameOf, namesOf, seatsAt } from "games/kit/seats.js";
import { fill } from "games/kit/page/text.js";
import { signed } from "games/kit/page/sentences.js";
import { howText, sign } from "chouette/words/words.js";

/**
 * @typedef {object} Given
 * @property {Chouette.ScoreRowView} row as in view.sheet
 * @property {number} i its place
 * @property {SeatInfo[]} seats as they are today
 * @property {number[]} columns the seats across
 * @property {boolean} isOpen
 * @property {(open: boolean) => void} toggle
 */

/** @param {Given} today @returns {HTMLElement} a tbody of its own, under the names of its time */
export function group(today) {
  const { row, columns } = today;
  const seats = seatsAt(today.seats, row.seq);
  const given = { ...today, seats };
  const detail = h(
    "tr",
    { class: "bt-sheet-why" },
    h("td", { colspan: columns.length + 1 }, transfers(given)),
  );
  detail.hidden = !given.isOpen;
  const main = h(
    "tr",
    { class: "bt-sheet-row", data: { struck: row.struck ? "yes" : "no" } },
    heading(given),
    columns.map((seat) => cell(row, seat, whoThen(given, today, seat))),
  );
  const note =
    row.game === null &&
    h(
      "tr",
      { class: "bt-sheet-note" },
      h(
        "td",
        { colspan: columns.length + 1 },
        fill(gettext("Corrected by %(name)s: %(reason)s"), {
          name: row.by === null ? gettext("the host") : nameOf(seats, row.by),
          reason: reasonOf(row),
        }),
      ),
    );
  main.addEventListener("click", () => {
    detail.hidden = !detail.hidden;
    main.querySelector("button")?.setAttribute("aria-expanded", String(!detail.hidden));
    given.toggle(!detail.hidden);
    if (!detail.hidden) detail.scrollIntoView({ block: "nearest" });
  });
  return h("tbody", {}, main, note, detail);
}

/**
 * Return the reason; the example of the rules, and one that was struck, are translated.
 * @param {Chouette.ScoreRowView} row
 */
function reasonOf(row) {
  if (row.reason === "[struck]") return gettext("[struck]");
  return row.reason === "Counted wrong" ? gettext("Counted wrong") : row.reason;
}

/** Return the number of the game as a button that shows the payments. @param {Given} given */
function heading({ row, i, isOpen }) {
  const label = row.game === null ? "✎" : String(row.game);
  const aloud =
    row.game === null
      ? gettext("Correction: who pays whom")
      : fill(gettext("Game %(number)s: who pays whom"), { number: row.game });
  const crawford = row.crawford && h("small", {}, gettext("Crawford"));
  const away = row.without_house && h("small", {}, gettext("without the house"));
  return h(
    "th",
    { scope: "row" },
    h(
      "button",
      { type: "button", "aria-expanded": String(isOpen), "aria-label": aloud, data: { row: i } },
      label,
      crawford,
      away,
    ),
  );
}

/**
 * Return the name of a seat's person of then if another one sits there now, else null.
 * @param {Given} then @param {Given} today @param {number} seat
 */
function whoThen(then, today, seat) {
  const name = nameOf(then.seats, seat);
  return name === nameOf(today.seats, seat) ? null : name;
}

/**
 * Return the running total, and in small print the points of the row; the Box's cell is boxed.
 * @param {Chouette.ScoreRowView} row
 * @param {number} seat
 * @param {string | null} who the person of the row, if it is not the one of the column's head
 */
function cell(row, seat, who) {
  const total = row.score ? String(row.score[seat]) : signed(row.totals[seat] ?? 0);
  const points = row.points[seat] ?? 0;
  const gained = row.score ? Math.max(points, 0) : points;
  const isBox = row.line[0] === seat && row.line.length > 2;
  const isIn = row.game === null ? points !== 0 : row.line.includes(seat);
  return h("td", { title: isIn ? who : null, data: { box: isBox ? "yes" : "no", in: isIn ? "yes" : "no" } },
    isIn && who && h("span", { class: "visually-hidden" }, `${who}: `),
    h("b", { data: { sign: row.score ? "zero" : sign(row.totals[seat] ?? 0) } }, total),
    isIn && (gained !== 0 || !row.score) && h("small", { data: { sign: sign(gained) } }, signed(gained)),
    isBox && h("span", { class: "visually-hidden" }, gettext("Box")));
}

/** @param {Given} given */
function transfers({ row, seats }) {
  const rows = row.transfers.map((t) => h("li", {},
    person(seats, t.payer), h("span", { class: "bt-sheet-arrow", "aria-hidden": "true" }, "→"),
    h("span", { class: "visually-hidden" }, gettext("pays")), person(seats, t.payee),
    h("b", {}, String(t.points)), h("small", {}, reason(t.why))));
  const [box, ...team] = row.line;
  const who =
    row.line.length > 2 &&
    fill(
      row.winner === "box"
        ? gettext("%(box)s was Box and won against %(team)s.")
        : gettext("%(box)s was Box and lost to %(team)s."),
      { box: nameOf(seats, box), team: namesOf(seats, team) },
    );
  return [
    who && h("p", {}, who),
    rows.length ? h("ul", {}, rows) : h("p", {}, gettext("Nobody pays anybody.")),
    !row.score &&
      h(
        "p",
        { class: "bt-sheet-check", data: { right: row.check === 0 ? "yes" : "no" } },
        fill(gettext("Sum of this row: %(sum)s"), { sum: signed(row.check) }) + (row.check === 0 ? " ✓" : " ✗"),
      ),
  ];
}

/** @typedef {import("games/kit/seats.js").SeatInfo} SeatInfo */

/** A person in a list: a dot in the seat's colour and the name. @param {SeatInfo[]} seats @param {number} seat */
export function person(seats, seat) {
  return h("span", { class: `bt-person seat-${seat % 12}` }, nameOf(seats, seat));
}

/**
 * Return first names where they differ, cut to `longest` letters; else whole names.
 * @param {string[]} names @param {number} [longest]
 */
export function shortNames(names, longest = 8) {
  const firsts = names.map((one) => one.split(/\s/)[0]);
  return names.map((one, i) => {
    const short = firsts.filter((first) => first === firsts[i]).length > 1 ? one : firsts[i];
    const letters = Array.from(short);
    return letters.length > longest ? `${letters.slice(0, longest - 1).join("")}…` : short;
  });
}

/** Return the reason of a payment, in words. @param {string} why */
function reason(why) {
  const other = {
    partner: gettext("half of the Box's result"), extra: gettext("for an extra"), correction: gettext("correction"),
  }[why];
  return other ?? howText(why);
}
