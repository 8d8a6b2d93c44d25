// The results in the page: base64 of little-endian arrays, decoded when they are first needed
// (tools/viewer/run_data.hpp says what is where).

const bytesOf = (text) => {
  const binary = atob(text);
  const bytes = new Uint8Array(binary.length);
  for (let i = 0; i < binary.length; ++i) bytes[i] = binary.charCodeAt(i);
  return bytes;
};
const doubles = (text) => new Float64Array(bytesOf(text).buffer);
const floats = (text) => new Float32Array(bytesOf(text).buffer);
const shorts = (text) => new Uint16Array(bytesOf(text).buffer);

/// Index of the last entry of `times` that is not after t; 0 where all are.
export const indexAt = (times, t) => {
  let low = 0;
  let high = times.length;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (times[middle] <= t) low = middle;
    else high = middle;
  }
  return low;
};

/// Linear between the points.
export class Curve {
  constructor(times, values, offset) {
    this.times = times;
    this.stored = values;
    this.offset = offset;
  }

  get length() {
    return this.stored.length;
  }

  value(i) {
    return this.offset + this.stored[i];
  }

  at(t) {
    const i = indexAt(this.times, t);
    const next = Math.min(i + 1, this.length - 1);
    const width = this.times[next] - this.times[i];
    const part = width > 0 ? Math.min(1, Math.max(0, (t - this.times[i]) / width)) : 0;
    if (part === 0) return this.value(i);
    return this.offset + this.stored[i] * (1 - part) + this.stored[next] * part;
  }

  /// Largest absolute value.
  get largest() {
    let most = 0;
    for (let i = 0; i < this.length; ++i) most = Math.max(most, Math.abs(this.value(i)) || 0);
    return most;
  }
}

class Column {
  constructor(run, json) {
    this.run = run;
    this.json = json;
    this.name = json.n;
    this.unit = json.u;
    this.description = json.d;
  }

  /// For plots: all rows, or the extremes of each bucket.
  get curve() {
    if (!this.curve_) {
      const values = floats(this.json.v);
      const times = this.json.p ? this.run.bucketTimes(shorts(this.json.p)) : this.run.frames;
      this.curve_ = new Curve(times, values, this.json.o);
    }
    return this.curve_;
  }

  /// For the animation: all columns that move something have the same times.
  get track() {
    if (!this.json.s) return this.curve;
    this.track_ ??= new Curve(this.run.frames, floats(this.json.s), this.json.o);
    return this.track_;
  }
}

export class Run {
  constructor(json, index) {
    this.index = index;
    this.label = json.label;
    this.file = json.file;
    this.rows = json.rows;
    this.stride = json.stride;
    this.scene = json.scene;
    this.meshes = json.meshes;
    this.frames = doubles(json.frames);
    this.buckets = json.buckets ? doubles(json.buckets) : null;
    this.start = this.frames[0];
    this.stop = json.stop;
    this.columns = new Map(json.columns.map((column) => [column.n, new Column(this, column)]));
  }

  get whole() {
    return !this.buckets;
  }

  get name() {
    return this.scene?.name || this.label;
  }

  /// Names of the FMUs whose machines are drawn; one empty name where it is a machine in one piece.
  get fmus() {
    return [...new Set((this.scene?.bodies ?? []).map((body) => fmuOf(body.name)))];
  }

  /// Times of the points of a thinned curve: the first row, two in each bucket, the last row.
  bucketTimes(positions) {
    const times = new Float64Array(positions.length + 2);
    times[0] = this.start;
    for (let i = 0; i < positions.length; ++i) {
      const bucket = i >> 1;
      const begin = this.buckets[bucket];
      const end = bucket + 1 < this.buckets.length ? this.buckets[bucket + 1] : this.stop;
      times[i + 1] = begin + ((end - begin) * positions[i]) / 65535;
    }
    times[times.length - 1] = this.stop;
    return times;
  }

  value(name, t) {
    return this.columns.get(name)?.curve.at(t);
  }

  /// Curves of name[1], name[2], ... up to `size`; null where one is missing.
  tracks(name, size) {
    const found = [];
    for (let i = 1; i <= size; ++i) found.push(this.columns.get(`${name}[${i}]`));
    return found.every(Boolean) ? found.map((column) => column.track) : null;
  }
}

export const readRuns = () => {
  const element = document.getElementById("tenon-data");
  if (!element) throw new Error("there is no data in this page; 'tenon view' puts it there");
  const data = JSON.parse(element.textContent);
  element.remove();
  const runs = data.runs.map((run, index) => new Run(run, index));
  // The first run keeps the colours of its FMUs when others are laid over it; theirs come behind these.
  const taken = Math.max(1, runs[0].fmus.length);
  for (const run of runs) run.hue = run.index === 0 ? 0 : taken - 1 + run.index;
  return runs;
};

/// "plant.crank" -> "plant": elements have no dots in their names, so what stands before one is an FMU.
export const fmuOf = (name) => (name.includes(".") ? name.slice(0, name.indexOf(".")) : "");
const withoutFmu = (name) => name.slice(name.indexOf(".") + 1);

/// The one name in `map` that is `name` behind an FMU's.
const withFmu = (map, name) => {
  const found = [...map.keys()].filter((key) => key !== name && key.endsWith(name) && withoutFmu(key) === name);
  return found.length === 1 ? found[0] : undefined;
};

/// What `map` has under `name`, with or without an FMU before it: `front.rod.angle` of a system is `rod.angle` of the machine in
/// one piece, unless another FMU has a `rod.angle`, too. `all` are the maps that names come from.
export const alike = (map, name, all) => {
  if (map.has(name)) return map.get(name);
  const longer = withFmu(map, name);
  if (longer !== undefined) return map.get(longer);
  const origin = all.find((other) => other.has(name));
  return origin && withFmu(origin, withoutFmu(name)) === name ? map.get(withoutFmu(name)) : undefined;
};
