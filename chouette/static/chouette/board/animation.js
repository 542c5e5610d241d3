// @ts-check
/**
 * Motion on the board: shows events from the board as it was before them. Nothing waits for it: the
 * current scene is drawn as soon as the motion ends or is cut short.
 */
import { pause } from "games/kit/page/motion.js";
import { die, move, movesOf, rollOf, viewOf } from "chouette/board/state.js";

/** @typedef {import("chouette/board/state.js").Scene} Scene */
/** @typedef {Chouette.Event | House.OtherEvent} Event */
/**
 * @typedef {object} Stage
 * @property {Scene} scene the board before the events
 * @property {(seat: number) => boolean} isMine whether a seat plays for the viewer's side
 * @property {(scene: Scene, ms: number) => Promise<void>} show
 * @property {(isMine: boolean) => Promise<void>} roll
 * @property {(name: string) => void} sound
 * @property {() => boolean} isCurrent false when a newer state is shown
 */

export const CHECKER_MS = 250;
const LOOK_MS = 600;

/** @type {{[Name in keyof Chouette.Events]?: (data: Chouette.Events[Name], stage: Stage) => Promise<Scene>}} */
const SCENES = {
  game_started: async ({ position }, { scene }) => ({
    ...scene,
    points: viewOf(position, scene.side),
    off: [0, 0],
    dice: [],
  }),
  opening_die_rolled: ({ seat, die: value }, stage) => {
    const isMine = stage.isMine(seat);
    const others = stage.scene.dice.filter((spot) => spot.isMine !== isMine).slice(0, 1);
    return thrown(stage, [...others, die(value, isMine)], isMine);
  },
  opening_tied: async (_, { scene }) => look({ ...scene, dice: [] }),
  turn_began: async ({ dice }, { scene }) => (dice.length ? look(scene) : { ...scene, dice: [] }),
  dice_rolled: ({ seat, dice }, stage) => thrown(stage, rollOf(dice, stage.isMine(seat)), stage.isMine(seat)),
  play_made: played,
};

/** @typedef {Record<string, (data: unknown, stage: Stage) => Promise<Scene>>} Steps */

/** @param {Event[]} events @param {Stage} stage */
export async function act(events, stage) {
  for (const { type, data } of events) {
    const step = /** @type {Steps} */ (SCENES)[type];
    if (!step) continue;
    stage.scene = await step(data, stage);
    if (!stage.isCurrent()) return;
    await stage.show(stage.scene, 0);
  }
}

/** @param {Event[]} events */
export const isActed = (events) => events.some(({ type }) => type in SCENES);

/** Pause to show the dice. @param {Scene} scene */
async function look(scene) {
  await pause(LOOK_MS);
  return scene;
}

/** @param {Stage} stage @param {Scene["dice"]} dice @param {boolean} isMine */
async function thrown(stage, dice, isMine) {
  const scene = { ...stage.scene, dice };
  stage.sound("throw");
  stage.show(scene, 0);
  await stage.roll(isMine);
  return scene;
}

/** @param {Chouette.Events["play_made"]} data @param {Stage} stage @returns {Promise<Scene>} */
async function played({ seat, play, position }, stage) {
  const after = viewOf(position, stage.scene.side);
  const isMine = stage.isMine(seat);
  let { scene } = stage;
  // A play made on this board has been seen already.
  const isKnown = after.join() === scene.points.join();
  for (const [from, to] of isKnown ? [] : movesOf(play)) {
    scene = move(scene, isMine, from, to);
    await stage.show(scene, CHECKER_MS);
    if (!stage.isCurrent()) return scene;
    stage.sound("tap");
  }
  return { ...scene, points: after, dice: [] };
}
