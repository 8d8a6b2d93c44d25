"""Machines with closed loops. Those with redundant rows say in `instead` which joints their twin has."""

import numpy as np

from machine import WORLD, Machine, turn
from parts import X, Y, Z, inertia, link, pick

ON_LINE = {"type": "point_on_line"}


def four_bar_points(rng, scale=1.0):
    """Corners of a four-bar that is far from flat."""
    a = np.zeros(3)
    b = np.array([rng.uniform(-0.1, 0.25), 0, rng.uniform(0.25, 0.5)])
    d = np.array([rng.uniform(0.7, 1.0), 0, rng.uniform(-0.1, 0.1)])
    c = d + np.array([rng.uniform(-0.1, 0.2), 0, rng.uniform(0.5, 0.8)])
    return [scale * p for p in (a, b, c, d)]


def four_bar(rng):
    m = Machine("four_bar")
    a, b, c, d = four_bar_points(rng)
    for name, p, q in (("crank", a, b), ("coupler", b, c), ("rocker", d, c)):
        link(m, rng, name, p, q)
    for name, i, j, p in (("A", WORLD, "crank", a), ("B", "crank", "coupler", b), ("C", "coupler", "rocker", c),
                          ("D", WORLD, "rocker", d)):
        m.joint(name, "revolute", i, j, at=p, axis=Y)
    m.instead = {pick(rng, "A", "B", "C", "D"): ON_LINE}
    return m


def six_bar(rng):
    """A four-bar whose rocker drives a second one (Watt), or whose coupler does (Stephenson)."""
    m = four_bar(rng)
    m.name = "six_bar"
    _, b, c, d = (m.joints[k]["at"] for k in "ABCD")
    from_coupler = rng.random() < 0.5
    start = (b + c) / 2 + np.array([0.05, 0, 0.3]) if from_coupler else c + np.array([0.25, 0, 0.1])
    far = d + np.array([rng.uniform(0.9, 1.3), 0, rng.uniform(-0.2, 0.2)])
    middle = far + np.array([rng.uniform(-0.1, 0.3), 0, rng.uniform(0.6, 0.9)])
    link(m, rng, "rod", start, middle)
    link(m, rng, "lever", far, middle)
    m.joint("E", "revolute", "coupler" if from_coupler else "rocker", "rod", at=start, axis=Y)
    m.joint("F", "revolute", "rod", "lever", at=middle, axis=Y)
    m.joint("G", "revolute", WORLD, "lever", at=far, axis=Y)
    m.instead = {pick(rng, "A", "D"): ON_LINE, pick(rng, "F", "G"): ON_LINE}
    return m


def parallelogram(rng):
    """Three equal cranks under one bar: redundant also in its plane."""
    m = Machine("parallelogram")
    up = np.array([rng.uniform(-0.3, 0.3), 0, rng.uniform(0.4, 0.7)])
    feet = [np.array([x, 0, 0.0]) for x in (0, rng.uniform(0.5, 0.7), rng.uniform(1.0, 1.3))]
    link(m, rng, "bar", feet[0] + up, feet[2] + up)
    for i, foot in enumerate(feet):
        link(m, rng, f"crank{i}", foot, foot + up)
        m.joint(f"foot{i}", "revolute", WORLD, f"crank{i}", at=foot, axis=Y)
        m.joint(f"head{i}", "revolute", f"crank{i}", "bar", at=foot + up, axis=Y)
    # The third crank holds nothing that the others do not: its head may leave the bar in the plane across it.
    m.instead = {"head1": ON_LINE, "head2": {"type": "point_on_plane", "axis": np.cross(Y, up)}}
    return m


def comb(rng):
    """A bar on four to eight equal cranks: many redundant rows in loops that share bodies."""
    m = Machine("comb")
    up = np.array([rng.uniform(-0.3, 0.3), 0, rng.uniform(0.4, 0.7)])
    feet = [np.array([x, y, 0.0]) for x, y in zip(np.arange(rng.integers(4, 9)) * 0.3, rng.uniform(-0.1, 0.1, 9))]
    link(m, rng, "bar", feet[0] + up, feet[-1] + up)
    for i, foot in enumerate(feet):
        link(m, rng, f"crank{i}", foot, foot + up)
        m.joint(f"foot{i}", "revolute", WORLD, f"crank{i}", at=foot, axis=Y)
        m.joint(f"head{i}", "revolute", f"crank{i}", "bar", at=foot + up, axis=Y)
        m.instead[f"head{i}"] = {"type": "point_on_plane", "axis": np.cross(Y, up)}
    del m.instead["head0"]
    m.instead["head1"] = ON_LINE
    return m


def locomotive(rng):
    """Two to five axles, a rod on each side, their cranks a right angle apart: one side holds the other over its dead centres."""
    m = Machine("locomotive")
    axles, radius = int(rng.integers(2, 6)), rng.uniform(0.2, 0.3)
    start = rng.uniform(0, 2 * np.pi)
    places = [np.array([0.8 * i, 0, 0]) for i in range(axles)]
    for i, p in enumerate(places):
        mass = rng.uniform(5, 10)
        m.body(f"axle{i}", p, mass, inertia(rng, mass, 0.4, "box"))
        m.joint(f"bearing{i}", "revolute", WORLD, f"axle{i}", at=p, axis=Y)
        if i:
            m.instead[f"turn{i}"] = {"type": "gear", "joints": ["bearing0", f"bearing{i}"], "ratio": 1.0}
    for side, y, angle in (("left", 0.5, start), ("right", -0.5, start + np.pi / 2)):
        arm = np.array([radius * np.cos(angle), y, radius * np.sin(angle)])
        link(m, rng, side, places[0] + arm, places[-1] + arm)
        for i, p in enumerate(places):
            m.joint(f"{side}{i}", "revolute", f"axle{i}", side, at=p + arm, axis=Y)
            if i:
                m.instead[f"{side}{i}"] = None
        m.instead[f"level_{side}"] = {"type": "gear", "joints": ["bearing0", f"{side}0"], "ratio": -1.0}
    return m


def double_loop(rng):
    """Two four-bars with redundant rows that share the crank (and both stand on the base)."""
    m = four_bar(rng)
    m.name = "double_loop"
    a, b = m.joints["A"]["at"], m.joints["B"]["at"]
    d = a - np.array([rng.uniform(0.7, 1.0), rng.uniform(-0.2, 0.2), rng.uniform(-0.1, 0.1)])
    c = d + np.array([rng.uniform(-0.2, 0.1), 0, rng.uniform(0.5, 0.8)])
    b2 = np.array([b[0] + 0.05, d[1], b[2] + rng.uniform(0, 0.1)])
    link(m, rng, "coupler2", b2, c)
    link(m, rng, "rocker2", d, c)
    m.joint("B2", "revolute", "crank", "coupler2", at=b2, axis=Y)
    m.joint("C2", "revolute", "coupler2", "rocker2", at=c, axis=Y)
    m.joint("D2", "revolute", WORLD, "rocker2", at=d, axis=Y)
    m.instead = {pick(rng, "C", "D"): ON_LINE, pick(rng, "C2", "D2"): ON_LINE}
    return m


def ladder(rng):
    """Cells one on the other, each a four-bar on the last one's coupler."""
    m = Machine("ladder")
    cells = int(rng.integers(2, 5))
    left, right, below = np.zeros(3), np.array([rng.uniform(0.6, 0.9), 0, 0]), WORLD
    for i in range(cells):
        high = rng.uniform(0.3, 0.45)
        up = np.array([rng.uniform(-0.15, 0.15), 0, high])
        lift = left + up
        rise = right + np.array([rng.uniform(-0.15, 0.15), 0, high * rng.uniform(0.9, 1.2)])
        link(m, rng, f"left{i}", left, lift)
        link(m, rng, f"right{i}", right, rise)
        link(m, rng, f"rung{i}", lift, rise)
        for name, p, q, at in ((f"a{i}", below, f"left{i}", left), (f"b{i}", below, f"right{i}", right),
                               (f"c{i}", f"left{i}", f"rung{i}", lift), (f"d{i}", f"right{i}", f"rung{i}", rise)):
            m.joint(name, "revolute", p, q, at=at, axis=Y)
        m.instead[pick(rng, f"a{i}", f"b{i}", f"c{i}", f"d{i}")] = ON_LINE
        left, right, below = lift, rise, f"rung{i}"
    return m


def bennett(rng):
    """Four revolutes in space that move all the same: opposite lengths and twists equal, sin(twist) / length the same."""
    m = Machine("bennett")
    alpha, beta = rng.uniform(0.5, 1.0), rng.uniform(1.1, 1.5)
    a = rng.uniform(0.4, 0.6)
    b = a * np.sin(beta) / np.sin(alpha)
    # theta1 is free, theta2 follows: tan(t1/2) tan(t2/2) = sin((beta + alpha)/2) / sin((beta - alpha)/2)
    t1 = rng.uniform(1.0, 2.2)
    t2 = 2 * np.arctan(np.sin((beta + alpha) / 2) / np.sin((beta - alpha) / 2) / np.tan(t1 / 2))
    frames = [np.eye(4)]
    for length, twist, theta in ((a, alpha, t2), (b, beta, 2 * np.pi - t1), (a, alpha, 2 * np.pi - t2)):
        frames.append(frames[-1] @ _dh(length, twist) @ _rotz(theta))
    closing = frames[-1] @ _dh(b, beta) @ _rotz(t1)
    assert np.abs(closing - np.eye(4)).max() < 1e-9, "the Bennett loop does not close"
    at = [f[:3, 3] for f in frames]
    axis = [f[:3, 2] for f in frames]
    names = ["one", "two", "three"]
    for i, name in enumerate(names):
        link(m, rng, name, at[i], at[i + 1])
    chain = [WORLD, *names, WORLD]
    for i in range(4):
        m.joint(f"J{i}", "revolute", chain[i], chain[i + 1], at=at[i], axis=axis[i])
    m.instead = {f"J{rng.integers(0, 4)}": ON_LINE}
    return m


def _dh(length, twist):
    """Along x by length, about x by twist."""
    T = np.eye(4)
    T[:3, :3] = turn(X, twist)
    T[0, 3] = length
    return T


def _rotz(angle):
    T = np.eye(4)
    T[:3, :3] = turn(Z, angle)
    return T


def bricard(rng):
    """Six links of equal length, axes at right angles (the cube's): one redundant row."""
    m = Machine("bricard")
    size = rng.uniform(0.4, 0.8)
    at = size * np.array([[0, 0, 0], [1, 0, 0], [1, 1, 0], [1, 1, 1], [0, 1, 1], [0, 0, 1]], float)
    axis = [Y, Z, X, Y, Z, X]
    # along the links x, y, z, -x, -y, -z; each joint's axis is perpendicular to both links that it ties
    names = [f"l{i}" for i in range(5)]
    for i, name in enumerate(names):
        link(m, rng, name, at[i], at[i + 1])
    chain = [WORLD, *names, WORLD]
    for i in range(6):
        m.joint(f"J{i}", "revolute", chain[i], chain[i + 1], at=at[i], axis=axis[i])
    m.instead = {f"J{rng.integers(0, 6)}": {"type": "cylindrical"}}
    return m


def rssr(rng, universal=False):
    """Crank and rocker on skew axes, tied by a rod: with two balls it spins about itself, with a universal joint it does not."""
    m = Machine("rsur" if universal else "rssr")
    a, d = np.zeros(3), np.array([rng.uniform(0.7, 1.0), rng.uniform(0.2, 0.6), 0])
    axis_a, axis_d = Y, turn(rng.normal(size=3), rng.uniform(0.2, 0.6)) @ Z
    b = a + np.array([rng.uniform(-0.1, 0.1), 0, rng.uniform(0.2, 0.35)])
    c = d + turn(axis_d, rng.uniform(0, 6)) @ np.cross(axis_d, X) * rng.uniform(0.4, 0.6)
    link(m, rng, "crank", a, b)
    link(m, rng, "rod", b, c, kind="bar")
    link(m, rng, "rocker", d, c)
    m.joint("A", "revolute", WORLD, "crank", at=a, axis=axis_a)
    m.joint("D", "revolute", WORLD, "rocker", at=d, axis=axis_d)
    if universal:
        e = (c - b) / np.linalg.norm(c - b)
        u = np.cross(e, Y)
        m.joint("B", "universal", "crank", "rod", at=b, axis=u, axis2=np.cross(e, u))
    else:
        m.joint("B", "spherical", "crank", "rod", at=b)
    m.joint("C", "spherical", "rod", "rocker", at=c)
    return m


def rsur(rng):
    return rssr(rng, universal=True)


def slider_crank(rng):
    m = Machine("slider_crank")
    a, b = np.zeros(3), np.array([rng.uniform(-0.1, 0.1), 0, rng.uniform(0.2, 0.3)])
    c = np.array([rng.uniform(0.8, 1.1), 0, rng.uniform(-0.1, 0.1)])
    link(m, rng, "crank", a, b)
    link(m, rng, "rod", b, c)
    m.body("piston", c, rng.uniform(0.5, 2), inertia(rng, 1, 0.2))
    m.joint("A", "revolute", WORLD, "crank", at=a, axis=Y)
    m.joint("B", "revolute", "crank", "rod", at=b, axis=Y)
    m.joint("C", "revolute", "rod", "piston", at=c, axis=Y)
    m.joint("P", "prismatic", WORLD, "piston", at=c, axis=X)
    which = rng.integers(0, 2)
    m.instead = [{"C": ON_LINE}, {"B": ON_LINE}][which]
    return m


def stewart(rng):
    """Six legs in two halves each, a universal joint below, a ball above, springs instead of cylinders."""
    m = Machine("stewart")
    high = rng.uniform(0.7, 1.0)
    plate = 10.0 * rng.uniform(0.3, 1)
    m.body("plate", (0, 0, high), plate, inertia(rng, plate, 0.8, "plate"))
    for i in range(6):
        low_angle = np.pi / 3 * (i // 2 * 2) + (0.3 if i % 2 else -0.3)
        top_angle = np.pi / 3 * ((i + 1) // 2 * 2 - 1) + (-0.3 if i % 2 else 0.3)
        foot = 0.7 * np.array([np.cos(low_angle), np.sin(low_angle), 0])
        head = np.array([0.45 * np.cos(top_angle), 0.45 * np.sin(top_angle), high])
        e = (head - foot) / np.linalg.norm(head - foot)
        link(m, rng, f"tube{i}", foot, foot + 0.6 * (head - foot), 0.8, kind="bar")
        link(m, rng, f"rod{i}", foot + 0.5 * (head - foot), head, 0.5, kind="bar")
        u = np.cross(e, X if abs(e @ X) < 0.7 else Y)
        m.joint(f"foot{i}", "universal", WORLD, f"tube{i}", at=foot, axis=u, axis2=np.cross(e, u))
        m.joint(f"slide{i}", "prismatic", f"tube{i}", f"rod{i}", at=foot, axis=e)
        m.joint(f"head{i}", "spherical", f"rod{i}", "plate", at=head)
        m.force(f"jack{i}", "spring_damper", bodies=[f"tube{i}", f"rod{i}"], points=[foot, head],
                stiffness=rng.uniform(300, 3000), damping=rng.uniform(0, 20))
    return m


def delta(rng):
    """Three arms, each with a parallelogram of two rods with universal joints: the plate keeps its attitude more than once."""
    m = Machine("delta")
    drop = -rng.uniform(0.55, 0.75)
    mass = rng.uniform(0.5, 2)
    m.body("plate", (0, 0, drop), mass, inertia(rng, mass, 0.2, "plate"))
    for i in range(3):
        R = turn(Z, 2 * np.pi / 3 * i)
        out, side = R @ X, R @ Y
        foot, knee = 0.25 * out, 0.25 * out + R @ np.array([0.25, 0, -0.15])
        head = 0.08 * out + drop * Z
        link(m, rng, f"arm{i}", foot, knee, kind="bar")
        m.joint(f"foot{i}", "revolute", WORLD, f"arm{i}", at=foot, axis=side)
        for k, s in enumerate((-0.06, 0.06)):
            p, q = knee + s * side, head + s * side
            n = np.cross(q - p, side)
            link(m, rng, f"rod{i}{k}", p, q, 0.3, kind="bar")
            m.joint(f"knee{i}{k}", "universal", f"arm{i}", f"rod{i}{k}", at=p, axis=side, axis2=n)
            m.joint(f"head{i}{k}", "universal", "plate", f"rod{i}{k}", at=q, axis=side, axis2=n)
    # a rod with a ball at one end keeps a distance and does not spin
    m.instead = {f"head{i}{k}": {"type": "spherical", "axis": None, "axis2": None} for i in range(3) for k in range(2)}
    return m


def three_rrr(rng):
    m = Machine("three_rrr", gravity=(0, 0, 0))
    mass = rng.uniform(1, 4)
    m.body("plate", (0, 0, 0), mass, inertia(rng, mass, 0.5, "plate"))
    m.gravity = np.array([rng.uniform(-5, 5), rng.uniform(-5, 5), 0.0])
    for i in range(3):
        R = turn(Z, 2 * np.pi / 3 * i)
        head, foot = R @ np.array([0.25, 0, 0]), R @ np.array([0.9, 0.1, 0])
        knee = (head + foot) / 2 + R @ np.array([0, rng.uniform(0.25, 0.4), 0])
        link(m, rng, f"upper{i}", foot, knee)
        link(m, rng, f"lower{i}", knee, head)
        m.joint(f"foot{i}", "revolute", WORLD, f"upper{i}", at=foot, axis=Z)
        m.joint(f"knee{i}", "revolute", f"upper{i}", f"lower{i}", at=knee, axis=Z)
        m.joint(f"head{i}", "revolute", f"lower{i}", "plate", at=head, axis=Z)
    m.instead = {"head1": ON_LINE, "head2": ON_LINE}
    return m


def scissors(rng):
    """Crossed bars with pins: a lift of one to three stages whose feet slide on one side."""
    m = Machine("scissors")
    stages = int(rng.integers(1, 4))
    half, high = rng.uniform(0.35, 0.5), rng.uniform(0.25, 0.35)
    for i in range(stages):
        low, top = i * high, (i + 1) * high
        link(m, rng, f"a{i}", (-half, 0, low), (half, 0, top), kind="bar")
        link(m, rng, f"b{i}", (half, 0.05, low), (-half, 0.05, top), kind="bar")
        m.joint(f"pin{i}", "revolute", f"a{i}", f"b{i}", at=(0, 0, (low + top) / 2), axis=Y)
        if i:
            m.joint(f"left{i}", "revolute", f"b{i - 1}", f"a{i}", at=(-half, 0, low), axis=Y)
            m.joint(f"right{i}", "revolute", f"a{i - 1}", f"b{i}", at=(half, 0, low), axis=Y)
            m.instead[f"right{i}"] = ON_LINE
    m.joint("foot", "revolute", WORLD, "a0", at=(-half, 0, 0), axis=Y)
    m.body("shoe", (half, 0, 0), 0.3, (0.001, 0.001, 0.001))
    m.joint("slide", "prismatic", WORLD, "shoe", at=(half, 0, 0), axis=X)
    m.joint("heel", "revolute", "shoe", "b0", at=(half, 0, 0), axis=Y)
    m.instead["heel"] = ON_LINE
    return m


REDUNDANT = (four_bar, six_bar, parallelogram, comb, locomotive, double_loop, ladder, bennett, bricard, slider_crank, three_rrr, scissors, delta)
SIMPLE = (rssr, rsur, stewart)
