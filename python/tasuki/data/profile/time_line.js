// The time line: a row for each rank, in which a column of pixels shows how its time is divided.
// Where columns are narrower than a pixel of the data, calls that the data has are drawn themselves.

class TimeLine {
  constructor(canvas, line) {
    Object.assign(this, { canvas, line });
    this.shares = Uint8Array.from(atob(line.shares), (letter) => letter.charCodeAt(0));
    this.callsOfRow = Array.from({ length: line.rows }, () => []);
    line.calls.rank.forEach((rank, index) => {
      if (line.rank_group === 1) this.callsOfRow[rank].push(index);
    });
    this.part = new Part(data.end_s, Math.min(data.end_s, 1e-7));
    this.rowHeight = Math.max(3, Math.min(28, Math.floor(480 / line.rows)));
    this.height = this.rowHeight * line.rows + 24;
    this.view = new View(canvas, [this.part, null], () => this.place(), () => this.draw());
    canvas.addEventListener("pointermove", (event) => showTip(event, this.tell(event)));
    canvas.addEventListener("pointerleave", (event) => showTip(event, ""));
  }

  place() {
    return { left: 64, top: 0, width: this.canvas.clientWidth - 64, height: this.height - 24 };
  }

  draw() {
    const [context] = prepare(this.canvas, this.height);
    const colours = this.line.categories.map(colour);
    const { left, width, height } = this.place();
    context.fillStyle = colour("page");
    context.fillRect(left, 0, width, height);
    for (let row = 0; row < this.line.rows; ++row) this.drawRow(context, colours, row);
    this.drawAxes(context);
    // For those who read the page by a program.
    this.canvas.dataset.from = this.part.from;
    this.canvas.dataset.to = this.part.to;
  }

  drawRow(context, colours, row) {
    const { left, width } = this.place();
    const gap = this.rowHeight > 6 ? 1 : 0;
    const top = row * this.rowHeight;
    this.fillSpan(context, row, top, this.rowHeight - gap);
    for (let x = 0; x < width; ++x) {
      const shares = this.sharesAt(row, this.timeAt(x), this.timeAt(x + 1));
      let bottom = top + this.rowHeight - gap;
      shares.forEach((share, category) => {
        if (share === 0) return;
        const part = share * (this.rowHeight - gap);
        context.fillStyle = colours[category];
        context.fillRect(left + x, bottom - part, 1, part);
        bottom -= part;
      });
    }
    if (this.isFine()) this.drawCalls(context, colours, row, top, this.rowHeight - gap);
  }

  // What is not covered afterwards is computing, while the rank runs.
  fillSpan(context, row, top, height) {
    const { left, width } = this.place();
    const scale = width / (this.part.to - this.part.from);
    const [begin, end] = this.line.spans[row].map((time) =>
      Math.min(width, Math.max(0, (time - this.part.from) * scale)));
    context.fillStyle = colour("computing");
    context.fillRect(left + begin, top, end - begin, height);
  }

  timeAt(x) {
    return this.part.from + x / this.place().width * (this.part.to - this.part.from);
  }

  // Is a column of the data wider than a few pixels?
  isFine() {
    const pixel = (this.part.to - this.part.from) / this.place().width;
    return this.line.column_ns * 1e-9 > 3 * pixel;
  }

  // The mean shares of a row between two times, by category.
  sharesAt(row, from, to) {
    const { columns, column_ns: columnNs, categories } = this.line;
    const first = Math.min(columns - 1, Math.floor(from * 1e9 / columnNs));
    const last = Math.min(columns - 1, Math.max(first, Math.ceil(to * 1e9 / columnNs) - 1));
    return categories.map((_, category) => {
      const begin = (row * categories.length + category) * columns;
      let sum = 0;
      for (let column = first; column <= last; ++column) sum += this.shares[begin + column];
      return sum / (last - first + 1) / 255;
    });
  }

  drawCalls(context, colours, row, top, height) {
    const { calls } = this.line;
    const { left, width } = this.place();
    const scale = width / (this.part.to - this.part.from);
    const rectangle = (category, fromNs, toNs) => {
      const begin = Math.max(0, (fromNs * 1e-9 - this.part.from) * scale);
      const end = Math.min(width, (toNs * 1e-9 - this.part.from) * scale);
      if (end <= begin) return;
      context.fillStyle = colours[category];
      context.fillRect(left + begin, top, Math.max(1, end - begin), height);
    };
    if (this.hasAllCalls()) this.fillSpan(context, row, top, height);
    for (const index of this.callsOfRow[row]) {
      const enter = calls.enter_ns[index];
      const begun = enter + calls.waiting_ns[index];
      const leave = enter + calls.duration_ns[index];
      if (leave * 1e-9 < this.part.from || enter * 1e-9 > this.part.to) continue;
      rectangle(calls.wait[index], enter, begun);
      rectangle(calls.category[index], begun, leave);
    }
  }

  hasAllCalls() {
    return this.line.rank_group === 1 && this.line.calls.rank.length === this.line.call_count;
  }

  drawAxes(context) {
    const { left, width, height } = this.place();
    context.fillStyle = colour("dim");
    context.textAlign = "right";
    const every = Math.ceil(14 / this.rowHeight);
    for (let row = 0; row < this.line.rows; row += every) {
      context.fillText(row * this.line.rank_group, left - 8, row * this.rowHeight + 12);
    }
    const steps = Math.max(1, Math.floor(width / 120));
    for (let step = 0; step <= steps; ++step) {
      const x = left + width * step / steps;
      context.textAlign = step === 0 ? "left" : step === steps ? "right" : "center";
      context.fillText(seconds(this.timeAt(width * step / steps)), x, height + 16);
    }
  }

  // What is at the pointer, as text.
  tell(event) {
    const { left, width, height } = this.place();
    const box = this.canvas.getBoundingClientRect();
    const x = event.clientX - box.left - left;
    const row = Math.floor((event.clientY - box.top) / this.rowHeight);
    if (x < 0 || x >= width || row < 0 || event.clientY - box.top >= height) return "";
    const call = this.callAt(row, this.timeAt(x));
    const where = `${rankText(row, this.line.rank_group)}, ${seconds(this.timeAt(x))}`;
    return call === undefined ? this.tellShares(where, row, x) : this.tellCall(where, call);
  }

  // The shortest of the calls there, as one may call another.
  callAt(row, time) {
    const { calls } = this.line;
    const pixelNs = (this.part.to - this.part.from) / this.place().width * 1e9;
    const ns = time * 1e9;
    const found = this.callsOfRow[row].filter((index) => calls.enter_ns[index] <= ns &&
      ns < calls.enter_ns[index] + Math.max(calls.duration_ns[index], pixelNs));
    found.sort((one, two) => calls.duration_ns[one] - calls.duration_ns[two]);
    return found[0];
  }

  tellCall(where, index) {
    const { calls, function_names: functions, site_names: sites, categories } = this.line;
    const lines = [where, functions[calls.function[index]], `in ${sites[calls.site[index]]}`];
    lines.push(`takes ${seconds(calls.duration_ns[index] * 1e-9)}`);
    if (calls.waiting_ns[index] > 0) {
      const why = categories[calls.wait[index]];
      lines.push(`waits ${seconds(calls.waiting_ns[index] * 1e-9)} (${why})`);
    }
    if (calls.destination[index] >= 0) lines.push(`to rank ${calls.destination[index]}`);
    if (calls.source[index] >= 0) lines.push(`from rank ${calls.source[index]}`);
    if (calls.bytes[index] > 0) lines.push(bytes(calls.bytes[index]));
    return lines.join("\n");
  }

  tellShares(where, row, x) {
    const [begin, end] = this.line.spans[row];
    if (this.timeAt(x) > end || this.timeAt(x + 1) < begin) return `${where}\nnot running`;
    const shares = this.sharesAt(row, this.timeAt(x), this.timeAt(x + 1));
    const computing = Math.max(0, 1 - shares.reduce((sum, share) => sum + share, 0));
    const all = [["computing", computing], ...this.line.categories.map((name, index) =>
      [name, shares[index]])];
    const seen = all.filter(([, share]) => share > 0.005);
    return [where, ...seen.map(([name, share]) => `${name} ${Math.round(100 * share)} %`)]
      .join("\n");
  }
}
