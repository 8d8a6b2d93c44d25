// Elements, icons and numbers as text.

/// Children are texts or elements; properties that begin with "on" are listeners. Never HTML: names come from files.
export const make = (tag, properties = {}, ...children) => {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name === "style") element.style.cssText = value;
    else if (value === true) element.setAttribute(name, "");
    else if (value !== false && value !== null && value !== undefined) element.setAttribute(name, value);
  }
  element.append(...children.filter((child) => child !== null && child !== undefined));
  return element;
};

const paths = {
  play: "M8 5.5v13l11-6.5z",
  pause: "M7.5 5.5h3v13h-3zM13.5 5.5h3v13h-3z",
  first: "M6 6h2v12H6zM19 6v12l-9-6z",
  back: "M17 6v12l-9-6z",
  forward: "M7 6v12l9-6z",
  last: "M16 6h2v12h-2zM5 6v12l9-6z",
  loop: "M17 2l4 4-4 4V7H7v4H5V7a2 2 0 0 1 2-2h10zM7 22l-4-4 4-4v3h10v-4h2v4a2 2 0 0 1-2 2H7z",
  layers: "M12 3l10 5.5L12 14 2 8.5zM4.6 11.9L2 13.5 12 19l10-5.5-2.6-1.6L12 16z",
  curves: "M3 3h2v16h16v2H3zM7 15l4-6 4 3.5L20 5l1.6 1.1L15.5 15.2 11.5 11.8 8.6 16.1z",
  theme: "M12 3a9 9 0 1 0 0 18a9 9 0 0 0 0-18zM12 5a7 7 0 0 1 0 14z",
  help: "M11 17h2v2h-2zM12 5a4 4 0 0 0-4 4h2a2 2 0 1 1 2.7 1.9c-1.1.5-1.7 1.3-1.7 2.6V15h2v-1.2c0-.6.3-.9 1-1.3A4 4 0 0 0 12 5z",
  fullscreen: "M4 4h6v2H6v4H4zM14 4h6v6h-2V6h-4zM4 14h2v4h4v2H4zM18 14h2v6h-6v-2h4z",
  close: "M6.4 5L12 10.6 17.6 5 19 6.4 13.4 12 19 17.6 17.6 19 12 13.4 6.4 19 5 17.6 10.6 12 5 6.4z",
  plus: "M11 5h2v6h6v2h-6v6h-2v-6H5v-2h6z",
};

export const icon = (name) => {
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  svg.setAttribute("viewBox", "0 0 24 24");
  const path = document.createElementNS("http://www.w3.org/2000/svg", "path");
  path.setAttribute("d", paths[name]);
  if (name === "theme") path.setAttribute("fill-rule", "evenodd");
  svg.append(path);
  return svg;
};

/// Six significant digits, in as little space as that takes.
export const number = (value, digits = 6) => {
  if (value === undefined || value === null || !Number.isFinite(value)) return "–";
  const size = Math.abs(value);
  if (value === 0) return "0";
  if (size >= 1e6 || size < 1e-4) return value.toExponential(Math.max(0, digits - 3)).replace(/\.?0*e\+?/, "e");
  return String(Number(value.toPrecision(digits)));
};

/// As many digits as the range needs to tell two frames apart.
export const seconds = (time, duration) => {
  const digits = Math.min(9, Math.max(1, Math.ceil(3 - Math.log10(Math.max(duration, 1e-9)))));
  return time.toFixed(digits);
};
