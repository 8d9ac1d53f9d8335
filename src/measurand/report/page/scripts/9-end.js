// Once everything is defined: unpack, draw, listen.
byId("theme").addEventListener("click", () => {
  setTheme(document.documentElement.dataset.theme === "dark" ? "light" : "dark");
  try { localStorage.setItem("measurand-theme", document.documentElement.dataset.theme); } catch { /* private windows forget */ }
  redraw();
});
media.addEventListener("change", () => { setTheme(media.matches ? "dark" : "light"); redraw(); });

const unfold = byId("unfold");
unfold.hidden = false;
unfold.addEventListener("click", () => {
  const open = unfold.textContent === "Open all";
  all("details.fold").forEach((each) => { each.open = open; });
  unfold.textContent = open ? "Close all" : "Open all";
});

// what is folded is printed too
window.addEventListener("beforeprint", () => { all("details").forEach((each) => { each.dataset.open = each.open; each.open = true; }); doAll(); });
window.addEventListener("afterprint", () => all("details").forEach((each) => { each.open = each.dataset.open === "true"; }));

(async () => {
  if (typeof DecompressionStream === "undefined") { byId("old").hidden = false; return; }
  await readArrays();
  for (const start of started) await start();
  startCharts();
  revealNamed();
  window.addEventListener("hashchange", () => { revealNamed(); follow(); });
  document.documentElement.dataset.ready = "true"; // tests wait for it
})();
