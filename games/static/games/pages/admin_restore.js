// @ts-check
// A backup is sent in pieces, each to the address that the page was given; then the house proves it and the page waits.

const LOOK_MS = 1000;
const TRIES = 5;
const PAUSE_MS = 2000;

/** @param {number} ms */
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** The piece's address names where it begins. @param {string} address of the first piece @param {number} offset */
const addressAt = (address, offset) => address.replace(/\/0\/$/, `/${offset}/`);

/** @param {string} address @param {BodyInit | null} body @param {string} token */
async function post(address, body, token) {
  /** @type {Record<string, string>} */
  const headers = { "X-CSRFToken": token };
  if (body instanceof Blob) headers["Content-Type"] = "application/octet-stream";
  const answer = await fetch(address, { method: "POST", body, headers });
  const said = await answer.json().catch(() => ({}));
  return { status: answer.status, said };
}

/** Send a file, piece by piece; a lost connection is tried again from where the house says that it is.
 * @param {HTMLFormElement} form @param {File} file @param {string} token @param {(share: number) => void} show */
async function send(form, file, token, show) {
  let at = 0;
  for (let tries = 0; at < file.size || !file.size; ) {
    const piece = file.slice(at, at + Number(form.dataset.piece));
    const answer = await post(addressAt(form.dataset.pieceUrl ?? "", at), piece, token).catch(() => null);
    if (!answer || answer.status >= 502) {
      if (++tries > TRIES) throw new Error(form.dataset.lost);
      await pause(PAUSE_MS);
      continue;
    }
    if (answer.status !== 200 && !(answer.status === 409 && "size" in answer.said)) {
      throw new Error(answer.said.message ?? form.dataset.lost);
    }
    tries = 0;
    at = answer.said.size;
    show(file.size ? at / file.size : 1);
    if (!file.size) return;
  }
}

/** @param {HTMLFormElement} form */
async function restore(form) {
  const file = /** @type {HTMLInputElement} */ (form.querySelector("#backup-file")).files?.[0];
  const token = /** @type {HTMLInputElement} */ (form.querySelector("[name=csrfmiddlewaretoken]")).value;
  const bar = /** @type {HTMLProgressElement} */ (form.querySelector("progress"));
  if (!file) return;
  if (file.size > Number(form.dataset.most)) throw new Error(form.dataset.tooBig);
  bar.closest("div")?.removeAttribute("hidden");
  await send(form, file, token, (share) => { bar.value = share; });
  const key = new FormData();
  key.set("key", /** @type {HTMLInputElement} */ (form.querySelector("#backup-key")).value);
  const answer = await post(form.dataset.checkUrl ?? "", key, token);
  if (answer.status !== 200) throw new Error(answer.said.message ?? form.dataset.lost);
  location.reload();
}

const form = /** @type {HTMLFormElement | null} */ (document.getElementById("restore-form"));
form?.addEventListener("submit", async (event) => {
  event.preventDefault();
  const note = /** @type {HTMLElement} */ (form.querySelector(".errornote"));
  const button = /** @type {HTMLInputElement} */ (form.querySelector("[type=submit]"));
  note.hidden = button.disabled = true;
  try {
    await restore(form);
  } catch (error) {
    note.textContent = error instanceof Error ? error.message : String(error);
    note.hidden = false;
  } finally {
    button.disabled = false;
  }
});

const page = /** @type {HTMLElement | null} */ (document.querySelector(".restore[data-state='checking']"));
while (page) {
  await pause(LOOK_MS);
  const answer = await fetch(page.dataset.stateUrl ?? "").catch(() => null);
  if (answer?.ok && (await answer.json()).state !== "checking") location.reload();
}
