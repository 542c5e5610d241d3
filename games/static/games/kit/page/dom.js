// @ts-check
/** Building the page without strings of HTML and without inline styles (the CSP forbids both). */

const SVG = "http://www.w3.org/2000/svg";

/** @typedef {Node | string | number | null | undefined | false} Child */

/**
 * Make an HTML element. Keys `on…` are listeners, `data` is the dataset, `vars` are custom
 * properties; booleans set or leave out an attribute, null leaves it out.
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Record<string, unknown>} [attrs]
 * @param {...(Child | Child[])} children
 * @returns {HTMLElementTagNameMap[Tag]}
 */
export function h(tag, attrs = {}, ...children) {
  return completed(document.createElement(tag), attrs, children);
}

/**
 * Make an SVG element, as `h`.
 * @template {keyof SVGElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Record<string, unknown>} [attrs]
 * @param {...(Child | Child[])} children
 * @returns {SVGElementTagNameMap[Tag]}
 */
export function svg(tag, attrs = {}, ...children) {
  return completed(document.createElementNS(SVG, tag), attrs, children);
}

/**
 * @template {HTMLElement | SVGElement} Made
 * @param {Made} element
 * @param {Record<string, unknown>} attrs
 * @param {(Child | Child[])[]} children
 */
function completed(element, attrs, children) {
  for (const [key, value] of Object.entries(attrs)) set(element, key, value);
  element.append(...nodesOf(children));
  return element;
}

/**
 * Go to another page as a tap on a link does: a page whose house is out of reach asks first (kit/page/reach.js).
 * @param {string} address
 */
export function goTo(address) {
  const link = h("a", { href: address, hidden: true });
  document.body.append(link);
  link.click();
  link.remove();
}

/** @param {(Child | Child[])[]} children */
function nodesOf(children) {
  const shown = children.flat().filter((c) => c !== null && c !== undefined && c !== false);
  return shown.map((child) => (typeof child === "number" ? String(child) : child));
}

/**
 * @param {HTMLElement | SVGElement} element
 * @param {string} key
 * @param {unknown} value
 */
function set(element, key, value) {
  if (key.startsWith("on")) element.addEventListener(key.slice(2), /** @type {EventListener} */ (value));
  else if (key === "data") Object.assign(element.dataset, value);
  else if (key === "vars") setVars(element, /** @type {Record<string, string | number>} */ (value));
  else if (value === true) element.setAttribute(key, "");
  else if (value !== false && value !== null && value !== undefined) {
    element.setAttribute(key, String(value));
  }
}

/**
 * Set custom properties: the one way in which scripts place things.
 * @param {HTMLElement | SVGElement} element
 * @param {Record<string, string | number>} vars
 */
export function setVars(element, vars) {
  for (const [name, value] of Object.entries(vars)) element.style.setProperty(name, String(value));
}

/**
 * Set the text of an element only when it differs: live regions and selections stay calm.
 * @param {Element} element
 * @param {string} text
 */
export function setText(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

/**
 * Set or remove an attribute only when it differs.
 * @param {Element} element
 * @param {string} name
 * @param {string | boolean | null} value
 */
export function setAttr(element, name, value) {
  if (value === null || value === false) {
    if (element.hasAttribute(name)) element.removeAttribute(name);
  } else {
    const text = value === true ? "" : value;
    if (element.getAttribute(name) !== text) element.setAttribute(name, text);
  }
}

/**
 * Replace the children of an element.
 * @param {Element} element
 * @param {...(Child | Child[])} children
 */
export function put(element, ...children) {
  element.replaceChildren(...nodesOf(children));
}

/** Tell whether an element has a place on the page and is not hidden. @param {Element} element */
export function isSeen(element) {
  return element.getClientRects().length > 0 && getComputedStyle(element).visibility === "visible";
}

/** @type {Set<() => void>} */
const due = new Set();

/**
 * Call `act` once before the next frame. Code that measures the page runs there, after all
 * changes: it then costs only the layout that the frame needs anyway.
 * @param {() => void} act the same function each time, so that it is called once
 */
export function beforeFrame(act) {
  if (!due.size) {
    requestAnimationFrame(() => {
      const acts = [...due];
      due.clear();
      for (const one of acts) one();
    });
  }
  due.add(act);
}

/** Call `act` when the next frame is on the screen; at once on a hidden page. @param {() => void} act */
export function afterFrame(act) {
  if (document.hidden) act();
  else requestAnimationFrame(() => setTimeout(act));
}

/**
 * Return the element with this id, which the page's template must have.
 * @param {string} id
 * @returns {any}
 */
export function byId(id) {
  const found = document.getElementById(id);
  if (!found) throw new Error(`the page has no #${id}`);
  return found;
}

/**
 * Return a random id that works without a secure context.
 * @param {string} prefix
 */
export function randomId(prefix) {
  const bytes = crypto.getRandomValues(new Uint8Array(9));
  return prefix + Array.from(bytes, (b) => b.toString(36).padStart(2, "0")).join("");
}
