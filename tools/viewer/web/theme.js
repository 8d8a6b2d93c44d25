// Light or dark: as the system says until the user chooses.

const stored = () => {
  try {
    return localStorage.getItem("tenon-theme");
  } catch {
    return null; // pages from the disk may have no storage
  }
};

export class Theme {
  constructor() {
    const system = matchMedia("(prefers-color-scheme: dark)");
    this.listeners = [];
    this.set(stored() ?? (system.matches ? "dark" : "light"));
    system.addEventListener("change", () => {
      if (!stored()) this.set(system.matches ? "dark" : "light");
    });
  }

  listen(listener) {
    this.listeners.push(listener);
    listener(this.name);
  }

  set(name) {
    this.name = name === "dark" ? "dark" : "light";
    document.documentElement.dataset.theme = this.name;
    for (const listener of this.listeners) listener(this.name);
  }

  toggle() {
    this.set(this.name === "dark" ? "light" : "dark");
    try {
      localStorage.setItem("tenon-theme", this.name);
    } catch {
      // it then holds for this visit
    }
  }

  /// A colour of style.css.
  css(name) {
    return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
  }
}
