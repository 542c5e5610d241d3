// @ts-check
// For a table's page, before anything is drawn: on a device that has the typefaces they come at once; else they are
// loaded after the board (games/shell/table.js).

{
  const { documentElement } = document, href = document.currentScript?.dataset.typefaces ?? "";
  documentElement.dataset.typefaces = href;
  let isThere = false;
  try {
    isThere = localStorage.getItem("typefaces") === href;
  } catch { /* this browser keeps nothing */ }
  const link = Object.assign(document.createElement("link"), { rel: "preload", as: "font", crossOrigin: "", href });
  if (isThere) document.head.append(link);
  else documentElement.classList.add("without-typefaces");
}
