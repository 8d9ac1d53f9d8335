// Systems and measures: one table by measure at a time, and the slope chart of a chosen measure.
{
  const details = all("details.system-detail");
  const choose = (measure) => details.forEach((each) => {
    each.hidden = each.dataset.measure !== measure;
    each.open = true;
  });
  const measures = byId("systems-measure");
  if (measures) {
    byId("systems-choice").hidden = false;
    details.forEach((each) => { each.querySelector("summary").hidden = true; });
    measures.addEventListener("change", () => choose(measures.value));
    choose(measures.value);
    // on paper there is no choice
    window.addEventListener("beforeprint", () => details.forEach((each) => { each.hidden = false; each.querySelector("summary").hidden = false; }));
    window.addEventListener("afterprint", () => {
      details.forEach((each) => { each.querySelector("summary").hidden = true; });
      choose(measures.value);
    });
  }

  started.push(async () => {
    const measure = byId("slope-measure");
    if (!measure) return;
    const place = document.querySelector('[data-chart="systems-slope"]');
    const keys = ["system", "raw", "interval", "left", "right"];
    const show = async () => {
      const { rows, description, caption } = numbers.systems.slopes[measure.value];
      const values = rows.map((row) => Object.fromEntries(row.map((value, at) => [keys[at], value])));
      place.parentElement.querySelector("figcaption").textContent = caption;
      await draw(place, { ...charts["systems-slope"], description, data: { values } });
    };
    // one after the other: what was chosen last is drawn last
    let pending = Promise.resolve();
    const later = () => { pending = pending.then(show); };
    // who looks at a measure above looks at it here as well
    byId("systems-measure").addEventListener("change", (event) => {
      if (!(event.target.value in numbers.systems.slopes)) return;
      measure.value = event.target.value;
      later();
    });
    measure.addEventListener("change", later);
  });
}
