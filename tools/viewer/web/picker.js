// Choosing variables: a list to search in. Names come from files and are only ever put in as texts.
import { alike } from "./data.js";
import { icon, make } from "./dom.js";

const mostRows = 300;

/// All words must occur; * stands for anything.
export const matcher = (text) => {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const patterns = words.map((word) => {
    const escaped = word.replace(/[.+?^${}()|[\]\\]/g, "\\$&").replace(/\*/g, ".*");
    return new RegExp(word.includes("*") ? `^${escaped}$` : escaped);
  });
  return (name) => patterns.every((pattern) => pattern.test(name.toLowerCase()));
};

export class Picker {
  constructor(runs) {
    this.variables = new Map(runs[0].columns);
    const all = runs.map((run) => run.columns);
    for (const run of runs.slice(1))
      for (const column of run.columns.values()) if (!alike(this.variables, column.name, all)) this.variables.set(column.name, column);
    this.search = make("input", { type: "search", placeholder: "Search, for example  crank  or  *.angle", "aria-label": "Search", oninput: () => this.list() });
    this.rows = make("div", { class: "rows" });
    this.count = make("small", {});
    this.dialog = make(
      "dialog",
      { class: "picker", onclick: (event) => event.target === this.dialog && this.dialog.close() },
      make("header", {}, make("h2", {}, "Variables"), make("button", { class: "icon small", "aria-label": "Close", onclick: () => this.dialog.close() }, icon("close"))),
      this.search,
      this.rows,
      make("footer", {}, this.count, make("button", { class: "primary", onclick: () => this.dialog.close() }, "Done")),
    );
    document.body.append(this.dialog);
  }

  /// `changed` gets the names whenever one is chosen or no longer.
  open(names, changed) {
    this.names = [...names];
    this.changed = changed;
    this.search.value = "";
    this.list();
    this.dialog.showModal();
    this.search.focus();
  }

  list() {
    const matches = matcher(this.search.value);
    const all = [...this.variables.keys()].filter(matches);
    const chosen = all.filter((name) => this.names.includes(name));
    const shown = [...chosen, ...all.filter((name) => !this.names.includes(name))].slice(0, mostRows);
    this.rows.replaceChildren(...shown.map((name) => this.row(name)));
    this.count.textContent = all.length > shown.length ? `${shown.length} of ${all.length} shown; search for more` : `${all.length} variables`;
  }

  row(name) {
    const column = this.variables.get(name);
    const box = make("input", { type: "checkbox", onchange: () => this.toggle(name, box.checked) });
    box.checked = this.names.includes(name);
    return make("label", { class: "row" }, box, make("b", {}, name), make("small", {}, column.unit === "1" ? "" : column.unit), make("span", {}, column.description));
  }

  toggle(name, on) {
    this.names = on ? [...this.names, name] : this.names.filter((other) => other !== name);
    this.changed([...this.names]);
  }
}
