// Shows calls: those under way with their progress, past ones with where their time went.
import {
  by_id, bytes_text, button, element, notify, row, seconds_text, show_rows,
} from "./view.js";
import { cancel_call } from "./server.js";

const PARTS = ["client", "queued", "front-end", "receive", "compute", "send"];
const NAMES = { client: "client and network", queued: "queue", "front-end": "front end" };

const routine_text = (call) =>
  (call.kind === "call" ? "" : `${call.kind} `) + [call.module, call.routine].filter(Boolean).join(".");
const client_text = (call) => [call.user, call.client.host].filter(Boolean).join(" at ");

/**
 * Seconds by part. Ranks work at once: the slowest counts. The front end's part is the time for
 * which it had the arrays, less that of the ranks. The rest is the client's.
 */
export function split_of(call) {
  const slowest = (part) => Math.max(0, ...call.ranks.map((rank) => rank.seconds[part]));
  const of_ranks = {
    receive: slowest("receive"),
    compute: slowest("compute"),
    send: slowest("send"),
  };
  const ranks_s = Object.values(of_ranks).reduce((sum, one) => sum + one, 0);
  const front_end_s = Math.max(0, call.seconds.front_end - ranks_s);
  const known_s = call.seconds.queued + front_end_s + ranks_s;
  return {
    client: Math.max(0, call.seconds.client - known_s),
    queued: call.seconds.queued,
    "front-end": front_end_s,
    ...of_ranks,
  };
}

const total_seconds = (call) => Object.values(split_of(call)).reduce((sum, one) => sum + one, 0);

function split_bar(call) {
  const split = split_of(call);
  const text = PARTS.map((part) => `${NAMES[part] ?? part} ${seconds_text(split[part])}`).join(", ");
  const bar = element("div", { className: "split", role: "img", title: text, "aria-label": text });
  const total = total_seconds(call);
  for (const part of PARTS.filter((one) => split[one] > 0)) {
    const piece = element("span", { className: part });
    piece.style.width = `${(100 * split[part]) / total}%`;
    bar.append(piece);
  }
  return bar;
}

function progress_of(call) {
  const moved = call.bytes.received + call.bytes.sent;
  if (call.state === "queued") return "waits for the ranks";
  const text = `${bytes_text(moved)} of ${bytes_text(call.bytes.total)}`;
  const bar = element("progress", { max: Math.max(1, call.bytes.total), value: moved });
  bar.setAttribute("aria-label", `Progress of call ${call.number}: ${text}`);
  return element("div", {}, bar, element("div", { className: "dim" }, text));
}

const cancelled = new Set();  // Numbers of calls that are being cancelled.

async function cancel(call) {
  const loss = call.state === "queued" ? ""
    : "\nThe ranks are started anew: what programs have left there is lost.";
  if (!confirm(`Cancel call ${call.number} of ${routine_text(call)}?${loss}`)) return;
  cancelled.add(call.number);
  try {
    await cancel_call(call.number);
    notify(`Call ${call.number} was cancelled.`);
  } catch (fault) {
    cancelled.delete(call.number);
    notify(fault.message);
  }
}

function action_on(call, user) {
  if (call.user !== user) return "";
  if (cancelled.has(call.number)) return "is being cancelled";
  return button("Cancel", `Cancel call ${call.number}`, () => cancel(call));
}

function running_row(call, now, user) {
  return row([
    `${call.number}`, routine_text(call), client_text(call), call.state, progress_of(call),
    seconds_text(Math.max(0, now - call.begin)), action_on(call, user),
  ], [5, 6], `${call.number}`);
}

function outcome_of(call) {
  const is_good = call.state === "done";
  const outcome = element("span", { className: is_good ? "pill good" : "pill wrong" }, call.state);
  if (!call.happened) return outcome;
  return element("div", {}, outcome, element("p", { className: "what" }, call.happened));
}

/** How the arrays travelled, and with how many threads each rank computed. */
function way_of(call) {
  const threads = call.ranks.map((rank) => rank.threads.toFixed(1)).join(", ");
  const known = threads && call.kind === "call" ? `threads: ${threads}` : "";
  return element("div", {}, call.mode, element("div", { className: "dim" }, known));
}

function past_row(call) {
  const count = call.calls > 1 ? ` (${call.calls} calls)` : "";
  return row([
    `${call.number}`, routine_text(call) + count, client_text(call), outcome_of(call),
    way_of(call), bytes_text(call.bytes.received + call.bytes.sent), split_bar(call),
    seconds_text(total_seconds(call)),
  ], [5, 7], `${call.number}`);
}

/** Shows the answer of /api/calls to a user, who may cancel calls of that name. */
export function show_calls(answer, user) {
  const rows = answer.current.map((call) => running_row(call, answer.now, user));
  show_rows(by_id("running"), by_id("no-running"), rows);
  show_rows(by_id("past"), by_id("no-past"), answer.past.map(past_row));
}
