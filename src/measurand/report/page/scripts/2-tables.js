// Tables: sorted by a click on a heading, and shown page by page where they are long.
const collator = new Intl.Collator("en", { numeric: true });
const cellValue = (row, place) => {
  const cell = row.cells[place];
  return cell === undefined ? "" : cell.dataset.value ?? cell.textContent.trim();
};

/** Compare two texts as numbers where both are, nothing last. */
const compareValues = (one, other) => {
  if (one === "" || other === "") return one === other ? 0 : one === "" ? Infinity : -Infinity;
  const [x, y] = [Number(one), Number(other)];
  return Number.isNaN(x) || Number.isNaN(y) ? collator.compare(one, other) : x - y;
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
      headings.forEach((other) => other.removeAttribute("aria-sort"));
      heading.setAttribute("aria-sort", next);
      const sign = next === "ascending" ? 1 : -1;
      const rows = [...table.tBodies[0].rows];
      rows.sort((a, b) => {
        const order = compareValues(cellValue(a, place), cellValue(b, place));
        return Number.isFinite(order) ? sign * order : order;
      });
      table.tBodies[0].append(...rows);
      table.dispatchEvent(new Event("sorted"));
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
      const fits = row.textContent.toLowerCase().includes(wanted);
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

all("table.sortable").forEach(sortable);
all("table[data-page]").forEach((table) => paged(table, Number(table.dataset.page)));
