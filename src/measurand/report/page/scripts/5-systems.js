// Systems: the table of all measures with the numbers that the reader wants, and what moves on interval scales.
{
  const view = byId("systems-view");
  if (view) view.selectedIndex = 0; // a browser may remember what was chosen before
  view?.addEventListener("change", () => {
    const cells = numbers.systems.views[view.value];
    byId("systems-shown").textContent = view.selectedOptions[0].textContent;
    all("#systems-table tbody tr").forEach((row) => cells[Number(row.dataset.row)].forEach(([number, between, best], place) => {
      const cell = row.cells[place + 1];
      cell.classList.toggle("best", best);
      cell.dataset.value = number === "–" ? "" : number;
      cell.replaceChildren(number, ...(between ? [" ", element("small", {}, between)] : []));
    }));
    all("#systems-table [aria-sort]").forEach((heading) => heading.removeAttribute("aria-sort"));
  });

  const place = document.querySelector('[data-chart="systems-slope"]');
  const keys = ["system", "raw", "interval", "left", "right"];
  let seen = false; // whether the reader has come near the figure
  const drawSlope = async () => {
    const { slopes } = numbers.systems;
    const found = slopes[state.measure] ?? (drawn.has(place) ? null : Object.values(slopes)[0]); // else what is drawn stays
    if (!found) return;
    const values = found.rows.map((row) => Object.fromEntries(row.map((value, at) => [keys[at], value])));
    place.parentElement.querySelector("figcaption").textContent = found.caption;
    await draw(place, { ...charts["systems-slope"], description: found.description, data: { values } });
  };
  const show = () => {
    all(".system-detail").forEach((each) => { each.hidden = each.dataset.measure !== state.measure; });
    if (seen) drawSlope();
  };
  onChoice((changed) => { if (changed.includes("measure")) show(); });
  started.push(() => {
    show();
    if (place) whenNear(place, () => { seen = true; return drawSlope(); });
  });
}
