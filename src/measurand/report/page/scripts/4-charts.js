// Figures: Vega-Lite in the page's colours, drawn again when the reader switches between light and dark.
const charts = JSON.parse(byId("charts").textContent);
const drawn = new Map(); // element → how to draw it again
const paints = { "#1f2937": "--ink", "#0f766e": "--accent", "#b45309": "--mark", "#9ca3af": "--grey", "#b91c1c": "--bad", white: "--paper" };
const paint = (variable) => getComputedStyle(document.documentElement).getPropertyValue(variable).trim();

/** Replace the colours of all figures by those of the page. */
const repainted = (value) => {
  if (typeof value === "string") return paints[value] ? paint(paints[value]) : value;
  if (Array.isArray(value)) return value.map(repainted);
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, key === "values" ? each : repainted(each)]));
};

/** Save a drawing of the page's own as a file, with the colours that it has now. */
const saveDrawing = (svg, name, [title, top, bottom]) => {
  const copy = svg.cloneNode(true);
  const own = [...svg.querySelectorAll("*")];
  [...copy.querySelectorAll("*")].forEach((each, place) => { const style = getComputedStyle(own[place]); each.setAttribute("fill", style.fill); each.setAttribute("stroke", style.stroke); each.removeAttribute("tabindex"); });
  copy.setAttribute("xmlns", "http://www.w3.org/2000/svg");
  copy.removeAttribute("preserveAspectRatio");
  const [, , width, height] = copy.getAttribute("viewBox").split(" ").map(Number);
  copy.setAttribute("viewBox", `-60 -30 ${width + 70} ${height + 40}`);
  for (const [text, x, y, anchor] of [[title, 0, -12, "start"], [top, -6, 10, "end"], [bottom, -6, height, "end"]]) {
    const label = document.createElementNS("http://www.w3.org/2000/svg", "text");
    for (const [key, value] of Object.entries({ x, y, "text-anchor": anchor, "font-size": 12, "font-family": "sans-serif" })) label.setAttribute(key, value);
    label.textContent = text;
    copy.append(label);
  }
  saveFile(`${name}.svg`, "image/svg+xml", new XMLSerializer().serializeToString(copy));
};

const themed = () => ({
  background: "transparent",
  font: getComputedStyle(document.body).fontFamily,
  view: { stroke: null },
  axis: { labelColor: paint("--soft"), titleColor: paint("--soft"), domainColor: paint("--line"), tickColor: paint("--line"), gridColor: paint("--line"), titleFontWeight: "normal", labelLimit: 200 },
  legend: { labelColor: paint("--soft"), titleColor: paint("--soft"), titleFontWeight: "normal" },
  title: { color: paint("--ink"), subtitleColor: paint("--soft"), anchor: "start" },
  text: { color: paint("--ink") },
});

const turns = new Map(); // element → what is being drawn there, so that figures come one after the other

/** Draw a figure in an element, after what is being drawn there. Options: `renderer`, and `then`, which gets the view. */
const draw = (place, spec, options = {}) => {
  drawn.set(place, () => draw(place, spec, options));
  const turn = (turns.get(place) ?? Promise.resolve()).then((before) => embed(place, spec, options, before)).catch((error) => {
    // one figure that fails takes neither the others nor the page with it
    console.error(error);
    place.replaceChildren(element("p", { class: "notice" }, "This figure could not be drawn."));
  });
  turns.set(place, turn);
  return turn;
};

const embed = async (place, spec, options, before) => {
  await ready();
  before?.finalize();
  const { config, background, padding, ...content } = repainted(spec);
  const actions = { export: true, source: false, compiled: false, editor: false };
  place.setAttribute("role", "group");
  if (spec.description) place.setAttribute("aria-label", spec.description);
  const result = await window.vegaEmbed(place, { ...content, config: themed() }, { actions, renderer: options.renderer ?? "svg", tooltip: true, downloadFileName: place.dataset.chart ?? "figure" });
  place.querySelector("summary")?.setAttribute("aria-label", "Save this figure");
  options.then?.(result.view);
  return result;
};

let runtime = null; // the libraries are unpacked when the first figure is looked at
const ready = () => (runtime ??= (async () => {
  new Function(new TextDecoder().decode(await unpacked(byId("runtime").textContent)))();
  byId("runtime").remove();
})());

/** Do something with an element once a reader comes near it: open folds, scroll. */
const nearby = new Map();
const watcher = new IntersectionObserver((entries) => entries.forEach((entry) => {
  if (!entry.isIntersecting) return;
  watcher.unobserve(entry.target);
  nearby.get(entry.target)?.();
  nearby.delete(entry.target);
}), { rootMargin: "600px" });
const whenNear = (place, act) => new Promise((resolve) => {
  if (!place) return;
  nearby.set(place, () => resolve(act()));
  watcher.observe(place);
});
/** Do what waits for a reader to come near, at once: for paper. */
const doAll = () => Promise.all([...nearby].map(([place, act]) => { watcher.unobserve(place); nearby.delete(place); return act(); }));

const startCharts = () => all("[data-chart]").forEach((place) => {
  const spec = charts[place.dataset.chart];
  if (spec && !nearby.has(place)) whenNear(place, () => draw(place, spec, { renderer: spec.usermeta?.renderer }));
});

const redraw = () => Promise.all([...drawn.values()].map((again) => again()));
