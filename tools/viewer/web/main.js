// Puts the page together.
import { readRuns } from "./data.js";
import { icon, make, number } from "./dom.js";
import { bindKeys, helpDialog } from "./keys.js";
import { colour } from "./palette.js";
import { Panel } from "./panel.js";
import { Player } from "./player.js";
import { Plots } from "./plots.js";
import { hasWebGl } from "./stage.js";
import { Theme } from "./theme.js";
import { Transport } from "./transport.js";
import { View } from "./view.js";

const get = (id) => document.getElementById(id);

const titleOf = (runs) => {
  const names = [...new Set(runs.map((run) => run.name))];
  return names.length > 2 ? `${names[0]} and ${names.length - 1} more` : names.join(" · ");
};

/// Runs as chips that switch them off and on.
const showRuns = (runs, theme, view, plots) => {
  const holder = get("runs");
  for (const run of runs) {
    const thinned = run.whole ? "" : `; every ${run.stride}. row is drawn, curves keep their peaks`;
    const text = `${run.file}: ${run.rows} rows, ${number(run.start)} to ${number(run.stop)} s${thinned}`;
    const key = make("i", { class: "key" });
    if (runs.length === 1) {
      holder.append(make("span", { class: "about", title: text }, `${run.rows.toLocaleString("en")} rows`));
      continue;
    }
    const chip = make("button", { class: "chip run", title: text, "aria-pressed": "true" }, key, run.label);
    chip.addEventListener("click", () => {
      const on = chip.getAttribute("aria-pressed") !== "true";
      chip.setAttribute("aria-pressed", String(on));
      view?.setRun(run, on);
      plots.setRun(run, on);
    });
    theme.listen((name) => key.style.setProperty("--key", colour(run.hue, name)));
    holder.append(chip);
  }
};

/// The colours of the FMUs of a system, in a corner of the picture.
const showFmus = (view, theme) => {
  const { fmus, bodies } = view.machines[0];
  const hud = get("hud");
  if (fmus.length < 2) return;
  const keys = fmus.map((fmu) => ({ fmu, key: make("i", { class: "key" }) }));
  hud.append(...keys.map(({ fmu, key }) => make("span", { class: "entry" }, key, fmu || "machine")));
  theme.listen(() => {
    for (const { fmu, key } of keys) key.style.setProperty("--key", bodies.find((body) => body.name.startsWith(`${fmu}.`))?.colour ?? "");
  });
};

const newView = (runs, player, theme) => {
  const notice = get("notice");
  const explain = (text) => {
    notice.textContent = text;
    notice.hidden = false;
    document.body.classList.add("no-view");
    return null;
  };
  if (!runs.some((run) => run.scene?.bodies?.length)) return explain("There is no scene beside the result, so there is no machine to draw.");
  if (!hasWebGl()) return explain("This browser has no WebGL 2, so the machine cannot be drawn. The curves are there.");
  return new View(get("canvas"), get("labels"), runs, player, theme);
};

const bindSplitter = () => {
  const splitter = get("splitter");
  splitter.addEventListener("pointerdown", (event) => {
    splitter.setPointerCapture(event.pointerId);
    const move = ({ clientX }) => {
      const part = Math.min(80, Math.max(20, ((innerWidth - clientX) / innerWidth) * 100));
      get("main").style.setProperty("--plots", `${part}%`);
    };
    splitter.addEventListener("pointermove", move);
    splitter.addEventListener("pointerup", () => splitter.removeEventListener("pointermove", move), { once: true });
  });
};

const toggleFullScreen = () => {
  if (document.fullscreenElement) document.exitFullscreen();
  else document.documentElement.requestFullscreen?.().catch(() => {}); // a browser may refuse; nothing is lost
};

const bindBar = (view, panel, theme, help) => {
  const buttons = { "toggle-panel": "layers", "toggle-plots": "curves", "toggle-theme": "theme", help: "help", fullscreen: "fullscreen" };
  for (const [id, name] of Object.entries(buttons)) get(id).append(icon(name));
  const actions = {
    panel: () => {
      get("panel").hidden = !get("panel").hidden;
      get("toggle-panel").setAttribute("aria-pressed", String(!get("panel").hidden));
    },
    plots: () => {
      document.body.classList.toggle("no-plots");
      get("toggle-plots").setAttribute("aria-pressed", String(!document.body.classList.contains("no-plots")));
    },
    help: () => help.showModal(),
  };
  get("toggle-plots").setAttribute("aria-pressed", "true");
  get("toggle-panel").addEventListener("click", actions.panel);
  get("toggle-panel").hidden = !view;
  get("toggle-plots").addEventListener("click", actions.plots);
  get("toggle-theme").addEventListener("click", () => theme.toggle());
  get("help").addEventListener("click", actions.help);
  get("fullscreen").addEventListener("click", toggleFullScreen);
  get("canvas").addEventListener("dblclick", (event) => {
    const body = view?.bodyAt(event);
    if (body) panel.setTrace(body.name, !view.isTraced(body.name));
  });
  return actions;
};

const keyActions = (player, view, panel, theme, bar, transport) => {
  const layer = (name) => () => panel?.toggleLayer(name);
  const look = (name) => () => view?.look(name);
  return {
    " ": () => player.toggle(),
    ArrowLeft: (event) => player.step(event.shiftKey ? -10 : -1),
    ArrowRight: (event) => player.step(event.shiftKey ? 10 : 1),
    Home: () => player.seek(player.start),
    End: () => player.seek(player.stop),
    "+": () => player.changeSpeed(1),
    "=": () => player.changeSpeed(1),
    "-": () => player.changeSpeed(-1),
    l: () => transport.toggleLoop(),
    r: look("corner"),
    1: look("front"),
    2: look("right"),
    3: look("top"),
    c: () => panel?.followNext(),
    j: layer("joints"),
    a: layer("forces"),
    o: layer("ports"),
    x: layer("frames"),
    n: layer("names"),
    g: layer("grid"),
    t: () => panel?.toggleTraces(),
    v: bar.panel,
    p: bar.plots,
    d: () => theme.toggle(),
    f: toggleFullScreen,
    "?": bar.help,
  };
};

const start = () => {
  const runs = readRuns();
  const theme = new Theme();
  const player = new Player(runs);
  document.title = `${titleOf(runs)} – Tenon`;
  get("title").textContent = titleOf(runs);
  get("title").title = runs[0].scene?.description ?? "";
  const view = newView(runs, player, theme);
  const panel = view ? new Panel(get("panel"), view) : null;
  const plots = new Plots(get("cards"), get("add-plot"), runs, player, theme);
  const transport = new Transport(get("transport"), player);
  showRuns(runs, theme, view, plots);
  if (view) showFmus(view, theme);
  bindSplitter();
  const bar = bindBar(view, panel, theme, helpDialog());
  bindKeys(keyActions(player, view, panel, theme, bar, transport));
  // For scripts and tests: the same objects that the page uses.
  window.tenon = { runs, player, theme, view, panel, plots };
  document.documentElement.dataset.ready = "true";
};

start();
