// @ts-check
/** Before the page's own scripts: a line that says what `gallery.show` is told, and nothing else. */
(() => {
  /** @type {Feed | null} */
  let line = null;
  /** @type {any} */
  let shown = null;
  let isCut = false;
  const tell = () => shown?.frames.forEach((/** @type {any} */ frame) => line?.hear(frame));
  // After the next frame: what watches sizes has seen them.
  const drawn = () => new Promise((done) => requestAnimationFrame(() => setTimeout(done)));

  class Feed extends EventTarget {
    static CONNECTING = 0;
    static OPEN = 1;
    static CLOSED = 3;
    readyState = 0;
    /** @type {any} */
    onopen = null;
    /** @type {any} */
    onmessage = null;
    /** @type {any} */
    onclose = null;

    /** @param {string} url */
    constructor(url) {
      super();
      if (!url.includes("/ws/table/")) return;
      line = this;
      if (!isCut) setTimeout(() => this.#open());
    }

    #open() {
      this.readyState = 1;
      this.onopen?.(new Event("open"));
    }

    /** @param {any} frame */
    hear(frame) {
      this.onmessage?.({ data: JSON.stringify(frame) });
    }

    /** @param {string} text */
    send(text) {
      const { type } = JSON.parse(text);
      if (type === "hello") tell();
      if (type === "ping") this.hear({ type: "pong", seq: 42, clocks: {} });
    }

    close() {
      this.readyState = 3;
    }
  }

  /** Break the line, and wait until the page says so. */
  async function cut() {
    isCut = true;
    dispatchEvent(new Event("offline"));
    await new Promise((done) => setTimeout(done, 900));
    // A screen says it after seconds.
    const line = document.getElementById("reach");
    if (line) line.hidden = false;
  }

  Object.assign(window, {
    WebSocket: Feed,
    gallery: {
      isReady: () => line?.readyState === 1,
      /** @param {{frames: any[], cut: boolean}} told */
      async show(told) {
        document.getElementById("toasts")?.replaceChildren();
        shown = told;
        if (isCut) {
          isCut = false;
          dispatchEvent(new Event("online"));
          await new Promise((done) => setTimeout(done, 20));
        } else tell();
        if (told.cut) await cut();
        await drawn();
      },
    },
  });
})();
