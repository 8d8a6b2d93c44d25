// How large a machine is and where it goes: for signs of the right size, the camera and the ground.
import * as THREE from "three";
import { turnsAboutAxis } from "./glyphs.js";

const vector = (list) => new THREE.Vector3(...list);

/// Length of the diagonal of everything that the scene puts somewhere at the start; 1 where that is a single point.
export const sceneSize = (scene) => {
  const box = new THREE.Box3();
  const add = (point, margin = 0) => box.union(new THREE.Box3().setFromCenterAndSize(point, new THREE.Vector3(margin, margin, margin)));
  for (const body of scene.bodies ?? []) {
    const { size = [], radius = 0, length = 0 } = body.shape ?? {};
    const rotation = new THREE.Quaternion(...(body.orientation ?? [1, 0, 0, 0]).slice(1), body.orientation?.[0] ?? 1);
    const com = vector(body.com ?? [0, 0, 0]).applyQuaternion(rotation);
    add(vector(body.position ?? [0, 0, 0]).add(com), Math.max(0, ...size, 2 * radius, length));
  }
  for (const joint of scene.joints ?? []) {
    if (joint.at) add(vector(joint.at));
    for (const point of joint.points ?? []) add(vector(point));
  }
  const diagonal = box.isEmpty() ? 0 : box.getSize(new THREE.Vector3()).length();
  return diagonal > 0 ? diagonal * 0.7 : 1;
};

/// Signs of joints must not hide each other: smaller where joints are close.
export const signSize = (scene, size) => {
  const points = (scene.joints ?? []).filter((joint) => joint.at).map((joint) => vector(joint.at)).slice(0, 200);
  const nearest = points
    .map((point) => Math.min(...points.map((other) => point.distanceTo(other)).filter((distance) => distance > size * 1e-4)))
    .filter(Number.isFinite)
    .sort((a, b) => a - b);
  const typical = nearest[nearest.length >> 1] ?? size;
  return Math.min(0.028 * size, Math.max(0.008 * size, 0.12 * typical));
};

const corners = (box) =>
  [0, 1, 2, 3, 4, 5, 6, 7].map((i) => new THREE.Vector3(i & 1 ? box.max.x : box.min.x, i & 2 ? box.max.y : box.min.y, i & 4 ? box.max.z : box.min.z));

/// A box around `points` with `part` of its length more on each side, but not below: room to see the road in.
export const withRoom = (points, up, part) => {
  const box = new THREE.Box3().setFromPoints(points);
  const size = box.getSize(new THREE.Vector3());
  const room = size.length() * part;
  const flat = new THREE.Vector3(1, 1, 1).sub(new THREE.Vector3(Math.abs(up.x), Math.abs(up.y), Math.abs(up.z)));
  return corners(box.expandByVector(flat.multiplyScalar(room)));
};

const mostPoints = 40000;

/// Corners of the drawn bodies: at the start, and over the whole motion (at some frames of it).
export const motionPoints = (machines) => {
  const start = [];
  const all = [];
  const count = machines.reduce((sum, machine) => sum + machine.bodies.length, 0);
  const samples = Math.max(10, Math.min(200, mostPoints / (8 * count)));
  const position = new THREE.Vector3();
  const rotation = new THREE.Quaternion();
  for (const machine of machines) {
    const frames = machine.run.frames;
    const step = Math.max(1, Math.floor(frames.length / samples));
    for (const body of machine.bodies) {
      body.group.position.set(0, 0, 0);
      body.group.quaternion.identity();
      body.group.updateMatrixWorld(true);
      const own = new THREE.Box3().setFromObject(body.shape);
      if (own.isEmpty()) continue;
      for (let i = 0; i < frames.length; i += step) {
        machine.pose(body, frames[i], position, rotation);
        const points = corners(own).map((corner) => corner.applyQuaternion(rotation).add(position));
        all.push(...points);
        if (i === 0) start.push(...points);
      }
    }
  }
  const fixed = machines.flatMap((machine) => machine.fixedPoints);
  return { start, all: [...all, ...fixed] };
};

/// Against gravity; z where there is none.
export const upOf = (scene) => {
  const gravity = vector(scene?.gravity ?? [0, 0, 0]);
  const up = new THREE.Vector3(0, 0, 1);
  if (gravity.length() < 1e-9) return up;
  const axes = ["x", "y", "z"];
  const main = axes.reduce((best, axis) => (Math.abs(gravity[axis]) > Math.abs(gravity[best]) ? axis : best), "z");
  up.set(0, 0, 0);
  up[main] = gravity[main] > 0 ? -1 : 1;
  return up;
};

/// From where to look: onto the plane of a planar machine, otherwise from a corner above.
export const viewDirection = (scene, up) => {
  const axes = (scene?.joints ?? []).filter((joint) => joint.axis && turnsAboutAxis(joint.drawn)).map((joint) => vector(joint.axis).normalize());
  const first = axes[0];
  const parallel = first && axes.every((axis) => Math.abs(axis.dot(first)) > 0.999);
  const planar = parallel && Math.abs(first.dot(up)) < 0.1;
  const flat = parallel && Math.abs(first.dot(up)) > 0.9; // its plane is the ground's
  const side = Math.abs(up.z) > 0.5 ? new THREE.Vector3(1, 0, 0) : new THREE.Vector3(0, 0, 1);
  if (planar) side.copy(first);
  // y comes towards us less often than -y: the x axis then points to the right.
  if (planar && (Math.abs(side.y) > 0.5 ? side.y > 0 : side.x + side.z < 0)) side.negate();
  const across = new THREE.Vector3().crossVectors(up, side).normalize();
  const turn = planar ? 0.32 : 0.75;
  return side.addScaledVector(across, planar ? turn : -turn).addScaledVector(up, planar ? 0.3 : flat ? 1.5 : 0.55).normalize();
};

/// From where to look at what runs along `way`: from its right and ahead. Null where it runs along `up` or nowhere.
export const besideTheWay = (way, up) => {
  const forward = way.clone().addScaledVector(up, -way.dot(up));
  if (forward.lengthSq() < 1e-12) return null;
  forward.normalize();
  return new THREE.Vector3().crossVectors(forward, up).addScaledVector(forward, 0.6).addScaledVector(up, 0.42).normalize();
};
