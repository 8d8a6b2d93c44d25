// The path of a point of a body: faint as a whole, strong up to now.
import * as THREE from "three";
import { Line2 } from "three/examples/jsm/lines/Line2.js";
import { LineGeometry } from "three/examples/jsm/lines/LineGeometry.js";
import { LineMaterial } from "three/examples/jsm/lines/LineMaterial.js";
import { indexAt } from "./data.js";

const mostPoints = 4000;

export class Trace {
  /// `local` is the point in the frame of `body`.
  constructor(machine, body, local, colour) {
    this.name = body.name;
    const frames = machine.run.frames;
    const step = Math.max(1, Math.ceil(frames.length / mostPoints));
    this.times = [];
    const positions = [];
    const point = new THREE.Vector3();
    for (let i = 0; i < frames.length; i += step) {
      machine.pose(body, frames[i], point, machine.scratch);
      point.add(local.clone().applyQuaternion(machine.scratch));
      positions.push(point.x, point.y, point.z);
      this.times.push(frames[i]);
    }
    if (positions.length === 3) positions.push(...positions);
    const line = (opacity, width) => {
      const geometry = new LineGeometry();
      geometry.setPositions(positions);
      const material = new LineMaterial({ color: colour, linewidth: width, transparent: true, opacity, depthTest: false });
      const drawn = new Line2(geometry, material);
      drawn.renderOrder = 1; // after the bodies: a trace of a centre of mass runs inside them
      return drawn;
    };
    this.faint = line(0.25, 1.2);
    this.strong = line(0.95, 2.2);
    this.group = new THREE.Group();
    this.group.add(this.faint, this.strong);
  }

  update(t) {
    this.strong.geometry.instanceCount = Math.max(0, indexAt(this.times, t));
  }

  dispose() {
    for (const line of [this.faint, this.strong]) {
      line.geometry.dispose();
      line.material.dispose();
    }
    this.group.removeFromParent();
  }
}
