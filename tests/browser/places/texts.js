// @ts-check
/** The texts of the page as it stands: those in the marks of the pseudo-language, and where given ones are. */
(() => {
  const HEARD = ["aria-label", "title", "placeholder", "alt", "aria-roledescription", "aria-valuetext"];
  const SILENT = "script, style, template, noscript, textarea";
  const FURTHEST = 4000;
  const SHOWN = 160;
  /** Pixels between the tops of two pieces of a text that are on one line. */
  const LINE = 6;
  /** What stands between two parts that are not in a list. */
  const JOINED = /^[\s:()+-]+$/;
  const AFTER = Node.DOCUMENT_POSITION_FOLLOWING;
  /** The end of a part that is a sentence. */
  const ENDED = /[.!?…]\]+$/;

  /** The blocks of the page with their text nodes, a text of several inline elements whole. */
  function blocks() {
    const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const found = /** @type {Map<Element, Text[]>} */ (new Map());
    for (let node = walk.nextNode(); node; node = walk.nextNode()) {
      let el = /** @type {Element} */ (node.parentElement);
      if (el.closest(SILENT)) continue;
      while (el !== document.body && /^(inline|contents)$/.test(getComputedStyle(el).display)) {
        el = /** @type {Element} */ (el.parentElement);
      }
      found.set(el, [...(found.get(el) ?? []), /** @type {Text} */ (node)]);
    }
    return found;
  }

  /**
   * What a rule of style writes before or after an element.
   * @param {Element} el @param {"::before" | "::after"} where
   */
  function written(el, where) {
    return /^"(.*)"$/.exec(getComputedStyle(el, where).content)?.[1] ?? "";
  }

  /**
   * The text of a block as it is read, with what rules of style write between its pieces: a line's end as "|", a time
   * in marks of its own.
   * @param {Element} el @param {Text[]} nodes
   */
  function read(el, nodes) {
    const breaks = [...el.querySelectorAll("br")];
    const isBetween = (/** @type {Node} */ one, /** @type {Node} */ other) => breaks.some((each) =>
      one.compareDocumentPosition(each) & AFTER && each.compareDocumentPosition(other) & AFTER);
    const within = nodes.map((node) => {
      const found = [];
      for (let e = node.parentElement; e && e !== el; e = e.parentElement) found.push(e);
      return found;
    });
    return nodes.map((node, i) => {
      const opened = within[i].filter((e) => !within[i - 1]?.includes(e)).map((e) => written(e, "::before"));
      const closed = within[i].filter((e) => !within[i + 1]?.includes(e)).map((e) => written(e, "::after"));
      const line = i > 0 && isBetween(nodes[i - 1], node) ? "|" : "";
      const data = node.parentElement?.closest("time") ? `[${node.data}]` : node.data;
      return `${line}${opened.reverse().join("")}${data}${closed.join("")}`;
    }).join("");
  }

  /** Each part in marks of a text, from its opening one to its closing one. @param {string} text */
  function marked(text) {
    const found = /** @type {[number, number][]} */ ([]);
    for (let from = text.indexOf("["); from >= 0; from = text.indexOf("[", from + 1)) {
      let depth = 0;
      for (let at = from; at < text.length && at < from + FURTHEST; at++) {
        depth += text[at] === "[" ? 1 : text[at] === "]" ? -1 : 0;
        if (!depth) {
          found.push([from, at + 1]);
          break;
        }
      }
    }
    return found;
  }

  /** The parts in marks that are in no other one. @param {string} text */
  function outermost(text) {
    const parts = marked(text);
    return parts.filter(([from]) => !parts.some(([other, end]) => other < from && from < end));
  }

  /** The node and the offset in it that an offset in all of them is. @param {Text[]} nodes @param {number} offset */
  function at(nodes, offset) {
    for (const node of nodes) {
      if (offset <= node.data.length) return { node, offset };
      offset -= node.data.length;
    }
    throw new RangeError("beyond the text");
  }

  /** @param {DOMRect} rect @returns {number[] | null} */
  function boxOf({ x, y, width, height }) {
    return width && height ? [x + scrollX, y + scrollY, width, height].map(Math.round) : null;
  }

  /**
   * The box of a part of a block, and the pixels that its lines could have in place of those that they take.
   * @param {Element} el @param {Text[]} nodes @param {number} from @param {number} to
   */
  function placeOf(el, nodes, from, to) {
    const range = document.createRange();
    const [first, last] = [at(nodes, from + 1), at(nodes, to)];
    range.setStart(first.node, first.offset - 1);
    range.setEnd(last.node, last.offset);
    const rects = [...range.getClientRects()].filter((rect) => rect.width > 0);
    const tops = rects.map((rect) => rect.top).sort((a, b) => a - b);
    const lines = tops.filter((top, i) => !i || top - tops[i - 1] > LINE).length;
    const style = getComputedStyle(el);
    const inner = el.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight);
    const taken = rects.reduce((sum, rect) => sum + rect.width, 0);
    return { box: boxOf(range.getBoundingClientRect()), lines, more: taken ? Math.max(1, (inner * lines) / taken) : 1 };
  }

  /** The texts that are heard or stand in a field, with their elements. @returns {[string, Element][]} */
  function heard() {
    const found = /** @type {[string, Element][]} */ ([]);
    for (const el of [document.documentElement, ...document.querySelectorAll("body *")]) {
      if (el.closest(SILENT)) continue;
      for (const name of HEARD) if (el.hasAttribute(name)) found.push([el.getAttribute(name) ?? "", el]);
      if (el instanceof HTMLInputElement && /^(submit|button)$/.test(el.type)) found.push([el.value, el]);
    }
    return [[document.title, document.head], ...found];
  }

  /** @param {Element} el */
  const isSeen = (el) => el.checkVisibility({ opacityProperty: true, visibilityProperty: true });

  /** What is folded is opened, so that it has a place. */
  function unfold() {
    for (const el of document.querySelectorAll("main details:not([open])")) el.setAttribute("open", "");
  }

  /** All texts in marks: the text, its box, its lines and how many times its length the room is; 0 of a heard one. */
  function all() {
    const found = [];
    for (const [el, nodes] of blocks()) {
      const text = nodes.map((node) => node.data).join("");
      for (const [from, to] of marked(text)) {
        const place = placeOf(el, nodes, from, to);
        if (!isSeen(el)) place.box = null;
        found.push([text.slice(from, to), place.box, place.lines, place.box ? place.more : 0]);
      }
    }
    for (const [text, el] of heard()) {
      for (const [from, to] of marked(text)) {
        found.push([text.slice(from, to), boxOf(el.getBoundingClientRect()), 0, 0]);
      }
    }
    return found;
  }

  /** Parts in marks that stand side by side: neither is in a place of the other, nor do they form a list. */
  function beside() {
    const texts = [...blocks()].map(([el, nodes]) => /** @type {const} */ ([read(el, nodes), el]));
    return [...texts, ...heard()].flatMap(([text, el]) => {
      const parts = outermost(text);
      const isBeside = parts.slice(1).some(([from], i) =>
        JOINED.test(text.slice(parts[i][1], from)) && !ENDED.test(text.slice(0, parts[i][1])));
      return isBeside ? [`${el.localName} “${text.slice(0, SHOWN).replace(/\s+/g, " ")}”`] : [];
    });
  }

  /** The boxes of texts by the number of their pattern; null for one that is not seen. @param {string[]} patterns */
  function find(patterns) {
    const seen = [...blocks()].filter(([el]) => isSeen(el));
    const texts = seen.map(([el, nodes]) => ({ el, nodes, text: nodes.map((node) => node.data).join("") }));
    return patterns.map((pattern) => {
      for (const exact of [`^\\s*${pattern}\\s*$`, `(?<!\\p{L})${pattern}(?!\\p{L})`]) {
        for (const { el, nodes, text } of texts) {
          const hit = new RegExp(exact, "su").exec(text);
          // A text of placeholders alone is found everywhere.
          if (!hit || !hit[0].trim()) continue;
          const lead = hit[0].length - hit[0].trimStart().length;
          const { box } = placeOf(el, nodes, hit.index + lead, hit.index + hit[0].trimEnd().length);
          if (box) return box;
        }
      }
      return null;
    });
  }

  Object.assign(window, { texts: { all, beside, find, unfold } });
})();
