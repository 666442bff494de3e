// Shows the ranks of each module and what they do.
import { by_id, element } from "./view.js";

function rank_item(rank) {
  return element("li", { className: `rank ${rank.state}` }, `rank ${rank.rank}: ${rank.state}`);
}

function module_card(module) {
  const waiting = module.waiting;
  const queue = waiting === 0 ? "" : `${waiting} ${waiting === 1 ? "client waits" : "clients wait"}`;
  const leased = module.leased ? "used by a client" : "free";
  return element("div", { className: "card" },
    element("h3", {}, module.module),
    element("div", { className: "dim" }, [leased, queue].filter(Boolean).join(", ")),
    element("ul", { className: "rank-list" }, ...module.ranks.map(rank_item)));
}

/** Shows the answer of /api/ranks. */
export function show_ranks(answer) {
  by_id("modules").replaceChildren(...answer.modules.map(module_card));
}
