// Pairs of systems: p-values, corrections, differences and power, from the packed numbers.
const comparing = (() => {
  const own = numbers.comparisons;
  if (!own?.kinds?.length || own.systems.length < 2) return null;
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
    return arrays.comparisons.pvalues.subarray(from, from + pairs);
  };

  /** What the reader chose: the measure on a scale, the test, the correction. */
  const chosen = () => {
    const scale = kindAt(state.measure, state.scale) < 0 ? "raw" : state.scale;
    return { measure: state.measure, scale, test: state.test, method: state.correction, kind: kindAt(state.measure, scale) };
  };

  const known = new Map();
  const remembered = (key, make) => { if (!known.has(key)) known.set(key, make()); return known.get(key); };
  /** The p-values after correction; pairs that are not tested have none. */
  const correctedOf = (kind, test, method) => remembered(`${kind}|${test}|${method}`, () => {
    const codes = codesOf(kind, test);
    const found = new Float64Array(pairs).fill(NaN);
    tested.forEach((at) => { if (codes[at] !== 65535) found[at] = own.kinds[kind].exact?.[test] ?? Math.min(1, Math.exp((codes[at] - own.one) * own.step)); });
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
  });
  // what is significant was decided before the p-values were packed
  const significantOf = (kind, test, method) => {
    const [codes, cutoff] = [codesOf(kind, test), own.kinds[kind].cutoffs[test][method]];
    return (at) => codes[at] <= cutoff;
  };

  /** The factor of a 95 % interval for many degrees of freedom: the first terms of the series of Student's t. */
  const quantileOf = (free) => { const z = 1.959963984540054; return z + (z ** 3 + z) / (4 * free) + (5 * z ** 5 + 16 * z ** 3 + 3 * z) / (96 * free ** 2); };
  const width = n * topics;
  const scoresOf = (kind, system) => {
    const start = own.kinds[kind].scores * width + system * topics;
    return arrays.topics.scores.subarray(start, start + topics);
  };
  const completeOf = (kind) => remembered(`complete ${kind}`, () => [...Array(topics).keys()].filter((topic) => systems.every((__, system) => !Number.isNaN(scoresOf(kind, system)[topic]))));
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
    const half = count > 1 ? ((own.quantiles[count] ?? quantileOf(count - 1)) * spread) / Math.sqrt(count) : Infinity;
    const d = count < 2 ? NaN : mean === 0 ? 0 : (turn * mean) / spread;
    return { count, mean, half, d, spread, turn, wins, losses, ties: count - wins - losses };
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
    if (test === own.asked && !["sign", "signed_rank", "paired_t"].includes(test)) return (a < b ? 1 : -1) * arrays.comparisons.ahead[kind * pairs + pairAt(a, b)];
    if (test === "sign") { const { wins, losses } = effectOf(kind, a, b); return wins - losses; }
    if (test === "signed_rank") return turn * signedRanks(kind, a, b);
    if (test === "paired_t") return turn * effectOf(kind, a, b).mean;
    const [x, y] = [scoresOf(kind, a), scoresOf(kind, b)];
    return turn * completeOf(kind).reduce((sum, topic) => sum + x[topic] - y[topic], 0);
  };

  /** The ends of the 95 % interval of a difference: of the t test alone, where it holds, within the measure's range. */
  const endsOf = (kind, test, a, b, effect) => {
    if (test !== "paired_t" || !arrays.comparisons.ended[kind * pairs + pairAt(a, b)] || !Number.isFinite(effect.half)) return null;
    const most = own.kinds[kind].most ?? Infinity;
    return [Math.max(-most, effect.mean - effect.half), Math.min(most, effect.mean + effect.half)];
  };

  /** The level that p had to reach before correction, or would have to, by pair: what power is reckoned with. */
  const alphasOf = (kind, test, method) => remembered(`alphas ${kind}|${test}|${method}`, () => {
    const [m, { alpha }] = [tested.length, own];
    if (own.tukey.includes(test)) return () => own.power.tukey;
    if (method === "none") return () => alpha;
    if (method === "bonferroni") return () => alpha / m;
    const significant = significantOf(kind, test, method);
    const codes = codesOf(kind, test);
    const rejected = tested.filter(significant).sort((one, other) => codes[one] - codes[other]);
    const r = rejected.length;
    if (method === "bh") return (at) => (alpha * (significant(at) ? r : Math.min(m, r + 1))) / m;
    const steps = new Map(rejected.map((at, place) => [at, alpha / (m - place)]));
    return (at) => steps.get(at) ?? alpha / Math.max(1, m - r);
  });
  // power: the smallest d that a t test finds four times of five, by level and number of topics, on a grid of these
  const { topics: grid, alphas: levels, d: table } = own.power;
  const between = (xs, ys, x) => {
    const place = Math.min(xs.length - 2, Math.max(0, xs.findIndex((each) => each > x) - 1));
    const share = (Math.log(x) - Math.log(xs[place])) / (Math.log(xs[place + 1]) - Math.log(xs[place]));
    return Math.exp(Math.log(ys[place]) + share * (Math.log(ys[place + 1]) - Math.log(ys[place])));
  };
  const curveOf = (alpha) => remembered(`curve ${alpha}`, () => {
    const below = levels.findIndex((each) => each < alpha);
    const place = below < 0 ? levels.length - 2 : Math.max(0, below - 1);
    return levels.length < 2 ? table[0] : grid.map((_, at) => Math.exp(Math.log(table[place][at]) + (Math.log(alpha / levels[place]) / Math.log(levels[place + 1] / levels[place])) * Math.log(table[place + 1][at] / table[place][at])));
  });
  // no flip of signs reaches less than 2 · 2^−n
  const fewestOf = (alpha) => { let topics = 2; while (2 ** (1 - topics) > alpha) topics += 1; return topics; };
  /** On how many topics enough differ, four times of five, if such a share does: as many as a walk along the binomial says. */
  const enoughOf = (share, alpha) => {
    const fewest = fewestOf(alpha);
    let [topics, chance, sum] = [fewest, share ** fewest, share ** fewest];
    while (sum < 0.8 && topics < 1e6) { chance *= ((1 - share) * topics) / (topics - fewest + 1); sum += chance; topics += 1; }
    return topics;
  };
  /** The smallest difference that a t test finds on so many topics four times of five; infinite where they are too few. */
  const detectableOf = ({ count, spread, ties }, alpha = own.alpha, most = Infinity) => {
    if (!grid.length || count < 2) return NaN;
    if ((count - ties || count) < fewestOf(alpha)) return Infinity;
    if (count < enoughOf(1 - ties / count, alpha)) return NaN;
    const seen = spread > 0 ? spread * between(grid, curveOf(alpha), count) : NaN;
    return seen > most ? Infinity : seen;
  };
  /** On about how many topics it would find this difference so often. */
  const neededOf = ({ d, count, ties }, alpha = own.alpha) => {
    const least = grid.length ? curveOf(alpha) : [];
    if (!grid.length || !Number.isFinite(d) || d === 0 || Math.abs(d) < least.at(-1)) return NaN;
    return Math.max(enoughOf(1 - ties / count, alpha), Math.ceil(between([...least].reverse(), [...grid].reverse(), Math.min(Math.abs(d), least[0]))));
  };
  const ofFamily = ({ test, method }) => { // whose correction power is reckoned with
    if (tested.length < 2 || (method === "none" && !own.tukey.includes(test))) return "";
    return ` (${own.tukey.includes(test) ? "Tukey" : own.methods[method]}, ${counted(own.tukey.includes(test) ? pairs : tested.length, "pair")})`;
  };
  /** What so many topics show of two systems, and how many show this difference: sentences, the first without its capital. */
  const powerSays = (kind, test, method, a, b, effect) => {
    const alpha = alphasOf(kind, test, method)(pairAt(a, b));
    const seen = detectableOf(effect, alpha, own.kinds[kind].most ?? Infinity);
    if (Number.isNaN(seen)) return [];
    const differing = effect.count - effect.ties || effect.count;
    const few = `${counted(differing, "topic")}${differing < effect.count ? ` that differ${differing === 1 ? "s" : ""}` : ""} ${differing === 1 ? "is" : "are"} too few`;
    const [by, family, several] = [test === "paired_t" ? "" : " by a t test", ofFamily({ test, method }), counted(effect.count, "topic")];
    const said = [seen === Infinity ? `${few} to show any difference of ${own.kinds[kind].measure}${family}` : `with ${several} one usually notices a true difference of ${fixed(seen, 3)}${by}${family}`];
    const needed = neededOf(effect, alpha);
    if (needed > effect.count) said.push(`If the true difference is what was seen, ${fixed(Math.abs(effect.mean), 3)}, plan about ${Number(needed.toPrecision(2)).toLocaleString("en")} topics${by}`);
    return said;
  };

  const corrected = ({ test, method }) => own.corrected[own.tukey.includes(test) ? "tukey" : method];
  const behind = (now) => (tested.length > 1 ? `, ${corrected(now)}` : ""); // one pair needs no correction
  const scaled = own.kinds.some((kind) => kind.scale !== "raw");
  const onScale = (now) => (scaled ? `, ${own.scales[now.scale]}` : "");
  /** The place of a pair in packed numbers of measures as they are, under the measure that is chosen. */
  const measureAt = () => own.measures.indexOf(state.measure);

  return { own, systems, baseline, topics, n, pairs, pairAt, firsts, seconds, tested, kindAt, chosen, correctedOf, significantOf, scoresOf, effectOf, aheadOf, endsOf, alphasOf, detectableOf, neededOf, powerSays, corrected, behind, scaled, onScale, measureAt };
})();
