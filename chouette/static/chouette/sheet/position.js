// @ts-check
/** The position on the board as an XGID, to be copied into a program that studies positions. */
import { h, setAttr, setText } from "games/kit/page/dom.js";
import { viewOf } from "chouette/board/state.js";
import { gameOf } from "chouette/words/words.js";

/** @typedef {import("games/kit/table.js").Now<Chouette.View, Chouette.Choice>} Now */

const LETTERS = "-ABCDEFGHIJKLMNO", HIGHEST = 10;

export class PositionText {
  constructor() {
    this.field = h("input", { class: "bt-xgid", readonly: true, id: "bt-xgid" });
    this.copy = h("button", { type: "button", class: "button", onclick: () => this.#copy() }, gettext("Copy"));
    this.el = h("section", { class: "bt-position" },
      h("label", { for: "bt-xgid" }, gettext("This position (XGID)")), h("div", {}, this.field, this.copy));
  }

  /** @param {Now} now */
  show({ view, me, isTv }) {
    this.el.hidden = isTv || !view.game || view.options.board === "wood";
    if (this.el.hidden) return;
    const text = xgid(view, me);
    if (this.field.value === text) return;
    setAttr(this.field, "value", text);
    this.field.value = text;
    setText(this.copy, gettext("Copy"));
  }

  /** Copy by selecting: the only way to the clipboard on a page without https. */
  #copy() {
    this.field.select();
    setText(this.copy, document.execCommand("copy") ? gettext("Copied") : gettext("Copy"));
  }
}

/**
 * Return the XGID of the running game: the side on turn at the bottom, with my cube, else the Captain's.
 * @param {Chouette.View} view @param {number | null} me
 * @returns {string}
 */
export function xgid(view, me) {
  const game = gameOf(view);
  const side = game.turn || "team";
  const points = viewOf(game.points, side);
  const letters = points.map((n) => (n < 0 ? LETTERS[-n].toLowerCase() : LETTERS[n])).join("");
  const [high, low] = [...game.dice].sort((a, b) => b - a);
  const fields = [letters, ...cubeOf(game, side, me), 1, game.dice.length ? `${high}${low}` : "00",
    ...scoreOf(view, side), HIGHEST];
  return `XGID=${fields.join(":")}`;
}

/**
 * Return the value as a power of two, and the owner: of my cube, or the Captain's if I have none.
 * @param {Chouette.GameView} game @param {string} side @param {number | null} me
 */
function cubeOf(game, side, me) {
  const live = game.cubes.filter((one) => one.result === null && !one.extra);
  const cube = live.find((one) => one.holder === me) ?? live[0];
  if (!cube) return [0, 0];
  const isBottom = (cube.owner === "member") === (side === "team");
  return [Math.log2(cube.value), cube.owner === "centre" ? 0 : isBottom ? 1 : -1];
}

/**
 * Return the score of the bottom and the top, the flag, the match's length.
 * @param {Chouette.View} view @param {string} side
 */
function scoreOf(view, side) {
  const { score, match_length: length, crawford, options } = view, game = gameOf(view);
  if (!length || !score) return [0, 0, (options.jacoby ? 1 : 0) + (options.beavers ? 2 : 0), 0];
  const both = [score[game.box], score[game.captain]];
  return [...(side === "box" ? both : both.reverse()), crawford ? 1 : 0, length];
}
