// @ts-check
/** Keeps what a reader has corrected, shows where a text stands, and saves the corrections as a file. */
(() => {
  const COLUMNS = ["catalogue", "context", "text", "form", "before"];
  const language = document.documentElement.dataset.language || "";
  const KEPT = `stammtisch-texts-${language}`;
  const rows = /** @type {HTMLElement[]} */ ([...document.querySelectorAll(".row")]);
  /** @type {Record<string, string>} */
  let kept = {};
  let isSaved = true;
  try {
    kept = JSON.parse(localStorage.getItem(KEPT) || "{}");
  } catch { /* a browser that keeps nothing for a file */ }

  /** @param {HTMLElement} row */
  const field = (row) => /** @type {HTMLTextAreaElement} */ (row.querySelector("textarea"));
  /** @param {HTMLElement} row */
  const nameOf = (row) => COLUMNS.slice(0, 4).map((name) => row.dataset[name]).join("\u0004");
  /** @param {HTMLElement} row */
  const isChanged = (row) => field(row).value !== row.dataset.before;
  /** @param {string | undefined} text */
  const cell = (text) => `"${(text || "").replace(/"/g, '""')}"`;

  /** @param {HTMLElement} row */
  function show(row) {
    row.classList.toggle("changed", isChanged(row));
    const changed = rows.filter(isChanged).length;
    /** @type {HTMLElement} */ (document.getElementById("count")).textContent = String(changed);
  }

  /** Keep what a row says now; rows of the same text that said the same follow it. @param {HTMLElement} row */
  function keep(row) {
    const { value } = field(row), { last = row.dataset.before, number } = row.dataset;
    row.dataset.last = value;
    for (const one of rows.filter(({ dataset }) => dataset.leader === number)) {
      if (field(one).value !== last) continue;
      field(one).value = value;
      keep(one);
    }
    if (isChanged(row)) kept[nameOf(row)] = value;
    else delete kept[nameOf(row)];
    isSaved = false;
    try {
      localStorage.setItem(KEPT, JSON.stringify(kept));
    } catch { /* the file is saved by hand */ }
    show(row);
  }

  /** @param {HTMLElement} row @param {boolean} is */
  function point(row, is) {
    const mark = document.querySelector(`i[data-of="${row.dataset.number}"]`);
    if (mark) mark.classList.toggle("seen", is);
  }

  function save() {
    const lines = rows.filter(isChanged).map((row) =>
      [...COLUMNS.map((name) => row.dataset[name]), field(row).value].map(cell).join(","));
    // Excel takes a file for UTF-8 by its mark alone.
    const text = `\ufeff${[[...COLUMNS, "translation"].join(","), ...lines].join("\r\n")}\r\n`;
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([text], { type: "text/csv" }));
    link.download = `corrections-${language}.csv`;
    link.click();
    isSaved = true;
  }

  for (const row of rows) {
    const said = kept[nameOf(row)];
    if (said !== undefined && said !== row.dataset.before) row.dataset.last = field(row).value = said;
    if (isChanged(row)) show(row);
    field(row).addEventListener("input", () => keep(row));
    field(row).addEventListener("focus", () => point(row, true));
    field(row).addEventListener("blur", () => point(row, false));
  }
  for (const mark of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("i[data-of]"))) {
    mark.addEventListener("click", () => document.getElementById(`t${mark.dataset.of}`)?.focus());
  }
  document.getElementById("save")?.addEventListener("click", save);
  document.getElementById("only")?.addEventListener("change", (event) => {
    document.body.classList.toggle("only", /** @type {HTMLInputElement} */ (event.target).checked);
  });
  addEventListener("beforeunload", (event) => {
    if (!isSaved) event.preventDefault();
  });
})();
