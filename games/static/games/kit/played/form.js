// @ts-check
/** The entry of one game, or of one round, that is played without the house: the game's form by taps. */
import { h, put } from "games/kit/page/dom.js";
import { nameOf } from "games/kit/seats.js";
import { fill } from "games/kit/page/text.js";
import { isMeant, PlayedField } from "games/kit/played/fields.js";

/** @typedef {import("games/kit/seats.js").SeatInfo} SeatInfo */
/** @typedef {import("games/kit/played/device_list.js").Part} Part */
/** @typedef {import("games/kit/played/device_list.js").ToldGame} ToldGame */
/** @typedef {import("games/kit/played/fields.js").Field} Field */
/** @typedef {import("games/kit/played/fields.js").Form} Form */
/** @typedef {import("games/kit/played/fields.js").Value} Value */
/**
 * @typedef {object} Next what is to be told next, as the game's own module works it out
 * @property {string} title
 * @property {number[]} among the seats that play
 * @property {Part} [game] what is likely, and stands chosen when the entry begins
 * @property {(game: Part) => number[]} [members] those with fields of their own in such a game, if not all that play
 * @property {(round: Part) => string} [lacks] the id of a field that the round still needs, "" for none
 * @property {string} [over] why nothing is to be told any more
 */

/** Fields of one part, as of a game or of a round. */
class PlayedPart {
  /** @type {Part} */
  told = {};

  /** @param {Field[]} fields @param {SeatInfo[]} seats @param {() => void} changed */
  constructor(fields, seats, changed) {
    this.changed = changed;
    this.fields = fields.map((field) => new PlayedField(field, seats, (value) => this.#set(field, value)));
  }

  /** @param {Part} told @param {number[]} among */
  begin(told, among) {
    this.told = { ...told };
    for (const field of this.fields) field.among(among);
    this.#show();
  }

  /** What is told, without fields that mean nothing beside the others. @returns {Part} */
  get part() {
    const said = Object.entries(this.told).filter(([id]) => {
      const found = this.fields.find(({ field }) => field.id === id);
      return found && isMeant(found.field, this.told);
    });
    return Object.fromEntries(said);
  }

  /** The first field that has still to be told. */
  get missing() {
    return this.fields.find(({ field }) => field.needed && this.told[field.id] === undefined)?.field;
  }

  /** @param {Field} field @param {Value} value */
  #set(field, value) {
    this.tell(field, value);
    this.changed();
  }

  /** @param {Field} field @param {Value} value */
  tell({ id }, value) {
    if (value === undefined) delete this.told[id];
    else this.told[id] = value;
    this.#show();
  }

  #show() {
    for (const each of this.fields) {
      each.show(this.told[each.field.id]);
      each.el.hidden = !isMeant(each.field, this.told);
    }
  }
}

export class GameEntry {
  /** @param {Form} form @param {SeatInfo[]} seats @param {() => void} changed */
  constructor(form, seats, changed) {
    this.form = form;
    this.seats = seats;
    this.changed = changed;
    this.main = new PlayedPart(form.rounds.length ? form.rounds : form.game, seats, () => this.#told());
    /** @type {Map<number, PlayedPart>} */
    this.parts = new Map();
    /** @type {Map<number, HTMLElement>} */
    this.rows = new Map();
    this.members = h("div", { class: "played-members" });
    this.el = h("div", { class: "played-form" }, this.main.fields.map(({ el }) => el), this.members);
  }

  /**
   * Begin an entry: with what is likely, or with a game that was told before.
   * @param {Next} next @param {ToldGame} [told]
   */
  begin(next, told) {
    this.lacks = next.lacks;
    this.membersOf = next.members ?? (() => next.among);
    this.main.begin(told?.game ?? next.game ?? {}, next.among);
    const [first, ...others] = this.form.seats;
    if (!first) return;
    this.parts = new Map(next.among.map((seat) => [seat, new PlayedPart(this.form.seats, this.seats, this.changed)]));
    for (const [seat, part] of this.parts) part.begin(told?.seats?.[seat] ?? {}, next.among);
    this.rows = new Map(next.among.map((seat) => [seat, this.#member(seat, others)]));
    put(this.members, this.#membersNow.length > 1 && this.#all(first), [...this.rows.values()]);
    this.#showMembers();
  }

  /** The seats with fields of their own in the game as told. */
  get #membersNow() {
    return this.membersOf?.(this.main.part) ?? [];
  }

  #told() {
    this.#showMembers();
    this.changed();
  }

  /** Show the rows of the members alone: with another Box they are others. */
  #showMembers() {
    const members = this.#membersNow;
    for (const [seat, row] of this.rows) row.hidden = !members.includes(seat);
  }

  /** One tap tells the first field of all members alike. @param {Field} first */
  #all(first) {
    const label = fill(gettext("%(label)s: all"), { label: first.label });
    const all = new PlayedField(first, this.seats, (value) => {
      for (const part of this.parts.values()) part.tell(first, value);
      all.show(value);
      this.changed();
    }, label);
    all.show(undefined);
    const [one] = first.words ?? [];
    const button = one && all.steps && h("button", {
      type: "button", class: "button played-all", onclick: () => all.changed(one.value),
    }, fill(gettext("%(label)s: all %(word)s"), { label: first.label, word: one.label }));
    return h("div", { class: "played-member" }, all.el, button);
  }

  /** @param {number} seat @param {Field[]} others */
  #member(seat, others) {
    const [first, ...rest] = this.parts.get(seat)?.fields ?? [];
    const more = others.length > 0 && h("details", {},
      h("summary", {}, fill(gettext("More about %(name)s"), { name: nameOf(this.seats, seat) })),
      rest.map(({ el }) => el));
    return h("div", { class: `played-member seat-${seat % 12}`, data: { seat } },
      h("p", { class: "played-name" }, nameOf(this.seats, seat)), first.el, more);
  }

  /** The first field that has still to be told, null when the entry is whole. @returns {Field | null} */
  get missing() {
    const lacking = this.lacks?.(this.main.part);
    const found = this.main.fields.find(({ field }) => field.id === lacking)?.field;
    return this.main.missing ?? found ?? null;
  }

  /** The game as told; of a game of rounds, this round alone. @returns {ToldGame} */
  get told() {
    if (this.form.rounds.length) return { rounds: [this.main.part] };
    /** @type {ToldGame} */
    const found = { game: this.main.part };
    if (this.form.seats.length) found.seats = this.#ofSeats();
    return found;
  }

  #ofSeats() {
    const members = this.#membersNow;
    const told = [...this.parts].filter(([seat]) => members.includes(seat))
      .map(([seat, { part }]) => /** @type {const} */ ([String(seat), part]));
    return Object.fromEntries(told.filter(([, part]) => Object.keys(part).length));
  }
}
