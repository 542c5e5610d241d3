// @ts-check
/** Text that stands out too little from what it stands on (tests/browser/gallery/contrast.py). */
(() => {
  /** @typedef {[number, number, number, number]} Colour red, green, blue 0–255, and how opaque it is, 0–1 */
  const [TEXT, LARGE, DISABLED] = [4.5, 3, 3];
  /** More backgrounds than these are not told apart: stripes and gradients have many. */
  const MOST = 12;
  /** A picture of nothing more opaque is the grain of wood and cloth: fine lines, which do not hide a letter. */
  const GRAIN = 0.15;
  const pen = /** @type {CanvasRenderingContext2D} */ (
    Object.assign(document.createElement("canvas"), { width: 1, height: 1 }).getContext("2d", {
      willReadFrequently: true,
    }));
  /** @type {Map<string, Colour>} */
  const known = new Map();

  /** @param {string} css @returns {Colour} */
  function colour(css) {
    const found = known.get(css);
    if (found) return found;
    pen.clearRect(0, 0, 1, 1);
    pen.fillStyle = css;
    pen.fillRect(0, 0, 1, 1);
    const [r, g, b, a] = pen.getImageData(0, 0, 1, 1).data;
    const made = /** @type {Colour} */ ([r, g, b, a / 255]);
    known.set(css, made);
    return made;
  }

  /** @param {Colour} over @param {Colour} under @param {number} [share] @returns {Colour} */
  function mixed(over, under, share = over[3]) {
    const at = (/** @type {number} */ i) => over[i] * share + under[i] * (1 - share);
    return [at(0), at(1), at(2), 1];
  }

  /** @param {Colour} c how bright it is, as WCAG has it */
  function light(c) {
    const [r, g, b] = c.slice(0, 3).map((n) => (n / 255 <= 0.04045 ? n / 3294.6 : ((n / 255 + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  }

  /** @param {Colour} a @param {Colour} b */
  function ratio(a, b) {
    const [high, low] = [light(a), light(b)].sort((x, y) => y - x);
    return (high + 0.05) / (low + 0.05);
  }

  /** What an element paints over what is under it; a gradient is all its colours. @param {CSSStyleDeclaration} style
   * @param {Colour[]} under */
  function painted(style, under) {
    const base = colour(style.backgroundColor);
    let found = base[3] === 0 ? under : under.map((one) => mixed(base, one));
    if (style.backgroundClip === "text") return found;
    for (const layer of layersOf(style.backgroundImage).reverse()) {
      const stops = (layer.match(/(rgba?|color|oklch|oklab|hsla?)\([^()]*\)/g) ?? []).map(colour);
      if (stops.every((stop) => stop[3] < GRAIN)) continue;
      found = different(found.flatMap((one) => stops.map((stop) => mixed(stop, one))));
    }
    return found;
  }

  /** Pictures one over another, the uppermost first. @param {string} css */
  function layersOf(css) {
    const layers = [""];
    let depth = 0;
    for (const sign of css) {
      depth += Number(sign === "(") - Number(sign === ")");
      if (sign === "," && depth === 0) layers.push("");
      else layers[layers.length - 1] += sign;
    }
    return layers;
  }

  /** @param {Colour[]} found */
  function different(found) {
    return [...new Map(found.map((one) => [one.map(Math.round).join(), one])).values()].slice(0, MOST);
  }

  /** What an element stands on, the lowest first: its ancestors, and what else is painted below its middle.
   * @param {Element} element */
  function grounds(element) {
    const { left, top, width, height } = element.getBoundingClientRect();
    const hit = document.elementsFromPoint(left + width / 2, top + height / 2);
    const below = hit.slice(hit.indexOf(element) + 1).filter((one) => !one.contains(element) && !element.contains(one));
    const line = [];
    for (let e = /** @type {Element | null} */ (element); e; e = e.parentElement) {
      line.unshift(e);
      const { parentElement } = e;
      line.unshift(...below.filter((one) => parentElement?.contains(one) && !line.includes(one)).reverse());
    }
    return line;
  }

  /** The worst that a text does on what it stands on. @param {Element} element @param {Colour} ink */
  function worst(element, ink) {
    const line = grounds(element);
    /** @type {Colour[]} */
    let under = [colour("white")];
    let groups = 1;
    for (const e of line) {
      const style = getComputedStyle(e);
      under = painted(style, under);
      if (e.contains(element)) groups *= Number(style.opacity);
    }
    // What is half seen shows what is under it: the text loses as much as its ground does.
    return Math.min(...under.map((one) => ratio(mixed(ink, one, ink[3] * groups), one)));
  }

  /** @param {Element} element */
  function needed(element) {
    if (element.closest(":disabled, [aria-disabled=true], [data-disabled]")) return DISABLED;
    const { fontSize, fontWeight } = getComputedStyle(element);
    const size = parseFloat(fontSize);
    return size >= 24 || (size >= 18.66 && Number(fontWeight) >= 700) ? LARGE : TEXT;
  }

  /** @param {Element} element */
  function named(element) {
    const id = element.id ? `#${element.id}` : [...element.classList].slice(0, 2).map((name) => `.${name}`).join("");
    const parent = element.parentElement;
    const inside = !id && parent ? `${[...parent.classList].slice(0, 2).map((name) => `.${name}`).join("")} > ` : "";
    return `${inside}${element.tagName.toLowerCase()}${id}`;
  }

  /** Elements with a text of their own that is seen. */
  function texts() {
    const found = new Set();
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const element = node.parentElement;
      if (!element || !node.textContent?.trim() || found.has(element)) continue;
      if (element.closest("svg, script, style, option, .visually-hidden, .skip")) continue;
      if (!element.checkVisibility({ opacityProperty: true, visibilityProperty: true })) continue;
      const { width, height } = element.getBoundingClientRect();
      if (width > 1 && height > 1) found.add(element);
    }
    return found;
  }

  /** @returns {[string, string][]} what, and how little of how much */
  function faults() {
    const found = [];
    for (const element of texts()) {
      const ink = colour(getComputedStyle(element).color);
      const [is, due] = [worst(element, ink), needed(element)];
      const text = (element.textContent ?? "").trim().replace(/\s+/g, " ").slice(0, 24);
      if (is < due - 0.01) found.push([named(element), `“${text}” ${is.toFixed(2)} < ${due}`]);
    }
    return found;
  }

  Object.assign(window, {
    contrast: {
      faults,
      /** @param {any[]} states */
      async all(states) {
        const found = [];
        for (const state of states) {
          await /** @type {any} */ (window).gallery.show(state);
          found.push([state.name, faults()]);
        }
        return found;
      },
    },
  });
})();
