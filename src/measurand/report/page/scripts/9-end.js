// Once everything is defined: unpack, draw, listen.
byId("theme").addEventListener("click", () => {
  setTheme(document.documentElement.dataset.theme === "dark" ? "light" : "dark");
  redraw();
});
media.addEventListener("change", () => { setTheme(media.matches ? "dark" : "light"); redraw(); });

const links = new Map(all("nav a").map((link) => [link.hash.slice(1), link]));
const watcher = new IntersectionObserver((entries) => {
  for (const entry of entries) {
    if (!entry.isIntersecting) continue;
    links.forEach((link) => link.removeAttribute("aria-current"));
    links.get(entry.target.id)?.setAttribute("aria-current", "true");
  }
}, { rootMargin: "-15% 0px -75% 0px" });
all("main > section").forEach((section) => watcher.observe(section));

// what is folded is printed too
window.addEventListener("beforeprint", () => all("details").forEach((each) => { each.dataset.open = each.open; each.open = true; }));
window.addEventListener("afterprint", () => all("details").forEach((each) => { each.open = each.dataset.open === "true"; }));

(async () => {
  if (typeof DecompressionStream === "undefined") { byId("old").hidden = false; return; }
  await readArrays();
  await startCharts();
  for (const start of started) await start();
  document.documentElement.dataset.ready = "true"; // tests wait for it
})();
