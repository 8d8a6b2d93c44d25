// The shape of a body: the model's, or a sensible one. Everything is in the body frame; shapes are centred at the centre of mass.
import * as THREE from "three";
import { OBJLoader } from "three/examples/jsm/loaders/OBJLoader.js";
import { STLLoader } from "three/examples/jsm/loaders/STLLoader.js";

const up = new THREE.Vector3(0, 1, 0); // along which three.js makes its cylinders

const turned = (mesh, axis) => {
  const direction = new THREE.Vector3(...(axis ?? [0, 0, 1]));
  if (direction.lengthSq() > 0) mesh.quaternion.setFromUnitVectors(up, direction.normalize());
  return mesh;
};

/// A bar from a to b with round ends.
export const bar = (a, b, radius, material) => {
  const along = new THREE.Vector3().subVectors(b, a);
  const mesh = new THREE.Mesh(new THREE.CapsuleGeometry(radius, Math.max(along.length(), 1e-9), 6, 16), material);
  mesh.position.addVectors(a, b).multiplyScalar(0.5);
  if (along.lengthSq() > 0) mesh.quaternion.setFromUnitVectors(up, along.normalize());
  return mesh;
};

const ball = (at, radius, material) => {
  const mesh = new THREE.Mesh(new THREE.SphereGeometry(radius, 28, 18), material);
  mesh.position.copy(at);
  return mesh;
};

/// Spokes make it visible that a wheel turns.
const wheel = (shape, size, material) => {
  const radius = shape.radius > 0 ? shape.radius : size;
  const width = shape.length > 0 ? shape.length : radius / 4;
  const group = new THREE.Group();
  const tyre = new THREE.Mesh(new THREE.TorusGeometry(radius - width / 2, width / 2, 14, 56), material);
  tyre.rotation.x = Math.PI / 2;
  if (width > radius) group.add(new THREE.Mesh(new THREE.CylinderGeometry(radius, radius, width, 48), material));
  else group.add(tyre, new THREE.Mesh(new THREE.CylinderGeometry(radius / 6, radius / 6, width, 24), material));
  for (let i = 0; i < 5 && width <= radius; ++i) {
    const angle = (2 * Math.PI * i) / 5;
    const rim = new THREE.Vector3(Math.cos(angle), 0, Math.sin(angle)).multiplyScalar(radius - width / 2);
    group.add(bar(new THREE.Vector3(), rim, Math.min(width / 4, radius / 18), material));
  }
  return turned(group, shape.axis);
};

const edges = ([x = 0, y = x, z = x], size) => [x, y, z].map((edge) => (edge > 0 ? edge : size));

const simple = (shape, size, material) => {
  const radius = shape.radius > 0 ? shape.radius : size / 2;
  const length = shape.length > 0 ? shape.length : size;
  switch (shape.type) {
    case "box":
      return new THREE.Mesh(new THREE.BoxGeometry(...edges(shape.size ?? [], size)), material);
    case "cylinder":
      return turned(new THREE.Mesh(new THREE.CylinderGeometry(radius, radius, length, 48), material), shape.axis);
    case "sphere":
      return new THREE.Mesh(new THREE.SphereGeometry(radius, 36, 24), material);
    case "wheel":
      return wheel(shape, size, material);
    default:
      return null;
  }
};

/// A rod between what holds the body; `points` are where joints, ports and forces act. A lone one ends at the centre of mass.
const rods = (com, points, radius, size, material) => {
  const group = new THREE.Group();
  const ends = [];
  for (const point of points) if (!ends.some((end) => end.distanceTo(point) < size * 1e-3)) ends.push(point);
  if (ends.length === 2) group.add(bar(ends[0], ends[1], radius, material));
  else if (ends.length > 2) {
    const middle = ends.reduce((sum, end) => sum.add(end), new THREE.Vector3()).divideScalar(ends.length);
    for (const end of ends) group.add(bar(middle, end, radius, material));
  } else if (ends.length === 1 && ends[0].distanceTo(com) > size * 1e-3) {
    group.add(bar(ends[0], com, radius, material), ball(com, 2.4 * radius, material));
  } else group.add(ball(com, 4 * radius, material));
  return group;
};

const explicitRod = (shape, radius, material) => {
  const half = new THREE.Vector3(...(shape.axis ?? [0, 0, 1])).normalize().multiplyScalar(shape.length / 2);
  return bar(half.clone().negate(), half, shape.radius > 0 ? shape.radius : radius, material);
};

const decoded = (text) => Uint8Array.from(atob(text), (c) => c.charCodeAt(0));

const meshShape = (shape, meshes, material) => {
  const text = meshes[shape.file];
  if (!text) return null;
  if (/\.stl$/i.test(shape.file)) {
    const geometry = new STLLoader().parse(decoded(text).buffer);
    geometry.computeVertexNormals();
    return new THREE.Mesh(geometry, material);
  }
  const group = new OBJLoader().parse(new TextDecoder().decode(decoded(text)));
  group.traverse((part) => {
    if (part.isMesh) part.material = material;
  });
  return group;
};

/// The body's shape as an object of the body frame. `size` is what counts as large in this machine.
export const bodyShape = (body, points, size, meshes, material) => {
  const com = new THREE.Vector3(...(body.com ?? [0, 0, 0]));
  const shape = body.shape ?? {};
  const thin = size * 0.018;
  if (shape.type === "mesh") {
    const mesh = meshShape(shape, meshes, material); // drawn in the body frame, as it was made
    if (mesh) return mesh;
  }
  const drawn =
    shape.type === "rod" && shape.length > 0 ? explicitRod(shape, thin, material) : simple(shape, size * 0.2, material);
  if (!drawn) return rods(com, points, shape.radius > 0 ? shape.radius : thin, size, material);
  drawn.position.add(com);
  return drawn;
};
