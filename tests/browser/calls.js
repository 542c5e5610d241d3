// @ts-check
/**
 * A big screen's caller in a time of its own: `evening` offers what entries call, at their moments, and tells what was
 * said when. The page's timers, its clock and its voice are false (tests/browser/calls.py).
 */
(() => {
  /** @typedef {{at: number, act: () => void, id: number}} Timer */
  let now = 0, ids = 0;
  /** @type {Timer[]} */
  let timers = [];
  /** @type {{text: string, begun: number, ended: number}[]} */
  let said = [];
  /** @type {{line: any, begun: number, timer: number} | null} */
  let speaking = null;
  const later = (/** @type {() => void} */ act, ms = 0) => {
    timers.push({ at: now + Math.max(0, ms), act, id: ++ids });
    return ids;
  };
  const never = (/** @type {number} */ id) => { timers = timers.filter((one) => one.id !== id); };

  /** Let the time go on to a moment. @param {number} until */
  function goOn(until) {
    for (;;) {
      const [next] = timers.filter(({ at }) => at <= until).sort((a, b) => a.at - b.at || a.id - b.id);
      if (!next) break;
      now = Math.max(now, next.at);
      never(next.id);
      next.act();
    }
    now = until;
  }

  class Utterance {
    lang = "";
    voice = null;
    /** @type {any} */ onstart = null;
    /** @type {any} */ onend = null;
    /** @type {any} */ onerror = null;
    /** @param {string} text */
    constructor(text) {
      this.text = text;
    }
  }

  /** A voice that begins late by times, and says at last that it has ended. */
  const voice = {
    addEventListener() {},
    getVoices: () => [{ lang: "de-DE", name: "false" }],
    /** @param {any} line */
    speak(line) {
      const onset = 20 + ((line.text.length * 37) % 600);
      const timer = later(() => {
        const begun = now;
        line.onstart?.();
        const end = later(() => {
          said.push({ text: line.text, begun, ended: now });
          speaking = null;
          line.onend?.();
        }, 400 + 60 * line.text.length);
        speaking = { line, begun, timer: end };
      }, onset);
      speaking = { line, begun: -1, timer };
    },
    cancel() {
      if (!speaking) return;
      never(speaking.timer);
      if (speaking.begun >= 0) said.push({ text: speaking.line.text, begun: speaking.begun, ended: now });
      speaking = null;
    },
  };

  const put = (/** @type {string} */ name, /** @type {unknown} */ value) =>
    Object.defineProperty(window, name, { value, configurable: true });
  put("setTimeout", later);
  put("clearTimeout", never);
  put("SpeechSynthesisUtterance", Utterance);
  put("speechSynthesis", voice);
  performance.now = () => now;
  sessionStorage.setItem("stammtisch.tapped", "1");

  /**
   * @param {{at: number, seq: number, events: any[], headlines: any[]}[]} entries
   * @param {any[]} seats @param {Record<string, any>} options
   */
  async function evening(entries, seats, options) {
    const { Headlines } = await import("games/kit/headlines.js");
    const headlines = new Headlines(document.body), begins = now + 3600000;
    /** @type {{key: string, text: string, at: number}[]} */
    const offered = [];
    const note = (/** @type {any} */ { detail }) => offered.push(detail);
    document.addEventListener("call", note);
    said = [];
    for (const entry of entries) {
      goOn(begins + entry.at);
      headlines.call([entry], seats, options);
    }
    goOn(now + 60000);
    document.removeEventListener("call", note);
    return { offered, said };
  }
  Object.assign(window, { evening });
})();
