// One plot: curves, their values at the time of the animation, and a line at that time.
import uPlot from "uplot";
import { plotData, seriesOf, styleOf, valueAt } from "./curves.js";
import { icon, make, number } from "./dom.js";

const height = () => (matchMedia("(max-width: 760px)").matches ? 170 : 190);

/// Powers of ten, at most about six of them.
const decades = (u, axis, min, max) => {
  const from = Math.ceil(Math.log10(min) - 1e-9);
  const to = Math.floor(Math.log10(max) + 1e-9);
  const step = Math.max(1, Math.ceil((to - from) / 6));
  const list = [];
  for (let power = from; power <= to; power += step) list.push(10 ** power);
  return list.length ? list : [min, max];
};

const modes = { value: "value", change: "change since start", difference: "difference from first run" };

export class PlotCard {
  /// `plots` owns it: runs, player, theme, zoom and the picker come from there.
  constructor(plots, { names, mode = "value", log = false, title = "" }) {
    this.plots = plots;
    this.names = names;
    this.mode = mode;
    this.log = log;
    this.title = title;
    this.element = make("article", { class: "card" });
    this.build();
  }

  get runs() {
    return this.plots.visibleRuns();
  }

  build() {
    this.series = seriesOf(this.names, this.runs, this.plots.runs);
    this.legend = make("div", { class: "legend" });
    this.area = make("div", { class: "plot" });
    this.element.replaceChildren(this.heading(), this.area, this.legend);
    this.buildLegend();
    this.buildPlot();
  }

  heading() {
    const mode = make("select", { title: "What is drawn", "aria-label": "What is drawn", onchange: () => this.set({ mode: mode.value }) });
    for (const [value, text] of Object.entries(modes))
      if (value !== "difference" || this.plots.runs.length > 1) mode.append(make("option", { value, selected: value === this.mode }, text));
    const button = (text, title, action, pressed) =>
      make("button", { class: "chip", title, "aria-pressed": pressed === undefined ? null : String(pressed), onclick: action }, text);
    return make(
      "header",
      {},
      make("h2", {}, this.title || this.names.join(", ") || "Nothing chosen"),
      mode,
      button("log", "Logarithmic, of the absolute value", () => this.set({ log: !this.log }), this.log),
      make("button", { class: "icon small", title: "Choose variables", "aria-label": "Choose variables", onclick: () => this.plots.choose(this) }, icon("plus")),
      make("button", { class: "icon small", title: "Remove this plot", "aria-label": "Remove this plot", onclick: () => this.plots.remove(this) }, icon("close")),
    );
  }

  set(change) {
    Object.assign(this, change);
    if (change.names) this.title = "";
    this.build();
    this.update(this.plots.player.time);
  }

  buildLegend() {
    this.readings = this.series.map((series) => {
      const style = styleOf(series, this.names, this.plots.runs, this.plots.theme.name);
      const reading = make("output", {});
      const label = this.plots.runs.length > 1 ? `${series.column.name} · ${series.run.label}` : series.name;
      const key = make("i", { class: style.dash ? "key dashed" : "key", style: `--key: ${style.colour}` });
      this.legend.append(
        make("span", { class: "entry", title: series.column.description || series.name }, key, make("b", {}, label), reading, make("small", {}, series.column.unit === "1" ? "" : series.column.unit)),
      );
      return reading;
    });
  }

  buildPlot() {
    this.plot?.destroy();
    const { theme, player } = this.plots;
    const ink = theme.css("--soft");
    const line = theme.css("--line");
    const units = new Set(this.series.map((series) => series.column.unit));
    const axis = { stroke: ink, grid: { stroke: line, width: 1 }, ticks: { stroke: line, width: 1 }, font: "11px system-ui, sans-serif" };
    const marks = (u, splits) => splits.map((v) => (v === null ? "" : number(v, 6)));
    this.plot = new uPlot(
      {
        width: Math.max(200, this.area.clientWidth || this.plots.width()),
        height: height(),
        legend: { show: false },
        cursor: { sync: { key: "tenon" }, drag: { x: true, y: false, dist: 6 }, points: { size: 6 }, y: false },
        scales: { x: { time: false, range: (u, min, max) => [min, max] }, y: this.log ? { distr: 3 } : {} },
        axes: [
          { ...axis, size: 30, values: marks, space: 70 },
          { ...axis, size: 62, values: marks, ...(this.log ? { splits: decades, filter: (u, splits) => splits } : {}), label: units.size === 1 && ![...units][0].match(/^1?$/) ? [...units][0] : undefined, labelSize: 18, labelFont: "11px system-ui, sans-serif", labelGap: 0 },
        ],
        series: [
          {},
          ...this.series.map((series) => {
            const { colour, dash } = styleOf(series, this.names, this.plots.runs, theme.name);
            return { stroke: colour, dash, width: 1.6, pxAlign: 0, spanGaps: true, points: { show: false } };
          }),
        ],
        hooks: { setScale: [(u, key) => key === "x" && this.plots.zoomed(u.scales.x.min, u.scales.x.max)] },
      },
      plotData(this.series, { mode: this.mode, log: this.log }),
      this.area,
    );
    this.zoom();
    this.bind(this.plot);
    this.update(player.time);
  }

  /// A click, or a finger that moves, sets the time; a drag zooms (uPlot's own), a double click shows all.
  bind(u) {
    const { player } = this.plots;
    this.line = make("div", { class: "now" });
    u.over.append(this.line);
    const seek = (event) => {
      const area = u.over.getBoundingClientRect();
      player.seek(u.posToVal(event.clientX - area.left, "x"));
    };
    let down = null;
    u.over.addEventListener("pointerdown", (event) => {
      down = event.clientX;
    });
    u.over.addEventListener("pointermove", (event) => {
      if (event.pointerType === "touch" && down !== null) seek(event);
    });
    u.over.addEventListener("pointerup", (event) => {
      if (down !== null && Math.abs(event.clientX - down) < 5) seek(event);
      down = null;
    });
    u.over.addEventListener("dblclick", () => this.plots.zoomAll());
    u.over.addEventListener(
      "wheel",
      (event) => {
        if (!event.ctrlKey && !event.altKey) return; // otherwise the list scrolls
        event.preventDefault();
        const at = u.posToVal(event.clientX - u.over.getBoundingClientRect().left, "x");
        const factor = event.deltaY > 0 ? 1.25 : 0.8;
        u.setScale("x", { min: at - (at - u.scales.x.min) * factor, max: at + (u.scales.x.max - at) * factor });
      },
      { passive: false },
    );
  }

  zoom() {
    const [min, max] = this.plots.shown();
    this.plot.setScale("x", { min, max });
  }

  resize() {
    const width = this.area.clientWidth;
    if (width > 0) this.plot.setSize({ width, height: height() });
    this.update(this.plots.player.time);
  }

  update(t) {
    this.series.forEach((series, i) => {
      this.readings[i].textContent = number(valueAt(series, t, this.mode), 6);
    });
    const { min, max } = this.plot.scales.x;
    const inside = min !== undefined && t >= min && t <= max;
    this.line.style.display = inside ? "block" : "none";
    if (inside) this.line.style.transform = `translateX(${this.plot.valToPos(t, "x")}px)`;
  }
}
