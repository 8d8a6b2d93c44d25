// The keyboard.
import { icon, make } from "./dom.js";

const list = [
  ["Space", "play or pause"],
  ["← →", "one row back or on; with Shift ten"],
  ["Home End", "to the start, to the end"],
  ["+ −", "faster, slower"],
  ["L", "repeat"],
  ["R", "whole machine"],
  ["1 2 3", "front, side, top"],
  ["C", "follow the next body"],
  ["J A O X N G", "joints, forces, ports, frames, names, ground"],
  ["T", "traces of all bodies"],
  ["V P", "what is shown, curves"],
  ["D F", "light or dark, full screen"],
];
const mouse = [
  ["Drag", "turn; with the right button or two fingers, move"],
  ["Wheel", "zoom; in a plot with Ctrl"],
  ["Double click on a body", "leave a trace"],
  ["Drag in a plot", "zoom; double click shows all"],
  ["Click in a plot", "go to that time"],
];

export const helpDialog = () => {
  const rows = (pairs) => pairs.map(([key, text]) => make("tr", {}, make("th", {}, key), make("td", {}, text)));
  const dialog = make(
    "dialog",
    { class: "help", onclick: (event) => event.target === dialog && dialog.close() },
    make("header", {}, make("h2", {}, "Keys and pointer"), make("button", { class: "icon small", "aria-label": "Close", onclick: () => dialog.close() }, icon("close"))),
    make("table", {}, ...rows(list), ...rows(mouse)),
    make("footer", {}, make("small", {}, "Made by Tenon with three.js and uPlot (MIT licence). Nothing is loaded from anywhere.")),
  );
  document.body.append(dialog);
  return dialog;
};

/// `actions` maps a key to a function; what is typed into a field is left alone.
export const bindKeys = (actions) => {
  addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.target.matches?.("input[type=search], select, dialog *")) return;
    const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    const action = actions[key];
    if (!action) return;
    event.preventDefault();
    action(event);
  });
};
