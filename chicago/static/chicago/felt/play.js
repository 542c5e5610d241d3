// @ts-check
/**
 * Events with motion: dice roll, mats fly. The table shows the new state already; the motion
 * only makes the change visible, and a tap ends it.
 */
import { animate, easeBoth, isCalm, pause } from "games/kit/page/motion.js";
import { setVars } from "games/kit/page/dom.js";
import { mat } from "chicago/felt/pieces.js";

/**
 * @typedef {object} Stage
 * @property {HTMLElement} el the table, in which mats fly
 * @property {import("chicago/felt/felt.js").Felt} felt
 * @property {boolean} isOver the turn has ended with this throw
 * @property {boolean} ends more than the turn has ended: its dice are shown longer
 * @property {HTMLElement} stock
 * @property {(seat: number) => HTMLElement | undefined} seat
 * @property {(name: string) => void} sound
 */

/** Most mats that fly: more can't be followed. */
const MOST_MATS = 4;

/**
 * @param {Chicago.Event[]} events
 * @param {Stage} stage
 */
export async function play(events, stage) {
  let mats = 0;
  for (const { type, data } of events) {
    if (type === "dice_thrown") {
      stage.sound("throw");
      if (stage.isOver)
        stage.felt.show(asThrown(data), { caption: gettext("Laid out"), isTipped: true, isWaiting: false });
      await stage.felt.roll(data.dice);
      if (stage.isOver) await pause(stage.ends ? 1400 : 700);
    } else if (type === "chick_thrown") stage.sound("win");
    else if ((type === "mat_taken" || type === "mat_given" || type === "mat_discarded") && mats < MOST_MATS) {
      mats += 1;
      await flyMat(type, data, stage);
    } else if (type === "game_ended") stage.sound("end");
  }
}

/**
 * Return the places of a throw's dice, which the view no longer has because the turn is over.
 * @param {{laid: number[], dice: number[]}} data
 * @returns {import("chicago/felt/felt.js").Place[]}
 */
function asThrown({ laid, dice }) {
  const place =
    (/** @type {"tray" | "felt"} */ zone, /** @type {"locked" | "free"} */ look) =>
    (/** @type {number} */ value, /** @type {number} */ i) => ({
      key: `${zone}${i}`,
      value,
      zone,
      look,
      canToggle: false,
    });
  return [...laid.map(place("tray", "locked")), ...dice.map(place("felt", "free"))];
}

/** @param {string} type @param {{seat: number, to?: number}} data @param {Stage} stage */
async function flyMat(type, data, stage) {
  const holder = stage.seat(data.seat);
  if (!holder || isCalm()) return;
  stage.sound("mat");
  if (type === "mat_taken") await fly(stage, stage.stock, holder, false);
  else if (type === "mat_given") await fly(stage, holder, stage.seat(data.to ?? data.seat), false);
  else await fly(stage, holder, stage.stock, true);
  await pause(80);
}

/**
 * @param {Stage} stage
 * @param {HTMLElement} from
 * @param {HTMLElement | undefined} to
 * @param {boolean} fades
 */
async function fly(stage, from, to, fades) {
  if (!to) return;
  const flyer = mat();
  flyer.classList.add("ct-flyer");
  stage.el.append(flyer);
  const frame = stage.el.getBoundingClientRect();
  const [a, b] = [from, to].map((e) => middle(e, frame));
  await animate(420, (t) => {
    const way = easeBoth(t);
    const lift = Math.sin(Math.PI * t) * 40;
    setVars(flyer, {
      "--fx": `${a.x + (b.x - a.x) * way}px`,
      "--fy": `${a.y + (b.y - a.y) * way - lift}px`,
      "--fr": `${way * 200}deg`,
      "--fo": fades ? 1 - way : 1,
    });
  });
  flyer.remove();
}

/** @param {HTMLElement} element @param {DOMRect} frame */
function middle(element, frame) {
  const box = element.getBoundingClientRect();
  return { x: box.x - frame.x + box.width / 2, y: box.y - frame.y + box.height / 2 };
}
