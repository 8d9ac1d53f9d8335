// The answer: the leaderboard under the measure that is chosen, and the two systems that the reader looks at.
const colourOf = (system) => { const colour = numbers.answer.colours[system]; return colour === null || colour === undefined ? "var(--other)" : `var(--s${colour})`; };
const topicAt = (topic) => numbers.topics.places?.[topic] ?? topic; // among all topics, where not all are listed
let topicsInOrder = () => numbers.topics.topics.map((_, topic) => topic);
const choosePair = (a, b) => { if (a !== b && numbers.answer.layout === "many") choose({ first: comparing.systems[a], second: comparing.systems[b] }); };
const topicWords = (topic) => { const text = numbers.topics.queries?.[topic]; return text ? `${numbers.topics.topics[topic]}: ${text}` : numbers.topics.topics[topic]; };

if (byId("board")) {
  const board = byId("board");
  const fill = () => {
    const place = numbers.topics.measures.findIndex((each) => each.name === state.measure);
    const shown = numbers.answer.board[place];
    all("#answer [data-says='measure']").forEach((each) => { each.textContent = shown.measure; });
    all("#answer [data-says='statistic']").forEach((each) => { each.textContent = each.closest("p") ? upper(shown.statistic) : shown.statistic; });
    all("[data-measure]", board).forEach((cell) => { cell.hidden = cell.dataset.measure === shown.measure; });
    const now = comparing?.chosen();
    const says = now && { test: comparing.own.tests[now.test].words, correction: comparing.own.tukey.includes(now.test) ? "Tukey" : now.method === "none" ? "no correction" : comparing.own.methods[now.method] };
    for (const [name, text] of Object.entries(says ?? {})) all(`#answer [data-says='${name}']`).forEach((each) => { each.textContent = text; });
    const significant = now && comparing.significantOf(now.kind, now.test, now.method);
    const reference = comparing?.baseline ?? shown.order[0];
    all("tbody tr", board).forEach((row) => {
      const at = Number(row.dataset.system);
      const cell = (name) => row.querySelector(`[data-shown="${name}"]`);
      const [low, middle, high] = shown.bars[at];
      cell("place").textContent = shown.places[at] ?? "–";
      cell("number").textContent = shown.numbers[at];
      const ends = !comparing || state.test === "paired_t" ? shown.intervals[at] : ""; // they are t intervals
      const difference = comparing && comparing.baseline === null ? shown.differences[at] : null;
      cell("interval").replaceChildren(...(difference === null ? [comparing ? element("small", {}, ends) : ends] : [difference, ...(ends ? [" ", element("small", {}, ends)] : [])]));
      cell("interval").dataset.cells = `${difference === null ? "" : `${difference}|`}${ends.split(" … ").join("|") || "|"}`;
      const bar = cell("bar").querySelector(".bar");
      if (bar) Object.entries({ "--mid": middle, "--low": ends ? low ?? middle : middle, "--high": ends ? high ?? middle : middle }).forEach(([name, value]) => bar.style.setProperty(name, `${value ?? 0}%`));
      if (!comparing) return;
      const differs = (other) => other !== at && significant(comparing.pairAt(at, other));
      const apart = differs(reference);
      if (comparing.baseline === null) row.classList.toggle("close", !apart);
      else againstBaseline(row, at, now, apart);
      if (cell("beats")) cell("beats").textContent = comparing.systems.filter((_, other) => differs(other) && comparing.aheadOf(now.kind, now.test, at, other) > 0).length;
      if (cell("letters")) cell("letters").textContent = shown.letters[at];
    });
    // letters are those of the test that was asked for
    const usualTest = ["test", "correction"].every((name) => state[name] === usual[name]);
    all("[data-shown='letters']").forEach((cell) => { cell.hidden = !usualTest; });
    board.tHead.querySelector("[data-shown='number']").dataset.sort = shown.lower ? "ascending" : "descending";
  };
  /** How a system compares with the baseline, by the measure, test and correction that are chosen. */
  const againstBaseline = (row, at, now, apart) => {
    const base = comparing.baseline;
    const ahead = at !== base && comparing.aheadOf(now.kind, now.test, at, base) > 0;
    row.classList.toggle("better", apart && ahead);
    row.classList.toggle("worse", apart && !ahead);
    const show = (name, text) => { row.querySelector(`[data-shown="${name}"]`).textContent = text; };
    show("says", at === base ? "baseline" : !apart ? "not separated" : ahead ? "better" : "worse");
    show("p", at === base ? "" : pWords(comparing.correctedOf(now.kind, now.test, now.method)[comparing.pairAt(at, base)]));
    show("difference", at === base ? "" : comparing.own.kinds[now.kind].means ? fixed(comparing.effectOf(now.kind, at, base).mean, 3, "+") : "–");
  };
  const order = () => {
    const place = numbers.topics.measures.findIndex((each) => each.name === state.measure);
    const rank = new Map(numbers.answer.board[place].order.map((system, at) => [system, at]));
    const rows = all("tbody tr", board).sort((one, other) => rank.get(Number(one.dataset.system)) - rank.get(Number(other.dataset.system)));
    board.tBodies[0].append(...rows);
    all("[aria-sort]", board).forEach((heading) => heading.removeAttribute("aria-sort"));
    board.dispatchEvent(new Event("sorted"));
  };
  onChoice((changed) => {
    if (changed.some((name) => ["measure", "test", "correction"].includes(name))) fill();
    if (changed.includes("measure")) { forgetSort(board); order(); }
  });
  started.push(() => {
    if (["measure", "test", "correction"].every((name) => state[name] === usual[name])) return;
    fill();
    order();
    sortAgain(board);
  });
  let before = null; // the system that was chosen first
  board.addEventListener("click", (event) => {
    const button = event.target.closest("button.system");
    if (!button) return;
    const at = Number(button.closest("tr").dataset.system);
    if (before === null || before === at) {
      before = before === at ? null : at;
      all("button.system", board).forEach((each) => each.setAttribute("aria-pressed", Number(each.closest("tr").dataset.system) === before));
      byId("board-hint").textContent = before === null ? "" : `${comparing.systems[at]} is chosen; choose a second system to compare the two.`;
      return;
    }
    choosePair(before, at);
    before = null;
    byId("board-hint").textContent = "";
    all("button.system", board).forEach((each) => each.setAttribute("aria-pressed", "false"));
    byId("pair-title").scrollIntoView({ block: "start" });
  });
}

if (byId("forest")) {
  const forest = byId("forest");
  forest.addEventListener("click", (event) => {
    const row = event.target.closest("tbody tr");
    if (row) choose({ measure: row.dataset.measure });
  });
  const fill = () => {
    const { own, correctedOf, significantOf, kindAt, aheadOf } = comparing;
    const [a] = numbers.answer.pair;
    const test = state.test;
    all("tbody tr", forest).forEach((row) => {
      const kind = kindAt(row.dataset.measure, "raw");
      const chosen = row.dataset.measure === state.measure;
      row.classList.toggle("chosen", chosen);
      row.querySelector("button").setAttribute("aria-pressed", chosen);
      const p = correctedOf(kind, test, "none")[0];
      const significant = significantOf(kind, test, "none")(0);
      row.querySelector("[data-shown='p']").textContent = pWords(p);
      const dot = row.querySelector(".dot");
      dot.className = `dot ${significant ? "sig" : "open"}`;
      dot.dataset.ahead = significant ? (aheadOf(kind, test, a, 1 - a) > 0 ? "first" : "second") : "";
      const whisker = row.querySelector(".whisker"); // the interval is that of the t test
      if (whisker) whisker.dataset.ahead = test === "paired_t" ? dot.dataset.ahead : "";
      all("[data-shown='interval']", row).forEach((cell) => { cell.hidden = test !== "paired_t"; });
    });
    forest.tHead.querySelector("[data-shown='p']").textContent = `p, ${own.tests[test].words}`;
    all("thead [data-shown='interval']", forest).forEach((cell) => { cell.hidden = test !== "paired_t"; });
    all("[data-shown='sign']", forest).forEach((cell) => { cell.hidden = test === "sign"; });
  };
  onChoice((changed) => { if (changed.some((name) => ["measure", "test"].includes(name))) fill(); });
  started.push(fill);
}

if (comparing && byId("pair")) {
  const { own, systems, pairAt, correctedOf, significantOf, scoresOf, effectOf, endsOf, powerSays, kindAt, measureAt } = comparing;
  const answer = numbers.answer;
  const topics = numbers.topics;
  const many = answer.layout === "many";
  const words = answer.tiles.words;
  const placeOf = (name, other) => { const found = systems.indexOf(name); return found < 0 ? other : found; };
  const pair = () => [placeOf(state.first, answer.pair[0]), placeOf(state.second, answer.pair[1])];
  const rawKind = () => kindAt(state.measure, "raw");
  const lower = () => own.kinds[rawKind()].lower;
  const byMeans = () => own.kinds[rawKind()].means;

  // Topic by topic: the difference of the two, worst for the first at the left.
  const barsOf = () => {
    const [a, b] = pair();
    const [x, y] = [scoresOf(rawKind(), a), scoresOf(rawKind(), b)];
    const unit = topics.measures[measureAt()].unit;
    const turn = lower() ? -1 : 1;
    return topics.topics.map((name, topic) => {
      const [one, other] = [x[topicAt(topic)], y[topicAt(topic)]];
      const lead = turn * (one - other);
      return { name, topic, one, other, lead, high: unit ? lead : Math.sign(lead) };
    }).filter((bar) => !Number.isNaN(bar.lead)).sort((one, other) => one.lead - other.lead || one.topic - other.topic);
  };
  const svg = (name, attributes, ...children) => {
    const made = document.createElementNS("http://www.w3.org/2000/svg", name);
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
    made.append(...children);
    return made;
  };
  const [WIDE, HIGH] = [1000, 200];
  const drawBars = () => {
    const [a, b] = pair();
    const bars = barsOf();
    const [first, second] = [systems[a], systems[b]];
    const most = Math.max(1e-12, ...bars.map((bar) => Math.max(0, bar.high)));
    const least = Math.max(1e-12, ...bars.map((bar) => Math.max(0, -bar.high)));
    const zero = (HIGH * most) / (most + least);
    const step = WIDE / Math.max(1, bars.length);
    const won = bars.filter((bar) => bar.lead > 0).length;
    const lost = bars.filter((bar) => bar.lead < 0).length;
    const tied = bars.length - won - lost;
    const drawing = svg("svg", { viewBox: `0 0 ${WIDE} ${HIGH}`, preserveAspectRatio: "none", role: "group", "aria-label": `${state.measure} of ${first} minus ${second} on ${counted(bars.length, "topic")}: ${first} is better on ${won}, ${second} on ${lost}, equal on ${tied}. Arrow keys go from topic to topic.` });
    bars.forEach((bar, place) => {
      const height = Math.max(1.2, (HIGH * Math.abs(bar.high)) / (most + least));
      const said = `Topic ${topicWords(bar.topic)}. ${first} ${fixed(bar.one, 4)}, ${second} ${fixed(bar.other, 4)}.`;
      const link = svg("a", { href: `#topic=${encodeURIComponent(bar.name)}`, "data-topic": bar.topic, "data-tip": said, "aria-label": said, tabindex: place === 0 ? "0" : "-1" },
        svg("rect", { class: "hit", x: place * step, y: 0, width: step, height: HIGH }),
        svg("rect", { class: "mark", x: place * step + step * 0.08, y: bar.high > 0 ? zero - height : zero, width: step * 0.84, height, style: `fill: ${bar.lead > 0 ? colourOf(a) : bar.lead < 0 ? colourOf(b) : "var(--grey)"}` }));
      drawing.append(link);
    });
    drawing.append(svg("line", { x1: 0, x2: WIDE, y1: zero, y2: zero, class: "zero" }));
    drawing.addEventListener("click", (event) => { const link = event.target.closest("a"); if (link) { event.preventDefault(); openTopic(Number(link.dataset.topic)); } });
    drawing.addEventListener("keydown", (event) => {
      const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
      const links = [...drawing.querySelectorAll("a")];
      const next = step && links[links.indexOf(document.activeElement) + step];
      if (!next) return;
      event.preventDefault();
      links.forEach((link) => link.setAttribute("tabindex", link === next ? "0" : "-1"));
      next.focus();
    });
    const unit = topics.measures[measureAt()].unit;
    const ends = unit ? [Math.max(0, ...bars.map((bar) => bar.high)), Math.min(0, ...bars.map((bar) => bar.high))].map((value) => fixed((lower() ? -1 : 1) * value, 3, "+")) : ["", ""];
    const save = element("button", { type: "button", onclick: () => saveDrawing(drawing, `topics-${state.measure}`, [`${state.measure}: ${first} minus ${second}, one bar a topic`, ...ends]) }, "Save SVG");
    const plot = element("div", { class: "plot" }, element("span", { class: "top" }, ends[0] === "0.000" ? "" : ends[0]), drawing, element("span", { class: "bottom" }, ends[1] === "0.000" ? "" : ends[1]));
    byId("bars").replaceChildren(
      element("figcaption", {}, element("span", { style: `--mark: ${colourOf(b)}` }, `← ${second} better: ${counted(lost, "topic")}`), element("span", {}, tied ? `equal: ${counted(tied, "topic")}` : ""), element("span", { style: `--mark: ${colourOf(a)}` }, `${first} better: ${counted(won, "topic")} →`)),
      plot, element("div", { class: "tools" }, save));
    byId("bars-said").textContent = `${state.measure}${lower() ? " (lower is better)" : ""}, ${unit ? `${first} minus ${second}` : `who is better, ${first} or ${second}`}, one bar a topic. Click a bar to see both rankings.`;
    listExtremes(bars, first, second);
    byId("bars").dataset.shown = [state.measure, first, second].join("|"); // tests wait for it
  };
  const listExtremes = (bars, first, second) => {
    const shown = 10;
    const item = (bar) => element("li", {}, element("button", { type: "button", class: "topic", onclick: () => openTopic(bar.topic) }, topicWords(bar.topic)), ` ${fixed(bar.other, 3)} → ${fixed(bar.one, 3)}`);
    const part = (title, found) => (found.length ? element("div", {}, element(many ? "h4" : "h3", {}, title), element("ol", {}, ...found.map(item))) : null);
    const worst = bars.filter((bar) => bar.lead < 0).slice(0, shown);
    const best = bars.filter((bar) => bar.lead > 0).slice(-shown).reverse();
    const title = (found, word) => `${found.length === 1 ? "The topic" : `The ${found.length} topics`} ${word} for ${first} (${second} → ${first})`;
    byId("extremes").replaceChildren(...[part(title(worst, "worst"), worst), part(title(best, "best"), best)].filter(Boolean));
  };

  // What would overturn it: from the card where there is one, else from the margins of all pairs.
  const times = (value) => (value === Infinity ? "∞" : value > 1 && value < 1.0005 ? "just over 1" : value < 1.095 ? String(Number(value.toPrecision(4))) : value < 1.995 ? String(Number(value.toPrecision(3))) : value > 1e6 ? ">1,000,000" : value < 9.95 ? value.toFixed(1) : Number(value.toPrecision(2)).toLocaleString("en"));
  const tone = (size, [good, unsure]) => (size >= good ? "good" : size > unsure ? "unsure" : "bad");
  const quickTiles = (a, b) => {
    const { tiles } = answer;
    const at = pairAt(a, b);
    const count = comparing.pairs;
    const value = (row) => arrays.answer.margins[(measureAt() * 5 + row) * count + at];
    const [drop, weights, kappa, unjudged, ties] = [0, 1, 2, 3, 4].map(value);
    const effect = effectOf(rawKind(), a, b);
    const p = correctedOf(rawKind(), state.test, "none")[at];
    const chance = Number.isNaN(p) ? "" : p <= tiles.chance[0] ? "good" : p <= tiles.chance[1] ? "unsure" : "bad";
    const unknown = (name) => ({ name: upper(name), number: "–", words: words[name].unknown ?? "", tone: "" });
    const found = [{ name: "Chance", number: Number.isNaN(p) ? "–" : pEquals(p), words: chance ? words.chance[chance] : "not tested", tone: chance, says: chanceSays(a, b, effect, p) }];
    const also = Number.isFinite(weights) ? words.topics.weights.replace("{times}", times(weights)) : "";
    found.push(drop === Infinity
      ? { name: "Topics", number: "none", words: words.topics.none, tone: "good" }
      : { name: "Topics", number: `${drop} of ${effect.count}`, words: `${words.topics.some.replace("{number}", drop)}${also}`, tone: tone(drop / effect.count, tiles.topics) });
    found.push(unknown("judgments"));
    found.push(Number.isNaN(unjudged) ? unknown("unjudged") : unjudged === Infinity
      ? { name: "Unjudged", number: "none", words: words.unjudged.none, tone: "good" }
      : { name: "Unjudged", number: unjudged.toLocaleString("en"), words: words.unjudged.some.replace("{number}", unjudged), tone: "" });
    const interval = answer.interval[measureAt()];
    const sure = tone(interval ? Infinity : kappa, tiles.scale);
    // where every topic has a scale of its own, some may count more than others
    const apart = answer.own_scales[measureAt()] && Number.isFinite(weights);
    found.push({
      name: "Scale", number: kappa < Infinity ? `× ${times(kappa)}` : apart ? `topics × ${times(weights)}` : "none",
      tone: (chance === "good" && !apart) || sure === "bad" ? sure : "unsure",
      words: kappa < Infinity
        ? `${interval ? words.scale.interval : apart ? words.scale.alike : ""}${words.scale.some.replace("{times}", times(kappa))}`
        : apart ? words.scale.apart.replace("{times}", times(weights)) : words.scale.none,
    });
    found.push(Number.isNaN(ties) ? unknown("ties") : ties > 1e-12
      ? { name: "Ties", number: "none", words: words.ties.none, tone: "good" }
      : { name: "Ties", number: "some", words: words.ties.some, tone: "unsure" });
    return found;
  };
  const chanceSays = (a, b, effect, p) => {
    const test = own.tests[state.test].words;
    if (Number.isNaN(p)) return ["Not tested: only pairs with the baseline are."];
    const said = [`${pEquals(p)} (${test}, ${counted(effect.count, "topic")}, this pair alone).`];
    if (byMeans()) said.push(...powerSays(rawKind(), state.test, state.correction, a, b, effect).map((text) => `${upper(text)}.`));
    return said;
  };
  let opened = null; // the tile whose certificate is shown
  const drawTiles = () => {
    const [a, b] = pair();
    const effect = effectOf(rawKind(), a, b);
    const means = byMeans() && effect.count > 0;
    const lead = effect.turn * effect.mean;
    const ahead = lead >= 0 ? a : b;
    const other = lead >= 0 ? b : a;
    const told = means && lead !== 0;
    for (const id of ["overturn", "overturn-said", "tiles", "tones"]) byId(id).hidden = !means;
    byId("certificate").hidden = true;
    if (!means) return;
    byId("overturn").textContent = told ? `What would overturn “${systems[ahead]} is ahead${many ? ` of ${systems[other]}` : ""} on ${state.measure}”?` : "What would overturn it?";
    byId("overturn-said").textContent = told ? `The smallest change of each assumption after which ${systems[other]} is level or ahead. Open a tile for what shows it.` : `Both have the same mean of ${state.measure}: there is nothing to overturn.`;
    const card = answer.cards[`${measureAt()}|${ahead}|${other}`];
    const [chance] = told ? quickTiles(ahead, other) : [];
    // the card is that of the test and correction that were asked for, or of the t test where that looks at all systems
    const asked = state.test === usual.test && state.correction === usual.correction && !own.tukey.includes(state.test);
    const tiles = !told ? [] : !card ? quickTiles(ahead, other) : asked ? card : [chance, ...card.slice(1)];
    byId("tones").hidden = !told;
    byId("tiles").replaceChildren(...tiles.map((tile, place) => {
      const made = element("button", { type: "button", class: "tile", "data-tone": tile.tone || "none", "aria-expanded": "false", "aria-controls": "certificate" },
        element("span", { class: "name" }, tile.name), element("b", {}, tile.number), element("small", {}, tile.words), element("span", { class: "unseen" }, ` (${{ good: "green", unsure: "amber", bad: "red" }[tile.tone] ?? "not known"})`));
      made.addEventListener("click", () => showCertificate(made, tile, ahead, other));
      return made;
    }));
    opened = null;
  };
  const inPython = (ahead, other) => `md.margins(judged, "${state.measure}", "${systems[ahead]}", "${systems[other]}")`;
  const showCertificate = (button, tile, ahead, other) => {
    const place = byId("certificate");
    const closing = opened === button;
    all(".tile").forEach((each) => each.setAttribute("aria-expanded", "false"));
    opened = closing ? null : button;
    place.hidden = closing;
    if (closing) return;
    button.setAttribute("aria-expanded", "true");
    const says = tile.says ?? [`${tile.number === "–" ? "" : `${upper(tile.words)}. `}In Python, ${inPython(ahead, other)} has it with a certificate.`];
    const parts = [element("h3", {}, tile.name), ...says.map((text) => element("p", {}, text))];
    if (tile.table) {
      const { rows, head } = tile.table;
      const numeric = head.map((text, at) => at > 0 && text !== "document" && rows.every((row) => /^[\d.–]+$/.test(row[at]))); // ids are names
      const table = element("table", { "data-name": `margin-${tile.name.toLowerCase()}` }, element("caption", {}, tile.table.title),
        element("thead", {}, element("tr", {}, ...head.map((text, at) => element("th", { scope: "col", class: numeric[at] ? "n" : null }, text)))),
        element("tbody", {}, ...rows.map((row) => element("tr", {}, ...row.map((text, at) => {
          const topic = at === 0 ? topics.topics.indexOf(text) : -1;
          return topic >= 0 ? element("td", {}, element("button", { type: "button", class: "topic", onclick: () => openTopic(topic) }, text)) : element("td", { class: numeric[at] ? "n" : "name" }, text);
        })))));
      const box = element("div", { class: "scroll" }, table);
      parts.push(box);
      place.replaceChildren(...parts);
      tableTools(table);
    } else place.replaceChildren(...parts);
  };

  // For which measures it holds, the strongest class first.
  const drawRungs = () => {
    const [a, b] = pair();
    const code = arrays.comparisons.levels[pairAt(a, b)];
    const who = (code >> 2) & 3; // of the two in the order of all systems
    const ahead = who ? [Math.min(a, b), Math.max(a, b)][who - 1] : null;
    const effect = effectOf(rawKind(), a, b);
    const first = ahead ?? (effect.turn * effect.mean >= 0 ? a : b);
    const other = first === a ? b : a;
    const card = answer.levels[`${first}|${other}`];
    const strength = who ? code & 3 : 0;
    const rungs = answer.level_names.map((level, place) => {
      const holds = strength >= 3 - place;
      const says = card ? card.rungs[place].says : holds ? (place === 2 && code & 16 ? "significant under every one" : "") : "";
      return rung(holds, [level.name, " ", element("small", {}, `(${level.known})`)], says, place === 1 && card?.reversing ? reversing(card.reversing) : null);
    });
    const here = own.measures.map((measure) => { const found = effectOf(kindAt(measure, "raw"), first, other); return { measure, lead: found.turn * found.mean }; });
    const agree = here.filter((each) => each.lead > 0);
    rungs.push(rung(agree.length === here.length, [`the mean of ${own.measures.join(", ")}`], agree.length === here.length ? `${agree.length} of ${here.length}` : `${agree.length} of ${here.length}; not ${here.filter((each) => each.lead <= 0).map((each) => each.measure).join(", ")}`));
    byId("holds").textContent = `For which measures is ${systems[first]} ahead${many ? ` of ${systems[other]}` : ""}?`;
    byId("rungs").replaceChildren(...rungs, ...(card?.about ?? []).map((text) => element("p", { class: "quiet" }, text)));
  };
  const rung = (holds, name, says, more = null) => element("div", { class: `rung ${holds ? "yes" : "no"}` },
    element("span", { class: "sign", "aria-hidden": "true" }, holds ? "✓" : "✗"), element("span", {}, element("span", { class: "unseen" }, holds ? "yes: " : "no: "), ...name), element("span", { class: "says" }, says), more);
  const reversing = (found) => element("details", { class: "reversing" }, element("summary", {}, `a measure that puts ${found.first} first`),
    element("p", {}, found.sentence), ...found.runs.map(stripOf), found.more ? element("p", { class: "quiet" }, `… and ${counted(found.more, "more run")}.`) : null);
  const stripOf = (pieces) => element("div", { class: "witness" }, element("div", { class: "strip", role: "img", "aria-label": `grades ${pieces.map((piece) => piece.text).join(" ")}` }, ...pieces.map((piece) => element("span", { class: `${piece.kind}${piece.text.length > 2 ? " block" : ""}`, style: piece.kind === "part" ? `--share: ${piece.share}%` : null }, piece.text))));

  // The two systems in a sentence.
  const sayPair = () => {
    if (!many) return;
    const [a, b] = pair();
    const [kind, at] = [rawKind(), pairAt(a, b)];
    const effect = effectOf(kind, a, b);
    const place = byId("pair-answer");
    if (!effect.count) { place.textContent = `${systems[a]} and ${systems[b]} have no topic in common.`; return; }
    const [alone, corrected] = [correctedOf(kind, state.test, "none")[at], correctedOf(kind, state.test, state.correction)[at]];
    const test = own.tests[state.test].words;
    const significant = significantOf(kind, state.test, state.correction)(at);
    const lead = effect.turn * effect.mean;
    const counts = `${counted(effect.wins, "topic")} won, ${effect.ties} tied, ${effect.losses} lost`;
    const interval = endsOf(kind, state.test, a, b, effect);
    const ends = interval ? `95 % interval${comparing.tested.length > 1 ? " of this pair alone" : ""} ${fixed(interval[0], 3, "+")} to ${fixed(interval[1], 3, "+")}; ` : "";
    const adjusted = comparing.tested.length > 1 && state.correction !== "none" && !own.tukey.includes(state.test) ? `; ${pWords(corrected)} after ${own.methods[state.correction]}` : "";
    const tested = Number.isNaN(alone) ? "not tested: only pairs with the baseline are" : `${pEquals(alone)}, ${test}${adjusted}`;
    const size = byMeans() ? `${fixed(effect.mean, 3, "+")} (${ends}${tested})` : tested;
    const verdict = Number.isNaN(alone) ? "" : significant ? " That is hardly chance." : ` That could be chance${byMeans() ? ["", ...powerSays(kind, state.test, state.correction, a, b, effect)].join("; ").replace("; If", ". If") : ""}.`;
    const who = !byMeans() ? `${systems[a]} and ${systems[b]}` : lead > 0 ? `${systems[a]} is ahead of ${systems[b]}` : lead < 0 ? `${systems[a]} is behind ${systems[b]}` : `${systems[a]} and ${systems[b]} have the same mean`;
    place.replaceChildren(element("strong", {}, `${who} on ${state.measure}:`), ` ${size}, ${counts}.${verdict}`);
  };

  const show = () => {
    const [a, b] = pair();
    if (many) {
      byId("pair-title").textContent = `${systems[a]} against ${systems[b]}`;
      byId("pair-first").value = a;
      byId("pair-second").value = b;
      all("#board tbody tr").forEach((row) => row.classList.toggle("looked", [a, b].includes(Number(row.dataset.system))));
    }
    sayPair();
    drawBars();
    drawTiles();
    drawRungs();
  };
  usual.first = systems[answer.pair[0]];
  usual.second = systems[answer.pair[1]];
  for (const name of ["first", "second"]) if (many && systems.includes(wanted.get(name))) state[name] = wanted.get(name);
  onChoice((changed) => { if (changed.some((name) => ["measure", "test", "correction", "first", "second"].includes(name))) show(); });
  if (many) {
    const changed = () => {
      const [a, b] = [Number(byId("pair-first").value), Number(byId("pair-second").value)];
      if (a === b) choosePair(...pair().reverse()); else choosePair(a, b); // who chooses the other one turns them round
    };
    byId("pair-first").addEventListener("change", changed);
    byId("pair-second").addEventListener("change", changed);
    byId("pair-turn").addEventListener("click", () => { const [a, b] = pair(); choosePair(b, a); });
  }
  started.push(show);
  /** The topics that both systems have, worst for the first on top: for who goes from one to the next. */
  topicsInOrder = () => barsOf().map((bar) => bar.topic);
}
