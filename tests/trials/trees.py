"""Machines without loops: chains and trees of all joint types, with springs, friction, drivers, gears and wheels."""

import numpy as np

from machine import WORLD, Machine, random_rotation
from parts import X, Y, Z, inertia, link, pick

HOLD = ("revolute", "revolute", "spherical", "universal", "prismatic", "cylindrical", "screw", "planar", "distance", "point_on_line",
        "point_on_plane", "fixed")


def tie(machine, rng, name, type, a, b, at, size=1.0):
    """A joint of the type with random axes."""
    axis = rng.normal(size=3)
    axis /= np.linalg.norm(axis)
    keys = {}
    if type == "distance":
        keys["points"] = [at, at + size * rng.uniform(0.2, 0.4) * axis]
    elif type == "spherical":
        keys["at"] = at
    elif type == "fixed":
        pass
    else:
        keys.update(at=at, axis=axis)
    if type == "universal":
        keys["axis2"] = np.cross(axis, rng.normal(size=3))
    if type == "screw":
        keys["pitch"] = float(pick(rng, -1, 1) * rng.uniform(0.05, 0.5))
    machine.joint(name, type, a, b, **keys)


def tree(rng, most=12, kinds=HOLD, inertias=None, floating=False, branch=0.3, mass=None, name="tree"):
    m = Machine(name, gravity=(0, 0, 0) if floating and rng.random() < 0.5 else (0, 0, -9.81))
    count = int(rng.integers(1, most + 1))
    at = {WORLD: np.zeros(3)}
    names = [WORLD]
    for i in range(count):
        below = names[-1] if rng.random() > branch else names[rng.integers(len(names))]
        if floating and i == 0:
            below = None
        size = rng.uniform(0.2, 0.5)
        way = rng.normal(size=3)
        com = at[below or WORLD] + size * way / np.linalg.norm(way)
        b = f"b{i}"
        weight = (mass or (lambda i: rng.uniform(0.5, 3)))(i)
        m.body(b, com, weight, inertia(rng, weight, size, inertias and pick(rng, *inertias)), random_rotation(rng),
               origin=com + 0.2 * size * rng.normal(size=3))
        names = [n for n in names if n != WORLD] + [b] if floating else names + [b]
        at[b] = com
        if below is not None:
            tie(m, rng, f"j{i}", pick(rng, *kinds), below, b, at[below] + rng.uniform(0.3, 0.7) * (com - at[below]), size)
    return m


def thin_tree(rng):
    return tree(rng, 8, ("revolute", "spherical", "universal", "cylindrical"), ("rod", "plate"), name="thin_tree")


def floating_tree(rng):
    return tree(rng, 8, floating=True, name="floating_tree")


def chain(rng):
    return tree(rng, 12, ("revolute", "spherical", "universal"), branch=0, name="chain")


def light_tip(rng):
    """Masses that fall by the same factor from link to link, to 1e-6 in all."""
    count = int(rng.integers(2, 6))
    fall = 10 ** rng.uniform(-6, -2)
    m = Machine("light_tip")
    p, below = np.zeros(3), WORLD
    for i in range(count):
        q = p + np.array([0.3, 0, 0]) + rng.uniform(-0.1, 0.1, 3)
        link(m, rng, f"l{i}", p, q, 10.0 * fall ** (i / max(count - 1, 1)), kind="bar")
        m.joint(f"j{i}", pick(rng, "revolute", "universal", "spherical"), below, f"l{i}", at=p, axis=Y)
        joint = m.joints[f"j{i}"]
        if joint["type"] == "universal":
            joint["axis2"] = np.cross(Y, q - p)
        if joint["type"] == "spherical":
            del joint["axis"]
        p, below = q, f"l{i}"
    m.grave = fall < 1e-3
    return m


def add_friction(m, rng):
    for name, joint in m.joints.items():
        if name not in m.instead and joint["type"] in ("revolute", "prismatic", "cylindrical", "screw") and rng.random() < 0.7:
            joint["friction"] = {"coulomb": rng.uniform(0, 0.5), "viscous": rng.uniform(0, 0.3), "speed": rng.uniform(0.02, 0.2)}
    return m


def friction_tree(rng):
    return add_friction(tree(rng, 6, ("revolute", "prismatic", "cylindrical", "screw", "spherical"), name="friction_tree"), rng)


def add_springs(m, rng, low, high, damped=0.5):
    """Springs between random points of random bodies; `low` to `high` are powers of ten of N/m."""
    names = [WORLD, *m.bodies]
    for i in range(int(rng.integers(1, 4))):
        a, b = names[rng.integers(len(names))], names[rng.integers(1, len(names))]
        if a == b:
            continue
        p = rng.normal(size=3) if a == WORLD else m.bodies[a]["position"] + 0.1 * rng.normal(size=3)
        q = m.bodies[b]["position"] + 0.1 * rng.normal(size=3)
        k = 10 ** rng.uniform(low, high)
        mass = m.bodies[b]["mass"]
        m.force(f"s{i}", "spring_damper", bodies=[a, b], points=[p, q], stiffness=k,
                damping=rng.uniform(0, 0.2) * np.sqrt(k * mass) if rng.random() < damped else 0.0)
    for name, joint in list(m.joints.items()):
        if name not in m.instead and joint["type"] in ("revolute", "prismatic", "screw") and rng.random() < 0.3:
            m.force("t_" + name, "torsion_spring", joint=name, stiffness=0.05 * 10 ** rng.uniform(low, high),
                    damping=rng.uniform(0, 0.5))
    return m


def soft_springs(rng):
    return add_springs(tree(rng, 5, name="soft_springs"), rng, 1, 3)


def stiff_springs(rng):
    m = add_springs(tree(rng, 4, ("revolute", "spherical", "universal", "prismatic", "cylindrical"), name="stiff_springs"), rng, 5, 8)
    m.grave = True
    return m


def bushings(rng, low=3, high=5, name="bushings"):
    """Bodies on bushings one after the other; stiffness alike in all directions, so that a drawing can be turned."""
    m = Machine(name)
    p, below = np.zeros(3), WORLD
    for i in range(int(rng.integers(1, 4))):
        com = p + 0.3 * rng.normal(size=3) / 1.7
        mass = rng.uniform(0.5, 5)
        m.body(f"b{i}", com, mass, inertia(rng, mass, 0.4, pick(rng, "box", "plate", "any")), random_rotation(rng))
        k = 10 ** rng.uniform(low, high)
        c = pick(rng, 0.0, rng.uniform(0, 0.2)) * np.sqrt(k * mass)
        m.force(f"u{i}", "bushing", bodies=[below, f"b{i}"], at=0.5 * (p + com), stiffness=[k] * 3 + [0.1 * k] * 3,
                damping=[c] * 3 + [0.1 * c] * 3)
        p, below = com, f"b{i}"
    if rng.random() < 0.5:
        mass = rng.uniform(0.5, 2)
        link(m, rng, "arm", p, p + np.array([0.5, 0, 0]), mass, kind="bar")
        m.joint("hinge", "revolute", below, "arm", at=p, axis=Y)
    return m


def stiff_bushings(rng):
    m = bushings(rng, 6, 8, "stiff_bushings")
    m.grave = True
    return m


def drive(m, rng, joint):
    coordinate = {"coordinate": pick(rng, "angle", "distance")} if m.joints[joint]["type"] == "cylindrical" else {}
    if rng.random() < 0.5:
        f = rng.uniform(0.2, 1.0)
        m.driver("d_" + joint, joint, **coordinate,
                 motion={"amplitude": rng.uniform(0.1, 0.6), "frequency": f, "phase": np.pi / 2, "offset": 0.0})
        motion = m.drivers["d_" + joint]["motion"]
        motion["offset"] = -motion["amplitude"]
    else:
        m.driver("d_" + joint, joint, **coordinate, motion={"time": [0.0, 0.7, 1.3, 2.0], "value": [0.0, *rng.uniform(-0.6, 0.6, 3)]})


def driven_tree(rng):
    m = tree(rng, 5, ("revolute", "prismatic", "cylindrical", "spherical", "universal"), name="driven_tree")
    can = [n for n, j in m.joints.items() if j["type"] in ("revolute", "prismatic", "cylindrical")]
    for name in can[:2]:
        drive(m, rng, name)
    return m


def geared(rng):
    """Revolute, prismatic and screw joints on a base, tied by gears."""
    m = Machine("geared")
    mass = rng.uniform(3, 8)
    m.body("frame", (0, 0, 0), mass, inertia(rng, mass, 0.6, "box"), random_rotation(rng))
    m.joint("foot", pick(rng, "revolute", "spherical", "fixed"), WORLD, "frame", at=(0.1, 0.2, 0.3), axis=rng.normal(size=3))
    if m.joints["foot"]["type"] != "revolute":
        m.joints["foot"].pop("axis")
    if m.joints["foot"]["type"] == "fixed":
        m.joints["foot"].pop("at")
    names = []
    for i in range(int(rng.integers(2, 5))):
        p = rng.uniform(-0.5, 0.5, 3)
        e = rng.normal(size=3)
        e /= np.linalg.norm(e)
        mass = rng.uniform(0.3, 2)
        m.body(f"g{i}", p + 0.05 * rng.normal(size=3), mass, inertia(rng, mass, 0.2), random_rotation(rng), origin=p)
        type = pick(rng, "revolute", "revolute", "prismatic", "screw")
        m.joint(f"j{i}", type, "frame", f"g{i}", at=p, axis=e, **({"pitch": rng.uniform(0.1, 0.5)} if type == "screw" else {}))
        if type != "screw":
            names.append(f"j{i}")
    for i, (a, b) in enumerate(zip(names, names[1:])):
        m.joint(f"gear{i}", "gear", joints=[a, b], ratio=float(pick(rng, -1, 1) * rng.uniform(0.3, 3)))
    return m


def rolling(rng):
    """A disc that rolls and leans, or a cart on two wheels with a trailer."""
    if rng.random() < 0.5:
        m = Machine("disc")
        r, lean = rng.uniform(0.2, 0.5), rng.uniform(-0.3, 0.3)
        axis = np.array([0, np.cos(lean), np.sin(lean)])
        mass = rng.uniform(1, 4)
        up = np.cross(X, axis)
        m.body("disc", (0, 0, r * np.cos(lean)), mass, mass * r * r * np.array([0.25, 0.25, 0.5]), np.column_stack([X, -up, axis]))
        m.joint("ground", "rolling", WORLD, "disc", normal=Z, axis=axis, radius=r)
        return m
    m = Machine("cart")
    r, wide = rng.uniform(0.2, 0.4), rng.uniform(0.4, 0.6)
    slope = rng.uniform(-1.5, 1.5)
    m.gravity = np.array([slope, 0, -9.81])
    mass = rng.uniform(3, 8)
    m.body("axle", (0.1, 0, r + 0.05), mass, inertia(rng, mass, 0.5, "box"))
    for name, y in (("left", wide), ("right", -wide)):
        mass = rng.uniform(0.5, 2)
        m.body(name, (0, y, r), mass, mass * r * r * np.array([0.25, 0.5, 0.25]))
        m.joint("hub_" + name, "revolute", "axle", name, at=(0, y, r), axis=Y)
        m.joint("road_" + name, "rolling", WORLD, name, normal=Z, axis=Y, radius=r)
    link(m, rng, "pole", (0, 0, r), (-0.6, 0, r + 0.1))
    m.joint("hitch", "revolute", "axle", "pole", at=(0, 0, r), axis=Y)
    # Both wheels keep the axle from sliding along itself: one redundant row, and no other joint that rolls without it.
    return m


ALL = (tree, thin_tree, floating_tree, chain, light_tip, friction_tree, soft_springs, stiff_springs, bushings, stiff_bushings,
       driven_tree, geared, rolling)
