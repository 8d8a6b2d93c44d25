// The picture of the machine, or of several at once: what is shown, who is followed, what leaves a trace.
import * as THREE from "three";
import { alike } from "./data.js";
import { besideTheWay, motionPoints, sceneSize, upOf, viewDirection, withRoom } from "./extent.js";
import { frameSign } from "./glyphs.js";
import { Labels } from "./labels.js";
import { Machine } from "./machine.js";
import { Stage } from "./stage.js";
import { Trace } from "./traces.js";

/// Around a machine that is followed on a road, as a part of its own length.
const roomOnRoads = 0.06;
/// Beyond it, shadows cost more than they tell.
const mostShadows = 120;

export class View {
  constructor(canvas, labelLayer, runs, player, theme) {
    const drawn = runs.filter((run) => run.scene && run.scene.bodies?.length);
    const first = drawn[0].scene;
    this.up = upOf(first);
    this.size = Math.max(...drawn.map((run) => sceneSize(run.scene)));
    this.stage = new Stage(canvas, this.up);
    this.machines = drawn.map((run) => new Machine(run, this.size, drawn.length > 1 && run.index > 0));
    for (const machine of this.machines) this.stage.scene.add(machine.group);
    this.direction = viewDirection(first, this.up);
    this.addWorldFrame();
    this.show = { grid: true, joints: true, springs: true, ports: false, frames: false, forces: false, names: false };
    this.traces = [];
    this.following = null;
    this.theme = theme;
    this.time = player.start;
    this.arrange();
    this.labels = new Labels(labelLayer, this.stage, this.namedThings());
    theme.listen((name) => this.paint(name));
    for (const layer of Object.keys(this.show)) this.setLayer(layer, this.show[layer]);
    player.listen(() => this.update(player.time));
  }

  addWorldFrame() {
    this.worldFrame = frameSign(this.size * 0.15);
    this.stage.scene.add(this.worldFrame);
  }

  namedThings() {
    const { bodies, joints, ports } = this.machines[0];
    const offset = (body) => {
      const point = new THREE.Object3D();
      point.position.copy(body.com);
      body.group.add(point);
      return point;
    };
    return [
      ...bodies.map((body) => ({ name: body.name, object: offset(body) })),
      ...joints.filter((joint) => joint.anchor).map((joint) => ({ name: joint.name, object: joint.anchor, minor: true })),
      ...ports.map((port) => ({ name: port.name, object: port.anchor, minor: true })),
    ];
  }

  /// Camera, light and ground, from where the machine is and goes. One that travels far is followed.
  arrange() {
    const { start, all } = motionPoints(this.machines);
    const boxOf = (points) => new THREE.Box3().setFromPoints(points);
    const length = (points) => boxOf(points).getSize(new THREE.Vector3()).length();
    this.travels = length(all) > 6 * length(start);
    this.points = this.travels ? start : all;
    this.stage.ground.place(boxOf(all), this.travels ? length(start) : this.size);
    this.stage.ground.quiet = this.machines.some(({ roads }) => roads.length > 0);
    this.stage.light(boxOf(this.points));
    const count = this.machines.reduce((sum, machine) => sum + machine.bodies.length, 0);
    this.stage.sun.castShadow = count <= mostShadows;
    if (this.travels) {
      const heaviest = this.machines[0].bodies.reduce((a, b) => ((b.json.mass ?? 0) > (a.json.mass ?? 0) ? b : a));
      this.followed = heaviest;
      if (this.stage.ground.quiet) this.standBesideTheRoad();
    }
    this.resetCamera();
    if (this.followed) this.follow(this.followed.name);
  }

  /// Machines on roads are seen from the side and ahead, with some of the road around them.
  standBesideTheRoad() {
    const [machine] = this.machines;
    const place = (time) => {
      const position = new THREE.Vector3();
      machine.pose(this.followed, time, position, new THREE.Quaternion());
      return position;
    };
    const way = place(machine.run.frames.at(-1)).sub(place(machine.run.frames[0]));
    this.direction = besideTheWay(way, this.up) ?? this.direction;
    this.points = withRoom(this.points, this.up, roomOnRoads);
  }

  resetCamera(direction = this.direction) {
    this.stage.fit(this.points, direction);
    this.stage.refit = () => this.resetCamera(direction);
    if (!this.travels) return;
    const body = this.followed ?? this.machines[0].bodies[0];
    const now = new THREE.Vector3();
    const then = new THREE.Vector3();
    this.machines[0].pose(body, this.time, now, new THREE.Quaternion());
    this.machines[0].pose(body, this.machines[0].run.start, then, new THREE.Quaternion());
    this.stage.shift(now.sub(then));
  }

  /// "front", "top", "right" or "corner".
  look(from) {
    const side = Math.abs(this.up.z) > 0.5 ? new THREE.Vector3(0, -1, 0) : new THREE.Vector3(0, 0, 1);
    const across = new THREE.Vector3().crossVectors(this.up, side).normalize();
    const top = this.up.clone().addScaledVector(side, 1e-3).normalize();
    this.resetCamera({ front: side, right: across, top, corner: this.direction }[from]);
  }

  paint(theme) {
    for (const machine of this.machines) machine.paint(theme, this.machines.length > 1);
    this.stage.paint(theme);
    const traced = this.traces.map((trace) => trace.name);
    for (const name of new Set(traced)) this.setTrace(name, false), this.setTrace(name, true);
  }

  setLayer(name, visible) {
    this.show[name] = visible;
    if (name === "grid") this.stage.ground.group.visible = visible;
    else if (name === "names") this.labels.show(visible);
    else if (name === "frames") this.worldFrame.visible = visible;
    for (const machine of this.machines) {
      if (name === "forces") machine.arrows.group.visible = visible;
      machine.setLayer(name, visible);
    }
    this.update(this.time);
  }

  setRun(run, visible) {
    const machine = this.machines.find((candidate) => candidate.run === run);
    if (machine) machine.group.visible = visible;
    for (const trace of this.traces) if (trace.run === run) trace.group.visible = visible;
    this.stage.redraw();
  }

  setArrowScale(scale) {
    for (const machine of this.machines) machine.arrows.scale = scale;
    this.update(this.time);
  }

  /// The path of the body's centre of mass, in all runs.
  setTrace(name, on) {
    for (const trace of this.traces.filter((candidate) => candidate.name === name)) trace.dispose();
    this.traces = this.traces.filter((trace) => trace.name !== name);
    for (const machine of on ? this.machines : []) {
      const body = alike(machine.byName, name, this.machines.map((other) => other.byName));
      if (!body) continue;
      const trace = new Trace(machine, body, body.com, body.colour);
      trace.run = machine.run;
      trace.name = name;
      trace.group.visible = machine.group.visible;
      this.stage.scene.add(trace.group);
      this.traces.push(trace);
    }
    this.update(this.time);
  }

  isTraced(name) {
    return this.traces.some((trace) => trace.name === name);
  }

  follow(name) {
    const body = name ? this.machines[0].byName.get(name) : null;
    this.followed = body ?? null;
    this.lastPlace = body ? body.group.position.clone() : null;
    if (body) {
      this.machines[0].pose(body, this.time, this.lastPlace, new THREE.Quaternion());
    }
  }

  update(t) {
    this.time = t;
    for (const machine of this.machines) machine.update(t);
    for (const trace of this.traces) trace.update(t);
    if (this.followed && this.lastPlace) {
      const moved = this.followed.group.position.clone().sub(this.lastPlace);
      this.lastPlace.copy(this.followed.group.position);
      if (moved.lengthSq() > 0) {
        this.stage.shift(moved);
        this.stage.sun.position.add(moved);
        this.stage.sun.target.position.add(moved);
        this.stage.sun.target.updateMatrixWorld();
      }
    }
    this.stage.redraw();
  }

  /// The body under the pointer; null where there is none.
  bodyAt(event) {
    const area = this.stage.canvas.getBoundingClientRect();
    const point = new THREE.Vector2(((event.clientX - area.left) / area.width) * 2 - 1, 1 - ((event.clientY - area.top) / area.height) * 2);
    const ray = new THREE.Raycaster();
    ray.setFromCamera(point, this.stage.camera);
    const shapes = this.machines.filter((machine) => machine.group.visible).flatMap((machine) => machine.bodies.map((body) => body.shape));
    return ray.intersectObjects(shapes, true)[0]?.object.userData.body ?? null;
  }
}
