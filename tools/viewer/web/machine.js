// The machine of one run: its bodies, moved by the result, and what hangs on them.
import * as THREE from "three";
import { Arrows } from "./arrows.js";
import { fmuOf, indexAt } from "./data.js";
import { signSize } from "./extent.js";
import { frameSign, jointSign, linkSigns, roadSurface, tyreSign } from "./glyphs.js";
import { roundLength } from "./ground.js";
import { colour, cssColour } from "./palette.js";
import { bar, bodyShape } from "./shapes.js";

const vector = (list) => new THREE.Vector3(...(list ?? [0, 0, 0]));
/// Between two faces of a shape that meet in an edge worth drawing; round shapes have smaller ones.
const edgeDegrees = 30;
/// Scalar first in our files, last in three.js.
const quaternion = ([w, x, y, z] = [1, 0, 0, 0]) => new THREE.Quaternion(x, y, z, w).normalize();

export class Machine {
  /// `size` is what counts as large in this scene; `ghost` draws it so that others show through.
  constructor(run, size, ghost) {
    this.run = run;
    this.size = size;
    this.signs = signSize(run.scene, size);
    this.ghost = ghost;
    this.group = new THREE.Group();
    this.layers = { joints: [], ports: [], frames: [], springs: [] };
    this.scratch = new THREE.Quaternion();
    this.bodies = run.scene.bodies.map((body) => this.newBody(body));
    this.byName = new Map(this.bodies.map((body) => [body.name, body]));
    this.fmus = run.fmus;
    this.signMaterial = new THREE.MeshStandardMaterial({ roughness: 0.5, metalness: 0.3 });
    this.springMaterial = new THREE.LineBasicMaterial();
    this.links = [];
    this.fixedPoints = []; // of the world
    this.joints = (run.scene.joints ?? []).map((joint) => this.newJoint(joint));
    this.ports = (run.scene.ports ?? []).map((port) => this.newPort(port));
    for (const force of run.scene.forces ?? []) this.newForce(force);
    for (const body of this.bodies) this.dress(body);
    this.roads = [];
    this.roadMaterials = [];
    if (!ghost) for (const road of run.scene.roads ?? []) this.newRoad(road);
    this.arrows = new Arrows(this, size);
    this.group.add(this.arrows.group);
  }

  newBody(json) {
    const group = new THREE.Group();
    const start = { position: vector(json.position), rotation: quaternion(json.orientation) };
    this.group.add(group);
    return {
      name: json.name,
      json,
      group,
      start,
      com: vector(json.com),
      points: [], // where joints, ports and forces act, in the body frame
      r: this.run.tracks(`${json.name}.r_0`, 3),
      q: this.run.tracks(`${json.name}.q`, 4),
    };
  }

  /// A point of the world at the start, as something that moves with the body; the world itself stands still.
  attach(name, point, isPoint = true) {
    const holder = new THREE.Group();
    const body = this.byName.get(name);
    if (!body) {
      holder.position.copy(point);
      this.fixedPoints.push(holder.position);
      this.group.add(holder);
      return holder;
    }
    const back = body.start.rotation.clone().invert();
    holder.position.copy(point).sub(body.start.position).applyQuaternion(back);
    holder.quaternion.copy(back);
    if (isPoint) body.points.push(holder.position.clone());
    body.group.add(holder);
    return holder;
  }

  newJoint(json) {
    const joint = { name: json.name, type: json.type, drawn: json.drawn, json, anchor: null };
    const [first, second] = json.bodies ?? [];
    const draw = linkSigns[joint.drawn];
    if (json.points && draw) {
      this.link("joints", first, second, json.points, draw, this.signMaterial);
      joint.anchor = this.attach(second, vector(json.points[1]), false);
    } else if (json.at && second !== undefined) {
      const other = this.attach(first, vector(json.at)); // the first body is held here, too
      const anchor = this.attach(second, vector(json.at));
      joint.anchor = this.byName.has(second) ? anchor : other;
      const sign = jointSign(joint.drawn, json.axis, json.axis2, this.signs, this.signMaterial);
      if (sign) this.show("joints", joint.anchor, sign);
    }
    return joint;
  }

  show(layer, holder, sign) {
    holder.add(sign);
    this.layers[layer].push(sign);
  }

  newPort(json) {
    const anchor = this.attach(json.body, vector(json.at));
    const sign = frameSign(this.size * 0.09);
    sign.quaternion.copy(quaternion(json.orientation));
    const ball = new THREE.Mesh(new THREE.SphereGeometry(this.size * 0.014, 16, 12), this.signMaterial);
    sign.add(ball);
    this.show("ports", anchor, sign);
    return { name: json.name, body: json.body, anchor };
  }

  /// It stands still, and no part of the machine is measured by it.
  newRoad(json) {
    // Its lines lie on it without flickering.
    const surface = new THREE.MeshLambertMaterial({ side: THREE.DoubleSide, polygonOffset: true, polygonOffsetFactor: 1, polygonOffsetUnits: 1 });
    const ink = new THREE.LineBasicMaterial();
    const road = roadSurface(json, roundLength(this.size / 12), surface, ink);
    if (!road) return;
    this.roadMaterials.push({ surface, ink });
    this.roads.push(road);
    this.group.add(road);
  }

  /// A tyre where its wheel has no shape of its own.
  newTyre(json) {
    const wheel = json.bodies?.[1];
    if (!json.at || !json.radius || this.byName.get(wheel)?.json.shape) return;
    this.attach(wheel, vector(json.at), false).add(tyreSign(json.radius, json.axis, this.signMaterial));
  }

  newForce(json) {
    if (json.drawn === "tyre") this.newTyre(json);
    const draw = linkSigns[json.drawn];
    if (draw && json.points) this.link("springs", ...json.bodies, json.points, draw, this.springMaterial);
  }

  /// Something between two points that is turned and stretched to reach from one to the other.
  link(layer, first, second, [from, to], draw, material) {
    const a = this.attach(first, vector(from));
    const b = this.attach(second, vector(to));
    const length = vector(from).distanceTo(vector(to)) || 1;
    const sign = new THREE.Group();
    sign.add(draw(length, this.size, material));
    this.group.add(sign);
    this.layers[layer].push(sign);
    this.links.push({ a, b, sign, length });
  }

  dress(body) {
    body.material = new THREE.MeshStandardMaterial({
      roughness: 0.55,
      metalness: 0.08,
      transparent: this.ghost,
      opacity: this.ghost ? 0.25 : 1,
      // Where two runs agree, the later lies evenly over the earlier instead of flickering through it; its edges tell it.
      depthWrite: !this.ghost,
      polygonOffset: this.ghost,
      polygonOffsetFactor: -1,
      polygonOffsetUnits: -1,
    });
    const shape = bodyShape(body.json, body.points, this.size, this.run.meshes, body.material);
    shape.traverse((part) => {
      part.castShadow = part.receiveShadow = !this.ghost;
      part.userData.body = body;
    });
    this.reach(body, shape);
    if (this.ghost) this.outline(body, shape);
    body.shape = shape;
    body.group.add(shape);
    const sign = frameSign(this.size * 0.12);
    body.group.add(sign);
    this.layers.frames.push(sign);
  }

  outline(body, shape) {
    body.edges = new THREE.LineBasicMaterial();
    const meshes = [];
    shape.traverse((part) => part.isMesh && meshes.push(part));
    for (const mesh of meshes) mesh.add(new THREE.LineSegments(new THREE.EdgesGeometry(mesh.geometry, edgeDegrees), body.edges));
  }

  /// Thin rods to what holds the body outside of its shape: the bob of a pendulum hangs on something.
  reach(body, shape) {
    const box = new THREE.Box3().setFromObject(shape).expandByScalar(this.size * 0.02);
    for (const point of body.points) {
      if (box.containsPoint(point) || point.distanceTo(body.com) < this.size * 1e-3) continue;
      const rod = bar(body.com, point, this.size * 0.006, body.material);
      rod.castShadow = !this.ghost;
      rod.userData.body = body;
      body.group.add(rod);
    }
  }

  /// One colour for each FMU of a system, for each run where there are several, or for each body.
  paint(theme, overlaid) {
    const byFmu = this.fmus.length > 1 && this.run.index === 0;
    this.bodies.forEach((body, i) => {
      const fmu = this.fmus.indexOf(fmuOf(body.name));
      const index = byFmu ? fmu : overlaid ? this.run.hue : i;
      const own = overlaid || byFmu ? null : cssColour(body.json.shape?.color);
      body.colour = own ?? colour(index, theme);
      body.material.color.set(body.colour);
      body.edges?.color.set(body.colour);
    });
    this.signMaterial.color.set(theme === "dark" ? "#c9ced6" : "#4b5563");
    for (const { surface, ink } of this.roadMaterials) {
      surface.color.set(theme === "dark" ? "#3a3f47" : "#d9dce1");
      ink.color.set(theme === "dark" ? "#555c66" : "#b4bac3");
    }
    this.springMaterial.color.set(theme === "dark" ? "#c9ced6" : "#5b6472");
    this.arrows.material.color.set(overlaid ? colour(this.run.hue, theme) : theme === "dark" ? "#f0b93a" : "#c0392b");
  }

  /// Exact at the frames; between them straight in position, and the shorter way in rotation.
  pose(body, t, position, rotation) {
    position.copy(body.start.position);
    rotation.copy(body.start.rotation);
    const times = this.run.frames;
    const i = indexAt(times, t);
    const next = Math.min(i + 1, times.length - 1);
    const width = times[next] - times[i];
    const part = width > 0 ? Math.min(1, Math.max(0, (t - times[i]) / width)) : 0;
    if (body.r) {
      const [x, y, z] = body.r.map((curve) => curve.value(i) * (1 - part) + curve.value(next) * part);
      position.set(x, y, z);
    }
    if (body.q) {
      const [w, x, y, z] = body.q.map((curve) => curve.value(i));
      rotation.set(x, y, z, w);
      if (part > 0) {
        const [w1, x1, y1, z1] = body.q.map((curve) => curve.value(next));
        const sign = w * w1 + x * x1 + y * y1 + z * z1 < 0 ? -1 : 1;
        const mix = (a, b) => a * (1 - part) + sign * b * part;
        rotation.set(mix(x, x1), mix(y, y1), mix(z, z1), mix(w, w1));
      }
      rotation.normalize();
    }
  }

  update(t) {
    for (const body of this.bodies) this.pose(body, t, body.group.position, body.group.quaternion);
    this.group.updateMatrixWorld(true);
    const from = new THREE.Vector3();
    const to = new THREE.Vector3();
    for (const { a, b, sign, length } of this.links) {
      a.getWorldPosition(from);
      b.getWorldPosition(to).sub(from);
      sign.position.copy(from);
      sign.scale.set(1, Math.max(to.length() / length, 1e-6), 1);
      if (to.lengthSq() > 0) sign.quaternion.setFromUnitVectors(new THREE.Vector3(0, 1, 0), to.normalize());
    }
    this.arrows.update(t);
  }

  setLayer(name, visible) {
    for (const sign of this.layers[name] ?? []) sign.visible = visible;
  }
}
