// From curves to what uPlot draws: one list of times, and for each curve one list of values.
import uPlot from "uplot";
import { alike } from "./data.js";
import { colour } from "./palette.js";

/// The same variable in every one of the `shown` runs that has it, and in the first of all `runs`, to compare with.
export const seriesOf = (names, shown, runs) => {
  const all = runs.map((run) => run.columns);
  return names.flatMap((name, variable) => {
    const first = alike(runs[0].columns, name, all);
    return shown
      .map((run) => ({ name, variable, run, column: alike(run.columns, name, all), first }))
      .filter(({ column }) => column);
  });
};

/// A plot of one variable tells runs apart by colour; one of several by dashes.
export const styleOf = (series, names, runs, theme) => {
  const byRun = runs.length > 1 && names.length === 1;
  return {
    colour: colour(byRun ? series.run.hue : series.variable, theme),
    dash: runs.length > 1 && !byRun && series.run.index > 0 ? [[6, 4], [2, 3], [10, 4, 2, 4]][(series.run.index - 1) % 3] : undefined,
  };
};

/// "value", "change" since the start, or "difference" from the first run.
const valueOf = (series, mode) => {
  const { curve } = series.column;
  if (mode === "change") {
    const first = curve.stored[0]; // the offset cancels, and with it its rounding
    return (i) => curve.stored[i] - first;
  }
  const other = mode === "difference" ? series.first?.curve : null;
  if (other) return (i) => curve.value(i) - other.at(curve.times[i]);
  return (i) => curve.value(i);
};

const values = (series, mode, log) => {
  const read = valueOf(series, mode);
  const list = new Array(series.column.curve.length);
  for (let i = 0; i < list.length; ++i) {
    const value = log ? Math.abs(read(i)) : read(i);
    list[i] = Number.isFinite(value) && !(log && value === 0) ? value : null;
  }
  return list;
};

/// The value at t, as the plot shows it.
export const valueAt = (series, t, mode) => {
  const { curve } = series.column;
  if (mode === "change") return curve.at(t) - curve.value(0);
  if (mode === "difference") return curve.at(t) - (series.first?.curve.at(t) ?? NaN);
  return curve.at(t);
};

export const plotData = (list, { mode, log }) => {
  if (!list.length) return [[0, 1]];
  const tables = list.map((series) => [series.column.curve.times, values(series, mode, log)]);
  if (tables.every(([times]) => times === tables[0][0])) return [tables[0][0], ...tables.map(([, column]) => column)];
  return uPlot.join(tables.map(([times, column]) => [Array.from(times), column]));
};
