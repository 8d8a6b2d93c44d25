// The plots beside the machine, with one zoom and one time for all.
import { firstPlots } from "./chosen.js";
import { Picker } from "./picker.js";
import { PlotCard } from "./plotcard.js";

export class Plots {
  constructor(container, addButton, runs, player, theme) {
    this.container = container;
    this.runs = runs;
    this.player = player;
    this.theme = theme;
    this.hiddenRuns = new Set();
    this.range = null; // of time, where somebody has zoomed
    this.cards = [];
    this.picker = new Picker(runs);
    for (const plot of firstPlots(runs)) this.add(plot);
    addButton.addEventListener("click", () => this.choose(this.add({ names: [] })));
    theme.listen(() => this.cards.forEach((card) => card.build()));
    player.listen(() => this.cards.forEach((card) => card.update(player.time)));
    new ResizeObserver(() => this.cards.forEach((card) => card.resize())).observe(container);
  }

  visibleRuns() {
    return this.runs.filter((run) => !this.hiddenRuns.has(run));
  }

  setRun(run, visible) {
    if (visible) this.hiddenRuns.delete(run);
    else this.hiddenRuns.add(run);
    for (const card of this.cards) card.build();
  }

  width() {
    return this.container.clientWidth - 24;
  }

  add(plot) {
    const card = new PlotCard(this, plot);
    this.cards.push(card);
    this.container.append(card.element);
    card.resize();
    return card;
  }

  remove(card) {
    card.plot.destroy();
    card.element.remove();
    this.cards = this.cards.filter((other) => other !== card);
  }

  choose(card) {
    this.picker.open(card.names, (names) => card.set({ names }));
  }

  /// The range of time that all plots show.
  shown() {
    const { start, stop } = this.player;
    return this.range ?? (stop > start ? [start, stop] : [start - 0.5, start + 0.5]);
  }

  /// uPlot calls this after every change of a plot's range, also those that come from here.
  zoomed(min, max) {
    const [from, to] = this.shown();
    const tolerance = (to - from) * 1e-9;
    if (!(max > min) || (Math.abs(min - from) <= tolerance && Math.abs(max - to) <= tolerance)) return;
    const { start, stop } = this.player;
    const begin = Math.max(min, start);
    const end = Math.min(max, stop);
    this.setZoom(end - begin > (stop - start) * 0.999 || !(end > begin) ? null : [begin, end]);
  }

  zoomAll() {
    this.setZoom(null);
  }

  setZoom(range) {
    this.range = range;
    for (const card of this.cards) card.zoom();
    requestAnimationFrame(() => this.cards.forEach((card) => card.update(this.player.time)));
  }
}
