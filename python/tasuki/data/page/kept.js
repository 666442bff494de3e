// Shows what programs have left on the ranks: arrays and objects.
import {
  by_id, bytes_text, button, element, notify, row, seconds_text, show_rows,
} from "./view.js";
import { free_kept } from "./server.js";

const SHOWN_LETTERS = 8;  // Of a name, which is long and says nothing.

const what = (one) =>
  [one.module, ...(one.kind === "object" ? [one.class] : [one.routine, one.argument])].join(".");
const shape = (one) => (one.kind === "object" ? "object" : `${one.type}[${one.shape.join(", ")}]`);
const client_text = (one) => [one.user, one.client.host].filter(Boolean).join(" at ");

async function free(one) {
  if (!confirm(`Free ${what(one)}?\nCalls that use it later fail.`)) return;
  try {
    await free_kept(one.name);
    notify(`${what(one)} is freed after the call under way.`);
  } catch (fault) {
    notify(fault.message);
  }
}

function kept_row(one) {
  const left = one.seconds.left;
  return row([
    what(one),
    element("code", { title: one.name }, `${one.name.slice(0, SHOWN_LETTERS)}\u2026`),
    shape(one), bytes_text(one.bytes), client_text(one), seconds_text(one.seconds.age),
    left === null ? "no limit" : seconds_text(left),
    one.is_being_freed ? "is being freed"
      : button("Free", `Free ${what(one)} ${one.name}`, () => free(one)),
  ], [3, 5, 6, 7], one.name);
}

/** Shows the answer of /api/arrays. */
export function show_kept(answer) {
  show_rows(by_id("kept"), by_id("no-kept"), answer.arrays.map(kept_row));
}
