// Comparisons: p-values, effects and flips of all pairs, for a measure, scale, test and correction that the reader chooses.
if (comparing) {
  started.push(async () => {
    const { own, systems, baseline, n, pairs, pairAt, firsts, seconds, tested, kindAt, chosen, correctedOf, significantOf, effectOf, endsOf, alphasOf, aheadOf, detectableOf, corrected: correctedWords, behind, scaled, onScale } = comparing;
    const packed = arrays.comparisons;

    const say = (now, significant) => {
      const kind = own.kinds[now.kind];
      const fits = kind.fits.includes(now.test);
      const on = now.scale === "raw" ? (scaled ? " as it is" : "") : " on its interval scale";
      const changes = fits
        ? "No rescaling that this scale permits changes what the test says."
        : "Another spacing of its values could change what the test says; what the sign test says, none could.";
      const found = tested.filter(significant).length;
      const [test, name] = kind.told_by;
      const verdict = now.scale === "raw" && test !== now.test ? ` The sentences above go by the ${name} instead.` : "";
      const few = state.scale !== now.scale ? `${now.measure} has no interval scale here; shown as it is. ` : "";
      const differ = tested.length === 1
        ? `The two systems ${found ? "differ" : "do not differ"}`
        : `${found.toLocaleString("en")} of ${counted(tested.length, "pair")} ${found === 1 ? "differs" : "differ"}`;
      all(".comparison-count").forEach((place) => { place.textContent = `${differ} significantly under ${now.measure} by the ${own.tests[now.test].words}${behind(now)}, two-sided, at ${own.alpha}.${verdict}`; });
      byId("comparison-scale").textContent = `${few}${upper(own.tests[now.test].need)}. ${now.measure}${on} has ${kind.words}. ${changes}`;
    };

    const ordered = (now) => {
      const places = own.kinds[now.kind].order;
      return state.order === "name" ? [...places].sort((a, b) => collator.compare(systems[a], systems[b])) : places;
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
      byId("matrix-words").textContent = `A cell for every two systems, ${state.order === "name" ? "by name" : `best under ${now.measure} first`}. Teal: the row is ahead, orange: the column is; the darker, the smaller p (${own.tests[now.test].words}${behind(now)}; ${steps.join(", ")}). Pale: not significant. Click a square to look at the two systems above.`;
      const then = (view) => view.addEventListener("click", (_, item) => { if (item?.datum?.a) { choosePair(order[item.datum.row], order[item.datum.column]); byId("pair-title").scrollIntoView({ block: "start" }); } });
      await draw(square, spec, { renderer: n > 30 ? "canvas" : "svg", then });
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
    const named = () => own.tests[chosen().test].short;
    const means = () => own.kinds[chosen().kind].means; // false where a strict study does not admit them
    const uncorrected = () => tested.length < 2 || chosen().method === "none" || own.tukey.includes(chosen().test);
    const pairColumns = [
      { title: "first", value: (row) => systems[row.a], show: (row) => systems[row.a] },
      { title: "second", value: (row) => systems[row.b], show: (row) => systems[row.b] },
      { title: "mean difference [95 %]", head: () => `mean difference${chosen().test === "paired_t" ? " [95 %]" : ""}`, hidden: () => !means(), number: true, value: (row) => row.effect.mean, show: (row) => `${fixed(row.effect.mean, 4, "+")}${row.ends ? ` [${fixed(row.ends[0], 4, "+")}, ${fixed(row.ends[1], 4, "+")}]` : ""}` },
      { title: "d", hidden: () => !means(), number: true, value: (row) => row.effect.d, show: (row) => fixed(row.effect.d, 2, "+") },
      { title: "topics", number: true, value: (row) => row.effect.wins - row.effect.losses, show: (row) => `${row.effect.wins}–${row.effect.ties}–${row.effect.losses}` },
      { title: "p", head: () => `p (${named()}${own.tukey.includes(chosen().test) ? ", Tukey" : ""})`, number: true, up: true, value: (row) => row.alone, show: (row) => pWords(row.alone) },
      { title: "p corrected", head: () => `p (${named()}, ${own.methods[chosen().method]})`, hidden: () => uncorrected(), number: true, up: true, value: (row) => row.p, show: (row) => pWords(row.p) },
      { title: "p (sign)", hidden: () => chosen().test === "sign", number: true, up: true, value: (row) => row.sign, show: (row) => pWords(row.sign) },
      { title: "reliably seen from", head: () => `reliably seen from${chosen().test === "paired_t" ? "" : " (t test)"}`, hidden: () => !means(), number: true, value: (row) => row.seen, show: (row) => (row.differs ? "" : row.seen === Infinity ? "too few topics" : fixed(row.seen, 3)) },
      { title: "significant", value: (row) => (row.differs ? "a" : "b"), show: (row) => (row.differs ? "yes" : "no"), strong: (row) => row.differs },
      { title: "κ", hidden: () => !means(), number: true, value: (row) => row.kappa, show: (row) => marginWords(row.kappa) },
      { title: "dominance", number: true, value: (row) => { const [wins, , losses] = dominance(row); return wins - losses; }, show: (row) => dominance(row).join("–") },
      { title: "ahead under", number: true, text: true, value: (row) => leadOf(row), show: (row) => own.levels[levelOf(row)] },
    ];
    const pairTable = lazyTable(pairColumns, 25, "pairs");
    byId("pairs-table")?.append(pairTable.made);
    const [withSystem, which] = [byId("pairs-system"), byId("pairs-which")];
    const listPairs = (now, corrected, significant) => {
      if (!byId("pairs-table")) return;
      const order = own.kinds[now.kind].order;
      const place = new Map(order.map((system, at) => [system, at]));
      const wanted = withSystem.value === "" ? null : Number(withSystem.value);
      const [alone, sign] = [now.test, "sign"].map((test) => correctedOf(now.kind, test, "none"));
      const alphas = alphasOf(now.kind, now.test, now.method);
      const kappa = packed.kappa.subarray(now.kind * pairs, (now.kind + 1) * pairs);
      const rows = tested.filter((at) => {
        const differs = significant(at);
        return (wanted === null || firsts[at] === wanted || seconds[at] === wanted) && (which.value === "all" || differs === (which.value === "yes"));
      }).map((at) => {
        let [a, b] = [firsts[at], seconds[at]];
        if (baseline === null ? place.get(a) > place.get(b) : a === baseline) [a, b] = [b, a];
        const effect = effectOf(now.kind, a, b);
        const seen = detectableOf(effect, alphas(at), own.kinds[now.kind].most ?? Infinity);
        return { at, a, b, effect, seen, ends: endsOf(now.kind, now.test, a, b, effect), alone: alone[at], sign: sign[at], p: corrected[at], differs: significant(at), kappa: kappa[at] };
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
    ], 15, "flips");
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
      const { fits, told_by: [test] } = own.kinds[chosen().kind];
      [...choiceOf.test.options].forEach((option) => { option.disabled = !fits.includes(option.value); });
      if (!fits.includes(state.test)) choose({ test: fits.includes(test) ? test : fits[0] });
    };

    const square = document.querySelector('[data-chart="comparisons-matrix"]');
    let seen = false; // whether the reader has come near the square
    const show = async ({ drawing = true } = {}) => {
      admit();
      const now = chosen();
      const [corrected, significant] = [correctedOf(now.kind, now.test, now.method), significantOf(now.kind, now.test, now.method)];
      [...choiceOf.scale.options].forEach((option) => { option.disabled = kindAt(now.measure, option.value) < 0; });
      choiceOf.correction.disabled = own.tukey.includes(now.test);
      choiceOf.correction.title = choiceOf.correction.disabled ? "This test corrects by itself (Tukey)" : "";
      say(now, significant);
      listPairs(now, corrected, significant);
      listFlips(now);
      if (square && seen && drawing) await matrix(now, corrected, significant);
      byId("comparisons").dataset.shown = [now.measure, now.scale, now.test, now.method, state.order].join("|"); // tests wait for it
    };
    // one after the other: what was chosen last is drawn last
    let pending = Promise.resolve();
    const later = (options) => { pending = pending.then(() => show(options)); return pending; };
    onChoice((changed) => { if (changed.some((name) => ["measure", "test", "correction", "scale", "order"].includes(name))) later(); });
    [withSystem, which].forEach((select) => select?.addEventListener("change", () => later({ drawing: false })));
    await later();
    if (square) whenNear(square, () => { seen = true; return later(); });
    const level = byId("level-choice");
    const chooseLevel = () => all("#comparisons .level-view").forEach((view) => { view.hidden = view.dataset.level !== level.value; });
    level?.addEventListener("change", chooseLevel);
    if (level) chooseLevel(); // a browser may remember what was chosen before
  });
}
