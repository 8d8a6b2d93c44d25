// The clock of the page: everything that shows a time listens to it.
import { indexAt } from "./data.js";

const speeds = [0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100];

/// Real time, unless the whole would be over in a moment or take minutes.
const pleasantSpeed = (duration) => {
  if (duration >= 3 && duration <= 60) return 1;
  const wanted = duration / 10;
  return speeds.reduce((best, s) => (Math.abs(Math.log(s / wanted)) < Math.abs(Math.log(best / wanted)) ? s : best));
};

export class Player {
  constructor(runs) {
    this.start = Math.min(...runs.map((run) => run.start));
    this.stop = Math.max(...runs.map((run) => run.stop));
    this.time = this.start;
    this.playing = false;
    this.loop = true;
    this.speeds = speeds;
    this.speed = pleasantSpeed(this.stop - this.start);
    this.listeners = [];
    this.frames = runs.reduce((longest, run) => (run.frames.length > longest.length ? run.frames : longest), []);
  }

  /// `listener` is called after every change of time, speed or state.
  listen(listener) {
    this.listeners.push(listener);
    listener(this);
  }

  changed() {
    for (const listener of this.listeners) listener(this);
  }

  seek(time) {
    this.time = Math.min(this.stop, Math.max(this.start, time));
    this.changed();
  }

  play() {
    if (this.playing || this.stop <= this.start) return;
    if (this.time >= this.stop) this.time = this.start;
    this.playing = true;
    this.last = null;
    this.changed();
    requestAnimationFrame((now) => this.tick(now));
  }

  pause() {
    this.playing = false;
    this.changed();
  }

  toggle() {
    if (this.playing) this.pause();
    else this.play();
  }

  tick(now) {
    if (!this.playing) return;
    // After a pause of the browser (another tab) the time must not jump.
    const passed = this.last === null ? 0 : Math.min(0.1, (now - this.last) / 1000);
    this.last = now;
    let time = this.time + passed * this.speed;
    if (time >= this.stop) {
      if (this.loop) time = this.start + ((time - this.start) % (this.stop - this.start));
      else {
        time = this.stop;
        this.playing = false;
      }
    }
    this.time = time;
    this.changed();
    requestAnimationFrame((next) => this.tick(next));
  }

  /// To the frame `count` further.
  step(count) {
    const frames = this.frames;
    const now = indexAt(frames, this.time);
    this.playing = false;
    this.seek(frames[Math.min(frames.length - 1, Math.max(0, now + count))]);
  }

  changeSpeed(direction) {
    const at = this.speeds.indexOf(this.speed);
    this.speed = this.speeds[Math.min(this.speeds.length - 1, Math.max(0, at + direction))];
    this.changed();
  }
}
