// Two systems, topic by topic: a bar for every topic, longest lead of the first to longest lead of the second.
if (byId("topics-pair")) {
  const data = numbers.topics;
  const options = (names, at) => names.map((name, place) => element("option", { value: place, selected: place === at }, name));
  const choose = (label, names, at) => {
    const select = element("select", {}, ...options(names, at));
    return { select, shown: element("label", {}, label, select) };
  };
  const [first, second] = data.pair;
  let measure = 0; // that of the section
  const [one, other] = [choose("First", data.systems, first), choose("Second", data.systems, second)];
  byId("topics-pair").before(element("div", { class: "controls" }, one.shown, other.shown));
  const at = (choice) => Number(choice.select.value);
  const four = (value) => value.toFixed(4);

  const barsOf = () => {
    const chosen = data.measures[measure];
    const row = (system) => (measure * data.systems.length + system) * data.topics.length;
    const [x, y] = [row(at(one)), row(at(other))];
    const bars = data.topics.map((topic, place) => {
      const [a, b] = [arrays.topics.scores[x + place], arrays.topics.scores[y + place]];
      const lead = chosen.lower ? b - a : a - b;
      const difference = chosen.unit ? a - b : Math.sign(a - b); // a strict study admits no differences on ordinal scales
      return { topic, one: four(a), other: four(b), difference, lead, ahead: lead > 0 ? "first" : lead < 0 ? "second" : "level" };
    });
    const turn = chosen.lower ? -1 : 1;
    return bars.filter((bar) => !Number.isNaN(bar.lead)).sort((a, b) => turn * (b.difference - a.difference));
  };

  const show = async () => {
    const bars = barsOf();
    const chosen = data.measures[measure];
    const [a, b] = [data.systems[at(one)], data.systems[at(other)]];
    const count = (kind) => bars.filter((bar) => bar.ahead === kind).length;
    const lower = chosen.lower ? " (lower is better)" : "";
    const said = `Under ${chosen.name}${lower} ${a} is ahead of ${b} on ${count("first")} topics, level on ${count("level")}, behind on ${count("second")}.`;
    byId("topics-pair-said").textContent = said;
    const spec = structuredClone(charts["topics-differences"]);
    spec.data.values = bars.map(({ lead, ...bar }) => bar);
    spec.description = `${said} A bar is ${chosen.unit ? "the score of the first minus that of the second on" : "up where the first has the higher score on"} a topic.`;
    spec.layer[0].encoding.y.title = `${chosen.name}: ${chosen.unit ? "first minus second" : "who is higher"}`;
    if (!chosen.unit) {
      spec.layer[0].encoding.x.title = "topics, by who is ahead";
      spec.layer[0].encoding.y.axis = { labels: false, ticks: false };
      spec.layer[0].encoding.tooltip = spec.layer[0].encoding.tooltip.filter(({ field }) => field !== "difference");
    }
    if (!bars.length) spec.layer[0].encoding.y.scale = { domain: [-1, 1] }; // no topic in common
    await draw(byId("topics-pair"), spec);
    byId("topics-pair").dataset.shown = [chosen.name, a, b].join("|"); // tests wait for it
  };
  [one, other].forEach((choice) => choice.select.addEventListener("change", show));
  byId("topics").addEventListener("measure", (event) => { measure = event.detail; show(); });
  started.push(show);
}
