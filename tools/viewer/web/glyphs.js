// Signs for what has no shape of its own: joints, frames, springs, roads.
import * as THREE from "three";
import { axisColours } from "./palette.js";
import { bar } from "./shapes.js";

const along = new THREE.Vector3(0, 1, 0);

const cylinder = (radius, length, material) =>
  new THREE.Mesh(new THREE.CylinderGeometry(radius, radius, length, 28), material);
const box = (x, y, z, material) => new THREE.Mesh(new THREE.BoxGeometry(x, y, z), material);
const sphere = (radius, material) => new THREE.Mesh(new THREE.SphereGeometry(radius, 24, 16), material);

/// Drawn with the joint's axis along y; s is its size.
const signs = {
  fixed: (s, m) => [box(s, s, s, m)],
  revolute: (s, m) => [cylinder(0.55 * s, 1.5 * s, m), cylinder(0.22 * s, 2.2 * s, m)],
  prismatic: (s, m) => [box(0.9 * s, 2.6 * s, 0.9 * s, m)],
  cylindrical: (s, m) => [cylinder(0.6 * s, 1.4 * s, m), cylinder(0.3 * s, 3.2 * s, m)],
  screw: (s, m) => {
    const parts = [cylinder(0.3 * s, 3.2 * s, m)];
    for (let i = -2; i <= 2; ++i) {
      const thread = new THREE.Mesh(new THREE.TorusGeometry(0.42 * s, 0.1 * s, 8, 24), m);
      thread.rotation.x = Math.PI / 2 + 0.2;
      thread.position.y = i * 0.5 * s;
      parts.push(thread);
    }
    return parts;
  },
  spherical: (s, m) => [sphere(0.8 * s, m)],
  universal: (s, m) => {
    const second = cylinder(0.35 * s, 2 * s, m);
    second.rotation.z = Math.PI / 2;
    return [cylinder(0.35 * s, 2 * s, m), second];
  },
  planar: (s, m) => [box(3 * s, 0.12 * s, 3 * s, m)],
  point_on_line: (s, m) => [sphere(0.6 * s, m), cylinder(0.1 * s, 6 * s, m)],
  point_on_plane: (s, m) => [sphere(0.6 * s, m), box(4 * s, 0.08 * s, 4 * s, m)],
};

/// `drawn` is the sign that the registry of joint types names; null for joints that have no place of their own.
export const jointSign = (drawn, axis, axis2, size, material) => {
  if (!signs[drawn]) return null;
  const group = new THREE.Group();
  group.add(...signs[drawn](size, material));
  const y = new THREE.Vector3(...(axis ?? [0, 0, 1])).normalize();
  if (axis2 && drawn === "universal") {
    // Both arms of the cross: y along the first axis, x along the second.
    const x = new THREE.Vector3(...axis2).normalize();
    const z = new THREE.Vector3().crossVectors(x, y).normalize();
    x.crossVectors(y, z);
    group.quaternion.setFromRotationMatrix(new THREE.Matrix4().makeBasis(x, y, z));
  } else group.quaternion.setFromUnitVectors(along, y);
  return group;
};

/// Three arrows, x red, y green, z blue.
export const frameSign = (size) => {
  const group = new THREE.Group();
  const directions = [new THREE.Vector3(1, 0, 0), new THREE.Vector3(0, 1, 0), new THREE.Vector3(0, 0, 1)];
  directions.forEach((direction, i) => {
    const material = new THREE.MeshBasicMaterial({ color: axisColours[i] });
    const shaft = cylinder(0.035 * size, 0.8 * size, material);
    shaft.position.y = 0.4 * size;
    const head = new THREE.Mesh(new THREE.ConeGeometry(0.1 * size, 0.25 * size, 16), material);
    head.position.y = 0.9 * size;
    const arrow = new THREE.Group();
    arrow.add(shaft, head);
    arrow.quaternion.setFromUnitVectors(along, direction);
    group.add(arrow);
  });
  return group;
};

/// A coil along y.
const coil = (length, radius, material) => {
  const turns = 9;
  const points = [];
  for (let i = 0; i <= turns * 16; ++i) {
    const part = i / (turns * 16);
    const inside = part > 0.08 && part < 0.92 ? radius : 0;
    const angle = 2 * Math.PI * turns * part;
    points.push(new THREE.Vector3(inside * Math.cos(angle), length * part, inside * Math.sin(angle)));
  }
  return new THREE.Line(new THREE.BufferGeometry().setFromPoints(points), material);
};

/// A cylinder with its rod.
const cylinderWithRod = (length, radius, material) => {
  const path = [
    [0, 0], [0, 0.1], [-radius, 0.1], [-radius, 0.6], [radius, 0.6], [radius, 0.1], [0, 0.1], [0, 0.4],
    [-radius, 0.4], [radius, 0.4], [0, 0.4], [0, 1],
  ];
  const points = path.map(([x, y]) => new THREE.Vector3(x, y * length, 0));
  return new THREE.Line(new THREE.BufferGeometry().setFromPoints(points), material);
};

/// Signs between two points, by what the registries of joint and force types name: along y, to be turned and stretched.
export const linkSigns = {
  distance: (length, size, material) =>
    bar(new THREE.Vector3(0, 0, 0), new THREE.Vector3(0, length, 0), size * 0.006, material),
  spring_damper: (length, size, material) => coil(length, size * 0.03, material),
  actuator: (length, size, material) => cylinderWithRod(length, size * 0.03, material),
};

/// Whether the body can only turn about the joint's axis.
export const turnsAboutAxis = (drawn) => drawn === "revolute";

/// A tyre about its axis.
export const tyreSign = (radius, axis, material) => {
  const tyre = new THREE.Mesh(new THREE.TorusGeometry(0.85 * radius, 0.15 * radius, 16, 48), material);
  const group = new THREE.Group();
  group.add(tyre);
  group.quaternion.setFromUnitVectors(new THREE.Vector3(0, 0, 1), new THREE.Vector3(...(axis ?? [0, 1, 0])).normalize());
  return group;
};

/// The surface of a road, points row by row, with thin lines along each column and across about every `cell`, so that bumps show;
/// null where there are too few points.
export const roadSurface = ({ rows = 0, columns = 0, surface = [] }, cell, material, ink) => {
  if (rows < 2 || columns < 2 || surface.length !== 3 * rows * columns) return null;
  const geometry = new THREE.BufferGeometry();
  geometry.setAttribute("position", new THREE.Float32BufferAttribute(surface, 3));
  const faces = [];
  for (let i = 0; i + 1 < rows; ++i)
    for (let j = 0; j + 1 < columns; ++j) {
      const a = i * columns + j;
      faces.push(a, a + columns, a + 1, a + 1, a + columns, a + columns + 1);
    }
  geometry.setIndex(faces);
  geometry.computeVertexNormals();
  const mesh = new THREE.Mesh(geometry, material);
  mesh.receiveShadow = true;
  const point = (i, j) => surface.slice(3 * (i * columns + j), 3 * (i * columns + j) + 3);
  const lines = [];
  for (let j = 0; j < columns; ++j) for (let i = 0; i + 1 < rows; ++i) lines.push(...point(i, j), ...point(i + 1, j));
  let last = null;
  for (let i = 0; i < rows; ++i) {
    const here = new THREE.Vector3(...point(i, 0));
    if (last && here.distanceTo(last) < 0.99 * cell) continue;
    last = here;
    for (let j = 0; j + 1 < columns; ++j) lines.push(...point(i, j), ...point(i, j + 1));
  }
  const drawn = new THREE.BufferGeometry();
  drawn.setAttribute("position", new THREE.Float32BufferAttribute(lines, 3));
  const group = new THREE.Group();
  group.add(mesh, new THREE.LineSegments(drawn, ink));
  return group;
};
