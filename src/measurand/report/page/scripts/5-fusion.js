// Fusion: the rows and the figure of the measure that the reader chooses.
started.push(async () => {
  if (!byId("fusion-table")) return;
  const { chart, systems, measures } = numbers.fusion;
  let seen = false;
  const wide = window.matchMedia("(min-width: 40rem)");
  const label = ({ words, beaten }) => words + (wide.matches && beaten !== null ? `, ahead of ${beaten} of ${systems.length}` : "");

  const spec = (shown) => {
    const alone = shown.means.every((mean) => mean === null); // mean ranks, among the best system and the fusions
    const rows = shown.means.map((mean, place) => ({ kind: "system", row: "systems", name: systems[place], mean }));
    shown.fusions.forEach((each) => {
      const best = each.name === shown.best;
      rows.push({ kind: best ? "best" : "fusion", row: best ? (alone ? each.name : "systems") : each.name, name: each.name, mean: each.mean, label: each.mean === null ? "" : label(each) });
    });
    const filled = structuredClone(chart);
    const known = rows.filter(({ mean }) => mean !== null);
    const [low, high] = [Math.min(...known.map(({ mean }) => mean)), Math.max(...known.map(({ mean }) => mean))];
    known.filter(({ kind }) => kind === "fusion").forEach((row) => { row.side = row.mean > (low + high) / 2 ? "left" : "right"; });
    const room = 0.03 * (high - low) || 0.05;
    filled.encoding.x.scale = { domain: [low - room, high + room], nice: true, zero: false }; // a layer may be empty
    filled.data = { values: known };
    filled.encoding.x.title = shown.title;
    filled.encoding.tooltip.find(({ field }) => field === "mean").title = shown.statistic;
    filled.encoding.y.sort = [alone ? shown.best : "systems", ...shown.fusions.map(({ name }) => name).filter((name) => name !== shown.best)];
    const what = alone ? `The ${shown.statistic} of the best system and of the fusions` : `${shown.statistic.charAt(0).toUpperCase()}${shown.statistic.slice(1)}s of all systems and of their fusions`;
    filled.description = `${what} under ${shown.measure}; best of the systems is ${shown.best}.`;
    return filled;
  };

  const show = async () => {
    const shown = measures.find((each) => each.measure === state.measure) ?? measures[0];
    all("#fusion-table tbody tr").forEach((row) => row.classList.toggle("other", row.dataset.measure !== shown.measure));
    if (seen) await draw(byId("fusion-chart"), spec(shown));
  };
  byId("fusion-table").classList.add("chosen");
  onChoice((changed) => { if (changed.includes("measure")) show(); });
  await show();
  whenNear(byId("fusion-chart"), () => { seen = true; return show(); });
});
