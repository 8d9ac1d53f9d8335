// Topics: a choice of measure for all that is said of them, a dot plot, and the judged rankings of one.
{
  const data = numbers.topics;
  const many = (count, thing) => `${count.toLocaleString("en")} ${thing}${count === 1 ? "" : "s"}`;
  const written = (value) => Number.isNaN(value) ? "–" : value !== 0 && Math.abs(value) < 5e-5 ? value.toExponential(1) : value.toFixed(4);
  const orders = {
    hard: { label: "hardest first", field: 0, sign: 1, said: "with the worst medians" },
    easy: { label: "easiest first", field: 0, sign: -1, said: "with the best medians" },
    wide: { label: "widest apart first", field: 3, sign: -1, said: "with the largest spreads" },
    contrary: { label: "most contrary first", field: 4, sign: 1, said: "with the lowest tau" },
    given: { label: "as in the judgments", said: "that come first" },
  };
  const chosen = { measure: 0, order: "hard", rows: data.rows, system: -1, topic: -1 };
  const measure = () => data.measures[chosen.measure];
  const score = (system, topic) => arrays.topics.scores[(chosen.measure * data.systems.length + system) * data.topics.length + topic];
  const fact = (topic, field) => arrays.topics.facts[(chosen.measure * data.topics.length + topic) * 5 + field];
  const places = (several) => several.map((_, place) => place);

  const opener = (topic) => element("button", { type: "button", class: "topic", "data-topic": topic, onclick: () => open(topic) }, data.topics[topic]);

  const inOrder = () => {
    const order = orders[chosen.order];
    const topics = places(data.topics);
    if (order.field === undefined) return topics;
    const sign = order.field === 0 && measure().lower ? -order.sign : order.sign;
    const key = (topic) => { const value = sign * fact(topic, order.field); return Number.isNaN(value) ? Infinity : value; };
    return topics.sort((a, b) => (key(a) === key(b) ? a - b : key(a) - key(b)));
  };

  /** One dot for all systems of a topic that have one score. */
  const dotsOf = (topic, row) => {
    const by = new Map();
    for (const system of places(data.systems)) {
      const value = score(system, topic);
      if (!Number.isNaN(value)) by.set(value, [...by.get(value) ?? [], data.systems[system]]);
    }
    return [...by].map(([value, names]) => ({
      kind: "dots", topic: data.topics[topic], place: topic, row, score: value, count: names.length,
      systems: names.length > 6 ? `${names.slice(0, 5).join(", ")} and ${names.length - 5} others` : names.join(", "),
    }));
  };

  const drawNow = async () => {
    const topics = inOrder().slice(0, chosen.rows || undefined);
    const values = topics.flatMap((topic, row) => {
      const found = dotsOf(topic, row);
      const at = (kind, value, systems) => ({ kind, topic: data.topics[topic], place: topic, row, score: value, systems });
      if (found.length) found.push(at("median", fact(topic, 0), "median of all"));
      const marked = chosen.system < 0 ? NaN : score(chosen.system, topic);
      if (!Number.isNaN(marked)) found.push(at("marked", marked, data.systems[chosen.system]));
      return found;
    });
    const spec = structuredClone(charts["topics-dots"]);
    const present = new Set(values.map((value) => value.kind));
    spec.data.values = values;
    spec.height = 17 * topics.length;
    spec.layer = spec.layer.filter((layer) => present.has(layer.name));
    if (!spec.layer.length) return;
    spec.description = `Scores of ${many(data.systems.length, "system")} under ${measure().name} on the ${many(topics.length, "topic")} ${orders[chosen.order].said}, of ${data.topics.length}.`;
    spec.layer.forEach((layer) => { layer.encoding.x.title = `${measure().name}${measure().lower ? ", lower is better" : ""}`; });
    const then = (view) => view.addEventListener("click", (_, item) => { if (item?.datum?.place !== undefined) open(item.datum.place); });
    await draw(byId("topics-dots"), spec, { renderer: "canvas", then });
  };

  let drawing = Promise.resolve(); // one drawing after the other
  const drawDots = () => { drawing = drawing.then(drawNow); return drawing; };

  const fillLists = () => all("#topics-lists [data-list]").forEach((list) => {
    const items = measure().lists[list.dataset.list];
    list.replaceChildren(...items.map((item) => element("li", {}, opener(item.place), `: ${item.words}`)));
    if (!items.length) list.append(element("li", {}, "none"));
  });

  const fillTable = () => {
    const table = byId("topics-table");
    const rows = [...table.tBodies[0].rows].sort((a, b) => a.dataset.topic - b.dataset.topic);
    rows.forEach((row, topic) => measure().texts[topic].forEach((text, field) => {
      const cell = row.cells[3 + field];
      cell.textContent = text;
      if (field < 5) cell.dataset.value = text === "–" ? "" : fact(topic, field);
    }));
    all("[aria-sort]", table).forEach((heading) => heading.removeAttribute("aria-sort"));
    table.tBodies[0].append(...rows);
    table.dispatchEvent(new Event("sorted"));
  };

  const fill = async () => {
    all("#topics [data-says='measure']").forEach((place) => { place.textContent = measure().name; });
    byId("topics-note").textContent = measure().note;
    byId("topics-note").hidden = !measure().note;
    fillLists();
    fillTable();
    if (chosen.topic >= 0) showRankings();
    byId("topics").dispatchEvent(new CustomEvent("measure", { detail: chosen.measure }));
    await drawDots();
  };

  // What can stand at a rank: a grade, or one of three kinds of nothing known.
  const kinds = { "-1": ["unjudged", "·"], "-2": ["nothing", ""], "-3": ["pooled", "?"] };
  const cellOf = (cell) => {
    const made = element("span", {}, kinds[cell]?.[1] ?? String(cell));
    made.className = kinds[cell]?.[0] ?? (cell === 0 ? "zero" : cell === data.top ? "full" : "part");
    if (made.className === "part") made.style.setProperty("--share", `${15 + Math.round((30 * cell) / data.top)}%`);
    return made;
  };
  const cellsOf = (system, topic) => {
    const start = (system * data.topics.length + topic) * data.ranks;
    return [...arrays.topics.cells.subarray(start, start + data.ranks)];
  };
  const spoken = (cells) => {
    const end = cells.findLastIndex((cell) => cell !== -2) + 1;
    const words = cells.slice(0, end).map((cell) => kinds[cell]?.[0] ?? cell);
    return end ? `grades ${words.join(" ")}${end < cells.length ? ", then nothing" : ""}` : "nothing";
  };

  const stripRow = (system, topic, place) => {
    const cells = cellsOf(system, topic);
    const strip = element("div", { class: "strip", role: "img", "aria-label": `${data.systems[system]}: ${spoken(cells)}` }, ...cells.map(cellOf));
    const end = measure().cutoff;
    if (end && end < cells.length) strip.children[end - 1].classList.add("end");
    return element("tr", {},
      element("td", { class: "n" }, String(place + 1)),
      element("th", { scope: "row", title: data.systems[system] }, data.systems[system]),
      element("td", { class: "n" }, written(score(system, topic))),
      element("td", {}, strip));
  };

  /** The systems, best score on a topic first; those that tie as they stand over all topics. */
  const bestFirst = (topic) => {
    const sign = measure().lower ? 1 : -1;
    const key = (system) => { const value = sign * score(system, topic); return Number.isNaN(value) ? Infinity : value; };
    return [...measure().order].sort((a, b) => (key(a) === key(b) ? 0 : key(a) - key(b)));
  };

  const legend = (present) => {
    const entries = places([...Array(data.top + 1)]).map((grade) => [grade, `grade ${grade}`]);
    entries.push([-1, "unjudged"]);
    if (present.has(-3)) entries.push([-3, "pooled, not assessed"]);
    if (present.has(-2)) entries.push([-2, "nothing returned"]);
    return element("ul", { class: "legend" }, ...entries.map(([cell, said]) => element("li", {}, element("span", { class: "strip", "aria-hidden": "true" }, cellOf(cell)), ` ${said}`)));
  };

  const showRankings = () => {
    const topic = chosen.topic;
    const name = measure().name;
    const end = measure().cutoff;
    const ranks = element("div", { class: "strip ranks", "aria-hidden": "true" }, ...places([...Array(data.ranks)]).map((place) => element("span", {}, place === 0 || place % 5 === 4 ? String(place + 1) : "")));
    const head = element("tr", {}, ...["", "system", name].map((text, place) => element("th", { scope: "col", class: place === 1 ? null : "n" }, text)), element("th", { scope: "col" }, element("span", { class: "unseen" }, "grades by rank"), ranks));
    const rows = bestFirst(topic).map((system, place) => stripRow(system, topic, place));
    const looked = !end ? `${name} looks at all ranks.` : end > data.ranks ? `${name} looks at ranks down to ${end.toLocaleString("en")}.` : end < data.ranks ? `${name} looks no further than the line after rank ${end}.` : "";
    const present = new Set(places(data.systems).flatMap((system) => cellsOf(system, topic)));
    const caption = element("p", { class: "quiet", id: "topics-strips-said" }, `The first ${many(data.ranks, "rank")} of each system on topic ${data.topics[topic]}, best ${name} there first. ${looked}`);
    byId("topics-strips").replaceChildren(caption, legend(present), element("div", { class: "scroll" }, element("table", { class: "strips", "aria-describedby": "topics-strips-said" }, element("thead", {}, head), element("tbody", {}, ...rows))));
    byId("topics-rankings-title").textContent = `Rankings on topic ${data.topics[topic]}`;
    byId("topics-which").value = topic;
  };

  const go = (topic) => {
    chosen.topic = (topic + data.topics.length) % data.topics.length;
    history.replaceState(null, "", `#topic=${encodeURIComponent(data.topics[chosen.topic])}`);
    showRankings();
  };

  let from = null; // where the reader came from
  const open = (topic) => {
    from = document.activeElement;
    byId("topics-rankings").hidden = false;
    go(topic);
    byId("topics-rankings").scrollIntoView({ block: "start" });
    byId("topics-rankings-title").focus({ preventScroll: true });
  };
  const close = () => {
    byId("topics-rankings").hidden = true;
    chosen.topic = -1;
    history.replaceState(null, "", "#topics");
    if (from?.isConnected) from.focus();
  };

  const choice = (label, options, value, change) => element("label", {}, label,
    element("select", { onchange: (event) => change(event.target.value) }, ...options.map(([key, text]) => element("option", { value: key, selected: String(key) === String(value) }, text))));

  const makeControls = () => {
    const numbered = (names) => names.map((name, place) => [place, name]);
    const rows = [[data.rows, `first ${data.rows}`], [0, `all ${data.topics.length}`]];
    byId("topics-controls").append(element("div", { class: "controls" },
      choice("Measure", numbered(data.measures.map((each) => each.name)), 0, (value) => { chosen.measure = Number(value); fill(); })));
    byId("topics-dots").parentElement.before(element("div", { class: "controls" },
      choice("Order of topics", Object.entries(orders).map(([key, each]) => [key, each.label]), chosen.order, (value) => { chosen.order = value; drawDots(); }),
      data.topics.length > data.rows ? choice("Shown", rows, data.rows, (value) => { chosen.rows = Number(value); drawDots(); }) : null,
      choice("Mark a system", [[-1, "none"], ...numbered(data.systems)], -1, (value) => { chosen.system = Number(value); drawDots(); })));
  };

  const makeRankings = () => {
    const which = element("select", { id: "topics-which", onchange: (event) => go(Number(event.target.value)) }, ...data.topics.map((name, place) => element("option", { value: place }, name)));
    byId("topics-rankings").append(
      element("h3", { id: "topics-rankings-title", tabindex: "-1" }),
      element("div", { class: "controls" },
        element("button", { type: "button", onclick: () => go(chosen.topic - 1) }, "‹ Previous topic"),
        element("label", {}, "Topic", which),
        element("button", { type: "button", onclick: () => go(chosen.topic + 1) }, "Next topic ›"),
        element("button", { type: "button", onclick: close }, "Close")),
      element("div", { id: "topics-strips" }));
    byId("topics-rankings").addEventListener("keydown", (event) => { if (event.key === "Escape") close(); });
  };

  const openNamed = () => {
    const wanted = location.hash.match(/^#topic=(.*)$/)?.[1];
    const named = data.topics.findIndex((name) => wanted === name || wanted === encodeURIComponent(name));
    if (named >= 0) open(named);
  };

  started.push(async () => {
    all("#topics span.topic").forEach((place) => place.replaceWith(opener(Number(place.dataset.topic))));
    makeControls();
    makeRankings();
    await drawDots();
    openNamed();
    window.addEventListener("hashchange", openNamed);
  });
}
