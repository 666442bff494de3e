// Draws how many bytes a second go to the ranks and come from them.
import { by_id, bytes_text } from "./view.js";

const SAMPLES = 120;
const WIDTH = 600;
const HEIGHT = 120;
const SVG = "http://www.w3.org/2000/svg";

const rates = [];  // Of the last samples: [to the ranks, from them], bytes a second.
let last = null;   // The counters of the sample before, and when.

function shape(name, attributes) {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  return made;
}

function curve(index, most, name) {
  const first = SAMPLES - rates.length;
  const points = rates.map((rate, at) => {
    const x = ((first + at) / (SAMPLES - 1)) * WIDTH;
    return `${x.toFixed(1)},${(HEIGHT - 3 - (rate[index] / most) * (HEIGHT - 8)).toFixed(1)}`;
  });
  return shape("polyline", { points: points.join(" "), class: name });
}

function draw() {
  const most = Math.max(1, ...rates.flat());
  const lines = [0.25, 0.5, 0.75, 1].map((part) => {
    const y = HEIGHT - 3 - part * (HEIGHT - 8);
    return shape("line", { x1: 0, x2: WIDTH, y1: y, y2: y });
  });
  const [to_ranks, from_ranks] = rates.at(-1) ?? [0, 0];
  by_id("rate-in").textContent = `to the ranks ${bytes_text(to_ranks)}/s`;
  by_id("rate-out").textContent = `from the ranks ${bytes_text(from_ranks)}/s`;
  by_id("rate-most").textContent = most > 1 ? `most: ${bytes_text(most)}/s` : "";
  const picture = by_id("throughput");
  picture.replaceChildren(...lines, curve(0, most, "to-ranks"), curve(1, most, "from-ranks"));
  picture.setAttribute("aria-label", `Throughput: ${bytes_text(to_ranks)} a second to the ranks, `
    + `${bytes_text(from_ranks)} a second from them`);
}

/** Takes the counters of /api/status: all bytes until now. */
export function show_throughput(status) {
  const sample = { at: status.now, in: status.bytes.received, out: status.bytes.sent };
  if (last && sample.at > last.at) {
    const seconds = sample.at - last.at;
    rates.push([Math.max(0, sample.in - last.in) / seconds,
                Math.max(0, sample.out - last.out) / seconds]);
    if (rates.length > SAMPLES) rates.shift();
  }
  last = sample;
  draw();
}
