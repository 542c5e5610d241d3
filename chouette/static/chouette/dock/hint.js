// @ts-check
/** A bot's advice in words. */
import { andList, fill, locale } from "games/kit/page/text.js";

/** @typedef {import("chouette/dock/parts.js").Scene} Scene */

/**
 * @typedef {{play?: string, cubes?: number[], double?: boolean, take?: boolean | number[], reply?: string}} Args of a
 * choice that advice is given on
 */
/**
 * @typedef {object} Hint advice as in chouette/bot/bots.py: of a play, or of another choice
 * @property {string} name
 * @property {Args} args
 * @property {number} win
 * @property {number} equity
 * @property {{args: Args, equity: number}[]} alternatives
 */

/** @param {Scene} scene @param {Hint} hint */
export function adviceText(scene, hint) {
  if (hint.name === "move") return playText(hint);
  const { turn } = scene.game;
  const isOnTurn = (turn === "box") === scene.isBox;
  const win = percent(isOnTurn ? hint.win : 1 - hint.win);
  return fill(gettext("Advice: %(what)s. You win with %(win)s."), { what: what(scene, hint), win });
}

/** @param {Hint} hint */
function playText({ args, equity, alternatives }) {
  const worth = (/** @type {Pick<Hint, "args" | "equity">} */ o) =>
    fill(gettext("%(play)s (%(equity)s)"), { play: o.args.play ?? "", equity: number(o.equity) });
  const best = fill(gettext("Advice: %(play)s."), { play: worth({ args, equity }) });
  if (!alternatives.length) return best;
  return `${best} ${fill(gettext("Then %(plays)s."), { plays: andList(alternatives.map(worth)) })}`;
}

/** @param {Scene} scene @param {Pick<Hint, "name" | "args">} hint */
function what(scene, { name, args }) {
  if (name === "roll") return gettext("roll");
  if (name === "offer") return fill(gettext("double %(names)s"), { names: cubes(scene, args.cubes ?? []) });
  if (name === "cube") return args.double ? gettext("double") : gettext("no double");
  if (name === "answer") return args.take ? gettext("take") : gettext("drop");
  if (name === "reply") return replies()[args.reply ?? ""] ?? args.reply;
  const taken = Array.isArray(args.take) ? args.take : [];
  if (!taken.length) return gettext("drop");
  return taken.length === scene.game.batch.length
    ? gettext("take")
    : fill(gettext("take %(names)s"), { names: cubes(scene, taken) });
}

/** @param {Scene} scene @param {number[]} list */
function cubes(scene, list) {
  return andList(list.map((index) => scene.cubeName(index)));
}

/** @returns {Record<string, string>} */
function replies() {
  return {
    give: gettext("give the extra"), keep: gettext("no extra"), beaver: gettext("beaver"), no: gettext("no beaver"),
    accept: gettext("accept"), drop: gettext("drop"), raccoon: gettext("raccoon"),
  };
}

/** @param {number} share */
function percent(share) {
  return new Intl.NumberFormat(locale(), { style: "percent", maximumFractionDigits: 0 }).format(share);
}

/** @param {number} equity */
function number(equity) {
  return new Intl.NumberFormat(locale(), {
    signDisplay: "always",
    minimumFractionDigits: 2,
    maximumFractionDigits: 2,
  }).format(equity);
}
