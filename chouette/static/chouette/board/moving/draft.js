// @ts-check
/**
 * An unfinished play: a path through the steps of the plays that the server lists (steps.js). All points
 * are in the mover's view: 25 = the bar, 0 = off. Nothing is sent before Confirm.
 */
import { OFF } from "chouette/board/state.js";

/** @typedef {[number, number, boolean, number, number]} Step source, target, hit, die, node it leads to */
/** @typedef {{left: number[], to: Step[], play: string | null}} Node */
/** @typedef {{steps: Step[], node: number}} Route steps of one checker, and the node they lead to */

export class Draft {
  /** @param {Node[]} nodes @param {string} key of the roll that it belongs to */
  constructor(nodes, key) {
    this.nodes = nodes;
    this.key = key;
    /** @type {Route[]} the routes made, each undone as one */
    this.made = [];
    /** The only play of the roll, else null. */
    const plays = new Set(nodes.map((node) => node.play).filter(Boolean));
    this.only = plays.size === 1 ? /** @type {string} */ ([...plays][0]) : null;
  }

  get at() {
    return this.made.length ? this.made[this.made.length - 1].node : 0;
  }

  get node() {
    return this.nodes[this.at];
  }

  /** The play that the steps make, null until it is complete. */
  get play() {
    return this.node.play;
  }

  get isBlocked() {
    return this.nodes[0].to.length === 0;
  }

  get steps() {
    return this.made.flatMap((route) => route.steps);
  }

  /** Points where a checker may be picked up now. */
  get sources() {
    return [...new Set(this.node.to.map(([source]) => source))];
  }

  /**
   * Return the targets of a checker of this point, by one die or several: for each target one route,
   * or several where the way makes a difference.
   * @param {number} source
   * @returns {Map<number, Route[]>}
   */
  targets(source) {
    /** @type {Map<number, Route[]>} */
    const found = new Map();
    let front = [{ steps: /** @type {Step[]} */ ([]), node: this.at, point: source }];
    while (front.length) {
      front = front.flatMap((way) => this.#further(way));
      for (const way of front) add(found, way.point, way);
    }
    return found;
  }

  /** @param {Route & {point: number}} way */
  #further({ steps, node, point }) {
    if (steps.length && point === OFF) return [];
    return this.nodes[node].to
      .filter(([source]) => source === point)
      .map((step) => ({ steps: [...steps, step], node: step[4], point: step[1] }));
  }

  /**
   * Return the step of one die from a point: the higher die if possible, else the lower one.
   * @param {number} source
   * @param {boolean} isLowFirst try the lower die first
   * @returns {Route | null}
   */
  quick(source, isLowFirst) {
    const sign = isLowFirst ? 1 : -1;
    const own = this.node.to.filter(([from]) => from === source).sort((a, b) => sign * (a[3] - b[3]));
    return own.length ? { steps: [own[0]], node: own[0][4] } : null;
  }

  /**
   * Make a whole play from the start, step by step, so that each can be undone.
   * @param {string} play
   * @returns {boolean} whether it is one of this roll
   */
  make(play) {
    const made = this.#wayTo(play, 0);
    if (made) this.made = made;
    return made !== null;
  }

  /**
   * Return the steps from a node to a complete play.
   * @param {string} play @param {number} at
   * @returns {Route[] | null}
   */
  #wayTo(play, at) {
    if (this.nodes[at].play === play) return [];
    for (const step of this.nodes[at].to) {
      const rest = this.#wayTo(play, step[4]);
      if (rest) return [{ steps: [step], node: step[4] }, ...rest];
    }
    return null;
  }

  /** @param {Route} route */
  take(route) {
    this.made.push(route);
  }

  /** Take the last route back; tell whether there was one. */
  undo() {
    return this.made.pop() !== undefined;
  }
}

/**
 * Add a route unless a shorter one, or one to the same node, is known. To bear off, the lowest
 * sufficient die is used.
 * @param {Map<number, Route[]>} found @param {number} target @param {Route} route
 */
function add(found, target, { steps, node }) {
  const known = found.get(target) ?? [];
  if (known.some((other) => other.node === node || other.steps.length < steps.length)) return;
  const rival = target === OFF ? known.findIndex((other) => other.steps.length === steps.length) : -1;
  const isLower = rival >= 0 && pipsOf(steps) < pipsOf(known[rival].steps);
  if (rival < 0) found.set(target, [...known, { steps, node }]);
  else if (isLower) known[rival] = { steps, node };
}

/** @param {Step[]} steps */
const pipsOf = (steps) => steps.reduce((sum, step) => sum + step[3], 0);
