// @ts-check
/**
 * The selection of dice to lay out, matched against the legal arguments of `throw`. It knows no
 * rules: a die may be chosen if a legal set contains it together with the chosen ones.
 *
 * Dice have keys: "r0", "r1", … for dice just thrown, "l0", … for dice laid out before.
 */

/** @typedef {{lay: number[], turn: boolean, laid?: boolean}} ThrowArgs `laid`: a laid-out six turns with a new one */
/** @typedef {"" | "new" | "laid"} Turning the sixes to turn: none, two just thrown, a laid-out one and a new one */
/** @typedef {{laid: number[], rolled: number[], throws: number, in_cup: number}} Cup */

export class DiceSelection {
  /**
   * @param {Cup} cup
   * @param {ThrowArgs[]} options the legal arguments; empty when throwing is not open
   * @param {number | null} [usual] the face that nearly everybody lays out: it is chosen at first
   */
  constructor(cup, options, usual = null) {
    this.cup = cup;
    /** @type {ThrowArgs[]} */
    this.options = options;
    /** Tell whether laid-out dice may go back: then the chosen set contains them, too. */
    this.returns = options.some((o) => !o.turn && goesBeyond(o.lay, cup));
    /** @type {Turning} */
    this.turning = options.length > 0 && options.every((o) => o.turn) ? turningOf(options[0]) : "";
    /** @type {Set<string>} */
    this.chosen = new Set();
    if (this.returns) cup.laid.forEach((_, i) => this.chosen.add(`l${i}`));
    if (!this.#isContained(this.values)) this.chosen.clear();
    cup.rolled.forEach((face, i) => face === usual && this.canToggle(`r${i}`) && this.chosen.add(`r${i}`));
  }

  /** The faces of all dice by key. @returns {Map<string, number>} */
  get faces() {
    const laid = this.cup.laid.map((v, i) => /** @type {[string, number]} */ ([`l${i}`, v]));
    const rolled = this.cup.rolled.map((v, i) => /** @type {[string, number]} */ ([`r${i}`, v]));
    return new Map([...laid, ...rolled]);
  }

  /** The chosen values, sorted. */
  get values() {
    return [...this.chosen].map((key) => this.faces.get(key) ?? 0).sort((a, b) => a - b);
  }

  /** The keys of the turned sixes. @returns {string[]} */
  get turned() {
    if (!this.turning) return [];
    const sixes = this.cup.rolled.map((v, i) => (v === 6 ? `r${i}` : "")).filter(Boolean);
    const free = sixes.filter((key) => !this.chosen.has(key));
    if (this.turning === "laid") return [`l${this.cup.laid.indexOf(6)}`, ...free.slice(0, 1)];
    return free.slice(0, this.isForced ? 3 : 2);
  }

  /** Tell whether three sixes must become two ones. */
  get isForced() {
    return this.cup.rolled.length === 3 && this.options.length === 1 && this.options[0].turn;
  }

  /** The keys of turned dice that show a one and are laid out; the others go back. @returns {string[]} */
  get ones() {
    return this.turned.slice(0, this.isForced ? 2 : 1);
  }

  /** The chosen option, or null while the set is not legal. @returns {ThrowArgs | null} */
  get option() {
    return this.options.find((o) => turningOf(o) === this.turning && same(o.lay, this.values)) ?? null;
  }

  /** The number of dice to be thrown. */
  get inCup() {
    // If laid-out dice may go back, the staying ones are among the chosen ones.
    const stay = this.returns ? 0 : this.cup.laid.length - (this.turning === "laid" ? 1 : 0);
    return 3 - (this.cup.throws === 0 ? 0 : stay + this.chosen.size + this.ones.length);
  }

  /** Tell whether two sixes may be turned now, or are turned. */
  get canTurn() {
    return this.options.some((o) => o.turn);
  }

  /**
   * Tell whether tapping a die has an effect.
   * @param {string} key
   */
  canToggle(key) {
    if (this.chosen.has(key)) return true;
    if (this.turned.includes(key)) return false;
    if (key.startsWith("l") && !this.returns) return false;
    return this.#isContained([...this.values, this.faces.get(key) ?? 0]);
  }

  /**
   * Choose a die or put it back; tell whether anything changed.
   * @param {string} key
   */
  toggle(key) {
    if (!this.canToggle(key)) return false;
    if (!this.chosen.delete(key)) this.chosen.add(key);
    return true;
  }

  /** Turn two sixes, other ones, or turn them back; chosen sixes, and others if they must, are put back. */
  toggleTurn() {
    if (!this.canTurn || this.options.every((o) => o.turn)) return false;
    const ways = [...new Set(this.options.map(turningOf))].sort((a, b) => ORDER.indexOf(a) - ORDER.indexOf(b));
    this.turning = ways[(ways.indexOf(this.turning) + 1) % ways.length];
    for (const key of this.chosen) if (this.faces.get(key) === 6) this.chosen.delete(key);
    if (!this.#isContained(this.values)) this.chosen.clear();
    return true;
  }

  /** @param {number[]} values */
  #isContained(values) {
    return this.options.some((o) => turningOf(o) === this.turning && within(values, o.lay));
  }
}

/** @type {Turning[]} */
const ORDER = ["", "new", "laid"];

/** @param {ThrowArgs} args @returns {Turning} */
const turningOf = ({ turn, laid }) => (laid ? "laid" : turn ? "new" : "");

/**
 * Tell whether a legal set contains more than the dice just thrown.
 * @param {number[]} lay
 * @param {Cup} cup
 */
function goesBeyond(lay, cup) {
  return cup.laid.length > 0 && (!within(lay, cup.rolled) || lay.length + cup.laid.length > 2);
}

/** @param {number[]} part @param {number[]} whole */
function within(part, whole) {
  const rest = [...whole];
  return part.every((value) => {
    const at = rest.indexOf(value);
    if (at >= 0) rest.splice(at, 1);
    return at >= 0;
  });
}

/** @param {number[]} a @param {number[]} b */
function same(a, b) {
  return a.length === b.length && within(a, b);
}
