// What every section stands on: numbers, packed arrays, the reader's choice of light or dark.
const byId = (id) => document.getElementById(id);
const all = (selector, within = document) => [...within.querySelectorAll(selector)];
const numbers = JSON.parse(byId("numbers").textContent);
const arrays = {};
const started = []; // what sections do once their arrays are there

/** Make an element with attributes and children; texts become text, never markup. */
const element = (name, attributes = {}, ...children) => {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (key.startsWith("on")) made.addEventListener(key.slice(2), value);
    else if (value !== null && value !== undefined && value !== false) made.setAttribute(key, value === true ? "" : value);
  }
  made.append(...children.filter((child) => child !== null && child !== undefined));
  return made;
};

const unpacked = async (text) => {
  const bytes = Uint8Array.from(atob(text.trim()), (letter) => letter.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Response(stream).arrayBuffer();
};

const kinds = { Int8Array, Uint8Array, Int16Array, Uint16Array, Int32Array, Float32Array };
const readArrays = () => Promise.all(all("script.array").map(async (script) => {
  const { section, name, kind } = script.dataset;
  (arrays[section] ??= {})[name] = new kinds[kind](await unpacked(script.textContent));
  script.remove();
}));

/** Texts in bulk, unpacked when they are asked for. */
const texts = {};
const readText = (section, name) => (texts[`${section}.${name}`] ??= (async () => {
  const script = document.querySelector(`script.text[data-section="${section}"][data-name="${name}"]`);
  return script ? JSON.parse(new TextDecoder().decode(await unpacked(script.textContent))) : null;
})());

const counted = (count, thing) => `${count.toLocaleString("en")} ${thing}${count === 1 ? "" : "s"}`;
const upper = (text) => text.charAt(0).toUpperCase() + text.slice(1);
/** A number with so many places and a true minus; more where it would look like 0 and is not. */
const fixed = (value, places, sign = "") => {
  if (!Number.isFinite(value)) return value > 0 ? "+∞" : value < 0 ? "−∞" : "–";
  let more = places;
  while (value !== 0 && more < 8 && Math.abs(value) < 0.5 * 10 ** -more) more += 1;
  const text = value !== 0 && Math.abs(value) < 0.5 * 10 ** -more ? value.toExponential(1) : value.toFixed(more);
  return `${value > 0 ? sign : ""}${text.replaceAll("-", "−")}`;
};
const pWords = (p) => (Number.isNaN(p) ? "–" : p < 0.0001 ? "<0.0001" : p > 0.9995 ? "1" : p < 0.01 ? p.toFixed(4) : p.toFixed(3));
const pEquals = (p) => (p < 0.0001 ? "p < 0.0001" : `p = ${pWords(p)}`);

const media = window.matchMedia("(prefers-color-scheme: dark)");
const setTheme = (theme) => { document.documentElement.dataset.theme = theme; };
const remembered = (() => { try { return localStorage.getItem("measurand-theme"); } catch { return null; } })();
setTheme(["dark", "light"].includes(remembered) ? remembered : media.matches ? "dark" : "light");
