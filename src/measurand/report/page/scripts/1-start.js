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

const kinds = { Int8Array, Uint8Array, Uint16Array, Float32Array };
const readArrays = () => Promise.all(all("script.array").map(async (script) => {
  const { section, name, kind } = script.dataset;
  (arrays[section] ??= {})[name] = new kinds[kind](await unpacked(script.textContent));
  script.remove();
}));

const media = window.matchMedia("(prefers-color-scheme: dark)");
const setTheme = (theme) => { document.documentElement.dataset.theme = theme; };
setTheme(media.matches ? "dark" : "light");
