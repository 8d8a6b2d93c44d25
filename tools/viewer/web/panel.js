// What is shown in the picture, from where, and whom the camera follows.
import { make } from "./dom.js";

const layers = [
  ["joints", "Joints", "J"],
  ["forces", "Reaction forces", "A"],
  ["ports", "Ports", "O"],
  ["frames", "Frames", "X"],
  ["springs", "Springs", null],
  ["names", "Names", "N"],
  ["grid", "Ground", "G"],
];

export class Panel {
  constructor(element, view) {
    this.element = element;
    this.view = view;
    this.boxes = new Map();
    const { machines } = view;
    const first = machines[0];
    element.append(
      this.group("Show", ...layers.filter(([name]) => this.has(name)).map((layer) => this.layer(layer))),
      this.group("Force scale", this.scale()),
      this.group("Camera", this.directions(), this.follow(first)),
      this.group("Traces", this.traces(first)),
    );
  }

  has(name) {
    const { layers: drawn, arrows } = this.view.machines[0];
    if (name === "forces") return arrows.arrows.length > 0;
    return !["ports", "springs", "joints"].includes(name) || drawn[name].length > 0;
  }

  group(title, ...children) {
    return make("fieldset", {}, make("legend", {}, title), ...children);
  }

  layer([name, text, key]) {
    const box = make("input", { type: "checkbox", onchange: () => this.view.setLayer(name, box.checked) });
    box.checked = this.view.show[name];
    this.boxes.set(name, box);
    return make("label", {}, box, make("span", {}, text), key ? make("kbd", {}, key) : null);
  }

  toggleLayer(name) {
    const box = this.boxes.get(name);
    if (box) box.click();
  }

  scale() {
    const slider = make("input", { type: "range", min: -1.5, max: 1.5, step: 0.05, value: 0, "aria-label": "Force scale", oninput: () => this.view.setArrowScale(10 ** slider.value) });
    return slider;
  }

  directions() {
    const button = (name, text) => make("button", { class: "chip", onclick: () => this.view.look(name) }, text);
    return make("div", { class: "chips" }, button("corner", "Whole"), button("front", "Front"), button("right", "Side"), button("top", "Top"));
  }

  follow(machine) {
    const list = make("select", { "aria-label": "Follow", onchange: () => this.view.follow(list.value) });
    list.append(make("option", { value: "" }, "Follow nothing"));
    for (const body of machine.bodies) list.append(make("option", { value: body.name, selected: this.view.followed === body }, `Follow ${body.name}`));
    this.followList = list;
    return list;
  }

  followNext() {
    const list = this.followList;
    list.selectedIndex = (list.selectedIndex + 1) % list.options.length;
    this.view.follow(list.value);
  }

  traces(machine) {
    this.traceBoxes = new Map();
    const rows = machine.bodies.map((body) => {
      const box = make("input", { type: "checkbox", onchange: () => this.view.setTrace(body.name, box.checked) });
      this.traceBoxes.set(body.name, box);
      return make("label", {}, box, make("span", {}, body.name));
    });
    return make("div", { class: "traces" }, ...rows);
  }

  setTrace(name, on) {
    const box = this.traceBoxes.get(name);
    if (box) box.checked = on;
    this.view.setTrace(name, on);
  }

  toggleTraces() {
    const names = [...this.traceBoxes.keys()];
    const on = !names.some((name) => this.view.isTraced(name));
    for (const name of names.slice(0, 60)) this.setTrace(name, on);
  }
}
