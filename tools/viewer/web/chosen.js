// Which curves a page begins with: what one looks at first in a result of this kind.
const most = 6; // curves of one plot

const namesThat = (names, ...patterns) => patterns.flatMap((pattern) => names.filter((name) => pattern.test(name)));

/// Plots as { names, mode, log }; at most four.
export const firstPlots = (runs) => {
  const names = [...runs[0].columns.keys()];
  const several = runs.length > 1;
  const isSystem = names.some((name) => /\.energy\.total$/.test(name));
  const plots = [];
  const add = (list, more = {}) => {
    if (list.length) plots.push({ names: list.slice(0, most), mode: "value", log: false, ...more });
  };
  add(namesThat(names, /(^|\.)gap(_\w+)?(\[\d\])?$/), { log: true, title: "Joint gaps" });
  add(namesThat(names, /\.ledger$/), { title: "Work of the glue" });
  if (several) add(names.includes("energy.total") ? ["energy.total"] : namesThat(names, /\.energy\.total$/), { mode: "change", title: "Energy since the start" });
  else add(namesThat(names, isSystem ? /(^|\.)energy\.total$/ : /^energy\.(kinetic|potential|total)$/), { title: "Energy" });
  const coordinates = namesThat(names, /\.(angle|distance)$/, /\.(speed|w|tau)$/, /\.r_0\[\d\]$/);
  const kind = coordinates[0]?.replace(/^.*\.([a-z_0]+)(\[\d\])?$/, "$1");
  add(coordinates.filter((name) => name.replace(/\[\d\]$/, "").endsWith(`.${kind}`)).slice(0, several ? 1 : 4));
  if (!coordinates.length) add(names.slice(0, 3));
  add(namesThat(names, /(^|\.)constraint\.position$/), { log: true, title: "Gap of the joints" });
  return plots.slice(0, 4);
};
