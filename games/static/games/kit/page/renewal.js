// @ts-check
/**
 * The parts of a page that htmx brings are written into the old ones: what is the same in both stays the same element.
 * So focus, selected text, half-typed fields, open folds and scrolled lists outlive a refresh, and a screen reader
 * hears only what has changed. It imports nothing, so that pages without an import map load it as it is.
 */

/** Hidden fields that are new with each answer: they say nothing of what a form does. */
const OF_THE_ANSWER = ["csrfmiddlewaretoken", "form_id", "nonce", "seen", "minute"];
/** Attributes that belong to the reader and to the page's scripts; the server never takes them away. */
const OF_THE_PAGE = ["open", "style", "tabindex"];
const CONTROLS = "a[href], button, input:not([type=hidden]), select, textarea, summary";
const NAMED = `[id], [data-match], form, ${CONTROLS}`;

/** @typedef {HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement} Field */
/** @typedef {{ start: number | null, end: number | null }} Selected */
/** @typedef {{ field: Field, key: string }} Typed */
/**
 * The element that has the focus, and the folds and parts around it.
 * @typedef {{ element: HTMLElement, key: string, around: HTMLElement[], isByKeys: boolean, selected: Selected }} Held
 */

/** Fold → whether the server's last word was that it is open. @type {WeakMap<Element, boolean>} */
const sentOpen = new WeakMap();

/** @param {Node} node @returns {node is Field} */
function isField(node) {
  return node instanceof HTMLInputElement || node instanceof HTMLSelectElement || node instanceof HTMLTextAreaElement;
}

/** Return what a form does: where it leads to, with its hidden fields. @param {Element} form @returns {string} */
function deedOf(form) {
  const hidden = /** @type {NodeListOf<HTMLInputElement>} */ (form.querySelectorAll("input[type=hidden]"));
  const named = [...hidden].filter(({ name }) => !OF_THE_ANSWER.includes(name));
  return [form.getAttribute("action"), ...named.map(({ name, value }) => `${name}=${value}`)].join(" ");
}

/** Return what a control does; two with the same key are one. @param {Element} control @returns {string} */
function controlKey(control) {
  if (control.localName === "a") return `a ${control.getAttribute("href")}`;
  const form = control.closest("form");
  const means = ["name", "type", "formaction", "hx-post"].map((name) => control.getAttribute(name));
  const isChosen = ["submit", "checkbox", "radio"].includes(/** @type {HTMLInputElement} */ (control).type);
  return [control.localName, ...means, isChosen && control.getAttribute("value"), form && deedOf(form)].join(" ");
}

/** Return what an element is, "" for one that says nothing of itself. @param {Element} element @returns {string} */
function keyOf(element) {
  if (element.id) return `#${element.id}`;
  const match = element.getAttribute("data-match");
  if (match) return `${element.localName} ${match}`;
  if (element.localName === "summary") return element.parentElement?.id ? `summary of ${element.parentElement.id}` : "";
  if (element.localName === "form") return `form ${deedOf(element)}`;
  if (element.matches(CONTROLS)) return controlKey(element);
  // An element that a script draws is known by what it is told.
  const told = [...element.attributes].map(({ name, value }) => `${name}=${value}`);
  return element.localName.includes("-") ? [element.localName, ...told].join(" ") : "";
}

/** Return what is in an element that says nothing of itself: its first control, else its text. @param {Node} node */
function contentsKey(node) {
  if (!(node instanceof Element)) return "";
  const first = node.querySelector(NAMED);
  return `${node.localName} ${first ? keyOf(first) : textOf(node)}`;
}

/** Return an element's text, times as the server wrote them. @param {Element} element @returns {string} */
function textOf(element) {
  const times = [...element.querySelectorAll("time")].map((time) => time.getAttribute("datetime"));
  const rest = [...element.childNodes].map((node) => (node instanceof Element ? bare(node) : node.nodeValue));
  return [...rest, ...times].join("");
}

/** @param {Element} element @returns {string} */
function bare(element) {
  if (element.localName === "time") return "";
  return element.querySelector("time") ? textOf(element) : element.textContent ?? "";
}

/** Pair the new children with old ones: what is the same first, then what has the same in it, then by order. */
class Pairs {
  /** @param {Node[]} old @param {Node[]} fresh */
  constructor(old, fresh) {
    this.old = new Set(old);
    this.fresh = new Set(fresh);
    /** New node → the old one that becomes it. @type {Map<Node, Node>} */
    this.found = new Map();
    this.pair((node) => (node instanceof Element ? keyOf(node) : ""));
    this.pair(contentsKey);
    this.pair((node) => (node instanceof Element && keyOf(node) ? "" : node.nodeName));
  }

  /** Pair what has the same key, in order; "" is no key. @param {(node: Node) => string} keyed */
  pair(keyed) {
    /** @type {Map<string, Node[]>} */
    const waiting = new Map();
    for (const node of this.old) {
      const key = keyed(node);
      if (key) waiting.set(key, [...waiting.get(key) ?? [], node]);
    }
    for (const node of this.fresh) {
      const same = waiting.get(keyed(node))?.shift();
      if (!same || same.nodeName !== node.nodeName || hasOtherKey(same, node)) continue;
      this.found.set(node, same);
      this.old.delete(same);
      this.fresh.delete(node);
    }
  }
}

/** @param {Node} old @param {Node} fresh @returns {boolean} */
function hasOtherKey(old, fresh) {
  return old instanceof Element && fresh instanceof Element && keyOf(old) !== keyOf(fresh);
}

/** Make an old node what a new one is. @param {Node} old @param {Node} fresh */
function renew(old, fresh) {
  if (!(old instanceof Element) || !(fresh instanceof Element)) {
    if (old.nodeValue !== fresh.nodeValue) old.nodeValue = fresh.nodeValue;
    return;
  }
  if (isSameTime(old, fresh)) return;
  const keep = isField(old) ? keeper(old) : null;
  renewAttributes(old, fresh);
  if (old instanceof HTMLDetailsElement) renewFold(old, fresh.hasAttribute("open"));
  if (!old.localName.includes("-")) renewChildren(old, fresh);
  keep?.();
}

/** Tell whether a time is the same: it is shown in the reader's zone. @param {Element} old @param {Element} fresh */
function isSameTime(old, fresh) {
  return old.localName === "time"
    && ["datetime", "data-when"].every((name) => old.getAttribute(name) === fresh.getAttribute(name));
}

/** @param {Element} old @param {Element} fresh */
function renewAttributes(old, fresh) {
  for (const { name } of [...old.attributes]) {
    if (!fresh.hasAttribute(name) && !OF_THE_PAGE.includes(name)) old.removeAttribute(name);
  }
  for (const { name, value } of fresh.attributes) {
    if (name !== "open" && old.getAttribute(name) !== value) old.setAttribute(name, value);
  }
}

/**
 * Open or close a fold where the server says something new of it.
 * @param {HTMLDetailsElement} fold @param {boolean} isOpen
 */
function renewFold(fold, isOpen) {
  if (sentOpen.has(fold) && sentOpen.get(fold) !== isOpen) fold.open = isOpen;
  sentOpen.set(fold, isOpen);
}

/** @param {ParentNode} within */
function noteFolds(within) {
  for (const fold of within.querySelectorAll("details")) sentOpen.set(fold, fold.open);
}

/** @param {Element} old @param {Element} fresh */
function renewChildren(old, fresh) {
  const all = [...fresh.childNodes];
  const { found, old: gone } = new Pairs([...old.childNodes], all);
  for (const node of gone) old.removeChild(node);
  let at = old.firstChild;
  for (const node of all) {
    const same = found.get(node);
    if (same && same === at) at = at.nextSibling;
    else put(old, same ?? node, at);
    if (same) renew(same, node);
  }
}

/**
 * Put a node in; one that is moved keeps the focus where the browser can do that.
 * @param {Node & {moveBefore?: (node: Node, before: Node | null) => void}} into
 * @param {Node} node @param {Node | null} before
 */
function put(into, node, before) {
  if (node.parentNode === into && into.moveBefore) into.moveBefore(node, before);
  else into.insertBefore(node, before);
}

/** Tell whether the reader has changed a field since the server filled it. @param {Field} field @returns {boolean} */
function isTouched(field) {
  if (field instanceof HTMLSelectElement) return field.selectedIndex !== givenIndex(field);
  if (field instanceof HTMLInputElement && ["checkbox", "radio"].includes(field.type)) {
    return field.checked !== field.defaultChecked;
  }
  return field.value !== field.defaultValue;
}

/** Return which option the server has chosen. @param {HTMLSelectElement} field @returns {number} */
function givenIndex(field) {
  return Math.max(0, [...field.options].findIndex((option) => option.defaultSelected));
}

/** Return what gives a field its value after its renewal: the reader's own, else the server's. @param {Field} field */
function keeper(field) {
  const isKept = isTouched(field) || field === document.activeElement;
  const value = stateOf(field);
  return () => {
    if (isKept) setState(field, value);
    else if (field instanceof HTMLSelectElement) field.selectedIndex = givenIndex(field);
    else if (typeof value === "boolean") setState(field, /** @type {HTMLInputElement} */ (field).defaultChecked);
    else setState(field, field.defaultValue);
  };
}

/** @param {Field} field @returns {string | boolean} */
function stateOf(field) {
  const isTick = field instanceof HTMLInputElement && ["checkbox", "radio"].includes(field.type);
  return isTick ? field.checked : field.value;
}

/** @param {Field} field @param {string | boolean} state */
function setState(field, state) {
  if (typeof state === "boolean") /** @type {HTMLInputElement} */ (field).checked = state;
  else if (field instanceof HTMLSelectElement) chooseIn(field, state);
  else if (field.value !== state && field.type !== "file") field.value = state;
}

/** @param {HTMLSelectElement} field @param {string} value */
function chooseIn(field, value) {
  const at = [...field.options].findIndex((option) => option.value === value);
  field.selectedIndex = at < 0 ? givenIndex(field) : at;
}

// What the reader holds, for parts in which it has another place than before.

/** @returns {Held | null} */
function holdFocus() {
  const element = document.activeElement;
  if (!(element instanceof HTMLElement) || element === document.body) return null;
  const around = [];
  for (let at = element.parentElement; at; at = at.parentElement) {
    const summary = at.localName === "details" ? at.querySelector("summary") : null;
    if (summary) around.push(summary);
    if (at.matches("section, aside, main, [aria-labelledby]")) around.push(at);
  }
  const isByKeys = element.matches(":focus-visible");
  return { element, key: keyOf(element), around, isByKeys, selected: selectedIn(element) };
}

/** @param {Element} element @returns {Selected} */
function selectedIn(element) {
  const text = /** @type {HTMLInputElement} */ (element);
  return { start: text.selectionStart ?? null, end: text.selectionEnd ?? null };
}

/**
 * Give the focus back: to what had it, else to what is the same, else to the part in which it was.
 * @param {Held} held
 */
function giveFocus({ element, key, around, isByKeys, selected }) {
  if (document.activeElement === element && hasPlace(element)) return;
  const all = /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll(CONTROLS));
  const same = key ? [...all].filter((each) => keyOf(each) === key) : [];
  for (const each of [element, ...same]) {
    if (takesFocus(each)) return select(each, selected);
  }
  // Who uses the keyboard goes on from the fold or the part in which the control was.
  for (const each of isByKeys ? around : []) {
    if (!each.matches("summary, [tabindex]")) each.tabIndex = -1;
    if (takesFocus(each)) return;
  }
}

/** Tell whether an element has a place on the page. @param {Element} element */
const hasPlace = (element) => element.getClientRects().length > 0;

/** @param {HTMLElement} element @returns {boolean} */
function takesFocus(element) {
  if (!hasPlace(element)) return false;
  element.focus({ preventScroll: true });
  return document.activeElement === element;
}

/** @param {Element} element @param {Selected} selected */
function select(element, { start, end }) {
  if (start !== null && isField(element) && "setSelectionRange" in element) element.setSelectionRange(start, end);
}

/** Give half-typed text to the fields that took the place of the ones it was in. @param {Typed[]} typed */
function giveTyped(typed) {
  for (const { field, key } of typed.filter((each) => !each.field.isConnected)) {
    const next = [...document.querySelectorAll(field.localName)].find((each) => keyOf(each) === key);
    if (next && isField(next) && !isTouched(next)) setState(next, stateOf(field));
  }
}

/** @param {Element} part @returns {Typed[]} */
function typedIn(part) {
  const fields = [...part.querySelectorAll("input:not([type=hidden]), select, textarea")].filter(isField);
  return fields.filter(isTouched).map((field) => ({ field, key: keyOf(field) }));
}

/** @type {{ focus: Held | null, typed: Typed[] } | null} */
let held = null;

function giveBack() {
  const { focus, typed } = held ?? { focus: null, typed: [] };
  held = null;
  giveTyped(typed);
  if (focus) giveFocus(focus);
}

document.addEventListener("htmx:oobBeforeSwap", (event) => {
  const { detail } = /** @type {CustomEvent} */ (event);
  const part = /** @type {Element} */ (detail.target), fresh = detail.fragment.firstElementChild;
  if (!fresh || fresh.id !== part.id || fresh.localName !== part.localName) return;
  // All parts of an answer come one after the other.
  if (!held) {
    held = { focus: holdFocus(), typed: [] };
    queueMicrotask(giveBack);
  }
  held.typed.push(...typedIn(part));
  // The same message twice is said twice.
  if (part.id === "messages") part.replaceChildren(...fresh.childNodes);
  else renew(part, fresh);
  detail.shouldSwap = false;
  window.htmx.process(part);
  part.dispatchEvent(new CustomEvent("htmx:oobAfterSwap", { bubbles: true, detail }));
});

// A form whose act is done is ready for the next one, and its question is closed.
document.addEventListener("done", (event) => {
  const element = /** @type {Element} */ (event.target);
  element.closest("form")?.reset();
  element.closest("details.ask")?.removeAttribute("open");
});

noteFolds(document);
