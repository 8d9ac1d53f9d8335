// Topics: a dot plot, lists and a table under the measure that is chosen.
{
  const data = numbers.topics;
  const written = (value) => Number.isNaN(value) ? "–" : value !== 0 && Math.abs(value) < 5e-5 ? value.toExponential(1) : value.toFixed(4);
  const orders = {
    hard: { label: "hardest first", field: 0, sign: 1, said: "with the worst medians" },
    easy: { label: "easiest first", field: 0, sign: -1, said: "with the best medians" },
    wide: { label: "widest apart first", field: 3, sign: -1, said: "with the largest spreads" },
    contrary: { label: "most contrary first", field: 4, sign: 1, said: "with the lowest tau" },
    given: { label: "as in the judgments", said: "that come first" },
  };
  const chosen = { order: "hard", rows: data.rows, system: -1 };
  const at = () => data.measures.findIndex((each) => each.name === state.measure);
  const measure = () => data.measures[at()];
  const score = (system, topic) => arrays.topics.scores[(at() * data.systems.length + system) * data.every + topicAt(topic)];
  const fact = (topic, field) => arrays.topics.facts[(at() * data.topics.length + topic) * 5 + field];
  const places = (several) => several.map((_, place) => place);

  const opener = (topic) => element("button", { type: "button", class: "topic", "data-topic": topic, onclick: () => openTopic(topic) }, data.topics[topic]);

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
      const marked = (kind, value, systems) => ({ kind, topic: data.topics[topic], place: topic, row, score: value, systems });
      if (found.length) found.push(marked("median", fact(topic, 0), "median of all"));
      const own = chosen.system < 0 ? NaN : score(chosen.system, topic);
      if (!Number.isNaN(own)) found.push(marked("marked", own, data.systems[chosen.system]));
      return found;
    });
    const spec = structuredClone(charts["topics-dots"]);
    const present = new Set(values.map((value) => value.kind));
    spec.data.values = values;
    spec.height = 17 * topics.length;
    spec.layer = spec.layer.filter((layer) => present.has(layer.name));
    if (!spec.layer.length) return;
    spec.description = `Scores of ${counted(data.systems.length, "system")} under ${measure().name} on the ${counted(topics.length, "topic")} ${orders[chosen.order].said}, of ${data.topics.length}.`;
    spec.layer.forEach((layer) => { layer.encoding.x.title = `${measure().name}${measure().lower ? ", lower is better" : ""}`; });
    const then = (view) => view.addEventListener("click", (_, item) => { if (item?.datum?.place !== undefined) openTopic(item.datum.place); });
    await draw(byId("topics-dots"), spec, { renderer: "canvas", then });
  };

  let drawing = Promise.resolve(); // one drawing after the other
  const drawDots = () => { drawing = drawing.then(drawNow); return drawing; };

  const fillLists = () => all("#topics-lists [data-list]").forEach((list) => {
    const items = measure().lists[list.dataset.list];
    list.replaceChildren(...items.map((item) => element("li", {}, opener(item.place), `: ${item.words}`)));
    if (!items.length) list.append(element("li", {}, "none"));
  });

  /** The scores of both systems and their difference, worst for the first on top. */
  const fillPair = (row, topic) => {
    const [a, b] = data.pair;
    const [one, other] = [score(a, topic), score(b, topic)];
    const cells = { first: one, second: other, difference: one - other };
    for (const [name, value] of Object.entries(cells)) {
      const cell = row.querySelector(`[data-shown="${name}"]`);
      const unit = name !== "difference" || measure().unit;
      cell.textContent = name === "difference" ? (Number.isNaN(value) ? "–" : unit ? fixed(value, 4, "+") : value > 0 ? "higher" : value < 0 ? "lower" : "equal") : written(value);
      cell.dataset.value = Number.isNaN(value) ? "" : value;
    }
    return (measure().lower ? -1 : 1) * (one - other);
  };
  const fillTable = () => {
    const table = byId("topics-table");
    const rows = [...table.tBodies[0].rows].sort((a, b) => a.dataset.topic - b.dataset.topic);
    const leads = new Map();
    rows.forEach((row, topic) => {
      if (data.two) { leads.set(row, fillPair(row, topic)); return; }
      measure().texts[topic].forEach((text, field) => {
        const cell = row.querySelector(`[data-fact="${field}"]`);
        cell.textContent = text;
        if (field < 5) cell.dataset.value = text === "–" ? "" : fact(topic, field);
      });
    });
    if (data.two) rows.sort((one, other) => (Number.isNaN(leads.get(one)) - Number.isNaN(leads.get(other))) || leads.get(one) - leads.get(other) || 0);
    all("[aria-sort]", table).forEach((heading) => heading.removeAttribute("aria-sort"));
    table.tBodies[0].append(...rows);
    table.dispatchEvent(new Event("sorted"));
  };

  const fill = () => {
    all("#topics [data-says='measure']").forEach((place) => { place.textContent = measure().name; });
    const note = byId("topics-note");
    if (note) { note.textContent = measure().note; note.hidden = !measure().note; }
    fillLists();
    fillTable();
    if (drawn.has(byId("topics-dots"))) drawDots();
  };

  const choice = (label, options, value, change) => element("label", {}, label,
    element("select", { onchange: (event) => change(event.target.value) }, ...options.map(([key, text]) => element("option", { value: key, selected: String(key) === String(value) }, text))));
  const makeControls = () => {
    const rows = [[data.rows, `first ${data.rows}`], [0, `all ${data.topics.length}`]];
    byId("topics-dots").parentElement.before(element("div", { class: "controls" },
      choice("Order of topics", Object.entries(orders).map(([key, each]) => [key, each.label]), chosen.order, (value) => { chosen.order = value; drawDots(); }),
      data.topics.length > data.rows ? choice("Shown", rows, data.rows, (value) => { chosen.rows = Number(value); drawDots(); }) : null,
      choice("Mark a system", [[-1, "none"], ...data.systems.map((name, place) => [place, name])], -1, (value) => { chosen.system = Number(value); drawDots(); })));
  };

  onChoice((changed) => { if (changed.includes("measure")) { forgetSort(byId("topics-table")); fill(); } });
  started.push(() => {
    all("#topics span.topic").forEach((place) => place.replaceWith(opener(Number(place.dataset.topic))));
    if (byId("topics-dots")) { makeControls(); whenNear(byId("topics-dots"), drawDots); }
    if (data.two || state.measure !== usual.measure) fill();
    sortAgain(byId("topics-table"));
  });
}
