// Rows with a name, a bar of parts and a value.

// `parts` are [name of the colour, length]; `most` is the length of a whole bar.
function barRow(name, parts, most, value, text) {
  const row = document.createElement("div");
  row.className = "row";
  const title = document.createElement("span");
  title.className = "name";
  title.textContent = title.title = name;
  const bar = document.createElement("span");
  bar.className = "bar";
  for (const [category, length] of parts) {
    const part = document.createElement("i");
    part.style.width = `${100 * length / most}%`;
    part.style.background = `var(--${category.replace(/ /g, "-")})`;
    bar.append(part);
  }
  const shown = document.createElement("span");
  shown.className = "value";
  shown.textContent = value;
  row.append(title, bar, shown);
  row.addEventListener("pointermove", (event) => showTip(event, text));
  row.addEventListener("pointerleave", (event) => showTip(event, ""));
  return row;
}

const WAITS = [
  ["late sender", "late_sender_s"],
  ["late receiver", "late_receiver_s"],
  ["skew", "skew_s"],
];

function timesText(one) {
  const waits = WAITS.map(([name, field]) => `waiting, ${name}: ${seconds(one[field])}`);
  return [...waits, `transferring: ${seconds(one.transferring_s)}`].join("\n");
}

function timeParts(one) {
  return [...WAITS.map(([name, field]) => [name, one[field]]), ["messages", one.transferring_s]];
}

function showRanks(element, ranks, library) {
  const most = Math.max(...ranks.map((one) => one.span_s));
  for (const one of ranks) {
    const parts = [["computing", one.computing_s], ...timeParts(one)];
    const share = 100 * (1 - one.computing_s / one.span_s);
    const text = `rank ${one.rank} on ${one.host} (${one.state})\n` +
      `computing: ${seconds(one.computing_s)}\n${timesText(one)}\n` +
      `${one.sends} sends, ${one.receives} receives, ${one.collectives} collectives, ` +
      `${bytes(one.sent_bytes)} sent`;
    const label = `${share.toFixed(1)} % ${library}`;
    element.append(barRow(`rank ${one.rank}`, parts, most, label, text));
  }
}

// Of functions and of call sites.
function showCosts(element, costs) {
  const most = Math.max(...costs.map((one) => one.seconds));
  for (const one of costs) {
    const text = `${one.name}\n${one.calls} calls, ${seconds(one.seconds)}\n${timesText(one)}\n` +
      `${bytes(one.sent_bytes)} sent, ${bytes(one.received_bytes)} received`;
    element.append(barRow(one.name, timeParts(one), most, seconds(one.seconds), text));
  }
}

function showSizes(element, sizes) {
  const most = Math.max(...sizes.map((one) => one.messages + one.collectives));
  for (const one of sizes) {
    const least = one.least_bytes;
    const name = least < 2 ? bytes(least) : `${bytes(least)} to below ${bytes(2 * least)}`;
    const parts = [["messages", one.messages], ["collectives", one.collectives]];
    const text = `${name}\n${one.messages} messages, ${one.collectives} calls of collectives`;
    element.append(barRow(name, parts, most, `${one.messages + one.collectives}`, text));
  }
}
