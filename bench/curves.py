"""Reference motions of the benchmark problems, sampled densely.

Chains and loops in the plane are integrated here from equations in minimal coordinates that share nothing with Tenon, by the
classical Runge-Kutta method at steps far below those measured, and checked against tests/reference; the Bricard loop and the
heavy top are the values of tests/reference themselves.
"""
import json
import math
from pathlib import Path

import numpy as np

ROOT = Path(__file__).resolve().parent.parent
REFERENCE = ROOT / "tests" / "reference"
G = 9.81


def reference(name):
    return json.loads((REFERENCE / f"{name}.json").read_text())


def runge_kutta(rate, state, h, steps):
    """Yields the state after every step, the start first; a state is (angles, speeds), tuples of floats or arrays."""
    a, w = state
    yield a, w
    for _ in range(steps):
        k1 = rate(a, w)
        a2, w2 = add(a, w, h / 2), add(w, k1, h / 2)
        k2 = rate(a2, w2)
        a3, w3 = add(a, w2, h / 2), add(w, k2, h / 2)
        k3 = rate(a3, w3)
        a4, w4 = add(a, w3, h), add(w, k3, h)
        k4 = rate(a4, w4)
        a = combine(a, w, w2, w3, w4, h / 6)
        w = combine(w, k1, k2, k3, k4, h / 6)
        yield a, w


def add(x, y, h):
    return x + h * y if not isinstance(x, tuple) else tuple(p + h * q for p, q in zip(x, y))


def combine(x, k1, k2, k3, k4, h):
    if isinstance(x, tuple):
        return tuple(p + h * (a + 2 * b + 2 * c + d) for p, a, b, c, d in zip(x, k1, k2, k3, k4))
    return x + h * (k1 + 2 * k2 + 2 * k3 + k4)


def sampled(rate, state, stop, spacing, per_sample):
    """(time, angles) at every multiple of `spacing`."""
    count = round(stop / spacing)
    path = runge_kutta(rate, state, spacing / per_sample, count * per_sample)
    return [(i // per_sample * spacing, a) for i, (a, _) in enumerate(path) if i % per_sample == 0]


def double_pendulum(stop):
    """Angles from the x axis."""
    def rate(a, w):
        p, q = a
        c, s = 0.5 * math.cos(p - q), 0.5 * math.sin(p - q)
        f1 = -s * w[1] * w[1] - 1.5 * G * math.cos(p)
        f2 = s * w[0] * w[0] - 0.5 * G * math.cos(q)
        d = 4 / 9 - c * c
        return (f1 / 3 - c * f2) / d, (4 / 3 * f2 - c * f1) / d
    rows = []
    for t, (p, q) in sampled(rate, ((0.0, 0.0), (0.0, 0.0)), stop, 0.1, 1000):
        x, y = math.cos(p), math.sin(p)
        rows.append((t, [(x, y, 0), (x + math.cos(q), y + math.sin(q), 0)]))
    known = reference("double_pendulum")["rows"]
    return ["upper", "lower"], rows, worst(rows, -1, [(k[0], k[1:3]) for k in known])


def slider_crank(stop):
    def rate(a, w):
        th, = a
        return (-3 / (5 - 3 * math.cos(2 * th)) * (math.sin(2 * th) * w[0] ** 2 + G * math.cos(th)),)
    rows = []
    for t, (th,) in sampled(rate, ((math.pi / 4,), (0.0,)), stop, 0.1, 200):
        x, y = math.cos(th), math.sin(th)
        rows.append((t, [(0.5 * x, 0.5 * y, 0), (1.5 * x, 0.5 * y, 0)]))
    known = [(k[0], (1.5 * math.cos(k[1]), 0.5 * math.sin(k[1]))) for k in reference("slider_crank")["rows"]]
    return ["crank", "rod"], rows, worst(rows, -1, known)


def n_four_bar(n, stop):
    """The cranks stay parallel: a pendulum. Angle from the upright, clockwise."""
    pull = G * (0.5 * (n + 1) + n) / ((n + 1) / 3 + n)

    def rate(a, w):
        return (pull * math.sin(a[0]),)
    rows = []
    for t, (th,) in sampled(rate, ((0.0,), (1.0,)), stop, 0.1, 200):
        rows.append((t, [(i + math.sin(th), math.cos(th), 0) for i in range(n)]))
    known = [(k[0], k[1:3]) for k in reference("a02_n_four_bar")["loops"][str(n)]["rows"]]
    return [f"coupler_{i + 1}" for i in range(n)], rows, worst(rows, 0, known)


def chain(n, stop):
    """Angles from the x axis; a dense mass matrix."""
    outer = n - 1 - np.arange(n, dtype=float)
    c = np.minimum.outer(outer, outer) + 0.5
    np.fill_diagonal(c, outer + 1 / 3)
    weight = G * (outer + 0.5)

    def rate(a, w):
        co, si = np.cos(a), np.sin(a)
        # cos and sin of all differences of angles
        cosines, sines = np.outer(co, co) + np.outer(si, si), np.outer(si, co) - np.outer(co, si)
        return np.linalg.solve(c * cosines, -(c * sines) @ (w * w) - weight * co)
    per_sample = 100 if n <= 40 else 50 if n <= 160 else 25
    rows = []
    for t, a in sampled(rate, (np.zeros(n), np.zeros(n)), stop, 0.1, per_sample):
        x, y = np.cumsum(np.cos(a)), np.cumsum(np.sin(a))
        rows.append((t, [(float(p), float(q), 0) for p, q in zip(x, y)]))
    known = reference("chain")
    tips = known["links"].get(str(n))
    check = worst(rows, -1, list(zip(known["t"], tips["tip"]))) if tips else None
    return [f"link_{i + 1}" for i in range(n)], rows, check


def bricard():
    file = reference("a04_bricard")
    return ["rod_3"], [(t, [p]) for t, p in zip(file["t"], file["P3"])], 0.0


def heavy_top():
    file = reference("heavy_top")
    return ["top"], [(t, [p]) for t, p in zip(file["t"], file["com"])], 0.0


def worst(rows, point, known):
    """Largest distance of a point from known values (t, (x, y)), where their times meet."""
    mine = {round(t, 6): points[point] for t, points in rows}
    return max(math.dist(mine[round(t, 6)][:2], p[:2]) for t, p in known if round(t, 6) in mine)


def write(path, bodies, rows):
    lines = [" ".join(bodies)]
    for t, points in rows:
        lines.append(" ".join([f"{t:.6g}"] + [f"{x:.15g}" for p in points for x in p]))
    path.write_text("\n".join(lines) + "\n")


def read(path):
    head, *lines = path.read_text().splitlines()
    rows = np.array([[float(x) for x in line.split()] for line in lines])
    return head.split(), rows[:, 0], rows[:, 1:].reshape(len(rows), -1, 3)
