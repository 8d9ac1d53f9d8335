// What the reader chose: one measure, test and correction for all sections, kept in the address, so that a link shows it.
const choiceOf = { measure: byId("choice-measure"), test: byId("choice-test"), correction: byId("choice-correction"), scale: byId("choice-scale"), order: byId("choice-order") };
const state = {};
const usual = {}; // what is not written into the address
for (const [name, select] of Object.entries(choiceOf)) if (select) state[name] = usual[name] = select.value;
const wanted = new URLSearchParams(location.hash.includes("=") ? location.hash.slice(1) : "");
const listeners = [];

/** Do something whenever the reader chooses; the function gets the names of what has changed. */
const onChoice = (act) => listeners.push(act);

const address = () => {
  const kept = new URLSearchParams();
  for (const [name, value] of Object.entries(state)) if (value !== undefined && value !== null && value !== "" && value !== usual[name]) kept.set(name, value);
  const text = kept.toString();
  return text ? `#${text}` : location.pathname + location.search;
};

/** Change what is chosen; `kept` makes a step that the reader can go back from. */
const choose = (changes, { kept = false } = {}) => {
  const changed = Object.keys(changes).filter((name) => state[name] !== changes[name]);
  if (!changed.length) return;
  Object.assign(state, changes);
  for (const name of changed) if (choiceOf[name] && choiceOf[name].value !== state[name]) choiceOf[name].value = state[name];
  history[kept ? "pushState" : "replaceState"](null, "", address());
  listeners.forEach((act) => act(changed));
};

/** Say what the sentences above keep to, where something else is chosen. */
const sayKept = () => {
  const other = ["measure", "test", "correction"].filter((name) => choiceOf[name] && state[name] !== usual[name]);
  const named = (name) => [...choiceOf[name].options].find((option) => option.value === usual[name])?.textContent;
  byId("kept").hidden = !other.length;
  byId("kept").textContent = `The sentences above go by: ${other.map((name) => (name === "correction" ? `${named(name)} correction` : named(name))).join(", ")}.`;
};
onChoice(sayKept);
for (const [name, select] of Object.entries(choiceOf)) {
  if (!select) continue;
  select.value = usual[name]; // a browser may remember what was chosen before
  const asked = wanted.get(name);
  if (asked !== null && [...select.options].some((option) => option.value === asked)) select.value = state[name] = asked;
  select.addEventListener("change", () => choose({ [name]: select.value }));
}

sayKept();

/** Open whatever is folded around an element, and go there. */
const reveal = (target) => {
  for (let folded = target.closest("details"); folded; folded = folded.parentElement.closest("details")) folded.open = true;
  target.querySelector(":scope > details.fold")?.setAttribute("open", "");
  target.scrollIntoView({ block: "start" });
  const focused = target.matches("section") ? target.querySelector("summary") ?? target : target;
  if (!focused.matches("a, button, summary, [tabindex]")) focused.setAttribute("tabindex", "-1");
  focused.focus({ preventScroll: true });
};
const decoded = (text) => { try { return decodeURIComponent(text); } catch { return text; } }; // an address may hold anything
document.addEventListener("click", (event) => {
  const link = event.target.closest("a[href^='#']");
  const name = link?.getAttribute("href").slice(1) ?? "=";
  const target = !name.includes("=") && byId(decoded(name));
  if (!target) return;
  event.preventDefault();
  reveal(target);
  choose({ at: target.id === "headline" ? "" : target.id });
});
/** Choose what an address names that was pasted into the open page. */
const follow = () => {
  if (!location.hash.includes("=")) return;
  const asked = new URLSearchParams(location.hash.slice(1));
  const changes = {};
  for (const [name, select] of Object.entries(choiceOf)) {
    const value = asked.get(name) ?? usual[name];
    if (select && [...select.options].some((option) => option.value === value && !option.disabled)) changes[name] = value;
  }
  for (const name of ["first", "second"]) {
    const value = asked.get(name) ?? usual[name];
    if (usual[name] !== undefined && numbers.comparisons.systems.includes(value)) changes[name] = value;
  }
  if (changes.first !== undefined && changes.first === changes.second) { delete changes.first; delete changes.second; }
  choose(Object.fromEntries(Object.entries(changes).filter(([name, value]) => (state[name] ?? usual[name]) !== value)));
};
const revealNamed = () => {
  const name = location.hash.includes("=") ? new URLSearchParams(location.hash.slice(1)).get("at") : decoded(location.hash.slice(1));
  const target = name && byId(name);
  if (!target || target.id === state.at) return; // the reader was there, and went elsewhere
  reveal(target);
  state.at = target.id;
  history.replaceState(null, "", address()); // a browser that goes back would jump there on its own
};
