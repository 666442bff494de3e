// Makes elements and texts of a page. All that others have named goes in as text, never as HTML.

/** An element with properties and children, which are elements or texts. */
export function element(name, properties = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(properties)) {
    if (key.includes("-") || key === "role") made.setAttribute(key, value);
    else made[key] = value;
  }
  made.append(...children);
  return made;
}

/** An element of the document by its id. */
export const by_id = (id) => document.getElementById(id);

/** Puts the cells of `row` that are other ones into `old`. */
function renew(old, row) {
  const before = [...old.cells];
  [...row.cells].forEach((cell, index) => {
    if (cell.outerHTML !== before[index].outerHTML) before[index].replaceWith(cell);
  });
  return old;
}

/**
 * Lets one of a table and the text that stands for an empty one be seen. What has not changed
 * stays: somebody may be about to press a button there, or have the focus on it.
 */
export function show_rows(table, empty, rows) {
  const labels = [...table.tHead.rows[0].cells].map((cell) => cell.textContent);
  for (const row of rows) {
    [...row.cells].forEach((cell, index) => cell.setAttribute("data-label", labels[index]));
  }
  const body = table.tBodies[0];
  const old = new Map([...body.rows].map((row) => [row.dataset.key, row]));
  const shown = rows.map((row) =>
    old.has(row.dataset.key) ? renew(old.get(row.dataset.key), row) : row);
  for (const row of old.values()) if (!shown.includes(row)) row.remove();
  shown.forEach((row, index) => {
    if (body.rows[index] !== row) body.insertBefore(row, body.rows[index] ?? null);
  });
  table.hidden = rows.length === 0;
  empty.hidden = rows.length !== 0;
}

/**
 * A row of a table; cells are elements or texts. Those in `numbers` (indices) stand right. `key`
 * tells rows of a table apart.
 */
export function row(cells, numbers = [], key = "") {
  const made = element("tr", {}, ...cells.map((cell, index) =>
    element("td", { className: numbers.includes(index) ? "number" : "" }, cell)));
  made.dataset.key = key;
  return made;
}

/** A button that is called `label`, for those who hear it, and calls `press`. */
export function button(text, label, press) {
  const made = element("button", { type: "button", "aria-label": label }, text);
  made.addEventListener("click", press);
  return made;
}

const BYTE_UNITS = ["B", "kB", "MB", "GB", "TB"];

/** A number of bytes, for people: "8 MB". */
export function bytes_text(bytes) {
  let unit = 0;
  while (bytes >= 999.5 && unit + 1 < BYTE_UNITS.length) {
    bytes /= 1000;
    ++unit;
  }
  return `${unit === 0 ? Math.round(bytes) : bytes.toPrecision(3)} ${BYTE_UNITS[unit]}`;
}

/** A time, for people: "12 ms". */
export function seconds_text(seconds) {
  if (seconds < 1e-3) return `${Math.round(seconds * 1e6)} µs`;
  if (seconds < 1) return `${(seconds * 1e3).toPrecision(3)} ms`;
  if (seconds < 60) return `${seconds.toPrecision(3)} s`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min ${Math.floor(seconds % 60)} s`;
  return `${Math.floor(seconds / 3600)} h ${Math.floor(seconds / 60) % 60} min`;
}

let notice_timer = 0;

/** Says for some seconds what has happened. */
export function notify(text) {
  by_id("notice").textContent = text;
  clearTimeout(notice_timer);
  notice_timer = setTimeout(() => { by_id("notice").textContent = ""; }, 5000);
}
