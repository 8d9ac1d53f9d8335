// The rankings behind a topic: what each system returned, with grades and documents, and what moved between two of them.
const openTopic = (() => {
  const data = numbers.topics;
  const dialog = byId("topic");
  const measureAt = () => data.measures.findIndex((each) => each.name === state.measure);
  const measure = () => data.measures[measureAt()];
  const score = (system, topic) => arrays.topics.scores[(measureAt() * data.systems.length + system) * data.every + topicAt(topic)];
  const ranks = [...Array(data.ranks).keys()];
  const isPair = data.systems.length > 1;
  const pairNow = () => {
    const at = (name, other) => { const found = data.systems.indexOf(name); return found < 0 ? other : found; };
    return [at(state.first, data.pair[0]), at(state.second, data.pair[1])];
  };
  let now = -1;
  let documents = null; // names of documents by topic, unpacked at the first look

  // What can stand at a rank: a grade, or one of three kinds of nothing known.
  const kinds = { "-1": ["unjudged", "·"], "-2": ["nothing", ""], "-3": ["pooled", "?"] };
  const gradeName = (cell) => data.grades?.names[cell] ?? String(cell);
  const gradeWords = (cell) => (cell >= 0 ? `grade ${gradeName(cell)}` : { "-1": "unjudged", "-3": "pooled, not assessed" }[cell] ?? "nothing");
  const cellOf = (cell) => {
    // of long grades such as 0.375 the shade alone is shown, and the grade itself in the tip
    const short = gradeName(cell).replace(/^0\./, ".");
    const made = element("span", {}, kinds[cell]?.[1] ?? (short.length > 2 ? "" : short));
    made.className = kinds[cell]?.[0] ?? (cell === 0 ? "zero" : cell === data.top ? "full" : "part");
    if (made.className === "part") made.style.setProperty("--share", `${10 + Math.round(44 * (data.grades?.shares[cell] ?? cell / data.top))}%`);
    return made;
  };
  const cellsOf = (system, topic) => {
    const start = (system * data.topics.length + topic) * data.ranks;
    return [...arrays.topics.cells.subarray(start, start + data.ranks)];
  };
  const documentsOf = (system, topic) => {
    if (!documents) return [];
    const start = (system * data.topics.length + topic) * data.ranks;
    const none = arrays.topics.documents instanceof Uint16Array ? 65535 : -1;
    return [...arrays.topics.documents.subarray(start, start + data.ranks)].map((place) => (place === none ? null : documents[topic][place]));
  };
  const spoken = (cells) => {
    const end = cells.findLastIndex((cell) => cell !== -2) + 1;
    const words = cells.slice(0, end).map((cell) => kinds[cell]?.[0] ?? gradeName(cell));
    return end ? `grades ${words.join(" ")}${end < cells.length ? ", then nothing" : ""}` : "nothing";
  };

  const nameOf = (system) => [element("span", { class: "dot", style: `background: ${colourOf(system)}` }), data.systems[system]];
  const stripRow = (system, topic, place) => {
    const cells = cellsOf(system, topic);
    const names = documentsOf(system, topic);
    const strip = element("div", { class: "strip", role: "img", "aria-label": `${data.systems[system]}: ${spoken(cells)}` }, ...cells.map(cellOf));
    cells.forEach((cell, rank) => { if (cell !== -2) strip.children[rank].dataset.tip = `rank ${rank + 1}${names[rank] ? `, ${names[rank]}` : ""}: ${gradeWords(cell)}`; });
    const end = measure().cutoff;
    if (end && end < cells.length) strip.children[end - 1].classList.add("end");
    return element("tr", { class: isPair && pairNow().includes(system) ? "looked" : null },
      element("th", { scope: "row", title: data.systems[system] }, ...nameOf(system)),
      element("td", { class: "n" }, String(place + 1)),
      element("td", { class: "n" }, fixed(score(system, topic), 4)),
      element("td", {}, strip));
  };

  /** The systems, best score on a topic first; those that tie as they stand over all topics. */
  const bestFirst = (topic) => {
    const sign = measure().lower ? 1 : -1;
    const key = (system) => { const value = sign * score(system, topic); return Number.isNaN(value) ? Infinity : value; };
    return [...measure().order].sort((a, b) => (key(a) === key(b) ? 0 : key(a) - key(b)));
  };

  const legend = (present) => {
    const every = [...Array(data.top + 1).keys()];
    // of many grades some stand for all
    const few = every.length <= 8 ? every : every.filter((grade) => grade % Math.ceil(data.top / 6) === 0 || grade === data.top);
    const entries = few.map((grade) => [grade, gradeWords(grade)]);
    entries.push([-1, "unjudged"]);
    if (present.has(-3)) entries.push([-3, "pooled, not assessed"]);
    if (present.has(-2)) entries.push([-2, "nothing returned"]);
    return element("ul", { class: "legend" }, ...entries.map(([cell, said]) => element("li", {}, element("span", { class: "strip", "aria-hidden": "true" }, cellOf(cell)), ` ${said}`)));
  };

  // What moved from the second system to the first, within the ranks that the measure sees.
  const looked = () => Math.min(measure().cutoff ?? data.ranks, data.ranks);
  const moves = (topic) => {
    const [a, b] = pairNow();
    const [mine, theirs] = [a, b].map((system) => new Map(documentsOf(system, topic).flatMap((name, rank) => (name === null ? [] : [[name, rank]]))));
    const [cellsA, cellsB] = [cellsOf(a, topic), cellsOf(b, topic)];
    const end = looked();
    const found = { in: [], out: [], up: [], down: [], same: [] };
    mine.forEach((rank, name) => {
      const before = theirs.get(name) ?? Infinity;
      if (rank >= end) return;
      found[before >= end ? "in" : before > rank ? "up" : before < rank ? "down" : "same"].push(cellsA[rank]);
    });
    theirs.forEach((rank, name) => { if (rank < end && (mine.get(name) ?? Infinity) >= end) found.out.push(cellsB[rank]); });
    return found;
  };
  const gradesOf = (cells) => {
    const counts = new Map();
    [...cells].sort((x, y) => y - x).forEach((cell) => counts.set(cell, (counts.get(cell) ?? 0) + 1));
    return [...counts].map(([cell, count]) => (cell >= 0 ? `${count} of grade ${gradeName(cell)}` : `${count} ${gradeWords(cell)}`)).join(", ");
  };
  const movedWords = (topic) => {
    const [a, b] = pairNow();
    const found = moves(topic);
    const parts = [["in", "new", "came in"], ["out", "gone", "went out"]].filter(([kind]) => found[kind].length).map(([kind, , said]) => `${counted(found[kind].length, "document")} ${said} (${gradesOf(found[kind])})`);
    for (const [kind, said] of [["up", "moved up"], ["down", "moved down"], ["same", "stayed"]]) if (found[kind].length) parts.push(`${found[kind].length} ${said}`);
    return `From ${data.systems[b]} to ${data.systems[a]}, in the first ${looked()} ranks: ${parts.join("; ") || "nothing was returned"}.`;
  };
  const documentTable = (topic) => {
    const [a, b] = pairNow();
    const [mine, theirs] = [a, b].map((system) => documentsOf(system, topic));
    const [cellsA, cellsB] = [cellsOf(a, topic), cellsOf(b, topic)];
    const moved = (rank, other) => (other < 0 ? "new" : other > rank ? `▲ ${other - rank}` : other < rank ? `▼ ${rank - other}` : "=");
    const side = (names, cells, others, rank, own) => (names[rank] === null ? [element("td", {}), element("td", {}), element("td", {})] : [
      element("td", { class: "name" }, names[rank]), element("td", {}, element("span", { class: "strip" }, cellOf(cells[rank])), gradeName(cells[rank]).length > 3 && cells[rank] >= 0 ? ` ${gradeName(cells[rank])}` : ""),
      element("td", { class: "n move" }, own ? moved(rank, others.indexOf(names[rank])) : others.indexOf(names[rank]) < 0 ? "gone" : String(others.indexOf(names[rank]) + 1))]);
    const last = ranks.filter((rank) => mine[rank] !== null || theirs[rank] !== null).length;
    const end = measure().cutoff;
    const rows = ranks.slice(0, last).map((rank) => element("tr", { class: end && rank + 1 === end ? "end" : null }, element("th", { scope: "row", class: "n" }, String(rank + 1)), ...side(mine, cellsA, theirs, rank, true), ...side(theirs, cellsB, mine, rank, false)));
    const table = element("table", { class: "documents", "data-name": `topic-${data.topics[topic]}` },
      element("caption", {}, `▲ and ▼: how many ranks a document of ${data.systems[a]} stands above or below where ${data.systems[b]} has it; new: not in the first ${data.ranks} of ${data.systems[b]}.`),
      element("thead", {}, element("tr", {}, ...["rank", data.systems[a], "grade", "moved", data.systems[b], "grade", `rank in ${data.systems[a]}`].map((text, at) => element("th", { scope: "col", class: [0, 3, 6].includes(at) ? "n" : null }, text)))),
      element("tbody", {}, ...rows));
    return table;
  };

  const fill = () => {
    const topic = now;
    const name = measure().name;
    const end = measure().cutoff;
    const heads = element("div", { class: "strip ranks", "aria-hidden": "true" }, ...ranks.map((place) => element("span", {}, place === 0 || place % 5 === 4 ? String(place + 1) : "")));
    const head = element("tr", {}, ...["system", "#", name].map((text, place) => element("th", { scope: "col", class: place === 0 ? null : "n" }, text)), element("th", { scope: "col" }, element("span", { class: "unseen" }, "grades by rank"), heads));
    const best = bestFirst(topic);
    const place = new Map(best.map((system, at) => [system, at]));
    const stripsOf = (systems) => element("div", { class: "scroll", tabindex: "0" }, element("table", { class: "strips" }, element("thead", {}, head.cloneNode(true)), element("tbody", {}, ...systems.map((system) => stripRow(system, topic, place.get(system))))));
    const looks = !end ? `${name} looks at all ranks.` : end > data.ranks ? `${name} looks at ranks down to ${end.toLocaleString("en")}.` : end < data.ranks ? `${name} looks no further than the line after rank ${end}.` : "";
    const present = new Set(data.systems.flatMap((_, system) => cellsOf(system, topic)));
    byId("topic-title").textContent = `Topic ${topicWords(topic)}`;
    byId("topic-which").value = topic;
    const several = data.systems.length > 2;
    const which = several ? "the two systems" : isPair ? "both systems" : "the system";
    const parts = [element("p", { class: "quiet" }, `The first ${counted(data.ranks, "rank")} of ${which}, best ${name} first${measure().lower ? " (lower is better)" : ""}. ${looks}`), legend(present), stripsOf(several ? best.filter((system) => pairNow().includes(system)) : best)];
    if (isPair && documents) parts.push(element("h3", {}, "What moved"), element("p", { id: "topic-moved" }, movedWords(topic)), element("div", { class: "scroll", tabindex: "0" }, documentTable(topic)));
    else if (isPair) parts.push(element("p", { class: "quiet" }, "Which documents these are was not kept."));
    if (several) parts.push(element("h3", {}, `All ${data.systems.length} systems`), stripsOf(best));
    byId("topic-content").replaceChildren(...parts);
    all("#topic-content table").forEach(tableTools);
  };
  const go = async (topic, { kept = false } = {}) => {
    now = topic;
    choose({ topic: data.topics[now] }, { kept });
    if (data.documents && !documents) documents = await readText("topics", "documents");
    fill();
  };
  /** Go to the next topic, from that on which the first of two systems is worst to that on which it is best. */
  const step = (by) => { const order = topicsInOrder(); const at = order.indexOf(now); go(order[(at + by + order.length) % order.length]); };
  const which = element("select", { id: "topic-which", onchange: (event) => go(Number(event.target.value)) }, ...data.topics.map((name, place) => element("option", { value: place }, name)));
  dialog.append(
    element("div", { class: "head" }, element("h2", { id: "topic-title" }), element("button", { type: "button", class: "close", "aria-label": "Close", onclick: () => dialog.close() }, "✕")),
    element("div", { class: "controls" }, element("button", { type: "button", onclick: () => step(-1) }, "‹ Previous topic"), element("label", {}, "Topic", which), element("button", { type: "button", onclick: () => step(1) }, "Next topic ›")),
    element("div", { id: "topic-content" }));
  // the way back leads to the page without the topic
  let pushed = false;
  let returned = null; // going back takes a moment, in which another topic must not be opened
  dialog.addEventListener("close", () => {
    now = -1;
    if (!pushed || !state.topic) { choose({ topic: "" }); return; }
    pushed = false;
    state.topic = "";
    returned = new Promise((done) => { window.addEventListener("popstate", done, { once: true }); setTimeout(done, 500); });
    history.back();
  });
  window.addEventListener("popstate", () => { if (dialog.open && !location.hash.includes("topic=")) { pushed = false; state.topic = ""; dialog.close(); } });
  dialog.addEventListener("click", (event) => { if (event.target === dialog) dialog.close(); }); // beside it
  onChoice((changed) => { if (now >= 0 && changed.some((name) => ["measure", "first", "second"].includes(name))) fill(); });
  const open = async (topic, { kept = true } = {}) => {
    await returned;
    await go(topic, { kept: kept && !dialog.open });
    pushed ||= kept;
    if (!dialog.open) dialog.showModal();
    dialog.scrollTop = 0;
  };
  const openNamed = () => {
    const name = location.hash.includes("=") ? new URLSearchParams(location.hash.slice(1)).get("topic") : null;
    const named = data.topics.indexOf(name);
    if (named >= 0 && named !== now) open(named, { kept: false });
  };
  started.push(openNamed);
  window.addEventListener("hashchange", openNamed);
  return open;
})();
