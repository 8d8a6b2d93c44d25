// Reaction forces (on the second body, at the joint's point) as arrows.
import * as THREE from "three";

const along = new THREE.Vector3(0, 1, 0);

export class Arrows {
  constructor(machine, size) {
    this.group = new THREE.Group();
    this.group.visible = false;
    this.size = size;
    this.scale = 1;
    this.material = new THREE.MeshBasicMaterial({ color: "#d55e00" });
    const shaft = new THREE.CylinderGeometry(0.5, 0.5, 1, 12).translate(0, 0.5, 0);
    const head = new THREE.ConeGeometry(1, 1, 16).translate(0, 0.5, 0);
    this.arrows = machine.joints
      .map((joint) => ({ joint, force: machine.run.tracks(`${joint.name}.f_0`, 3) }))
      .filter(({ joint, force }) => joint.anchor && force)
      .map(({ joint, force }) => {
        const arrow = new THREE.Group();
        const parts = { shaft: new THREE.Mesh(shaft, this.material), head: new THREE.Mesh(head, this.material) };
        arrow.add(parts.shaft, parts.head);
        this.group.add(arrow);
        return { joint, force, arrow, ...parts };
      });
    this.largest = null;
    this.force = new THREE.Vector3();
  }

  /// The 95th percentile of the largest component of each joint: one peak must not make all others invisible.
  reference() {
    if (this.largest === null) {
      const peaks = this.arrows.map(({ force }) => Math.max(...force.map((curve) => curve.largest))).sort((a, b) => a - b);
      this.largest = peaks[Math.floor(0.95 * (peaks.length - 1))] || 1;
    }
    return this.largest;
  }

  update(t) {
    if (!this.group.visible) return;
    const factor = (this.scale * this.size * 0.3) / this.reference();
    const thick = this.size * 0.008;
    for (const { joint, force, arrow, shaft, head } of this.arrows) {
      this.force.set(force[0].at(t), force[1].at(t), force[2].at(t));
      const length = this.force.length() * factor;
      arrow.visible = length > this.size * 1e-3;
      if (!arrow.visible) continue;
      joint.anchor.getWorldPosition(arrow.position);
      arrow.quaternion.setFromUnitVectors(along, this.force.normalize());
      const point = Math.min(length * 0.4, thick * 5);
      shaft.scale.set(thick, length - point, thick);
      head.scale.set(point * 0.45, point, point * 0.45);
      head.position.y = length - point;
    }
  }
}
