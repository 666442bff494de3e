// Shows routines: what they do, their arguments, and examples to copy.
import { by_id, element, notify, row } from "./view.js";

const LANGUAGES = { python: "Python", c: "C", shell: "Shell" };

async function copy(code) {
  try {
    await navigator.clipboard.writeText(code.textContent);
    notify("Copied.");
  } catch {
    // The browser does not let pages copy here: the person can, by a key.
    getSelection().selectAllChildren(code);
    notify("Selected: press Ctrl-C to copy.");
  }
}

/** Lets arrow keys go from tab to tab, as in other programs. */
function move_by_keys(event, tabs) {
  const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
  if (!step) return;
  const next = (tabs.indexOf(event.target) + step + tabs.length) % tabs.length;
  tabs[next].focus();
  tabs[next].click();
}

function examples_of(name, examples) {
  const languages = Object.keys(LANGUAGES).filter((one) => examples[one]);
  if (languages.length === 0) return "";
  const code = element("code");
  const panel = element("pre", { tabIndex: 0, role: "tabpanel" }, code);
  panel.setAttribute("aria-label", `Example of ${name}`);
  const tabs = languages.map((language) =>
    element("button", { type: "button", role: "tab" }, LANGUAGES[language]));
  const select = (index) => {
    code.textContent = examples[languages[index]];
    tabs.forEach((tab, at) => {
      tab.setAttribute("aria-selected", at === index);
      tab.tabIndex = at === index ? 0 : -1;
    });
  };
  tabs.forEach((tab, index) => {
    tab.addEventListener("click", () => select(index));
    tab.addEventListener("keydown", (event) => move_by_keys(event, tabs));
  });
  select(0);
  const list = element("span", { className: "tabs", role: "tablist" }, ...tabs);
  list.setAttribute("aria-label", `Languages of the example of ${name}`);
  const button = element("button", { type: "button", className: "copy" }, "Copy");
  button.setAttribute("aria-label", `Copy the example of ${name}`);
  button.addEventListener("click", () => copy(code));
  return element("div", { className: "example" },
    element("div", { className: "tabs" }, list, button), panel);
}

function arguments_of(routine) {
  const columns = ["argument", "mode", "type", "shape", "distribution"];
  const table = element("table", {},
    element("thead", {}, element("tr", {}, ...columns.map((one) => element("th", {}, one)))),
    element("tbody", {}, ...routine.arguments.map((argument) => {
      const made = row(columns.map((one) => argument[one]));
      [...made.cells].forEach((cell, index) => cell.setAttribute("data-label", columns[index]));
      return made;
    })));
  return table;
}

function routine_card(module, routine) {
  const name = `${module}.${routine.name}`;
  const card = element("details", { className: "card routine", id: `routine-${name}` },
    element("summary", {}, element("strong", {}, name), routine.text ? ` — ${routine.text}` : ""),
    element("div", {},
      element("code", { className: "signature" }, routine.signature),
      arguments_of(routine),
      examples_of(name, routine.examples)));
  card.dataset.words = `${name} ${routine.text}`.toLowerCase();
  return card;
}

function search() {
  const wanted = by_id("search").value.trim().toLowerCase();
  let found = false;
  for (const card of by_id("routine-list").children) {
    card.hidden = !card.dataset.words.includes(wanted);
    found ||= !card.hidden;
  }
  by_id("no-routines").hidden = found;
}

/** Shows the answer of /api/routines. */
export function show_routines(answer) {
  const cards = answer.modules.flatMap((module) =>
    module.routines.map((routine) => routine_card(module.module, routine)));
  by_id("routine-list").replaceChildren(...cards);
  if (cards.length === 1) cards[0].open = true;
  by_id("search").addEventListener("input", search);
}
