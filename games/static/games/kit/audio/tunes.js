// @ts-check
/** The sounds of a table, made of tones and noise. */

/**
 * A note: [start, frequency, length, loudness, wave].
 * @typedef {[number, number, number, number, OscillatorType?]} Note
 */

/** @type {Record<string, Note[]>} */
const TUNES = {
  turn: [[0, 659, 0.5, 0.22], [0.14, 880, 0.8, 0.2]],
  tap: [[0, 320, 0.05, 0.1, "triangle"]],
  mat: [[0, 150, 0.09, 0.35, "triangle"], [0.01, 90, 0.12, 0.3]],
  win: [[0, 523, 0.3, 0.16], [0.12, 659, 0.3, 0.16], [0.24, 784, 0.3, 0.16], [0.36, 1047, 0.9, 0.18]],
  end: [[0, 392, 0.5, 0.18], [0.2, 330, 0.5, 0.18], [0.4, 262, 1, 0.2]],
  chat: [[0, 1047, 0.12, 0.08], [0.08, 1319, 0.16, 0.07]],
  offer: [[0, 784, 0.3, 0.2], [0.16, 784, 0.3, 0.2], [0.32, 1047, 0.6, 0.2]],
  nudge: [[0, 880, 0.2, 0.3, "triangle"], [0.22, 880, 0.2, 0.3, "triangle"], [0.44, 1175, 0.5, 0.3, "triangle"]],
  tick: [[0, 1500, 0.03, 0.06, "square"]],
};

/**
 * Play a sound by name; an unknown one is silence.
 * @param {AudioContext} on @param {string} name
 */
export function perform(on, name) {
  if (name === "throw") rattle(on);
  for (const note of TUNES[name] ?? []) play(on, note);
}

/** @param {AudioContext} on @param {Note} note */
function play(on, [start, frequency, length, loudness, wave = "sine"]) {
  const at = on.currentTime + start;
  const tone = new OscillatorNode(on, { type: wave, frequency });
  const gain = new GainNode(on, { gain: 0 });
  gain.gain.setValueAtTime(0, at);
  gain.gain.linearRampToValueAtTime(loudness, at + 0.008);
  gain.gain.exponentialRampToValueAtTime(0.0001, at + length);
  tone.connect(gain).connect(on.destination);
  tone.start(at);
  tone.stop(at + length + 0.02);
}

/** Play dice: short hard knocks, closer together at first. @param {AudioContext} on */
function rattle(on) {
  const noise = knock(on);
  for (let i = 0; i < 11; i += 1) {
    const at = on.currentTime + 0.02 + 0.055 * i * (1 + i * 0.03) + Math.random() * 0.03;
    const source = new AudioBufferSourceNode(on, { buffer: noise, playbackRate: 0.7 + Math.random() * 0.8 });
    const filter = new BiquadFilterNode(on, { type: "bandpass", frequency: 1700 + Math.random() * 1500, Q: 1.2 });
    const gain = new GainNode(on, { gain: 0.5 * (1 - i / 16) });
    source.connect(filter).connect(gain).connect(on.destination);
    source.start(at);
  }
}

/** @param {AudioContext} on */
function knock(on) {
  const length = Math.floor(on.sampleRate * 0.035);
  const buffer = on.createBuffer(1, length, on.sampleRate);
  const data = buffer.getChannelData(0);
  for (let i = 0; i < length; i += 1) data[i] = (Math.random() * 2 - 1) * (1 - i / length) ** 5;
  return buffer;
}
