"""Pieces of random machines: inertias, links, bases."""

import numpy as np

from machine import WORLD, random_rotation, turn

X, Y, Z = np.eye(3)


def pick(rng, *words):
    return words[rng.integers(len(words))]


def inertia(rng, mass, size, kind=None):
    """Principal moments: a box, a rod that is thin (to 1e-6 of the others), a plate (I_z = I_x + I_y), or any triangle."""
    kind = kind or pick(rng, "box", "rod", "plate", "any")
    if kind == "rod":
        thin = 10 ** rng.uniform(-6, -2)
        I = np.array([thin, 1, 1]) / 12
    elif kind == "plate":
        a, b = rng.uniform(0.2, 1, 2)
        I = np.array([a * a, b * b, a * a + b * b]) / 12
    elif kind == "box":
        a, b, c = rng.uniform(0.1, 1, 3) ** 2
        I = np.array([b + c, a + c, a + b]) / 12
    else:
        a, b = rng.uniform(0.05, 1, 2)
        I = np.array([a, b, rng.uniform(abs(a - b), a + b)]) / 12
    return mass * size * size * I


def link(machine, rng, name, p, q, mass=None, kind=None):
    """A bar from p to q, its inertia slender about the line with something across."""
    p, q = np.asarray(p, float), np.asarray(q, float)
    length = max(np.linalg.norm(q - p), 0.05)
    mass = rng.uniform(0.5, 3) if mass is None else mass
    e = (q - p) / np.linalg.norm(q - p) if np.linalg.norm(q - p) > 0 else X
    f = np.cross(e, Z if abs(e @ Z) < 0.9 else X)
    f /= np.linalg.norm(f)
    R = np.column_stack([e, f, np.cross(e, f)])
    kind = kind or pick(rng, "bar", "bar", "rod", "plate")
    if kind == "rod":
        I = mass * length ** 2 / 12 * np.array([10 ** rng.uniform(-5, -3), 1, 1])
    elif kind == "plate":
        wide = rng.uniform(0.1, 0.4) ** 2
        I = mass * length ** 2 / 12 * np.array([wide, 1, 1 + wide])
    else:
        wide = rng.uniform(0.05, 0.4) ** 2
        I = mass * length ** 2 / 12 * np.array([2 * wide, 1 + wide, 1 + wide])
    com = p + rng.uniform(0.3, 0.7) * (q - p)
    return machine.body(name, com, mass, I, R, origin=p)


BASES = ("stands", "turns", "tilts", "floats")


def put_on_base(machine, rng, base, centre=(0, 0, 0), size=1.0):
    """Hands all joints and forces with the world to a body of its own that turns, tilts or floats."""
    if base == "stands":
        return
    mass = sum(b["mass"] for b in machine.bodies.values()) * rng.uniform(0.8, 3)
    centre = np.asarray(centre, float)
    com = centre + size * rng.uniform(-0.2, 0.2, 3)
    for joint in machine.joints.values():
        if "bodies" in joint:
            joint["bodies"] = ["base" if b == WORLD else b for b in joint["bodies"]]
    for force in machine.forces.values():
        if "bodies" in force:
            force["bodies"] = ["base" if b == WORLD else b for b in force["bodies"]]
    machine.body("base", com, mass, inertia(rng, mass, size, pick(rng, "box", "any")), random_rotation(rng), origin=centre)
    if base == "turns":
        machine.joint("slew", "revolute", WORLD, "base", at=com + size * rng.uniform(-0.3, 0.3, 3), axis=rng.normal(size=3))
    elif base == "tilts":
        machine.joint("tilt", "spherical", WORLD, "base", at=centre + size * rng.uniform(-0.3, 0.3, 3))
    else:
        machine.gravity = machine.gravity * (0.0 if rng.random() < 0.5 else 1.0)


def askew(machine, rng):
    """The machine and its weight apart: drawn in a direction of its own, gravity as it was."""
    gravity = machine.gravity
    other = machine.drawn(random_rotation(rng))
    other.gravity = gravity
    return other


ORIENTATIONS = (np.eye(3), turn(Z, np.pi / 2), turn((1, 1, 1), 2 * np.pi / 3), turn((0.5, -0.7, 0.3), 0.7),
                turn((-0.2, 0.5, 1.0), 2.4))
