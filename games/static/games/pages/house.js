// @ts-check
// The page of the house: countries in the page's language, the zones of the country chosen, a logo of a size to send.

const SIDE = 512;
const MOST_BYTES = 48 * 1024;
const QUALITIES = [0.92, 0.8, 0.6, 0.4];

const form = /** @type {HTMLFormElement} */ (document.querySelector("#house-form"));
const country = /** @type {HTMLSelectElement} */ (form.querySelector("#country"));
const zone = /** @type {HTMLSelectElement} */ (form.querySelector("#time_zone"));
const logo = /** @type {HTMLInputElement} */ (form.querySelector("#logo"));
const [unsaidZone, ...allZones] = [...zone.options];

/** Name the countries as the page's language does, in its order. */
function nameCountries() {
  const { lang } = document.documentElement;
  const { value } = country;
  const names = new Intl.DisplayNames([lang], { type: "region" });
  const [unsaid, ...rest] = [...country.options];
  for (const option of rest) {
    option.textContent = names.of(option.value) ?? option.textContent;
    option.lang = lang;
  }
  rest.sort((a, b) => a.text.localeCompare(b.text, lang));
  country.replaceChildren(unsaid, ...rest);
  // A list whose options are moved chooses one of them by itself.
  country.value = value;
}

/** Offer the zones of the country chosen; all of them if it has none. */
function offerZones() {
  const { value } = zone;
  const there = allZones.filter((option) => option.dataset.countries?.split(" ").includes(country.value));
  const offered = there.length > 0 ? there : allZones;
  zone.replaceChildren(unsaidZone, ...offered);
  if (offered.some((option) => option.value === value)) zone.value = value;
  else zone.value = there.length === 1 ? there[0].value : "";
}

/** Where nothing is said yet, propose what the browser knows of the place. */
function propose() {
  const { timeZone } = new Intl.DateTimeFormat().resolvedOptions();
  const here = allZones.find((option) => option.value === timeZone);
  if (zone.value || country.value || !here) return;
  if (!zone.disabled) zone.value = timeZone;
  const [only, ...others] = here.dataset.countries?.split(" ") ?? [];
  if (!country.disabled && others.length === 0) country.value = only ?? "";
}

/** @param {ImageBitmap} picture @param {number} quality @returns {Promise<Blob | null>} */
function drawn(picture, quality) {
  const scale = Math.min(1, SIDE / Math.max(picture.width, picture.height));
  const canvas = document.createElement("canvas");
  canvas.width = Math.max(1, Math.round(picture.width * scale));
  canvas.height = Math.max(1, Math.round(picture.height * scale));
  canvas.getContext("2d")?.drawImage(picture, 0, 0, canvas.width, canvas.height);
  return new Promise((resolve) => canvas.toBlob(resolve, "image/webp", quality));
}

/** Make the chosen picture small enough; what is no picture is sent as it is, and refused by the house. */
async function shrink() {
  const [file] = logo.files ?? [];
  if (!file || file.type === "image/svg+xml") return;
  const picture = await createImageBitmap(file).catch(() => null);
  if (!picture || (file.size <= MOST_BYTES && Math.max(picture.width, picture.height) <= SIDE)) return;
  for (const quality of QUALITIES) {
    const blob = await drawn(picture, quality);
    if (!blob || blob.size > MOST_BYTES) continue;
    const files = new DataTransfer();
    files.items.add(new File([blob], "logo.webp", { type: blob.type }));
    logo.files = files.files;
    return;
  }
}

nameCountries();
propose();
offerZones();
country.addEventListener("change", offerZones);
// A form that is sent while the picture is still made smaller goes when that is done.
/** @type {Promise<void> | null} */
let shrinking = null;
logo.addEventListener("change", () => { shrinking = shrink().finally(() => { shrinking = null; }); });
form.addEventListener("submit", (event) => {
  if (!shrinking) return;
  event.preventDefault();
  shrinking.then(() => form.requestSubmit());
});
