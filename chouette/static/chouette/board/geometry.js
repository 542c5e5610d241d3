// @ts-check
/**
 * Positions on the board, in units of the drawing: a column is 40 wide, the board 584; its
 * height depends on the room. Places as in state.js.
 */
import { changes, wants } from "games/kit/page/preferences.js";
import { BAR, OFF, THEIR_BAR, THEIR_OFF } from "chouette/board/state.js";

export const W = 584, COL = 40, R = 19;
const EDGE = 6, RAIL = 25, HALF = 6 * COL, BAR_W = 44, TRAY_W = 42;
const BAR_X = EDGE + HALF, RIGHT_X = BAR_X + BAR_W, TRAY_X = RIGHT_X + HALF + EDGE;
const LOW = 0.66, HIGH = 1.06, SLAB = 12.4, FIT = 5;

/** The places of the two rows, from left to right. */
export const ROWS = [
  [13, 14, 15, 16, 17, 18, BAR, 19, 20, 21, 22, 23, 24, THEIR_OFF],
  [12, 11, 10, 9, 8, 7, THEIR_BAR, 6, 5, 4, 3, 2, 1, OFF],
];

/** @param {number} height @param {number} width of the room @returns {number} height of the board for a width of 1 */
export const aspectFor = (height, width) => Math.min(HIGH, Math.max(LOW, height / width));

/** The wish to have the home board on the left. */
export const HOME_LEFT = "chouette.home_left";
let isHomeLeft = wants(HOME_LEFT);
changes.addEventListener(HOME_LEFT, () => { isHomeLeft = wants(HOME_LEFT); });

/** Return the left edge of what is so wide, where the home board is wished. @param {number} x @param {number} width */
const turned = (x, width) => (isHomeLeft ? W - x - width : x);

/** Return the column that an arrow key leads to from another. @param {number} column @param {number} step */
export const columnBeside = (column, step) => column + (isHomeLeft ? -step : step);

/** Return the left edge and the width of a column of the grid. @param {number} column 0–13 */
export function columnBox(column) {
  const { x, width } = columnOf(column);
  return { x: turned(x, width), width };
}

/** @param {number} column */
function columnOf(column) {
  if (column === 6) return { x: BAR_X, width: BAR_W };
  if (column === 13) return { x: TRAY_X - EDGE, width: TRAY_W + 2 * EDGE };
  return { x: column < 6 ? EDGE + column * COL : RIGHT_X + (column - 7) * COL, width: COL };
}

/** A board of a given form. */
export class Layout {
  /** @param {number} aspect */
  constructor(aspect) {
    this.H = Math.round(W * aspect);
    this.middle = this.H / 2;
    const inner = this.H - 2 * RAIL;
    /** Free height between the stacks, for the dice. */
    this.gap = Math.max(56, Math.min(92, inner - 10.6 * R * 2));
    this.stack = (inner - this.gap) / 2;
    this.tall = Math.min(this.stack - 6, 6 * R * 2);
    this.dieSize = Math.min(70, this.gap + 4);
    this.rail = RAIL;
    const width = RIGHT_X + HALF - EDGE;
    this.field = { x: turned(EDGE, width), width, y: RAIL, height: inner };
    this.bar = { x: turned(BAR_X, BAR_W), width: BAR_W };
    this.tray = { x: turned(TRAY_X, TRAY_W), width: TRAY_W };
  }

  /**
   * Return the centre of the `i`th of `n` checkers at a place, the first one lowest.
   * @param {number} place @param {number} i @param {number} n
   * @returns {{x: number, y: number}}
   */
  spot(place, i, n) {
    const x = this.centre(place), up = this.isTop(place) ? 1 : -1;
    const from = up > 0 ? RAIL : this.H - RAIL;
    if (place === OFF || place === THEIR_OFF) return { x, y: from + up * (10 + i * SLAB) };
    if (place === BAR || place === THEIR_BAR) {
      return { x, y: this.middle - up * (R + 6 + i * this.#pitch(n, this.middle - RAIL - 8)) };
    }
    return { x, y: from + up * (R + 1 + i * this.#pitch(n, this.stack)) };
  }

  /** Return the distance of stacked checkers. @param {number} n @param {number} room */
  #pitch(n, room) {
    return n < 2 ? 0 : Math.min(2 * R, (room - 2 * R) / (n - 1));
  }

  /** @param {number} place */
  isTop(place) {
    return (place > 12 && place <= BAR) || place === THEIR_OFF;
  }

  /** Return the middle of a place's column. @param {number} place */
  centre(place) {
    const box = columnBox(ROWS[this.isTop(place) ? 0 : 1].indexOf(place));
    return box.x + box.width / 2;
  }

  /** Return the middle of the half of the board where a side throws. @param {boolean} isMine */
  diceX(isMine) {
    return turned((isMine ? RIGHT_X : EDGE) + HALF / 2, 0);
  }

  /** Tell whether x, y is on the dice of the side at the bottom. @param {number} x @param {number} y */
  isOnDice(x, y) {
    return Math.abs(x - this.diceX(true)) <= this.dieSize * 1.2 && Math.abs(y - this.middle) <= this.dieSize * 0.6;
  }

  /**
   * Return the place under a point of the drawing; bars and trays are as high as the board.
   * @param {number} x @param {number} y
   */
  placeAt(x, y) {
    const across = turned(x, 0);
    let column = ROWS[0].findIndex((_, i) => across < columnOf(i).x + columnOf(i).width);
    if (column < 0) column = 13;
    return ROWS[y < this.middle ? 0 : 1][column];
  }

  /**
   * Return the place among some that is nearest to x, y: in its column, else in a neighbour's.
   * @param {number[]} places @param {number} x @param {number} y @param {number} reach in units
   * @returns {number | null}
   */
  nearest(places, x, y, reach) {
    const away = (/** @type {number} */ place) => {
      const isFull = place === BAR || place === OFF;
      const side = isFull || this.isTop(place) === y < this.middle ? 0 : Math.abs(y - this.middle) * 2;
      return Math.max(0, Math.abs(x - this.centre(place)) - COL / 2) + side;
    };
    const [best] = [...places].sort(
      (a, b) => away(a) - away(b) || Math.abs(x - this.centre(a)) - Math.abs(x - this.centre(b)),
    );
    return best !== undefined && away(best) <= reach ? best : null;
  }
}

/** Tell whether a stack of n checkers needs a number. @param {number} n */
export const isCrowded = (n) => n > FIT;
