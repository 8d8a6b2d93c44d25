"""Excavators: chassis, slewing house, boom, stick, bucket with its linkage, each moved by a cylinder of tube and rod."""

import numpy as np

from machine import WORLD, Machine
from parts import X, Y, Z, inertia, link, pick
from trees import drive

ON_LINE = {"type": "point_on_line"}


def cylinder(m, rng, name, a, b, foot, head, stiff=None):
    """Tube on `a`, rod on `b`, a slide between them. In the twin its head is held along the pin alone: one redundant set less."""
    foot, head = np.asarray(foot, float), np.asarray(head, float)
    e = (head - foot) / np.linalg.norm(head - foot)
    middle = 0.5 * (foot + head)
    link(m, rng, name + "_tube", foot, middle, rng.uniform(5, 20), kind="bar")
    link(m, rng, name + "_rod", middle - 0.3 * (head - foot), head, rng.uniform(3, 10), kind="bar")
    m.joint(name + "_foot", "revolute", a, name + "_tube", at=foot, axis=Y)
    m.joint(name, "prismatic", name + "_tube", name + "_rod", at=foot, axis=e)
    m.joint(name + "_head", "revolute", name + "_rod", b, at=head, axis=Y)
    m.instead[name + "_head"] = ON_LINE
    if stiff is not None:
        m.force("oil_" + name, "spring_damper", bodies=[name + "_tube", name + "_rod"], points=[foot, head], stiffness=stiff,
                damping=0.002 * stiff)


def excavator(rng, chassis=None, driven=None):
    chassis = chassis or pick(rng, "stands", "floats", "tilts", "springs")
    driven = rng.random() < 0.5 if driven is None else driven
    m = Machine("excavator_" + chassis + ("_driven" if driven else ""))
    oil = 10 ** rng.uniform(4.5, 6)
    j = lambda: rng.uniform(-0.1, 0.1)
    m.body("house", (-0.3 + j(), j(), 1.2), 3000, (1500, 2000, 2500))
    if chassis == "stands":
        ground = WORLD
    else:
        ground = "chassis"
        m.body("chassis", (j(), j(), 0.5), 4000, (2500, 3000, 4500))
        if chassis == "tilts":
            m.joint("tilt", "spherical", WORLD, "chassis", at=(0.2, 0.1, 0.3))
        elif chassis == "springs":
            for i, (x, y) in enumerate(((1, 1), (1, -1), (-1, 1), (-1, -1))):
                m.force(f"leg{i}", "bushing", bodies=[WORLD, "chassis"], at=(x, y, 0.2), stiffness=[3e5] * 3 + [0.0] * 3,
                        damping=[1e4] * 3 + [0.0] * 3)
    m.joint("slew", "revolute", ground, "house", at=(0, 0, 0.9), axis=Z)
    foot, tip, end = np.array([0.4, 0, 1.3]), np.array([2.6 + j(), 0, 2.8 + j()]), np.array([3.6 + j(), 0, 1.3 + j()])
    link(m, rng, "boom", foot, tip, 800, kind="bar")
    link(m, rng, "stick", tip - 0.25 * (end - tip), end, 350, kind="bar")
    m.joint("boom_foot", "revolute", "house", "boom", at=foot, axis=Y)
    m.joint("stick_pin", "revolute", "boom", "stick", at=tip, axis=Y)
    stiff = None if driven else oil
    cylinder(m, rng, "lift", "house", "boom", foot + [0.4, 0, -0.2], 0.5 * (foot + tip) + [0.1, 0, -0.2], stiff)
    cylinder(m, rng, "crowd", "boom", "stick", 0.4 * foot + 0.6 * tip + [0, 0, 0.4], tip - 0.25 * (end - tip), stiff)
    if rng.random() < 0.7:
        link(m, rng, "bucket", end, end + [0.1, 0, -0.6], 250, kind="bar")
        m.joint("bucket_pin", "revolute", "stick", "bucket", at=end, axis=Y)
        # the linkage: a lever on the stick, a rod from its end to the bucket, the cylinder pulls where both meet
        knee = end + [0.45, 0, 0.25]
        pin = 0.25 * tip + 0.75 * end
        link(m, rng, "lever", pin, knee, 30, kind="bar")
        link(m, rng, "rod", knee, end + [0.25, 0, -0.1], 30, kind="bar")
        m.joint("lever_pin", "revolute", "stick", "lever", at=pin, axis=Y)
        m.joint("lever_rod", "revolute", "lever", "rod", at=knee, axis=Y)
        m.joint("rod_bucket", "revolute", "rod", "bucket", at=end + [0.25, 0, -0.1], axis=Y)
        m.instead["rod_bucket"] = ON_LINE
        cylinder(m, rng, "curl", "stick", "lever", tip + [0.3, 0, 0.2], knee, stiff)
    if driven:
        for name in ("lift", "crowd", "curl"):
            if name in m.joints:
                m.driver("d_" + name, name, motion={"time": [0.0, 0.8, 1.5, 2.0], "value": [0.0, *rng.uniform(-0.12, 0.12, 3)]})
    if rng.random() < 0.5:
        m.driver("d_slew", "slew", motion={"time": [0.0, 1.0, 2.0], "value": [0.0, *rng.uniform(-1, 1, 2)]})
    return m
