// The page of a server: asks it each second what it does, and shows that.
import { by_id, bytes_text, element, seconds_text } from "./view.js";
import { LoginNeeded, ask, log_in, log_out } from "./server.js";
import { show_calls } from "./calls.js";
import { show_kept } from "./kept.js";
import { show_ranks } from "./ranks.js";
import { show_routines } from "./routines.js";
import { show_throughput } from "./throughput.js";

const INTERVAL_MS = 1000;

let has_routines = false;

function say_state(text, kind) {
  by_id("state").textContent = text;
  by_id("state").className = `pill ${kind}`;
}

function show_figures(status) {
  const figures = {
    "under way": status.calls.running,
    "waiting": status.calls.queued,
    "done": status.calls.done,
    "failed or cancelled": status.calls.failed + status.calls.cancelled,
    "to the ranks": bytes_text(status.bytes.received),
    "from the ranks": bytes_text(status.bytes.sent),
  };
  by_id("figures").replaceChildren(...Object.entries(figures).map(([name, value]) =>
    element("div", {}, element("dt", {}, name), element("dd", {}, `${value}`))));
  by_id("version").textContent =
    `Tasuki ${status.version}, serving for ${seconds_text(status.uptime_seconds)}`;
  by_id("user").textContent = status.user;
  by_id("log-out").hidden = !status.needs_token;
}

async function update() {
  const [status, calls, ranks, kept] = await Promise.all(
    ["/api/status", "/api/calls", "/api/ranks", "/api/arrays"].map((path) => ask(path)));
  if (!has_routines) {
    show_routines(await ask("/api/routines"));
    has_routines = true;
  }
  by_id("log-in").hidden = true;
  by_id("content").hidden = false;
  say_state(status.state, status.state === "serving" ? "good" : "");
  by_id("draining").hidden = status.state !== "draining";
  show_figures(status);
  show_throughput(status);
  show_calls(calls, status.user);
  show_ranks(ranks);
  show_kept(kept);
}

function ask_for_token() {
  say_state("token needed", "");
  by_id("content").hidden = true;
  if (by_id("log-in").hidden) {
    by_id("log-in").hidden = false;
    by_id("token").focus();
  }
}

/** Updates the page while somebody sees it, one update after the other. */
async function run() {
  while (true) {
    try {
      if (!document.hidden && by_id("log-in").hidden) await update();
    } catch (fault) {
      if (fault instanceof LoginNeeded) ask_for_token();
      else say_state(fault.message, "wrong");
    }
    await new Promise((resolve) => { setTimeout(resolve, INTERVAL_MS); });
  }
}

by_id("address").textContent = location.host;
document.title = `Tasuki ${location.host}`;
by_id("log-in").addEventListener("submit", async (event) => {
  event.preventDefault();
  try {
    await log_in(by_id("token").value);
    by_id("token").value = "";
    by_id("log-in-error").textContent = "";
    await update();
  } catch (fault) {
    by_id("log-in-error").textContent = fault.message;
  }
});
by_id("log-out").addEventListener("click", async () => {
  await log_out();
  location.reload();
});
run();
