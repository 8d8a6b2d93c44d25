// Camera, light and drawing. Draws when something has changed, not all the time.
import * as THREE from "three";
import { OrbitControls } from "three/examples/jsm/controls/OrbitControls.js";
import { frameSign } from "./glyphs.js";
import { Ground } from "./ground.js";

const cornerPixels = 84;

export const hasWebGl = () => {
  const context = document.createElement("canvas").getContext("webgl2");
  context?.getExtension("WEBGL_lose_context")?.loseContext();
  return Boolean(context);
};

export class Stage {
  constructor(canvas, up) {
    this.canvas = canvas;
    this.up = up;
    this.renderer = new THREE.WebGLRenderer({ canvas, antialias: true });
    this.renderer.setPixelRatio(Math.min(devicePixelRatio, 2));
    this.renderer.shadowMap.enabled = true;
    this.renderer.shadowMap.type = THREE.PCFSoftShadowMap;
    this.renderer.autoClear = false;
    this.scene = new THREE.Scene();
    this.camera = new THREE.PerspectiveCamera(32, 1, 0.01, 1000);
    this.camera.up.copy(up);
    this.controls = new OrbitControls(this.camera, canvas);
    this.controls.zoomToCursor = true;
    this.controls.addEventListener("change", () => this.redraw());
    this.controls.addEventListener("start", () => (this.turned = true));
    this.refit = null; // what to do when the picture gets another shape
    this.addLights();
    this.ground = new Ground(up);
    this.scene.add(this.ground.group);
    this.addCorner();
    this.listeners = [];
    new ResizeObserver(() => this.resize()).observe(canvas.parentElement);
    this.resize();
  }

  addLights() {
    this.sky = new THREE.HemisphereLight("#ffffff", "#b9c1cc", 2);
    this.sky.position.copy(this.up);
    this.sun = new THREE.DirectionalLight("#ffffff", 1.9);
    this.sun.castShadow = true;
    this.sun.shadow.mapSize.set(2048, 2048);
    this.sun.shadow.radius = 4;
    this.scene.add(this.sky, this.sun, this.sun.target);
  }

  /// The directions of the world in a corner of the picture.
  addCorner() {
    this.corner = { scene: new THREE.Scene(), camera: new THREE.OrthographicCamera(-1.5, 1.5, 1.5, -1.5, 0, 10) };
    this.corner.scene.add(frameSign(1.1));
    this.corner.camera.up.copy(this.up);
  }

  /// Light that covers what happens in `box`.
  light(box) {
    const sphere = box.getBoundingSphere(new THREE.Sphere());
    const side = Math.abs(this.up.z) > 0.5 ? new THREE.Vector3(0.45, -0.55, 0) : new THREE.Vector3(0.45, 0, 0.55);
    const direction = this.up.clone().add(side).normalize();
    this.sun.target.position.copy(sphere.center);
    this.sun.position.copy(sphere.center).addScaledVector(direction, sphere.radius * 4);
    this.sun.target.updateMatrixWorld();
    const shadow = this.sun.shadow.camera;
    const reach = sphere.radius * 1.6;
    Object.assign(shadow, { left: -reach, right: reach, top: reach, bottom: -reach, near: sphere.radius, far: sphere.radius * 8 });
    shadow.updateProjectionMatrix();
    this.sun.shadow.normalBias = sphere.radius * 0.002;
  }

  /// All of `points` in the picture, seen from `direction`.
  fit(points, direction) {
    this.turned = false; // by the user, since
    const right = new THREE.Vector3().crossVectors(this.camera.up, direction).normalize();
    const above = new THREE.Vector3().crossVectors(direction, right);
    const tanHeight = Math.tan(THREE.MathUtils.degToRad(this.camera.fov / 2));
    const tanWidth = tanHeight * this.camera.aspect;
    const middle = (axis) => {
      const along = points.map((point) => point.dot(axis));
      return (along.reduce((a, b) => Math.min(a, b)) + along.reduce((a, b) => Math.max(a, b))) / 2;
    };
    const target = new THREE.Vector3();
    for (const axis of [right, above, direction]) target.addScaledVector(axis, middle(axis));
    let distance = 0;
    let reach = 0;
    for (const point of points) {
      const from = point.clone().sub(target);
      const needed = Math.max(Math.abs(from.dot(right)) / tanWidth, Math.abs(from.dot(above)) / tanHeight);
      distance = Math.max(distance, needed + from.dot(direction));
      reach = Math.max(reach, from.length());
    }
    distance = Math.max(distance * 1.15, reach * 1.2, 1e-9);
    this.camera.near = distance / 500;
    this.camera.far = distance * 60;
    this.camera.updateProjectionMatrix();
    this.controls.target.copy(target);
    this.camera.position.copy(target).addScaledVector(direction, distance);
    this.controls.update();
    this.redraw();
  }

  /// Shifts the camera with something that moved.
  shift(by) {
    this.camera.position.add(by);
    this.controls.target.add(by);
    this.controls.update();
  }

  paint(theme) {
    this.ground.paint(theme);
    this.background = new THREE.Color(theme === "dark" ? "#14181f" : "#f5f7fa");
    this.sky.intensity = theme === "dark" ? 1.6 : 2.1;
    this.redraw();
  }

  resize() {
    const { clientWidth: width, clientHeight: height } = this.canvas.parentElement;
    if (width === 0 || height === 0) return;
    this.renderer.setSize(width, height, false);
    const aspect = width / height;
    const changed = Math.abs(aspect / this.camera.aspect - 1) > 0.2;
    this.camera.aspect = aspect;
    this.camera.updateProjectionMatrix();
    if (changed && !this.turned) this.refit?.();
    this.redraw();
  }

  onDraw(listener) {
    this.listeners.push(listener);
  }

  redraw() {
    if (this.pending) return;
    this.pending = true;
    requestAnimationFrame(() => this.draw());
  }

  draw() {
    this.pending = false;
    const { clientWidth: width, clientHeight: height } = this.canvas.parentElement;
    if (width === 0 || height === 0) return;
    this.renderer.setClearColor(this.background ?? "#ffffff");
    this.renderer.setViewport(0, 0, width, height);
    this.renderer.clear();
    this.renderer.render(this.scene, this.camera);
    const { scene, camera } = this.corner;
    camera.position.subVectors(this.camera.position, this.controls.target).normalize().multiplyScalar(5);
    camera.lookAt(0, 0, 0);
    this.renderer.clearDepth();
    this.renderer.setViewport(8, 8, cornerPixels, cornerPixels);
    this.renderer.render(scene, camera);
    for (const listener of this.listeners) listener();
  }
}
