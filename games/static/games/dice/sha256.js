// @ts-check
/** SHA-256 and HMAC-SHA-256 (FIPS 180-4, RFC 2104): browsers offer theirs on https only, a pub's house has http. */

const ROUNDS = 64, BLOCK = 64;

/** The first 32 bits of the fractional part of a root of a prime. */
function fraction(/** @type {number} */ root) {
  return ((root - Math.floor(root)) * 2 ** 32) | 0;
}

function primes() {
  /** @type {number[]} */
  const found = [];
  for (let n = 2; found.length < ROUNDS; n++) if (found.every((prime) => n % prime)) found.push(n);
  return found;
}

const KEYS = Int32Array.from(primes(), (prime) => fraction(Math.cbrt(prime)));
const START = Int32Array.from(primes().slice(0, 8), (prime) => fraction(Math.sqrt(prime)));

function turned(/** @type {number} */ word, /** @type {number} */ by) {
  return (word >>> by) | (word << (32 - by));
}

/** Pad a message to whole blocks: a one bit, zeros, and its length in bits. */
function padded(/** @type {Uint8Array} */ message) {
  const bytes = new Uint8Array(Math.ceil((message.length + 9) / BLOCK) * BLOCK);
  bytes.set(message);
  bytes[message.length] = 0x80;
  new DataView(bytes.buffer).setBigUint64(bytes.length - 8, BigInt(message.length * 8));
  return new DataView(bytes.buffer);
}

/** Spread a block over the words of the rounds. */
function schedule(/** @type {DataView} */ view, /** @type {number} */ at) {
  const words = new Int32Array(ROUNDS);
  for (let i = 0; i < 16; i++) words[i] = view.getInt32(at + 4 * i);
  for (let i = 16; i < ROUNDS; i++) {
    const early = words[i - 15], late = words[i - 2];
    const first = turned(early, 7) ^ turned(early, 18) ^ (early >>> 3);
    words[i] = words[i - 16] + first + words[i - 7] + (turned(late, 17) ^ turned(late, 19) ^ (late >>> 10));
  }
  return words;
}

/** Take a block into the state. */
function compress(/** @type {Int32Array} */ state, /** @type {Int32Array} */ words) {
  let [a, b, c, d, e, f, g, h] = state;
  for (let i = 0; i < ROUNDS; i++) {
    const picked = (turned(e, 6) ^ turned(e, 11) ^ turned(e, 25)) + ((e & f) ^ (~e & g));
    const first = (h + picked + KEYS[i] + words[i]) | 0;
    const second = (turned(a, 2) ^ turned(a, 13) ^ turned(a, 22)) + ((a & b) ^ (a & c) ^ (b & c));
    [h, g, f, e, d, c, b, a] = [g, f, e, (d + first) | 0, c, b, a, (first + second) | 0];
  }
  [a, b, c, d, e, f, g, h].forEach((word, i) => { state[i] += word; });
}

/** @param {Uint8Array} message @returns {Uint8Array} its SHA-256, 32 bytes */
export function sha256(message) {
  const view = padded(message), state = START.slice();
  for (let at = 0; at < view.byteLength; at += BLOCK) compress(state, schedule(view, at));
  const out = new DataView(new ArrayBuffer(32));
  state.forEach((word, i) => out.setInt32(4 * i, word));
  return new Uint8Array(out.buffer);
}

/** @param {Uint8Array} key @param {Uint8Array} message @returns {Uint8Array} their HMAC-SHA-256, 32 bytes */
export function hmac(key, message) {
  const block = new Uint8Array(BLOCK);
  block.set(key.length > BLOCK ? sha256(key) : key);
  const inner = sha256(joined(block.map((byte) => byte ^ 0x36), message));
  return sha256(joined(block.map((byte) => byte ^ 0x5c), inner));
}

/** Return parts as one. */
export function joined(/** @type {ArrayLike<number>[]} */ ...parts) {
  return Uint8Array.from(parts.flatMap((part) => Array.from(part)));
}

/** @param {string} hex @returns {Uint8Array} throws RangeError for other text */
export function bytesOf(hex) {
  if (hex.length % 2 || /[^0-9a-f]/i.test(hex)) throw new RangeError(`no hex: ${hex}`);
  return Uint8Array.from(hex.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
}

/** @param {Uint8Array} bytes */
export function hexOf(bytes) {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
