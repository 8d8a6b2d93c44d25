// Names beside what they name, as texts of the page so that they stay sharp.
import * as THREE from "three";
import { make } from "./dom.js";

export class Labels {
  /// `things` are { name, object, minor }.
  constructor(layer, stage, things) {
    this.layer = layer;
    this.stage = stage;
    this.visible = false;
    this.items = things.map(({ name, object, minor }) => {
      const element = make("span", { class: minor ? "label minor" : "label" }, name);
      layer.append(element);
      return { object, element };
    });
    stage.onDraw(() => this.update());
  }

  show(visible) {
    this.visible = visible;
    this.layer.hidden = !visible;
    this.update();
  }

  update() {
    if (!this.visible) return;
    const { clientWidth: width, clientHeight: height } = this.layer;
    const point = new THREE.Vector3();
    for (const { object, element } of this.items) {
      object.getWorldPosition(point).project(this.stage.camera);
      const inside = point.z < 1 && Math.abs(point.x) < 1.1 && Math.abs(point.y) < 1.1;
      element.hidden = !inside;
      if (inside) element.style.transform = `translate(${((point.x + 1) / 2) * width}px, ${((1 - point.y) / 2) * height}px)`;
    }
  }
}
