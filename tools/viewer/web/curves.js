// From curves to what uPlot draws: one list of times, and for each curve one list of values.
import uPlot from "uplot";
import { colour } from "./palette.js";

/// The same variable in every run that has it.
export const seriesOf = (names, runs) =>
  names.flatMap((name, variable) =>
    runs.filter((run) => run.columns.has(name)).map((run) => ({ name, variable, run, column: run.columns.get(name) })),
  );

/// A plot of one variable tells runs apart by colour; one of several by dashes.
export const styleOf = (series, names, runs, theme) => {
  const byRun = runs.length > 1 && names.length === 1;
  return {
    colour: colour(byRun ? series.run.index : series.variable, theme),
    dash: runs.length > 1 && !byRun && series.run.index > 0 ? [[6, 4], [2, 3], [10, 4, 2, 4]][(series.run.index - 1) % 3] : undefined,
  };
};

/// "value", "change" since the start, or "difference" from the first run.
const valueOf = (series, mode, runs) => {
  const { curve } = series.column;
  if (mode === "change") {
    const first = curve.stored[0]; // the offset cancels, and with it its rounding
    return (i) => curve.stored[i] - first;
  }
  const other = mode === "difference" ? runs[0].columns.get(series.name)?.curve : null;
  if (other) return (i) => curve.value(i) - other.at(curve.times[i]);
  return (i) => curve.value(i);
};

const values = (series, mode, log, runs) => {
  const read = valueOf(series, mode, runs);
  const list = new Array(series.column.curve.length);
  for (let i = 0; i < list.length; ++i) {
    const value = log ? Math.abs(read(i)) : read(i);
    list[i] = Number.isFinite(value) && !(log && value === 0) ? value : null;
  }
  return list;
};

/// The value at t, as the plot shows it.
export const valueAt = (series, t, mode, runs) => {
  const { curve } = series.column;
  if (mode === "change") return curve.at(t) - curve.value(0);
  if (mode === "difference") return curve.at(t) - (runs[0].columns.get(series.name)?.curve.at(t) ?? NaN);
  return curve.at(t);
};

export const plotData = (list, { mode, log, runs }) => {
  if (!list.length) return [[0, 1]];
  const tables = list.map((series) => [series.column.curve.times, values(series, mode, log, runs)]);
  if (tables.every(([times]) => times === tables[0][0])) return [tables[0][0], ...tables.map(([, column]) => column)];
  return uPlot.join(tables.map(([times, column]) => [Array.from(times), column]));
};
