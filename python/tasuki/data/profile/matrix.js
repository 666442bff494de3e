// The communication matrix: a cell for each sender (row) and receiver (column), darker for more.

class Matrix {
  constructor(canvas, matrix) {
    this.canvas = canvas;
    this.group = matrix.rank_group;
    this.size = Math.ceil(data.rank_count / this.group);
    this.cells = new Map(matrix.cells.map(([from, to, messages, size]) =>
      [from * this.size + to, { messages, bytes: size }]));
    this.what = "bytes";
    this.axes = [new Part(this.size, 1), new Part(this.size, 1)];
    this.view = new View(canvas, this.axes, () => this.place(), () => this.draw());
    canvas.addEventListener("pointermove", (event) => showTip(event, this.tell(event)));
    canvas.addEventListener("pointerleave", (event) => showTip(event, ""));
  }

  place() {
    const side = Math.min(480, this.canvas.clientWidth - 48);
    return { left: 48, top: 8, width: side, height: side };
  }

  draw() {
    const { left, top, width } = this.place();
    const [context] = prepare(this.canvas, width + 32);
    const [x, y] = this.axes;
    const side = width / (x.to - x.from);
    const most = Math.max(1, ...[...this.cells.values()].map((cell) => cell[this.what]));
    context.fillStyle = colour("page");
    context.fillRect(left, top, width, width);
    context.save();
    context.beginPath();
    context.rect(left, top, width, width);
    context.clip();
    context.fillStyle = colour("messages");
    for (const [key, cell] of this.cells) {
      const [from, to] = [Math.floor(key / this.size), key % this.size];
      // Linear would hide all but the largest.
      context.globalAlpha = 0.1 + 0.9 * Math.log1p(cell[this.what]) / Math.log1p(most);
      const corner = [left + (to - x.from) * side, top + (from - y.from) * side];
      context.fillRect(...corner, Math.max(1, side - 1), Math.max(1, side - 1));
    }
    context.restore();
    this.drawAxes(context, side);
    this.canvas.dataset.from = x.from;
    this.canvas.dataset.to = x.to;
  }

  drawAxes(context, side) {
    const { left, top, width } = this.place();
    const [x, y] = this.axes;
    context.fillStyle = colour("dim");
    const every = Math.max(1, Math.ceil(28 / side));
    for (let row = Math.ceil(y.from / every) * every; row < y.to; row += every) {
      context.textAlign = "right";
      context.fillText(row * this.group, left - 6, top + (row - y.from + 0.5) * side + 4);
    }
    for (let column = Math.ceil(x.from / every) * every; column < x.to; column += every) {
      context.textAlign = "center";
      const at = left + (column - x.from + 0.5) * side;
      context.fillText(column * this.group, at, top + width + 16);
    }
  }

  tell(event) {
    const [to, from] = this.view.at(event).map(Math.floor);
    if (![from, to].every((one) => one >= 0 && one < this.size)) return "";
    const cell = this.cells.get(from * this.size + to) ?? { messages: 0, bytes: 0 };
    const ways = `${rankText(from, this.group)} to ${rankText(to, this.group)}`;
    return `${ways}\n${cell.messages} messages, ${bytes(cell.bytes)}`;
  }
}
