// @ts-check
/** Motion that nothing waits for: a tap ends it, and there is none if the user prefers less motion. */

/** @type {Set<() => void>} */
const running = new Set();

const calm = matchMedia("(prefers-reduced-motion: reduce)");

/** Tell whether the user prefers less motion, or sees nothing of the page. */
export function isCalm() {
  return calm.matches || document.hidden;
}

/**
 * Call `frame` with 0…1 over `ms` milliseconds, the last time with exactly 1.
 * @param {number} ms
 * @param {(t: number) => void} frame
 * @returns {Promise<void>}
 */
export function animate(ms, frame) {
  if (isCalm() || ms <= 0) {
    frame(1);
    return Promise.resolve();
  }
  return new Promise((resolve) => {
    const start = performance.now();
    let handle = 0;
    const finish = () => {
      cancelAnimationFrame(handle);
      clearTimeout(late);
      running.delete(finish);
      frame(1);
      resolve();
    };
    const step = (/** @type {number} */ now) => {
      const t = (now - start) / ms;
      if (t >= 1) return finish();
      frame(Math.max(0, t));
      handle = requestAnimationFrame(step);
    };
    // A hidden page draws no frames, but the motion has to end.
    const late = setTimeout(finish, ms + 250);
    running.add(finish);
    frame(0);
    handle = requestAnimationFrame(step);
  });
}

/**
 * Wait, unless the user skips or prefers less motion.
 * @param {number} ms
 */
export function pause(ms) {
  return animate(ms, () => {});
}

/** End all motion at once; tell whether there was any motion. */
export function skip() {
  const had = running.size > 0;
  for (const finish of [...running]) finish();
  return had;
}

addEventListener("pointerdown", skip, { capture: true, passive: true });

/** Fast at first, slow at the end. @param {number} t */
export const easeOut = (t) => 1 - (1 - t) ** 3;

/** Slow at both ends. @param {number} t */
export const easeBoth = (t) => (t < 0.5 ? 4 * t ** 3 : 1 - (2 - 2 * t) ** 3 / 2);
