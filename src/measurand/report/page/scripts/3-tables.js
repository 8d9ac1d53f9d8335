// Tables: sorted by a click on a heading, shown page by page where they are long, copied and saved.
const collator = new Intl.Collator("en", { numeric: true });
const cellValue = (row, place) => {
  const cell = row.cells[place];
  return cell === undefined ? "" : cell.dataset.value ?? cell.textContent.trim();
};

/** Compare two texts as numbers where both are, nothing last. */
const compareValues = (one, other) => {
  if (one === "" || other === "") return one === other ? 0 : one === "" ? Infinity : -Infinity;
  const [x, y] = [one, other].map((text) => Number(text.replace("−", "-").replace(/,/g, "")));
  return Number.isNaN(x) || Number.isNaN(y) ? collator.compare(one, other) : x - y;
};

const sortRows = (table, place, direction) => {
  const headings = [...table.tHead.rows[table.tHead.rows.length - 1].cells];
  headings.forEach((other) => other.removeAttribute("aria-sort"));
  headings[place].setAttribute("aria-sort", direction);
  const sign = direction === "ascending" ? 1 : -1;
  const rows = [...table.tBodies[0].rows];
  rows.sort((a, b) => {
    const order = compareValues(cellValue(a, place), cellValue(b, place));
    return Number.isFinite(order) ? sign * order : order;
  });
  table.tBodies[0].append(...rows);
  table.dispatchEvent(new Event("sorted"));
};

const sortable = (table) => {
  const headings = [...table.tHead.rows[table.tHead.rows.length - 1].cells];
  headings.forEach((heading, place) => {
    if (heading.dataset.sort === "no") return;
    const button = element("button", { class: "sort", type: "button" });
    button.append(...heading.childNodes);
    heading.append(button);
    button.addEventListener("click", () => {
      const first = heading.dataset.sort ?? (heading.classList.contains("n") ? "descending" : "ascending");
      const now = heading.getAttribute("aria-sort");
      const next = now === null ? first : now === "ascending" ? "descending" : "ascending";
      sortRows(table, place, next);
      if (table.id) choose({ sort: `${table.id}.${place}.${next}` });
    });
  });
};

/** Show a long table page by page; its rows may be filtered by a text. */
const paged = (table, size) => {
  const rows = () => [...table.tBodies[0].rows];
  if (rows().length <= size) return;
  let page = 0;
  let wanted = "";
  const place = element("span", { "aria-live": "polite" });
  const turn = (step) => () => { page += step; show(); };
  const back = element("button", { type: "button", onclick: turn(-1) }, "‹ Previous");
  const on = element("button", { type: "button", onclick: turn(1) }, "Next ›");
  const find = element("input", { type: "search", placeholder: "Find …", "aria-label": "Find rows of this table" });
  find.addEventListener("input", () => { wanted = find.value.toLowerCase(); page = 0; show(); });
  const show = () => {
    const found = rows().filter((row) => {
      const fits = all("th, td.name", row).some((cell) => cell.textContent.toLowerCase().includes(wanted));
      row.classList.add("paged");
      return fits;
    });
    const last = Math.max(0, Math.ceil(found.length / size) - 1);
    page = Math.min(Math.max(page, 0), last);
    const shown = found.slice(page * size, (page + 1) * size);
    shown.forEach((row) => row.classList.remove("paged"));
    place.textContent = found.length ? `${page * size + 1}–${page * size + shown.length} of ${found.length}` : "none";
    back.disabled = page === 0;
    on.disabled = page === last;
  };
  (table.closest(".scroll") ?? table).after(element("div", { class: "pager" }, back, place, on, find));
  table.addEventListener("sorted", () => { page = 0; show(); });
  show();
};

// What is copied or saved: all rows as they are sorted, also those of other pages.
const plainText = (cell) => (cell.dataset.text ?? cell.textContent).replace(/\s+/g, " ").trim();
const asNumber = (text) => (/^[+−-]?[\d.,]+( ?%)?$/.test(text) ? text.replace("−", "-").replace(/^\+/, "").replace(/,/g, "") : text);
const harmless = (text) => (/^[=@\t\r]/.test(text) || (/^[+-]/.test(text) && Number.isNaN(Number(text))) ? `'${text}` : text); // a spreadsheet would run it
const rowsOf = (table) => {
  if (table.exported) return table.exported();
  const shown = (row) => [...row.cells].filter((cell) => !cell.hidden && !cell.matches(".bars, .axis, .line")).flatMap((cell) => (cell.dataset.cells === undefined ? [plainText(cell)] : cell.dataset.cells.split("|")));
  return [...table.rows].filter((row) => row.cells.length).map(shown);
};
const cleaned = (table) => rowsOf(table).map((row) => row.map((text) => harmless(asNumber(String(text)))));
const asTSV = (table) => cleaned(table).map((row) => row.map((text) => text.replace(/[\t\r\n]/g, " ")).join("\t")).join("\n");
const asCSV = (table) => cleaned(table).map((row) => row.map((text) => (/[",\r\n]/.test(text) ? `"${text.replace(/"/g, '""')}"` : text)).join(",")).join("\r\n");

const copyText = async (button, text, place) => {
  const said = button.textContent;
  try {
    await navigator.clipboard.writeText(text);
    button.textContent = "Copied";
  } catch {
    const area = place ?? element("textarea", {}, text);
    if (!place) document.body.append(area);
    const range = document.createRange();
    range.selectNodeContents(area);
    if (place) { window.getSelection().removeAllRanges(); window.getSelection().addRange(range); } else area.select();
    button.textContent = document.execCommand("copy") ? "Copied" : "Selected: press Ctrl+C";
    if (!place) area.remove();
  }
  setTimeout(() => { button.textContent = said; }, 2000);
};
const saveFile = (name, type, text) => {
  const link = element("a", { href: URL.createObjectURL(new Blob([text], { type })), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
};

const tableTools = (table) => {
  const name = () => `${table.dataset.name ?? (table.id || table.closest("section")?.id || "table")}${table.dataset.under === undefined ? "" : `-${state.measure}`}`;
  const copy = element("button", { type: "button", onclick: () => copyText(copy, asTSV(table)) }, "Copy as TSV");
  const save = element("button", { type: "button", onclick: () => saveFile(`${name()}.csv`, "text/csv", `\ufeff${asCSV(table)}\r\n`) }, "Download CSV");
  const hint = element("span", { class: "hint", "aria-hidden": "true" }, "more columns →");
  const tools = element("div", { class: "tools" }, hint, copy, save);
  const place = table.closest(".scroll") ?? table;
  place.after(tools);
  const wide = () => { hint.hidden = !(place.scrollWidth > place.clientWidth + 2); place.classList.toggle("wide", !hint.hidden); if (!hint.hidden) place.setAttribute("tabindex", "0"); };
  new ResizeObserver(wide).observe(place);
  wide();
};

all("table.sortable").forEach(sortable);
all("main table").forEach(tableTools);
all("table[data-page]").forEach((table) => paged(table, Number(table.dataset.page)));
{
  const [id, place, direction] = (wanted.get("sort") ?? "").split(".");
  const table = id ? byId(id) : null;
  if (table?.classList.contains("sortable") && table.tHead.rows[table.tHead.rows.length - 1].cells[place]) {
    state.sort = [id, Number(place), direction === "ascending" ? direction : "descending"].join(".");
  }
}
const keptSort = (table) => Boolean(table.id) && (state.sort ?? "").startsWith(`${table.id}.`);
/** Sort a table as the address says, once its rows are filled. */
const sortAgain = (table) => {
  if (!keptSort(table)) return;
  const [, place, direction] = state.sort.split(".");
  sortRows(table, Number(place), direction);
};
/** A table that is filled anew has the order of what fills it. */
const forgetSort = (table) => { if (keptSort(table)) choose({ sort: "" }); };
all("table.sortable").forEach(sortAgain);

/** A table of rows that are made when they are looked at; sorted by its headings, page by page. */
const lazyTable = (columns, size = 25, name = "table") => {
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
  const sorted = () => {
    const found = [...rows];
    if (!by) return found;
    return found.sort((one, other) => {
      const [x, y] = [by.value(one), by.value(other)];
      if (Number.isNaN(x) || Number.isNaN(y)) return Number.isNaN(x) - Number.isNaN(y); // nothing comes last
      const order = typeof x === "string" ? collator.compare(x, y) : x - y;
      return down ? -order : order;
    });
  };
  const shown = () => columns.filter((column) => !column.hidden?.());
  const fill = () => {
    const last = Math.max(0, Math.ceil(rows.length / size) - 1);
    page = Math.min(Math.max(page, 0), last);
    const part = sorted().slice(page * size, (page + 1) * size);
    body.replaceChildren(...part.map((row) => element("tr", {}, ...columns.map((column) => {
      const kind = [column.text ? "level" : column.number ? "n" : "name", column.strong?.(row) ? "strong" : ""].join(" ").trim();
      return element("td", { class: kind, hidden: column.hidden?.() ? "" : null }, column.show(row));
    }))));
    where.textContent = rows.length ? `${page * size + 1}–${page * size + part.length} of ${rows.length.toLocaleString("en")}` : "none";
    back.disabled = page === 0;
    on.disabled = page === last;
  };
  const table = element("table", { class: "pairs", "data-name": name }, title, element("thead", {}, element("tr", {}, ...headings)), body);
  table.exported = () => [shown().map((column) => column.head?.() ?? column.title), ...sorted().map((row) => shown().map((column) => { const cell = column.show(row); return cell.textContent ?? cell; }))];
  const pager = element("div", { class: "pager" }, back, where, on);
  const made = element("div", {}, element("div", { class: "scroll" }, table), pager);
  tableTools(table);
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

// Words that follow the pointer or the keyboard, in place of the browser's slow ones.
{
  const tip = byId("tip");
  const show = (event) => {
    const about = event.target.closest?.("[data-tip]");
    tip.hidden = !about;
    if (!about) return;
    tip.textContent = about.dataset.tip;
    const box = about.getBoundingClientRect();
    const [x, y] = event.type === "focusin" ? [box.left + box.width / 2, box.top] : [event.clientX, event.clientY];
    tip.style.left = `${Math.max(6, Math.min(x + 12, window.innerWidth - tip.offsetWidth - 6))}px`;
    tip.style.top = `${y + 18 + tip.offsetHeight > window.innerHeight ? y - tip.offsetHeight - 10 : y + 18}px`;
  };
  for (const kind of ["pointermove", "focusin"]) document.addEventListener(kind, show);
  for (const kind of ["pointerleave", "focusout", "scroll"]) document.addEventListener(kind, () => { tip.hidden = true; }, { capture: kind === "scroll" });
}
