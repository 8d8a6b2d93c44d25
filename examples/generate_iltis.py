"""The Bombardier Iltis as a model file; generate.py calls it.

All numbers of the vehicle are here once. Points are in metres in the world as drawn: x forward, y left, z up, the ground at z = 0
and the chassis' centre of mass above the origin.
"""
from math import atan2, hypot

HEIGHT = 0.57               # of the chassis' centre of mass as drawn
CHASSIS = (1260.0, (130.0, 1620.0, 1670.0))
ARM = (6.0, (0.052099, 0.023235, 0.068864))    # y along the arm
WHEEL = (57.35, (1.2402, 1.908, 1.2402))       # with everything that turns with the knuckle; y is the axle
# The share of it that does not spin. Both centres of mass are on the axle and both parts are round about it, so any share gives the
# same motion, and none of the bodies is without mass.
KNUCKLE = {"driven": (17.35, (0.2, 0.0, 0.2)), "free": (17.35, (0.2, 0.1, 0.2))}    # free: some is left about the axle

# Where an axle is a part of its own, a share of the chassis carries it; the rest is what is left of mass and moments.
FRAME = (90.0, (6.0, 2.0, 7.0), 0.5)           # mass, moments, height of the centre of mass

X = {"front": 0.97, "rear": -1.047}            # of the axles
FORWARD = {"front": 1, "rear": -1}             # shock absorbers lie ahead of the front axle and behind the rear one
RADIUS = {"front": 0.364325, "rear": 0.363812}
SIDES = {"left": 1, "right": -1}

# (|y|, z) in the plane of an axle
LINK_INNER, LINK_OUTER = (0.1585, 0.6), (0.488, 0.531)     # of the leaf spring's link; outer: upper end of the kingpin
ARM_INNER, ARM_OUTER = (0.259, 0.302), (0.572, 0.229)      # outer: lower end of the kingpin
CENTRE = (0.615, 0.356)                                    # of the wheel
SHOCK_UPPER, SHOCK_LOWER, SHOCK_AHEAD = (0.297, 0.632), (0.5, 0.241), 0.075
TIE_INNER, TIE_OUTER, TIE_BEHIND = (0.07, 0.6), (0.448, 0.531), 0.14
STOP = 0.707                                               # z of the leaf spring's upper end

CALSPAN = ('{ type = "calspan", A0 = 2625.0, A1 = 14.47, A2 = 12930.0, A3 = 2.29, A4 = 18175.0, '
           "B1 = -4.64e-5, B3 = 1.216, B4 = 2.18e-11, SN = 1.0274, AF1 = -1.71e-5, AF2 = 1.71e-5 }")
VISCOUS = {"front": 2082.05, "rear": 2008.1}               # N s/m: cornering stiffness over 20 m/s


def number(x):
    return repr(round(x, 9) + 0.0)


def vector(values):
    return "[" + ", ".join(number(v) for v in values) + "]"


def names(values):
    return "[" + ", ".join(f'"{v}"' for v in values) + "]"


def table(kind, name, **keys):
    rows = [f"[[{kind}]]", f'name = "{name}"'] + [f"{key} = {value}" for key, value in keys.items()]
    return "\n".join(rows + [""])


def shape(kind, **keys):
    return "{ " + ", ".join([f'type = "{kind}"'] + [f"{key} = {value}" for key, value in keys.items()]) + " }"


def box(x, y, z):
    return shape("box", size=vector((x, y, z)))


def joint(name, kind, first, second, **keys):
    return table("joint", name, type=f'"{kind}"', bodies=names((first, second)), **keys)


class Vehicle:
    """Writes the parts of one variant. `spin`: "driven" (by drivers at v / R), "free" (flanges) or "none" (wheel and knuckle are one
    body); `lateral`: further keys of the tyres of an axle; `carriers`: the bodies that carry the axles."""

    def __init__(self, speed, spin, lateral, carriers=("chassis", "chassis")):
        self.speed, self.spin, self.lateral = speed, spin, lateral
        self.steering = spin != "none"
        self.carrier = dict(zip(X, carriers))

    def body(self, name, mass, inertia, position, **keys):
        return table("body", name, mass=number(mass), inertia=vector(inertia), position=vector(position),
                     velocity=vector((self.speed, 0, 0)), **keys)

    def chassis(self):
        mass, inertia, frames = CHASSIS[0], CHASSIS[1], [name for name in self.carrier.values() if name != "chassis"]
        if not frames:
            yield self.body("chassis", mass, inertia, (0, 0, HEIGHT), shape=box(3.4, 0.9, 0.5))
        else:
            yield from self.frames(frames)
        if self.steering:
            rack = (X["front"] - TIE_BEHIND, 0, TIE_INNER[1])
            yield "# The steering rack slides along y; its travel is an input of the model. It has no mass: the driver holds it."
            yield self.body("rack", 0, (0, 0, 0), rack, shape=shape("rod", radius="0.02", length="0.14", axis="[0.0, 1.0, 0.0]"))
            yield joint("rack_guide", "prismatic", self.carrier["front"], "rack", at=vector(rack), axis="[0.0, 1.0, 0.0]")
            yield table("driver", "rack_travel", joint='"rack_guide"', input="true")

    def frames(self, names):
        """The chassis in three bodies that are fixed to each other and together have its mass, centre and moments."""
        mass, moments, height = FRAME
        parts = [(x, height - HEIGHT) for x in X.values()]
        rest = CHASSIS[0] - len(parts) * mass
        com = [-mass * sum(p[i] for p in parts) / rest for i in range(2)]
        tensor = list(CHASSIS[1]) + [0.0, 0.0, 0.0]
        for m, (x, z), own in [(mass, p, moments) for p in parts] + [(rest, com, (0, 0, 0))]:
            for i, value in enumerate((m * z * z, m * (x * x + z * z), m * x * x)):
                tensor[i] -= value + own[i]
            tensor[4] += m * x * z
        yield self.body("chassis", rest, tensor, (0, 0, HEIGHT), com=vector((com[0], 0, com[1])), shape=box(3.4, 0.9, 0.5))
        for name, x in zip(names, X.values()):
            yield self.body(name, mass, moments, (x, 0, height), shape=box(0.3, 0.5, 0.12))
            yield joint(name.replace("frame", "mount"), "fixed", "chassis", name, at=vector((x, 0, height)))

    def corner(self, axle, side):
        s, x, carrier = SIDES[side], X[axle], self.carrier[axle]
        me = f"{axle}_{side}_"

        def point(p, ahead=0.0):
            return (x + ahead, s * p[0], p[1])

        shock, tie = FORWARD[axle] * SHOCK_AHEAD, -FORWARD[axle] * TIE_BEHIND
        centre, upper, lower = point(CENTRE), point(LINK_OUTER), point(ARM_OUTER)
        yield f"# {axle} {side}"
        yield from self.arm(me, carrier, s, point(ARM_INNER), lower)
        yield from self.hub(me, axle, centre)
        knuckle = me + ("knuckle" if self.spin != "none" else "wheel")
        yield joint(me + "ball", "spherical", me + "arm", knuckle, at=vector(lower))
        yield joint(me + "link", "distance", carrier, knuckle, points=f"[{vector(point(LINK_INNER))}, {vector(upper)}]")
        yield joint(me + "guide", "point_on_plane", carrier, knuckle, at=vector(upper), axis="[1.0, 0.0, 0.0]")
        rack = "rack" if self.steering and axle == "front" else carrier
        yield joint(me + "tie_rod", "distance", rack, knuckle, points=f"[{vector(point(TIE_INNER, tie))}, {vector(point(TIE_OUTER, tie))}]")
        yield table("force", me + "leaf", type='"spring_damper"', bodies=names((carrier, knuckle)),
                    points=f"[{vector((x, upper[1], STOP))}, {vector(upper)}]", axis="[0.0, 0.0, -1.0]", free_length="0.252",
                    stiffness="35906.0", bump_stop="{ at = -0.146, stiffness = 9964094.0 }")
        yield table("force", me + "shock", type='"spring_damper"', bodies=names((carrier, me + "arm")),
                    points=f"[{vector(point(SHOCK_UPPER, shock))}, {vector(point(SHOCK_LOWER, shock))}]", free_length="0.0",
                    spring="{ polynomial = [-4.0092e6, 2.8397e7, -6.7061e7, 5.2796e7] }",
                    damper="{ pieces = [{ polynomial = [-416.42, 1844.3] }, "
                           "{ from = -0.2, polynomial = [0.0, 9945.627, 33955.72, -59832.25, -395651.0] }, "
                           "{ from = 0.21, polynomial = [1919.1638, 1634.727] }] }")
        yield self.tyre(me, axle, centre)

    def arm(self, me, carrier, s, inner, outer):
        length = hypot(outer[1] - inner[1], outer[2] - inner[2])
        tilt = atan2(s * (outer[2] - inner[2]), s * (outer[1] - inner[1]))
        mass, inertia = ARM
        yield self.body(me + "arm", mass, inertia, inner, orientation=f"{{ axis = [1.0, 0.0, 0.0], angle = {number(tilt)} }}",
                        com=vector((0, s * (length - 0.16073), 0)),
                        shape=shape("rod", radius="0.025", length=number(length), axis="[0.0, 1.0, 0.0]"))
        yield joint(me + "pivot", "revolute", carrier, me + "arm", at=vector(inner), axis="[1.0, 0.0, 0.0]")

    def hub(self, me, axle, centre):
        mass, inertia = WHEEL
        drawn = shape("wheel", radius=number(RADIUS[axle]), length="0.18", axis="[0.0, 1.0, 0.0]")
        if self.spin == "none":
            yield self.body(me + "wheel", mass, inertia, centre, shape=drawn)
            return
        rest, small = KNUCKLE[self.spin]
        rate = self.speed / RADIUS[axle]
        yield self.body(me + "knuckle", rest, small, centre, shape=shape("cylinder", radius="0.06", length="0.2", axis="[0.0, 1.0, 0.0]"))
        yield self.body(me + "wheel", mass - rest, [a - b for a, b in zip(inertia, small)], centre,
                        **({"angular_velocity": vector((0, rate, 0))} if rate else {}), shape=drawn)
        yield joint(me + "hub", "revolute", me + "knuckle", me + "wheel", at=vector(centre), axis="[0.0, 1.0, 0.0]")
        if self.spin == "driven":
            yield table("driver", me + "spin", joint=f'"{me}hub"', motion=f"{{ rate = {number(rate)} }}")
        else:
            yield table("flange", me + "drive", joint=f'"{me}hub"')

    def tyre(self, me, axle, centre):
        keys = dict(type='"tyre"', bodies=names(("world", me + "wheel")), road='"road"', at=vector(centre), axis="[0.0, 1.0, 0.0]",
                    radius=number(RADIUS[axle]), shape='"point"', stiffness="460000.0")
        return table("force", me + "tyre", **keys, **self.lateral(axle))

    def all(self):
        yield from self.chassis()
        for axle in X:
            for side in SIDES:
                yield from self.corner(axle, side)
        if self.spin == "free":
            yield table("output", "speed", **{"from": '"chassis.v_0[1]"'}, unit='"m/s"', description='"speed of the chassis along x"')


ABOUT = """\
# The Bombardier Iltis, a car with four leaf springs: IAVSD benchmark (Frik, Leister, Schwartz, Vehicle System Dynamics 22, 1993,
# 215-253); numbers from the Robotran model github.com/ovankerm/IAVSD_ILTIS. Written by: python3 examples/generate.py iltis {variant}
# x forward, y left, z up, the ground at z = 0. At each wheel an arm (`_arm`, turns about x at `_pivot`) and the leaf spring's link (`_link`,
# a rod without mass) carry the knuckle in the plane of the axle (`_ball`, `_guide`); it turns about the line through both ends,
# held by a tie rod (`_tie_rod`). Forces: leaf spring with bump stop (`_leaf`), shock absorber (`_shock`), tyre (`_tyre`).
"""

def calspan(axle):
    return {"lateral": CALSPAN}


def driving(axle):
    return {"lateral": CALSPAN, "longitudinal": '{ type = "linear", stiffness = 60000.0, mu = 0.9 }'}


def viscous(axle):
    return {"lateral": f'{{ type = "viscous", coefficient = {number(VISCOUS[axle])} }}'}


def one_side(start, strip):
    return f'{{ type = "bump", start = {number(start)}, length = 2.0, height = 0.1, y = {strip} }}'


class Variant:
    def __init__(self, name, description, about, road, speed, step, stop, **parts):
        self.name, self.description, self.about, self.road = name, description, about, road
        self.solver = f'[solver]\nintegrator = "projection"\nstep = {step}\nstop = {stop}'
        self.vehicle = Vehicle(speed, **{"spin": "driven", "lateral": calspan} | parts)


SPIN = """\
# Drawn as the data have it, 7 mm above its rest; --set solver.start=equilibrium starts at rest on its springs.
# Drivers hold the spin of the wheels at v / R, as in the benchmark; the travel of the steering rack is an input. Ten degrees of freedom.
"""
BUMP = ['{ type = "bump", start = 0.97, length = 5.0, height = 0.2 }']
STAIRS = ['{ type = "ramp", start = 10.0, end = 20.0, height = 1.0 }',
          '{ type = "stairs", start = 20.3, tread = 0.6, rise = -0.1, count = 10, rounding = 0.08 }']
VARIANTS = {
    "bump": Variant("iltis", "Iltis vehicle over a bump at 10 m/s", SPIN + """\
# A bump of 0.2 m over 5 m at 10 m/s, both tracks. Look at: chassis.r_0[3]; front_left_tyre.normal, zero where the wheel is in the air.
# Steering: --set rack_travel=0.002 turns to the right. docs/papers/iltis.md compares this and two steering manoeuvres with the benchmark.
""", BUMP, 10.0, 0.001, 2.5),
    "profile-1": Variant("iltis_profile_1", "Iltis vehicle over a bump under its right wheels and one under its left wheels", """\
# The smooth road of Dopico et al., DETC2007-35627, as far as the paper tells it (heights and lengths are ours): 5 m/s, wheels that do not spin
# (wheel and knuckle are one body), tyres with viscous lateral forces: 9 bodies, 44 rows of joints; with the 54 conditions of the bodies'
# axes the 98 rows of 108 coordinates that the paper's method sees. Ten degrees of freedom. --set solver.start=equilibrium starts at rest.
# Look at: chassis.r_0[3]; solver.iterations with --integrator projection, conserving, conserving-projection. docs/papers/iltis.md
""", [one_side(5, [-10.0, 0.0]), one_side(12, [0.0, 10.0])], 5.0, 0.01, 5.0, spin="none", lateral=viscous),
    "profile-2": Variant("iltis_profile_2", "Iltis vehicle up a ramp and down stairs", """\
# The rough road of Dopico et al., DETC2007-35627, as far as the paper tells it (heights and lengths are ours): up a ramp of 1 m at 5 m/s and
# down ten stairs of 0.1 m; otherwise as iltis_profile_1.toml. Look at: chassis.r_0[3]; solver.iterations. docs/papers/iltis.md
""", STAIRS, 5.0, 0.01, 8.0, spin="none", lateral=viscous),
    "drive": Variant("iltis_drive", "Iltis vehicle with flanges at its wheels, to be driven and steered", """\
# Made to be an FMU: torques on the wheels at four flanges (`front_left_drive.tau`, ...), steering at `rack_travel` (m, positive turns to the
# right). Tyres have a longitudinal force by slip, too (ours: the benchmark has none). Fourteen degrees of freedom. Starts as drawn, 7 mm above its
# rest. Alone it stands still:
# tenon simulate examples/iltis_drive.toml --set rear_left_drive.tau=200 --set rear_right_drive.tau=200
# Look at: speed; rear_left_tyre.slip_ratio. examples/systems/iltis_powertrain.toml drives it.
""", [], 0.0, 0.002, 10.0, spin="free", lateral=driving),
    "axles": Variant("iltis_whole", "Iltis vehicle whose axles sit on frames of their own, in one piece", SPIN + """\
# As iltis.toml, but a share of the chassis' mass is in two frames that carry the axles and are fixed to it at `front_mount` and `rear_mount`; mass,
# centre of mass and moments of all three are the benchmark's. The parts beside this file are made by
#   tenon cut examples/glue/iltis/whole.toml --at front_mount,rear_mount -o FOLDER --step 0.002
# Look at: chassis.r_0[3] over the bump, of this and of the glued parts.
""", BUMP, 10.0, 0.0005, 1.0, carriers=("front_frame", "rear_frame")),
}


def iltis(variant):
    chosen = VARIANTS[variant]
    yield ABOUT.format(variant=variant) + chosen.about
    yield f'[model]\nname = "{chosen.name}"\ndescription = "{chosen.description}"\n'
    yield table("road", "road", features="[" + "".join(f"\n    {f}," for f in chosen.road) + ("\n]" if chosen.road else "]"))
    yield from chosen.vehicle.all()
    yield chosen.solver
