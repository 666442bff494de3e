// Puts the data into the page.

function find(id) {
  return document.getElementById(id);
}

function showNotices() {
  for (const [texts, kind] of [[data.findings, "finding"], [data.remarks, "remark"]]) {
    for (const text of texts) {
      const item = document.createElement("li");
      item.className = kind;
      item.textContent = `${text}.`;
      find("notices").append(item);
    }
  }
}

function showKeys(categories) {
  for (const name of ["computing", ...categories]) {
    const mark = document.createElement("i");
    mark.style.background = `var(--${name.toLowerCase().replace(/ /g, "-")})`;
    const key = document.createElement("span");
    key.append(mark, name);
    find("keys").append(key);
  }
}

function showDetail(line) {
  const told = line.calls.rank.length;
  const parts = [`A column of the data is ${seconds(line.column_ns * 1e-9)} wide.`];
  if (line.rank_group > 1) {
    parts.push(`A row has ${line.rank_group} ranks, with the mean of what they do.`);
  } else if (told < line.call_count) {
    parts.push(`Of ${line.call_count} calls the ${told} longest are told one by one, the others ` +
      "only as shares of a column.");
  } else {
    parts.push(`All ${told} calls are told one by one, from near.`);
  }
  parts.push("Turn the wheel or press + and - to zoom, drag or press arrows to move.");
  find("detail").textContent = parts.join(" ");
}

const timeLine = new TimeLine(find("time-line"), data.time_line);
const matrix = new Matrix(find("matrix"), data.matrix);
const computing = data.ranks.reduce((sum, one) => sum + one.computing_s, 0);
const whole = data.ranks.reduce((sum, one) => sum + one.span_s, 0);

find("summary").textContent = `${data.rank_count} ranks, ${seconds(data.end_s)}, ` +
  `${(100 * (1 - computing / whole)).toFixed(1)} % of the time in ${data.library}`;
showNotices();
showKeys(data.time_line.categories);
showDetail(data.time_line);
showRanks(find("rank-bars"), data.ranks, data.library);
showCosts(find("site-bars"), data.sites);
showCosts(find("function-bars"), data.functions);
showSizes(find("size-bars"), data.sizes);
find("matrix-detail").textContent = "Rows send, columns receive. " +
  (matrix.group > 1 ? `A cell stands for ${matrix.group} x ${matrix.group} ranks. ` : "") +
  "Collectives are not in it.";
find("closer").addEventListener("click", () => timeLine.view.zoom(0.5));
find("farther").addEventListener("click", () => timeLine.view.zoom(2));
find("whole").addEventListener("click", () => timeLine.view.whole());
for (const button of document.querySelectorAll("[name=matrix]")) {
  button.addEventListener("change", () => { matrix.what = button.value; matrix.draw(); });
}

function drawAll() {
  timeLine.draw();
  matrix.draw();
}
addEventListener("resize", drawAll);
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", drawAll);
drawAll();
