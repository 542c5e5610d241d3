// @ts-check
/**
 * The controls of a page that cannot be pressed as it stands, each with why. What scripts hide, closed dialogs and
 * folds are no part of it; what a style hides is, unless it is one of `hidden`: of the selectors, each with the screens
 * for which it holds, of what is meant to be. A button that is deaf for a moment is taken as one that hears.
 */
(hidden) => {
  const CONTROLS = "button, a[href], input:not([type=hidden]), select, textarea, summary, [role=button], [role=tab]";
  const LEAST = 8;

  /** @param {Element} el */
  function named(el) {
    const id = el.id ? `#${el.id}` : [...el.classList].slice(0, 3).map((name) => `.${name}`).join("");
    const label = /** @type {any} */ (el).labels?.[0]?.textContent;
    const text = (el.getAttribute("aria-label") || label || el.getAttribute("name") || el.textContent || "").trim();
    return `${el.tagName.toLowerCase()}${id} “${text.replace(/\s+/g, " ").slice(0, 40)}”`;
  }

  /** Whether a script or a fold leaves it out now. @param {Element} el */
  function isAway(el) {
    if (el.closest("[hidden], dialog:not([open]), [inert]")) return true;
    for (let fold = el.closest("details"); fold; fold = fold.parentElement?.closest("details") ?? null)
      if (!fold.open && el !== fold.querySelector(":scope > summary")) return true;
    return hidden.some(([selector, screens]) => matchMedia(screens).matches && el.closest(selector));
  }

  /** Bring an element into view as a hand can: what clips without scrolling stays. @param {Element} el */
  function reach(el) {
    const fixed = [];
    for (let e = el.parentElement; e; e = e.parentElement) {
      const { overflowX, overflowY } = getComputedStyle(e);
      if (/hidden|clip/.test(overflowX)) fixed.push([e, "scrollLeft", e.scrollLeft]);
      if (/hidden|clip/.test(overflowY)) fixed.push([e, "scrollTop", e.scrollTop]);
    }
    el.scrollIntoView({ block: "center", inline: "center", behavior: "instant" });
    for (const [e, side, at] of fixed) e[side] = at;
  }

  /** Why it cannot be pressed, "" where it can. @param {any} el @param {Element} control */
  function fault(el, control) {
    if (!el.checkVisibility({ visibilityProperty: true })) return "is not drawn";
    reach(el);
    let why = "";
    for (const { left, top, width, height } of el.getClientRects()) {
      if (width < LEAST || height < LEAST) why = `has ${Math.round(width)} × ${Math.round(height)} px`;
      else {
        const [x, y] = [left + width / 2, top + height / 2], hit = document.elementFromPoint(x, y);
        if (hit && (el.contains(hit) || control.contains(hit) || hit.contains(el) && hit.matches("label"))) return "";
        if (control.disabled && hit?.contains(control)) return "";
        why = hit ? `lies under ${named(hit)}` : "lies outside of the window";
      }
    }
    return why || "has no place";
  }

  /** @param {Element} control */
  function isDead(control) {
    const isDeaf = control.hasAttribute("data-deaf");
    if (isDeaf) control.removeAttribute("data-deaf");
    const whys = [control, ...(control.labels ?? [])].map((el) => fault(el, control));
    if (isDeaf) control.setAttribute("data-deaf", "");
    return whys.includes("") ? "" : whys[0];
  }

  const root = [...document.querySelectorAll("dialog:modal")].at(-1) ?? document;
  const found = [];
  for (const control of root.querySelectorAll(CONTROLS)) {
    const why = isAway(control) ? "" : isDead(control);
    if (why) found.push(`${named(control)} ${why}`);
  }
  scrollTo(0, 0);
  return found;
}
