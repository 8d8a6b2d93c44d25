// Play, pause, speed and the time line.
import { icon, make, seconds } from "./dom.js";

const steps = 100000; // of the slider

export class Transport {
  constructor(element, player) {
    this.player = player;
    const button = (name, title, action) => make("button", { class: "icon", title, "aria-label": title, onclick: action }, icon(name));
    this.playButton = button("play", "Play (space)", () => player.toggle());
    this.playButton.id = "play";
    this.playButton.classList.add("primary");
    this.loopButton = button("loop", "Repeat (L)", () => this.toggleLoop());
    this.slider = make("input", { id: "scrubber", type: "range", min: 0, max: steps, step: 1, value: 0, "aria-label": "Time", oninput: () => this.scrub() });
    this.time = make("output", { id: "time" });
    this.speed = make("select", { id: "speed", title: "Speed (+ and -)", "aria-label": "Speed", onchange: () => this.setSpeed() });
    for (const speed of player.speeds) this.speed.append(make("option", { value: speed }, `${speed}×`));
    element.append(
      button("first", "To the start (Home)", () => player.seek(player.start)),
      button("back", "One row back (←)", () => player.step(-1)),
      this.playButton,
      button("forward", "One row on (→)", () => player.step(1)),
      button("last", "To the end (End)", () => player.seek(player.stop)),
      this.loopButton,
      this.slider,
      this.time,
      this.speed,
    );
    player.listen(() => this.update());
  }

  scrub() {
    const { start, stop } = this.player;
    this.player.seek(start + ((stop - start) * this.slider.value) / steps);
  }

  setSpeed() {
    this.player.speed = Number(this.speed.value);
    this.player.changed();
    this.speed.blur();
  }

  toggleLoop() {
    this.player.loop = !this.player.loop;
    this.player.changed();
  }

  update() {
    const { start, stop, time, playing, speed, loop } = this.player;
    const shown = playing ? "pause" : "play";
    if (this.shown !== shown) this.playButton.replaceChildren(icon(shown));
    this.shown = shown;
    this.loopButton.setAttribute("aria-pressed", String(loop));
    const part = stop > start ? (time - start) / (stop - start) : 0;
    this.slider.value = Math.round(part * steps);
    this.slider.style.setProperty("--part", `${part * 100}%`);
    this.time.textContent = `${seconds(time, stop - start)} / ${seconds(stop, stop - start)} s`;
    this.speed.value = String(speed);
  }
}
