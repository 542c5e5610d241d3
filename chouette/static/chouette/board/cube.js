// @ts-check
/**
 * A doubling cube in its groove: at its member's end, in the centre, or at the opponent's end.
 * It slides and turns over when that changes.
 */
import { h, put, setAttr, setText, setVars } from "games/kit/page/dom.js";
import { nameOf } from "games/kit/seats.js";
import { animate, easeOut } from "games/kit/page/motion.js";
import { fill } from "games/kit/page/text.js";
import { signed } from "games/kit/page/sentences.js";
import { howText, ownerText } from "chouette/words/words.js";

/** @typedef {import("games/kit/seats.js").SeatInfo} SeatInfo */

/** Milliseconds that a cube takes to turn over. */
const TURN = 320;

export class Cube {
  constructor() {
    this.face = h("span", { class: "bt-cube", "aria-hidden": "true" });
    this.result = h("span", { class: "bt-result" });
    this.el = h("span", { class: "bt-groove", role: "img" }, this.face);
    this.box = h("span", { class: "bt-stake" }, this.el, this.result);
  }

  /** @param {Chouette.CubeView} cube as in the view @param {Chouette.GameView} game @param {SeatInfo[]} seats */
  show(cube, game, seats) {
    const isOffered = game.stage === "answers" && game.batch.includes(cube.cube);
    const isOut = cube.result !== null;
    this.#turn(isOffered ? `${cube.value * 2}?` : String(cube.value));
    setAttr(this.box, "class", `bt-stake seat-${cube.member % 12}`);
    setAttr(this.el, "data-at", isOffered ? `to-${game.turn === "team" ? "against" : "member"}` : cube.owner);
    setAttr(this.el, "data-turned", cube.turned);
    setAttr(this.el, "data-offered", isOffered);
    setAttr(this.box, "data-extra", cube.extra);
    this.box.hidden = cube.extra && isOut;
    setVars(this.el, { "--other": `var(--seat-${cube.against % 12})` });
    this.el.hidden = isOut;
    this.result.hidden = !isOut;
    const text = isOut ? "" : described(cube, seats, isOffered, game.single);
    setAttr(this.el, "aria-label", text);
    setAttr(this.el, "title", text);
    if (isOut) this.#out(cube);
  }

  /** Show the result, such as "dropped +1". @param {Chouette.CubeView} cube */
  #out(cube) {
    const [how, points] = [howText(cube.how), signed(cube.result ?? 0)];
    if (this.result.title !== `${how} ${points}`) put(this.result, h("span", {}, how), " ", h("b", {}, points));
    setAttr(this.result, "title", `${how} ${points}`);
    setAttr(this.result, "data-sign", String(Math.sign(cube.result ?? 0)));
  }

  /** Turn the cube over to another face. @param {string} text */
  #turn(text) {
    const old = this.face.textContent;
    if (old === text) return;
    if (!old) return setText(this.face, text);
    animate(TURN, (t) => {
      if (t > 0.4 || t === 1) setText(this.face, text);
      setVars(this.face, { "--turn": `${Math.round((1 - easeOut(t)) * 360)}deg` });
    });
  }
}

/** Return a cube in words: its member, its value, its owner. @param {Chouette.CubeView} cube @param {SeatInfo[]} seats
 * @param {boolean} isOffered @param {boolean} isSingle of the whole Team */
export function described(cube, seats, isOffered, isSingle) {
  const [member, against] = [nameOf(seats, cube.member), nameOf(seats, cube.against)];
  const params = {
    value: cube.value,
    offered: cube.value * 2,
    where: ownerText(cube, member, against),
    member,
    against,
  };
  if (isSingle) {
    const sentence = isOffered
      ? gettext("The Team's cube at %(value)s, doubled to %(offered)s")
      : gettext("The Team's cube at %(value)s, %(where)s");
    const owner = cube.owner === "member" ? gettext("owned by the Team") : params.where;
    return fill(sentence, { ...params, where: owner });
  }
  if (isOffered) return fill(gettext("Cube of %(member)s at %(value)s, doubled to %(offered)s"), params);
  if (cube.extra) return fill(gettext("Extra of %(member)s against %(against)s at %(value)s, %(where)s"), params);
  return fill(gettext("Cube of %(member)s at %(value)s, %(where)s"), params);
}
