// Comparisons: p-values, effects and flips of all pairs, for a measure, scale, test and correction that the reader chooses.
{
  const own = numbers.comparisons;
  const fixed = (value, places, sign = "") => {
    if (!Number.isFinite(value)) return value > 0 ? "+∞" : value < 0 ? "-∞" : "–";
    const text = value !== 0 && Math.abs(value) < 0.5 * 10 ** -places ? value.toExponential(1) : value.toFixed(places);
    return value > 0 ? sign + text : text;
  };
  const pWords = (p) => (p < 0.0001 ? "<0.0001" : p > 0.9995 ? "1" : p < 0.01 ? p.toFixed(4) : p.toFixed(3));

  /** A table of rows that are made when they are looked at; sorted by its headings, page by page. */
  const lazyTable = (columns, size = 25) => {
    let [rows, page, by, down] = [[], 0, null, false];
    const title = element("caption");
    const body = element("tbody");
    const where = element("span", { "aria-live": "polite" });
    const turn = (step) => () => { page += step; fill(); };
    const back = element("button", { type: "button", onclick: turn(-1) }, "‹ Previous");
    const on = element("button", { type: "button", onclick: turn(1) }, "Next ›");
    const headings = columns.map((column) => {
      const button = element("button", { type: "button", class: "sort" }, column.title);
      const heading = element("th", { scope: "col", class: column.number && !column.text ? "n" : null }, button);
      button.addEventListener("click", () => {
        down = by === column ? !down : Boolean(column.number) && !column.up;
        by = column;
        headings.forEach((each) => each.removeAttribute("aria-sort"));
        heading.setAttribute("aria-sort", down ? "descending" : "ascending");
        page = 0;
        fill();
      });
      return heading;
    });
    const fill = () => {
      const sorted = [...rows];
      if (by) {
        sorted.sort((one, other) => {
          const [x, y] = [by.value(one), by.value(other)];
          if (Number.isNaN(x) || Number.isNaN(y)) return Number.isNaN(x) - Number.isNaN(y); // nothing comes last
          const order = typeof x === "string" ? collator.compare(x, y) : x - y;
          return down ? -order : order;
        });
      }
      const last = Math.max(0, Math.ceil(sorted.length / size) - 1);
      page = Math.min(Math.max(page, 0), last);
      const shown = sorted.slice(page * size, (page + 1) * size);
      body.replaceChildren(...shown.map((row) => element("tr", {}, ...columns.map((column) => {
        const kind = [column.text ? "level" : column.number ? "n" : "name", column.strong?.(row) ? "strong" : ""].join(" ").trim();
        return element("td", { class: kind, hidden: column.hidden?.() ? "" : null }, column.show(row));
      }))));
      where.textContent = sorted.length ? `${page * size + 1}–${page * size + shown.length} of ${sorted.length}` : "none";
      back.disabled = page === 0;
      on.disabled = page === last;
    };
    const table = element("table", { class: "pairs" }, title, element("thead", {}, element("tr", {}, ...headings)), body);
    const pager = element("div", { class: "pager" }, back, where, on);
    const made = element("div", {}, element("div", { class: "scroll" }, table), pager);
    const show = (found, words) => {
      rows = found;
      columns.forEach((column, at) => {
        headings[at].hidden = Boolean(column.hidden?.());
        if (column.head) headings[at].querySelector("button").textContent = column.head();
      });
      title.textContent = words;
      table.tHead.hidden = !rows.length;
      pager.hidden = rows.length <= size;
      page = 0;
      fill();
    };
    return { made, show };
  };

  started.push(async () => {
    if (!own.kinds?.length || own.systems.length < 2) return;
    const packed = arrays.comparisons;
    const { systems, baseline, topics } = own;
    const n = systems.length;
    const pairs = (n * (n - 1)) / 2;
    const pairAt = (a, b) => (a < b ? a * n - (a * (a + 1)) / 2 + b - a - 1 : pairAt(b, a));
    const firsts = new Int32Array(pairs);
    const seconds = new Int32Array(pairs);
    for (let a = 0, at = 0; a < n; a += 1) for (let b = a + 1; b < n; b += 1, at += 1) { firsts[at] = a; seconds[at] = b; }
    const tested = [...Array(pairs).keys()].filter((at) => baseline === null || firsts[at] === baseline || seconds[at] === baseline);
    const kindAt = (measure, scale) => own.kinds.findIndex((kind) => kind.measure === measure && kind.scale === scale);
    const codesOf = (kind, test) => {
      const from = (own.names.indexOf(test) * own.kinds.length + kind) * pairs;
      return packed.pvalues.subarray(from, from + pairs);
    };

    /** The p-values after correction; pairs that are not tested have none. */
    const correctedOf = (kind, test, method) => {
      const codes = codesOf(kind, test);
      const found = new Float64Array(pairs).fill(NaN);
      tested.forEach((at) => { found[at] = Math.min(1, Math.exp((codes[at] - own.one) * own.step)); });
      const m = tested.length;
      if (method === "none" || own.tukey.includes(test)) return found;
      if (method === "bonferroni") return found.map((p) => Math.min(1, p * m));
      const order = [...tested].sort((one, other) => codes[one] - codes[other]);
      const raw = order.map((at) => found[at]);
      if (method === "holm") {
        let most = 0;
        raw.forEach((p, place) => { most = Math.max(most, p * (m - place)); found[order[place]] = Math.min(1, most); });
      } else {
        let least = 1;
        for (let place = m - 1; place >= 0; place -= 1) { least = Math.min(least, (raw[place] * m) / (place + 1)); found[order[place]] = least; }
      }
      return found;
    };
    // what is significant was decided before the p-values were packed
    const significantOf = (kind, test, method) => {
      const [codes, cutoff] = [codesOf(kind, test), own.kinds[kind].cutoffs[test][method]];
      return (at) => codes[at] <= cutoff;
    };

    const width = n * topics;
    const scoresOf = (kind, system) => {
      const start = own.kinds[kind].scores * width + system * topics;
      return arrays.topics.scores.subarray(start, start + topics);
    };
    const complete = own.kinds.map((_, kind) => [...Array(topics).keys()].filter((topic) => systems.every((__, system) => !Number.isNaN(scoresOf(kind, system)[topic]))));
    /** How far apart two systems are: first minus second, on the topics that both have. */
    const effectOf = (kind, a, b) => {
      const [x, y, turn] = [scoresOf(kind, a), scoresOf(kind, b), own.kinds[kind].lower ? -1 : 1];
      let [count, sum, largest, wins, losses] = [0, 0, 0, 0, 0];
      for (let topic = 0; topic < topics; topic += 1) {
        if (Number.isNaN(x[topic]) || Number.isNaN(y[topic])) continue;
        count += 1;
        sum += x[topic] - y[topic];
        largest = Math.max(largest, Math.abs(x[topic]), Math.abs(y[topic]));
        if (x[topic] !== y[topic]) if (turn * (x[topic] - y[topic]) > 0) wins += 1; else losses += 1;
      }
      const negligible = 1e-6 * largest; // what is left of rounding to 32 bits
      let mean = sum / count; // no number where they share no topic
      if (Math.abs(mean) <= negligible) mean = 0;
      let squares = 0;
      let widest = 0;
      for (let topic = 0; topic < topics; topic += 1) {
        const rest = x[topic] - y[topic] - sum / count;
        if (Number.isNaN(rest)) continue;
        squares += rest * rest;
        widest = Math.max(widest, Math.abs(rest));
      }
      const spread = widest <= negligible ? 0 : Math.sqrt(squares / Math.max(1, count - 1));
      const half = count > 1 ? (own.quantiles[count] * spread) / Math.sqrt(count) : Infinity;
      const d = count < 2 ? NaN : mean === 0 ? 0 : (turn * mean) / spread;
      return { count, mean, half, d, wins, losses, ties: count - wins - losses };
    };
    const signedRanks = (kind, a, b) => {
      const [x, y] = [scoresOf(kind, a), scoresOf(kind, b)];
      const sizes = [...x].map((value, topic) => value - y[topic]).filter((value) => value !== 0 && !Number.isNaN(value));
      const order = sizes.map((value) => ({ sign: Math.sign(value), size: Math.round(Math.abs(value) * 1e6) })).sort((one, other) => one.size - other.size);
      let sum = 0;
      for (let from = 0; from < order.length;) {
        let to = from;
        while (to < order.length && order[to].size === order[from].size) to += 1;
        for (let place = from; place < to; place += 1) sum += (order[place].sign * (from + 1 + to)) / 2;
        from = to;
      }
      return sum;
    };
    /** Who is ahead by what the test looks at: above 0 the first. */
    const aheadOf = (kind, test, a, b) => {
      const turn = own.kinds[kind].lower ? -1 : 1;
      if (test === "sign") { const { wins, losses } = effectOf(kind, a, b); return wins - losses; }
      if (test === "signed_rank") return turn * signedRanks(kind, a, b);
      if (test === "paired_t") return turn * effectOf(kind, a, b).mean;
      const [x, y] = [scoresOf(kind, a), scoresOf(kind, b)];
      return turn * complete[kind].reduce((sum, topic) => sum + x[topic] - y[topic], 0);
    };

    const selects = Object.fromEntries(["measure", "scale", "test", "correction", "order"].map((name) => [name, byId(`comparison-${name}`)]));
    const choice = () => {
      const [measure, test, method] = [selects.measure.value, selects.test.value, selects.correction.value];
      const scale = kindAt(measure, selects.scale.value) < 0 ? "raw" : selects.scale.value;
      return { measure, scale, test, method, kind: kindAt(measure, scale) };
    };
    const correctedWords = ({ test, method }) => own.corrected[own.tukey.includes(test) ? "tukey" : method];
    const behind = (now) => (tested.length > 1 ? `, ${correctedWords(now)}` : ""); // one pair needs no correction
    const counted = (count, thing) => `${count.toLocaleString("en")} ${thing}${count === 1 ? "" : "s"}`;
    const scaled = own.kinds.some((kind) => kind.scale !== "raw");
    const onScale = (now) => (scaled ? `, ${own.scales[now.scale]}` : "");
    const upper = (text) => text.charAt(0).toUpperCase() + text.slice(1);

    const say = (now, significant) => {
      const kind = own.kinds[now.kind];
      const fits = kind.fits.includes(now.test);
      const on = now.scale === "raw" ? (scaled ? " as it is" : "") : " on its interval scale";
      const changes = fits
        ? "No rescaling that this scale permits changes what the test says."
        : "Another spacing of its values could change what the test says; what the sign test says, none could.";
      const found = tested.filter(significant).length;
      const [test, name] = kind.told_by;
      const verdict = now.scale === "raw" && test !== now.test ? ` The verdict on ${now.measure} goes by the ${name} instead.` : "";
      const few = selects.scale.value !== now.scale ? `${now.measure} has no interval scale here; shown as it is. ` : "";
      const differ = tested.length === 1
        ? `The two systems ${found ? "differ" : "do not differ"}`
        : `${found.toLocaleString("en")} of ${counted(tested.length, "pair")} ${found === 1 ? "differs" : "differ"}`;
      byId("comparison-words").replaceChildren(
        element("p", { id: "comparison-count" }, `${differ} significantly by the ${own.tests[now.test].words}${behind(now)}, two-sided, at ${own.alpha}.${verdict}`),
        element("p", { class: "quiet" }, `${few}${upper(own.tests[now.test].need)}. ${now.measure}${on} has ${kind.words}. ${changes}`),
      );
    };

    const ordered = (now) => {
      const places = own.kinds[now.kind].order;
      return selects.order.value === "name" ? [...places].sort((a, b) => collator.compare(systems[a], systems[b])) : places;
    };
    const steps = [...[0.001, 0.01].filter((step) => step < own.alpha), own.alpha].map((step) => `p ≤ ${step}`);
    const matrix = async (now, corrected, significant) => {
      const order = ordered(now);
      const values = [];
      order.forEach((a, row) => order.forEach((b, column) => {
        if (a === b) return;
        const at = pairAt(a, b);
        if (baseline !== null && a !== baseline && b !== baseline) return;
        const differs = significant(at);
        const ahead = differs ? aheadOf(now.kind, now.test, a, b) : 0;
        const says = !differs ? "not significant" : ahead > 0 ? "row is ahead" : "column is ahead";
        values.push({ row, column, a: systems[a], b: systems[b], p: pWords(corrected[at]), says, words: `${systems[a]} (row), ${systems[b]} (column): ${says}, p ${pWords(corrected[at])}`, sure: !differs ? 0.14 : corrected[at] <= 0.001 ? 1 : corrected[at] <= 0.01 ? 0.75 : 0.5, sign: !differs ? "" : ahead > 0 ? "+" : "−" });
      }));
      const step = Math.max(5, Math.min(26, Math.floor(660 / n)));
      // names from files stay out of expressions, in which some of them cannot be spelled
      const names = { name: "names", value: { values: order.map((place) => systems[place]) } };
      const axis = { title: null, labelExpr: "names.values[datum.value]", labelLimit: 110, labelOverlap: n > 60, labelFontSize: n > 40 ? 8 : 10, ticks: false, domain: false };
      const scale = { domain: order.map((_, place) => place), paddingInner: n > 60 ? 0 : 0.08, paddingOuter: 0 };
      const cells = {
        x: { field: "column", type: "ordinal", scale, axis: { ...axis, orient: "top", labelAngle: -60 } },
        y: { field: "row", type: "ordinal", scale, axis },
        tooltip: [{ field: "a", title: "row" }, { field: "b", title: "column" }, { field: "p", title: "p" }, { field: "says", title: "by the test" }].map((each) => ({ ...each, type: "nominal" })),
      };
      const found = tested.filter(significant).length;
      const spec = {
        description: `Significance of differences between ${n} systems under ${now.measure}${onScale(now)}, ${own.tests[now.test].words}${behind(now)}: ${found} of ${counted(tested.length, "pair")} ${found === 1 ? "differs" : "differ"} at ${own.alpha}.`,
        width: step * n,
        height: step * n,
        params: [names],
        data: { values },
        encoding: cells,
        layer: [
          { mark: { type: "rect" }, encoding: { color: { field: "says", type: "nominal", scale: { domain: ["row is ahead", "column is ahead", "not significant"], range: ["#0f766e", "#b45309", "#9ca3af"] }, legend: { title: null, orient: "bottom" } }, opacity: { field: "sure", type: "quantitative", scale: null }, description: { field: "words", type: "nominal" } } },
          ...(n <= 30 ? [{ mark: { type: "text", fontSize: 12, fontWeight: "bold", aria: false }, encoding: { text: { field: "sign", type: "nominal" }, color: { condition: { test: "datum.sure > 0.6", value: "white" }, value: "#1f2937" } } }] : []),
        ],
      };
      byId("matrix-words").textContent = `A cell for every two systems, ${selects.order.value === "name" ? "by name" : `best under ${now.measure} first`}. The colour says who is ahead by what the test looks at, stronger the smaller the p-value of the ${own.tests[now.test].words}${behind(now)}, is (${steps.join(", ")}); pale: not significant.`;
      await draw(document.querySelector('[data-chart="comparisons-matrix"]'), spec, { renderer: n > 30 ? "canvas" : "svg" });
    };

    // two digits, as in Python
    const marginWords = (kappa) => Number.isNaN(kappa) ? "–" : kappa === Infinity ? "∞" : kappa > 1e6 ? ">1,000,000" : kappa < 9.95 ? kappa.toFixed(1) : Number(kappa.toPrecision(2)).toLocaleString("en");
    const dominance = (row) => {
      const found = [0, 1, 2, 3].map((part) => packed.dominance[part * pairs + row.at]);
      return row.a < row.b ? found : [found[2], found[1], found[0], found[3]];
    };
    /** The level of a pair: what is packed speaks of the systems in the order of all, and is turned round where a row is. */
    const levelOf = (row) => {
      const code = packed.levels[row.at];
      const who = (code >> 2) & 3;
      return who && row.a > row.b ? (code & ~12) | ((3 - who) << 2) : code;
    };
    /** How strong it is, significant leads above others: above 0 for the first, below for the second. */
    const leadOf = (row) => {
      const code = levelOf(row);
      const who = (code >> 2) & 3;
      const strength = 2 * (code & 3) + ((code >> 4) & 1);
      return who === 1 ? strength : who === 2 ? -strength : 0;
    };
    const named = () => own.tests[choice().test].short;
    const means = () => own.kinds[choice().kind].means; // false where a strict study does not admit them
    const uncorrected = () => tested.length < 2 || choice().method === "none" || own.tukey.includes(choice().test);
    const pairColumns = [
      { title: "first", value: (row) => systems[row.a], show: (row) => systems[row.a] },
      { title: "second", value: (row) => systems[row.b], show: (row) => systems[row.b] },
      { title: "mean difference [95 %]", hidden: () => !means(), number: true, value: (row) => row.effect.mean, show: (row) => `${fixed(row.effect.mean, 4, "+")} [${fixed(row.effect.mean - row.effect.half, 4, "+")}, ${fixed(row.effect.mean + row.effect.half, 4, "+")}]` },
      { title: "d", hidden: () => !means(), number: true, value: (row) => row.effect.d, show: (row) => fixed(row.effect.d, 2, "+") },
      { title: "topics", number: true, value: (row) => row.effect.wins - row.effect.losses, show: (row) => `${row.effect.wins}–${row.effect.ties}–${row.effect.losses}` },
      { title: "p", head: () => `p (${named()}${own.tukey.includes(choice().test) ? ", Tukey" : ""})`, number: true, up: true, value: (row) => row.alone, show: (row) => pWords(row.alone) },
      { title: "p corrected", head: () => `p (${named()}, ${own.methods[choice().method]})`, hidden: () => uncorrected(), number: true, up: true, value: (row) => row.p, show: (row) => pWords(row.p) },
      { title: "p (sign)", hidden: () => choice().test === "sign", number: true, up: true, value: (row) => row.sign, show: (row) => pWords(row.sign) },
      { title: "significant", value: (row) => (row.differs ? "a" : "b"), show: (row) => (row.differs ? "yes" : "no"), strong: (row) => row.differs },
      { title: "κ", hidden: () => !means(), number: true, value: (row) => row.kappa, show: (row) => marginWords(row.kappa) },
      { title: "dominance", number: true, value: (row) => { const [wins, , losses] = dominance(row); return wins - losses; }, show: (row) => dominance(row).join("–") },
      { title: "ahead under", number: true, text: true, value: (row) => leadOf(row), show: (row) => own.levels[levelOf(row)] },
    ];
    const pairTable = lazyTable(pairColumns);
    byId("pairs-table").append(pairTable.made);
    const [withSystem, which] = [byId("pairs-system"), byId("pairs-which")];
    const listPairs = (now, corrected, significant) => {
      const order = own.kinds[now.kind].order;
      const place = new Map(order.map((system, at) => [system, at]));
      const wanted = withSystem.value === "" ? null : Number(withSystem.value);
      const [alone, sign] = [now.test, "sign"].map((test) => correctedOf(now.kind, test, "none"));
      const kappa = packed.kappa.subarray(now.kind * pairs, (now.kind + 1) * pairs);
      const rows = tested.filter((at) => {
        const differs = significant(at);
        return (wanted === null || firsts[at] === wanted || seconds[at] === wanted) && (which.value === "all" || differs === (which.value === "yes"));
      }).map((at) => {
        let [a, b] = [firsts[at], seconds[at]];
        if (baseline === null ? place.get(a) > place.get(b) : a === baseline) [a, b] = [b, a];
        return { at, a, b, effect: effectOf(now.kind, a, b), alone: alone[at], sign: sign[at], p: corrected[at], differs: significant(at), kappa: kappa[at] };
      });
      rows.sort((one, other) => place.get(one.a) - place.get(other.a) || place.get(one.b) - place.get(other.b));
      const lower = own.kinds[now.kind].lower ? "; lower is better" : "";
      pairTable.show(rows, `${counted(rows.length, "pair")} under ${now.measure}${onScale(now)}${lower}; ${own.tests[now.test].words}${behind(now)}. ${baseline === null ? "The better placed system comes first." : "The baseline comes second."}`);
    };

    const flipsOf = (measure, test, method) => {
      const [raw, ranked] = ["raw", "interval"].map((scale) => kindAt(measure, scale));
      if (ranked < 0) return null;
      const [before, after] = [raw, ranked].map((kind) => significantOf(kind, test, method));
      return { raw, ranked, sig: tested.filter(before).length, s2ns: tested.filter((at) => before(at) && !after(at)), ns2s: tested.filter((at) => after(at) && !before(at)) };
    };
    const fitsBoth = ({ measure, test }) => ["raw", "interval"].every((scale) => own.kinds[kindAt(measure, scale)]?.fits.includes(test));
    const flipTable = lazyTable([
      { title: "first", value: (row) => systems[row.a], show: (row) => systems[row.a] },
      { title: "second", value: (row) => systems[row.b], show: (row) => systems[row.b] },
      { title: "flip", value: (row) => row.flip, show: (row) => row.flip },
      { title: "p as it is", number: true, up: true, value: (row) => row.before, show: (row) => pWords(row.before), strong: (row) => row.flip === "S2NS" },
      { title: "p on the interval scale", number: true, up: true, value: (row) => row.after, show: (row) => pWords(row.after), strong: (row) => row.flip === "NS2S" },
    ], 15);
    byId("flipped-table")?.append(flipTable.made);
    const listFlips = (now) => {
      all("#flips-table tbody tr").forEach((row) => {
        const found = flipsOf(row.dataset.measure, row.dataset.test, now.method);
        const [s2ns, ns2s] = [found.s2ns.length, found.ns2s.length];
        const share = found.sig ? `${((100 * (s2ns + ns2s)) / found.sig).toFixed(1)} %` : "–";
        [found.sig, s2ns, ns2s, found.sig - s2ns + ns2s, share].forEach((value, at) => { row.cells[2 + at].textContent = value; });
      });
      if (!byId("flips-corrected")) return;
      byId("flips-corrected").textContent = own.corrected[now.method];
      const found = own.strict && !fitsBoth(now) ? null : flipsOf(now.measure, now.test, now.method);
      const rows = [];
      if (found) {
        const [before, after] = [found.raw, found.ranked].map((kind) => correctedOf(kind, now.test, now.method));
        const order = new Map(own.kinds[found.raw].order.map((system, place) => [system, place]));
        const named = (flip) => (at) => {
          const [a, b] = order.get(firsts[at]) < order.get(seconds[at]) ? [firsts[at], seconds[at]] : [seconds[at], firsts[at]];
          return { a, b, flip, before: before[at], after: after[at] };
        };
        rows.push(...found.s2ns.map(named("S2NS")), ...found.ns2s.map(named("NS2S")));
        rows.sort((one, other) => order.get(one.a) - order.get(other.a) || order.get(one.b) - order.get(other.b));
      }
      const none = kindAt(now.measure, "interval") < 0 ? "There is no interval scale" : "One of the scales does not admit the test";
      const words = found ? `${rows.length.toLocaleString("en")} flipped ${rows.length === 1 ? "pair" : "pairs"}` : none;
      flipTable.show(rows, `${words} under ${now.measure}: ${own.tests[now.test].words}, ${correctedWords(now)}, two-sided, at ${own.alpha}. The choice of measure, test and correction is that above.`);
    };

    /** A strict study offers the tests that the scale of the measure admits, and no others. */
    const admit = () => {
      if (!own.strict) return;
      const { fits, told_by: [test] } = own.kinds[choice().kind];
      [...selects.test.options].forEach((option) => { option.disabled = !fits.includes(option.value); });
      if (!fits.includes(selects.test.value)) selects.test.value = fits.includes(test) ? test : fits[0];
    };

    const show = async ({ drawing = true } = {}) => {
      admit();
      const now = choice();
      const [corrected, significant] = [correctedOf(now.kind, now.test, now.method), significantOf(now.kind, now.test, now.method)];
      [...selects.scale.options].forEach((option) => { option.disabled = kindAt(now.measure, option.value) < 0; });
      selects.correction.disabled = own.tukey.includes(now.test);
      say(now, significant);
      listPairs(now, corrected, significant);
      listFlips(now);
      if (drawing) await matrix(now, corrected, significant);
      byId("comparisons").dataset.shown = [now.measure, now.scale, now.test, now.method, selects.order.value].join("|"); // tests wait for it
    };
    // one after the other: what was chosen last is drawn last
    let pending = Promise.resolve();
    const later = (options) => () => { pending = pending.then(() => show(options)); };
    Object.values(selects).forEach((select) => select.addEventListener("change", later()));
    [withSystem, which].forEach((select) => select.addEventListener("change", later({ drawing: false })));
    await show();
    const level = byId("level-choice");
    const choose = () => all("#comparisons .level-view").forEach((view) => { view.hidden = view.dataset.level !== level.value; });
    level?.addEventListener("change", choose);
    if (level) choose(); // a browser may remember what was chosen before
  });
}
