// What the plots share: numbers as text, colours, the tip beside the pointer, and a part of an axis
// that the wheel, dragging and keys change.

const data = JSON.parse(document.getElementById("data").textContent);
const KIBI = 1024;

function seconds(value) {
  for (const [unit, name] of [[1, "s"], [1e-3, "ms"], [1e-6, "µs"]]) {
    if (Math.abs(value) >= unit) return `${(value / unit).toPrecision(3)} ${name}`;
  }
  return `${Math.round(value * 1e9)} ns`;
}

function bytes(value) {
  const names = ["B", "KB", "MB", "GB", "TB"];
  let at = 0;
  for (; value >= KIBI && at < names.length - 1; ++at) value /= KIBI;
  return `${at === 0 ? value : value.toPrecision(3)} ${names[at]}`;
}

function colour(name) {
  const style = getComputedStyle(document.documentElement);
  return style.getPropertyValue(`--${name.toLowerCase().replace(/ /g, "-")}`).trim();
}

function rankText(row, group) {
  const last = Math.min(data.rank_count, (row + 1) * group) - 1;
  return group === 1 ? `rank ${row}` : `ranks ${row * group} to ${last}`;
}

const tip = document.getElementById("tip");

function showTip(event, text) {
  tip.hidden = !text;
  if (!text) return;
  tip.textContent = text;
  const left = Math.min(event.clientX + 12, innerWidth - tip.offsetWidth - 8);
  const top = Math.min(event.clientY + 12, innerHeight - tip.offsetHeight - 8);
  tip.style.left = `${Math.max(8, left)}px`;
  tip.style.top = `${Math.max(8, top)}px`;
}

// The part [from, to] of an axis from 0 to `whole`, at least `least` long.
class Part {
  constructor(whole, least) {
    Object.assign(this, { whole, least, from: 0, to: whole });
  }

  zoom(factor, centre) {
    const length = Math.min(this.whole, Math.max(this.least, (this.to - this.from) * factor));
    const share = (centre - this.from) / (this.to - this.from);
    this.set(centre - share * length, length);
  }

  move(distance) {
    this.set(this.from + distance, this.to - this.from);
  }

  set(from, length) {
    this.from = Math.min(Math.max(0, from), this.whole - length);
    this.to = this.from + length;
  }
}

// Lets the pointer and keys change the parts of a canvas (`axes`: x, and y if that is not null) and
// draws it anew. `place` says where the plot lies in the canvas.
class View {
  constructor(canvas, axes, place, draw) {
    Object.assign(this, { canvas, axes, place, draw });
    canvas.addEventListener("wheel", (event) => {
      event.preventDefault();
      this.zoom(Math.exp(Math.sign(event.deltaY) * 0.25), event);
    }, { passive: false });
    canvas.addEventListener("pointerdown", (event) => this.drag(event));
    canvas.addEventListener("keydown", (event) => this.press(event));
  }

  // Where on the axes the pointer is.
  at(event) {
    const box = this.canvas.getBoundingClientRect();
    const { left, top, width, height } = this.place();
    const [x, y] = this.axes;
    const along = (part, share) => part && part.from + share * (part.to - part.from);
    return [
      along(x, (event.clientX - box.left - left) / width),
      along(y, (event.clientY - box.top - top) / height),
    ];
  }

  zoom(factor, event) {
    const centres = event ? this.at(event) : this.axes.map((one) => one && (one.from + one.to) / 2);
    this.axes.forEach((one, index) => one && one.zoom(factor, centres[index]));
    this.draw();
  }

  whole() {
    for (const one of this.axes) if (one) one.set(0, one.whole);
    this.draw();
  }

  drag(begin) {
    const { width, height } = this.place();
    let last = begin;
    const move = (event) => {
      const [x, y] = this.axes;
      x.move((last.clientX - event.clientX) / width * (x.to - x.from));
      if (y) y.move((last.clientY - event.clientY) / height * (y.to - y.from));
      last = event;
      this.draw();
    };
    const end = () => {
      this.canvas.removeEventListener("pointermove", move);
      removeEventListener("pointerup", end);
    };
    this.canvas.addEventListener("pointermove", move);
    addEventListener("pointerup", end);
  }

  press(event) {
    const [x] = this.axes;
    const step = (x.to - x.from) / 5;
    const actions = {
      "+": () => this.zoom(0.5),
      "-": () => this.zoom(2),
      0: () => this.whole(),
      ArrowLeft: () => { x.move(-step); this.draw(); },
      ArrowRight: () => { x.move(step); this.draw(); },
    };
    if (!(event.key in actions)) return;
    event.preventDefault();
    actions[event.key]();
  }
}

// Prepares a canvas of that height for drawing in pixels of the style sheet; returns [context,
// width].
function prepare(canvas, height) {
  canvas.style.height = `${height}px`;
  const width = canvas.clientWidth;
  canvas.width = Math.round(width * devicePixelRatio);
  canvas.height = Math.round(height * devicePixelRatio);
  const context = canvas.getContext("2d");
  context.scale(devicePixelRatio, devicePixelRatio);
  context.font = "12px system-ui, sans-serif";
  return [context, width];
}
