// @ts-check
// The guest's part of the dice: a random number of this browser goes with the acceptance of
// the rules card. crypto.getRandomValues works on plain http too.

function randomNumber() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (b) => b.toString(16).padStart(2, "0")).join("");
}

function key(/** @type {string} */ table) {
  return `nonce:${table}`;
}

/** @param {HTMLFormElement} form @param {string} table */
function fill(form, table) {
  const field = form.querySelector("[data-nonce]");
  // A form that is sent again because its answer was lost says the same.
  if (field instanceof HTMLInputElement) field.value ||= randomNumber();
  sessionStorage.setItem(key(table), "sent");
}

document.addEventListener("submit", (event) => {
  const form = event.target;
  if (form instanceof HTMLFormElement && form.dataset.nonceOf) fill(form, form.dataset.nonceOf);
}, true);

/** Send a new number for a seat kept from the last game, which has accepted the rules card already. */
function renew() {
  const form = document.querySelector("form[data-fresh-nonce]");
  if (!(form instanceof HTMLFormElement)) return;
  const table = form.dataset.freshNonce ?? "";
  if (sessionStorage.getItem(key(table))) return;
  fill(form, table);
  fetch(form.action, { method: "POST", body: new FormData(form), redirect: "manual" }).catch(() => {});
}

renew();
document.addEventListener("htmx:oobAfterSwap", renew);
