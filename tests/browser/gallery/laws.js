// @ts-check
/** What is wrong with the page as it stands, and where its parts are (tests/browser/gallery/laws.py). */
(() => {
  const TARGET = 44;
  const GRID = 12;
  const EMPTY = 150;
  const LATE = ".ct-dock[data-mode='type'][data-tab='play'] > .ct-typing:empty, "
    + ".bt[data-wood] > .bt-board:not(.bt-wood), .bt-d-panels > [data-kind='result']:empty, "
    + ".bt-d-panels > [data-kind='result'] > :only-child";
  /** What is given its size by script in the frame after it has come, and the property that says so. */
  const SIZED = {
    "chouette-table, chicago-table": "--table-w", ".bt-dock": "--dock-w", ".bt-wood": "--wood-w", ".bt-fit": "--bt-w",
    ".ct-felt": "--felt-w",
  };
  const SEATS = ".ct-seat, .bt-mate, .bt-wood-row, .bt-wood-side";
  const TAGS = ".ct-badge, .ct-result, .bt-badge, .bt-total, .bt-mate-answer, .bt-wood-role, .bt-wood-points, "
    + ".bt-wood-total";
  const NAMES = ".ct-name, .bt-name, .bt-wood-name, .bt-rank-name";
  /** What stands on the rim of the felt, on a big screen. */
  const RIM = ".is-tv .ct-seats";
  /** Letters, in ems, that a name keeps before its "…". */
  const LEAST_NAME = 2;
  /** Where capital letters begin and end in a line, in ems of it. */
  const CAPITAL = 0.15, BASE = 0.85;
  /** What of a big screen is not read in play, and the least sizes of all text and of that, in its height. */
  const NOT_READ = ".tv-corner, .tv-corner *, a, a *";
  const LEAST_READ = 0.03, LEAST_TEXT = 0.025;
  /** The least width of a big screen's felt, in its width; of a die and of the large cube, in its height. */
  const LEAST_FELT = 0.6, LEAST_DIE = 0.14, LEAST_CUBE = 0.09;
  /** Pieces, which have the board's size; sentences whose length makes letters smaller; the seats of many. */
  const PIECES = ".bt-cube, .bt-d-cubelet, .ct-stock, .ct-pile, .ct-tray, .ct-phase, kbd, [data-length], [data-long], "
    + "[data-ending], [data-crowd], .bt-wood";
  /** Choices that are required of nobody at once: the bar says what the others do. */
  const AT_LEISURE = ["next", "result"];
  /** Choices that answer what another has done or asked, whether the game waits for them or not. */
  const ANSWERS = /^(answer|reply|automatic|partner|vote)/;
  /** What stands beside the board of a big screen for a time. */
  const BESIDE = ".headlines, .ct-card";
  /** Pixels by which the padding of a panel may be out of sight. */
  const SCROLL = 4;
  /** Pixels of width below which a screen is a phone that is held upright. */
  const UPRIGHT = 600;
  const CONTROLS = "button, a[href], input, select, textarea, summary, [role=button], [role=tab], [role=option]";

  /** @param {Element} element */
  const isSeen = (element) => {
    // Each under its first name, too: Chromium 108 knows no other.
    const properties = {
      opacityProperty: true, visibilityProperty: true, checkOpacity: true, checkVisibilityCSS: true,
    };
    if (element.checkVisibility) return element.checkVisibility(properties);
    // The oldest engines have to be looked at by hand.
    if (!element.getClientRects().length || getComputedStyle(element).visibility !== "visible") return false;
    for (let e = /** @type {Element | null} */ (element); e; e = e.parentElement)
      if (getComputedStyle(e).opacity === "0") return false;
    return true;
  };
  /** @param {Element} element */
  const rect = (element) => element.getBoundingClientRect();
  /** @param {Element | null} element */
  const place = (element) => {
    if (!element || !isSeen(element)) return null;
    const { x, y, width, height } = rect(element);
    return [x, y, width, height].map((n) => Math.round(n * 10) / 10);
  };
  /** @param {Element} element */
  function named(element) {
    const id = element.id ? `#${element.id}` : [...element.classList].slice(0, 2).map((name) => `.${name}`).join("");
    const text = (element.getAttribute("aria-label") || element.textContent || "").trim().replace(/\s+/g, " ");
    return `${element.tagName.toLowerCase()}${id} “${text.slice(0, 40)}”`;
  }

  /** What lies over the board and does not belong to it. @param {Element} board @returns {string[]} */
  function over(board) {
    const { left, top, width, height } = rect(board);
    const found = new Set();
    for (let i = 0; i < GRID * GRID; i++) {
      const x = left + ((i % GRID) + 0.5) * (width / GRID);
      const y = top + (Math.floor(i / GRID) + 0.5) * (height / GRID);
      let hit = document.elementFromPoint(x, y);
      while (hit?.parentElement && !hit.contains(board) && !hit.parentElement.contains(board)) hit = hit.parentElement;
      if (!hit) found.add("the window's edge");
      else if (!board.contains(hit) && !hit.contains(board) && !hit.matches(RIM)) found.add(named(hit));
    }
    return [...found];
  }

  /** The part of an element that its scrolling ancestors and the window leave to be seen. @param {Element} element */
  function visiblePart(element) {
    let { left, top, right, bottom } = rect(element);
    for (let e = element.parentElement; e; e = e.parentElement) {
      if (!/(auto|scroll|hidden|clip)/.test(getComputedStyle(e).overflow)) continue;
      const edge = rect(e);
      [left, top] = [Math.max(left, edge.left), Math.max(top, edge.top)];
      [right, bottom] = [Math.min(right, edge.right), Math.min(bottom, edge.bottom)];
    }
    [left, top, right, bottom] = [Math.max(left, 0), Math.max(top, 0), Math.min(right, innerWidth),
      Math.min(bottom, innerHeight)];
    return { left, top, right, bottom, width: right - left, height: bottom - top };
  }

  /** Pairs of buttons that share a place: a tap there is one too many. @param {string} board */
  function meetingButtons(board) {
    const seen = [...document.querySelectorAll(CONTROLS)].filter((one) =>
      isSeen(one) && !one.closest(`.visually-hidden, .skip, ${board}`));
    const boxes = seen.map((one) => ({ one, box: visiblePart(one) }))
      .filter(({ box }) => box.width > 1 && box.height > 1);
    return boxes.flatMap(({ one, box }, i) => boxes.slice(i + 1)
      .filter((other) => !one.contains(other.one) && isMeeting(box, other.box))
      .map((other) => `${named(one)} and ${named(other.one)}`));
  }

  /** The lines of the texts that are seen, each as high as its letters are. @returns {TextLine[]} */
  function textLines() {
    const found = /** @type {TextLine[]} */ ([]);
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const one = node.parentElement;
      if (!one || !node.textContent?.trim() || !isSeen(one) || one.closest(".visually-hidden, .skip, svg")) continue;
      const size = parseFloat(getComputedStyle(one).fontSize), range = document.createRange(), part = visiblePart(one);
      range.selectNodeContents(node);
      for (const { left, right, top, height } of range.getClientRects()) {
        const above = top + (height - size) / 2;
        found.push({ node, one, box: {
          left: Math.max(left, part.left), right: Math.min(right, part.right),
          top: Math.max(above + CAPITAL * size, part.top), bottom: Math.min(above + BASE * size, part.bottom),
        } });
      }
    }
    return found.filter(({ box }) => box.right > box.left && box.bottom > box.top);
  }

  /** Whether nothing is seen through an element. @param {Element} element */
  function isOpaque(element) {
    const { backgroundColor, backgroundImage } = getComputedStyle(element);
    return backgroundImage !== "none" || !/^(transparent|rgba\(.*)$/.test(backgroundColor);
  }

  /**
   * Whether something lies between two texts where they meet, so that one of them is not seen there.
   * @param {TextLine} a @param {TextLine} b
   */
  function isParted(a, b) {
    const x = (Math.max(a.box.left, b.box.left) + Math.min(a.box.right, b.box.right)) / 2;
    const y = (Math.max(a.box.top, b.box.top) + Math.min(a.box.bottom, b.box.bottom)) / 2;
    const layers = document.elementsFromPoint(x, y), places = [layers.indexOf(a.one), layers.indexOf(b.one)];
    const lowest = layers[Math.max(...places)];
    return Math.min(...places) < 0
      || layers.slice(0, Math.max(...places)).some((layer) => !layer.contains(lowest) && isOpaque(layer));
  }

  /** Pairs of texts whose letters share a place. */
  function meetingTexts() {
    const lines = textLines();
    const pairs = lines.flatMap((a, i) => lines.slice(i + 1)
      .filter((b) => b.node !== a.node && isMeeting(a.box, b.box) && !isParted(a, b)).map((b) => [a, b]));
    return [...new Set(pairs.map(([a, b]) => `${named(a.one)} and ${named(b.one)}`))];
  }

  /** @typedef {{left: number, top: number, right: number, bottom: number}} Box */
  /** @typedef {{node: Node, one: Element, box: Box}} TextLine */
  /** @param {Box} one @param {Box} other */
  const isMeeting = (one, other) => Math.min(one.right, other.right) - Math.max(one.left, other.left) > 1.5
    && Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top) > 1.5;

  /** Whether an element's target is large enough, what it draws around itself included. @param {Element} element */
  function isLarge(element) {
    const { left, top, width, height } = rect(element);
    if (width >= TARGET - 0.5 && height >= TARGET - 0.5) return true;
    const label = element.closest("label");
    if (label && label !== element) return isLarge(label);
    const [x, y, r] = [left + width / 2, top + height / 2, TARGET / 2 - 1];
    const sides = [[x - r, y], [x + r, y], [x, y - r], [x, y + r]];
    return sides.every(([px, py]) => element.contains(document.elementFromPoint(px, py)));
  }

  /** @param {string} board */
  function smallTargets(board) {
    const found = [];
    for (const element of document.querySelectorAll(CONTROLS)) {
      if (!isSeen(element) || element.closest(`.visually-hidden, .skip, ${board}`)) continue;
      const part = visiblePart(element);
      if (part.width < 8 || part.height < 8) continue;
      const { width, height } = rect(element);
      if (part.width < width - 1 || part.height < height - 1 || isLarge(element)) continue;
      found.push(`${named(element)} ${Math.round(width)}×${Math.round(height)}`);
    }
    return found;
  }

  /** The words of the dock that have to be scrolled to: a question and a result are whole. */
  function scrolledTexts() {
    // Beside a board that is as high as the window, text of twice the size may need scrolling.
    if (innerWidth >= UPRIGHT && parseFloat(getComputedStyle(document.documentElement).fontSize) > 16) return [];
    const panels = [...document.querySelectorAll(".bt-d-panels")].filter(isSeen);
    return panels.filter((one) => one.scrollHeight > one.clientHeight + SCROLL).map(named);
  }

  /** Texts of which a part cannot be read, and which no title tells whole. @param {boolean} isPage it may scroll */
  function cutTexts(isPage = false) {
    const found = scrolledTexts();
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const element = node.parentElement;
      if (!element || !node.textContent?.trim() || !isSeen(element)) continue;
      if (element.closest(".visually-hidden, .skip, [aria-hidden=true], [title], script, style, svg")) continue;
      if (isCut(element, node, isPage)) found.push(named(element));
    }
    return [...new Set(found)];
  }

  /** @param {Element} element @param {Node} node @param {boolean} isPage */
  function isCut(element, node, isPage) {
    const range = document.createRange();
    range.selectNodeContents(node);
    const text = range.getBoundingClientRect();
    if (!text.width || !text.height) return false;
    const line = range.getClientRects()[0].height;
    // A list may leave out whole lines that have no room; it cuts none.
    const list = element.closest("[data-rest='left out']");
    const item = element.closest("li");
    if (list && item && rect(item).left >= rect(list).right - 1) return false;
    for (let e = /** @type {Element | null} */ (element); e; e = e.parentElement) {
      const { overflowX, overflowY } = getComputedStyle(e);
      const edge = rect(e);
      if (/auto|scroll/.test(overflowX + overflowY)) return false;
      const isBeside = text.right > edge.right + 1.5 || text.left < edge.left - 1.5;
      const isBelow = text.bottom > edge.bottom + line / 3 || text.top < edge.top - line / 3;
      if (overflowX !== "visible" && isBeside) return true;
      if (overflowY !== "visible" && isBelow) return true;
    }
    return text.right > innerWidth + 1 || text.left < -1 || (!isPage && text.bottom > innerHeight + 1);
  }

  /** @param {DOMRect} inner @param {DOMRect} outer */
  const isWithin = (inner, outer) => inner.left > outer.left - 1.5 && inner.right < outer.right + 1.5
    && inner.top > outer.top - 1.5 && inner.bottom < outer.bottom + 1.5;
  /** @param {Box} one @param {Box} other */
  const isOver = (one, other) => Math.min(one.right, other.right) - Math.max(one.left, other.left) > 1.5
    && Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top) > 3;
  /** The visible ones of a seat's parts. @param {Element} seat @param {string} which */
  const partsOf = (seat, which) => [...seat.querySelectorAll(which)].filter((one) => isSeen(one) && rect(one).width);

  /** Tags of the seats of which a part cannot be read: a word may be left out whole where a sign stands for it. */
  function cutTags() {
    const found = [];
    for (const seat of document.querySelectorAll(SEATS)) {
      const tags = partsOf(seat, TAGS);
      for (const tag of tags) {
        const part = visiblePart(tag), own = rect(tag);
        const isWhole = isWithin(own, rect(seat)) && part.width > own.width - 1.5 && part.height > own.height - 1.5;
        const isCovered = [...tags, ...partsOf(seat, NAMES)].some((one) => one !== tag && isOver(own, rect(one)));
        if (!isWhole || isCovered || hasHalfWord(tag)) found.push(named(tag));
      }
      for (const cube of partsOf(seat, ".bt-cube")) if (!isWithin(rect(cube), rect(seat))) found.push(named(cube));
    }
    return found;
  }

  /** Tell whether a tag shows a part of its word, or nothing. @param {Element} tag */
  function hasHalfWord(tag) {
    const edge = rect(tag), walker = document.createTreeWalker(tag, NodeFilter.SHOW_TEXT);
    const hasSign = !/^(none|normal|"")$/.test(getComputedStyle(tag, "::before").content);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      if (node.parentElement?.closest(".visually-hidden")) continue;
      const range = document.createRange();
      range.selectNodeContents(node);
      const text = range.getBoundingClientRect();
      const isOut = text.top > edge.bottom - 2 || text.left > edge.right - 1;
      const isSideways = text.left < edge.left - 1 || text.right > edge.right + 1;
      const isUpright = text.top < edge.top - text.height / 3 || text.bottom > edge.bottom + text.height / 3;
      if (text.width && (isOut ? !hasSign : isSideways || isUpright)) return true;
    }
    // A sign alone has its room, too.
    const { fontSize, paddingLeft, paddingRight } = getComputedStyle(tag);
    return hasSign && edge.width - parseFloat(paddingLeft) - parseFloat(paddingRight) < parseFloat(fontSize) * 0.5;
  }

  /** Names that end without "…", or of which next to nothing is left. */
  function cutNames() {
    const found = [];
    for (const seat of document.querySelectorAll(`${SEATS}, .bt-rank`)) {
      for (const name of partsOf(seat, NAMES)) {
        const { fontSize, textOverflow, overflowX } = getComputedStyle(name);
        const isEnded = textOverflow === "ellipsis" && overflowX !== "visible";
        const hasRoom = name.clientWidth >= LEAST_NAME * parseFloat(fontSize);
        const isCut = name.scrollWidth > name.clientWidth && !(isEnded && hasRoom);
        if (isCut || !isWithin(rect(name), rect(seat))) found.push(named(name));
      }
    }
    return found;
  }

  /** The main button of the dock, or what stands in its place. @param {string} main @returns {Element | undefined} */
  const mainOf = (main) => [...document.querySelectorAll(main)].find(isSeen);

  /** What costs and stands beside or below the main button, not before it. @param {string} main */
  function costsAfter(main) {
    const button = mainOf(main);
    if (!button) return [];
    const { left, top } = rect(button);
    const costs = [...(button.parentElement?.querySelectorAll(":scope > [data-grave]") ?? [])];
    const isAfter = (/** @type {Element} */ e) => rect(e).right > left + 1 && rect(e).bottom > top + 1;
    return costs.filter((one) => one !== button && isSeen(one) && isAfter(one)).map(named);
  }

  /** What costs and does not say what. */
  function unpriced() {
    const costs = [...document.querySelectorAll("button[data-grave]:not([aria-disabled])")];
    return costs.filter((one) => isSeen(one) && !/\d/.test(one.textContent ?? "")).map(named);
  }

  /** What is seen of the game outside its board: texts, controls, pictures. @param {Element} board */
  function* shown(board) {
    const game = /** @type {Element} */ (document.querySelector(".shell-game > *"));
    const walker = document.createTreeWalker(game, NodeFilter.SHOW_TEXT | NodeFilter.SHOW_ELEMENT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const isText = node.nodeType === Node.TEXT_NODE;
      const element = isText ? node.parentElement : /** @type {Element} */ (node);
      if (!element || !isSeen(element) || board.contains(element) || element.closest(".visually-hidden")) continue;
      if (isText ? !node.textContent?.trim() : !element.matches(`${CONTROLS}, svg, .bt-d-rolls`)) continue;
      const range = document.createRange();
      range.selectNode(node);
      yield { element, isText, edge: isText ? range.getBoundingClientRect() : rect(element) };
    }
  }

  /** Texts with nothing between them and the plank. @param {Element} board */
  function onPlank(board) {
    const isBare = (/** @type {Element} */ element) => {
      for (let e = /** @type {Element | null} */ (element); e && !e.matches(".shell-game > *"); e = e.parentElement) {
        const { backgroundColor, backgroundImage } = getComputedStyle(e);
        if (!/^(transparent|rgba\(.*, 0\))$/.test(backgroundColor) || backgroundImage !== "none") return false;
      }
      return true;
    };
    return [...shown(board)].filter(({ isText, edge, element }) => isText && edge.width && isBare(element))
      .map(({ element }) => named(element));
  }

  /** The highest strip without text or control below the board of a phone held upright. @param {Element} board */
  function emptyStrip(board) {
    if (innerWidth >= UPRIGHT || innerHeight < 700) return [];
    let at = rect(board).bottom, highest = 0;
    const edges = [...shown(board)].map(({ edge }) => edge).filter(({ width, height }) => width && height);
    for (const { top, bottom } of edges.sort((a, b) => a.top - b.top)) {
      if (bottom <= at) continue;
      highest = Math.max(highest, top - at);
      at = bottom;
    }
    return highest > EMPTY ? [`${Math.round(highest)} px`] : [];
  }

  /** The texts of a big screen that are too small to be read at four metres. @returns {string[]} */
  function smallTexts() {
    const found = [];
    for (const element of document.querySelectorAll("body *")) {
      const hasText = [...element.childNodes].some((node) => node.nodeType === 3 && node.nodeValue?.trim());
      if (!hasText || !isSeen(element) || rect(element).width <= 1) continue;
      // What an SVG scales has the height of its box.
      const { fontSize } = getComputedStyle(element);
      const size = element instanceof SVGElement ? rect(element).height : parseFloat(fontSize);
      const least = innerHeight * (element.matches(NOT_READ) ? LEAST_TEXT : LEAST_READ);
      if (size < least - 0.05) found.push(`${named(element)} ${size.toFixed(1)} px`);
    }
    return [...new Set(found)];
  }

  /** What lies on the board of a big screen and has its place beside it. @param {Element} board */
  function notBeside(board) {
    const edge = rect(board);
    return [...document.querySelectorAll(BESIDE)].filter((one) => isSeen(one) && isOver(rect(one), edge)).map(named);
  }

  /** The bodies of the dice that are seen. */
  const diceBodies = () => [.../** @type {NodeListOf<SVGGraphicsElement>} */ (
    document.querySelectorAll(".ct-die .die-body"))].filter(isSeen);

  /**
   * Where a die is, by the corners of its body and so much of its outline, of which engines count each another part.
   * @param {SVGGraphicsElement} body @param {number} outline @returns {Box}
   */
  function dieAt(body, outline) {
    const picture = /** @type {SVGSVGElement} */ (body.ownerSVGElement);
    const { left, top, width } = rect(picture), seen = picture.viewBox.baseVal;
    const { x, y, width: wide, height: high } = body.getBBox();
    const scale = width / seen.width, edge = outline * scale * parseFloat(getComputedStyle(body).strokeWidth);
    const [from, down] = [left + scale * (x - seen.x), top + scale * (y - seen.y)];
    const [right, bottom] = [from + scale * wide, down + scale * high];
    return { left: from - edge, top: down - edge, right: right + edge, bottom: bottom + edge };
  }

  /** Felt, dice and cube of a big screen that are too small to be seen from the bar. @returns {string[]} */
  function smallPieces() {
    const found = [];
    const felt = document.querySelector(".ct-felt");
    if (felt && rect(felt).width < LEAST_FELT * innerWidth) found.push(`felt ${Math.round(rect(felt).width)} px`);
    for (const die of diceBodies()) {
      const { top, bottom } = dieAt(die, 0), height = bottom - top;
      if (height < LEAST_DIE * innerHeight) found.push(`die ${Math.round(height)} px`);
    }
    const [cube] = [...document.querySelectorAll(".headline-rise b:last-child")].filter(isSeen);
    if (cube && rect(cube).height < LEAST_CUBE * innerHeight) found.push(`cube ${Math.round(rect(cube).height)} px`);
    return found;
  }

  /** Dice of a big screen that a seat on the felt's rim, the stock or another part covers. @returns {string[]} */
  function coveredDice() {
    const all = document.querySelectorAll(".ct-seat, .ct-stock, .ct-phase, .tv-corner");
    const others = [...all].filter(isSeen).map(rect);
    return diceBodies().filter((die) => others.some((other) => isOver(dieAt(die, 0.5), other))).map(named);
  }

  /** A sentence as it is compared with another one. @param {Element} element */
  const sentence = (element) =>
    (element.textContent ?? "").trim().replace(/\s+/g, " ").replace(/[.:?!…]+$/, "").toLowerCase();

  const barText = () => sentence(/** @type {Element} */ (document.querySelector("#turn-text")));

  /** Sentences of the dock that the bar says, too. @param {string} dock */
  function saidTwice(dock) {
    const bar = barText();
    const texts = [...document.querySelectorAll(`${dock} :is(p, h2, h3, li, strong, span)`)];
    return bar ? texts.filter((one) => isSeen(one) && sentence(one) === bar).map(named) : [];
  }

  /**
   * An answer that I have to give, or a main button that waits for me, while the bar says that others are waited for.
   * @param {string} main @param {any} state
   */
  function contradicted(main, { frames }) {
    if (document.querySelector("#turnbar")?.getAttribute("data-kind") !== "wait") return [];
    const button = mainOf(main), { choices = [] } = frames[frames.length - 1];
    const isWaitedFor = (/** @type {any} */ { name, required }) => required && !AT_LEISURE.includes(name);
    const isAsked = choices.some(isWaitedFor) && button?.matches("button:not([aria-disabled], [disabled])");
    const answers = choices.filter((/** @type {any} */ { name }) => ANSWERS.test(name));
    return [
      ...(isAsked && button ? [`${named(button)}, and ${barText()}`] : []),
      ...answers.map((/** @type {any} */ { name }) => `${name}, and ${barText()}`),
    ];
  }

  /** The texts of a game and its bar with the sizes of their letters; those of pieces are as large as these. */
  function texts() {
    const found = [];
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const element = node.parentElement;
      const isRead = element?.closest(".shell-game, #turnbar") && !element.closest(`.visually-hidden, svg, ${PIECES}`);
      if (!element || !isRead || !node.textContent?.trim() || !isSeen(element)) continue;
      const size = parseFloat(getComputedStyle(element).fontSize);
      const within = element.parentElement;
      if (size && within) found.push([`${within.tagName} ${within.className} > ${named(element)}`, size]);
    }
    return found;
  }

  /**
   * @param {{board: string, dock: string, main: string, least: number, texts?: boolean}} parts
   * @param {boolean} isTv @param {any} state
   */
  function measure(parts, isTv, state) {
    const main = isTv ? null : place(mainOf(parts.main) ?? null);
    const board = document.querySelector(parts.board);
    const root = document.documentElement;
    const wide = root.scrollWidth > innerWidth ? [`${root.scrollWidth} px`] : [];
    return {
      board: place(board),
      dock: isTv ? null : place(document.querySelector(parts.dock)),
      main: main && [main[0] + main[2], main[1] + main[3]].map(Math.round),
      texts: parts.texts ? texts() : [],
      faults: {
        over: board && isSeen(board) ? over(board) : ["there is no board"],
        wide,
        far: isTv ? smallTexts() : [],
        beside: isTv && board ? notBeside(board) : [],
        pieces: isTv ? smallPieces() : [],
        covered: isTv ? coveredDice() : [],
        small: isTv ? [] : smallTargets(parts.board),
        meeting: isTv ? [] : meetingButtons(parts.board),
        texts: meetingTexts(),
        cut: cutTexts(),
        tags: cutTags(),
        names: cutNames(),
        low: main && main[3] < parts.least ? [`${main[3]} px`] : [],
        after: isTv ? [] : costsAfter(parts.main),
        unpriced: unpriced(),
        twice: isTv ? [] : saidTwice(parts.dock),
        contradicted: isTv ? [] : contradicted(parts.main, state),
        plank: isTv || !board ? [] : onPlank(board),
        empty: isTv || !board ? [] : emptyStrip(board),
      },
    };
  }

  /** Whether something that is seen has not been given its size. */
  const isUnsized = () => Object.entries(SIZED).some(([css, size]) =>
    [.../** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll(css))].some((one) =>
      one.clientWidth && one.clientHeight && !one.style.getPropertyValue(size)));

  /** Wait until an input, a question, a card or a board is there that is fetched when it is needed, in its size. */
  async function filled() {
    const isLate = () => document.querySelector(LATE) || isUnsized()
      || (document.querySelector(".is-tv > .bt") && !document.querySelector(".bt-tv"));
    while (isLate()) await new Promise((done) => requestAnimationFrame(done));
    const { memory } = /** @type {any} */ (document.querySelector("chouette-table"))?.dock ?? {};
    // One that has come may ask for another.
    for (let i = 0; memory && i < 2; i++) await Promise.all(memory.asked.values());
    // Words that have no room are made smaller before the next frame.
    await new Promise((done) => requestAnimationFrame(done));
  }

  Object.assign(window, {
    laws: {
      meeting: meetingButtons,
      cut: () => cutTexts(),
      // A table's page never scrolls.
      cutOnPage: () => cutTexts(!document.documentElement.matches(".table-page")),
      texts: meetingTexts,
      /** @param {any[]} states @param {any} parts @param {boolean} isTv */
      async all(states, parts, isTv) {
        const found = [];
        for (const state of states) {
          await /** @type {any} */ (window).gallery.show(state);
          await filled();
          found.push({ name: state.name, ...measure(parts, isTv, state) });
        }
        return found;
      },
    },
  });
})();
