"""A machine as data: bodies, joints, drivers and forces, written as a model file.

What the trials need of it besides the file:

    velocities   of bodies that fit all joints:  v = v0 + (1 - J^+ J) x,  J v0 = rates of the drivers at t = 0, x at random
    drawn(R)     the same machine drawn turned by R, gravity included: it must move in the same way
    twin()       the same machine with a joint set that has no redundant rows (`instead`, by name of the joint, which may be new; a key that is None goes)
    surplus()    rows of J less its rank

J has the rows of all joints on velocities (v of the body's origin, w), six columns per body, all in world axes at t = 0.
"""

import copy

import numpy as np

WORLD = "world"


def turn(axis, angle):
    """Rotation matrix."""
    x, y, z = np.asarray(axis, float) / np.linalg.norm(axis)
    K = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    return np.eye(3) + np.sin(angle) * K + (1 - np.cos(angle)) * K @ K


def random_rotation(rng):
    q = rng.normal(size=4)
    return matrix(q / np.linalg.norm(q))


def matrix(q):
    """Rotation matrix of a quaternion, scalar first."""
    w, x, y, z = q
    return np.array([[1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
                     [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
                     [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)]])


def quaternion(R):
    """The largest of the four first, so that nothing small is divided by."""
    K = np.array([[R[0, 0] + R[1, 1] + R[2, 2], R[2, 1] - R[1, 2], R[0, 2] - R[2, 0], R[1, 0] - R[0, 1]],
                  [0, R[0, 0] - R[1, 1] - R[2, 2], R[0, 1] + R[1, 0], R[0, 2] + R[2, 0]],
                  [0, 0, R[1, 1] - R[0, 0] - R[2, 2], R[1, 2] + R[2, 1]],
                  [0, 0, 0, R[2, 2] - R[0, 0] - R[1, 1]]])
    K = K + np.triu(K, 1).T
    q = np.linalg.eigh(K)[1][:, 3]
    return q if q[0] >= 0 else -q


def perpendicular(axis):
    """Two unit vectors that make a right-handed frame with the axis."""
    n = np.asarray(axis, float) / np.linalg.norm(axis)
    a = np.eye(3)[np.argmin(abs(n))]
    t = np.cross(n, a)
    t /= np.linalg.norm(t)
    return t, np.cross(n, t)


def cross(a):
    return np.array([[0, -a[2], a[1]], [a[2], 0, -a[0]], [-a[1], a[0], 0]])


# Keys of joints and forces that turn with a drawing.
VECTORS = ("at", "axis", "axis2", "normal", "force", "torque")
LISTS = ("points",)


class Machine:
    def __init__(self, name, gravity=(0, 0, -9.81)):
        self.name = name
        self.gravity = np.array(gravity, float)
        self.bodies = {}
        self.joints = {}
        self.drivers = {}
        self.forces = {}
        self.instead = {}  # name of a joint: its keys in the twin, or None where the twin has no such joint
        self.solver = {}
        self.grave = False  # masses or springs that no explicit method can be asked to resolve at the step
        self.note = ""

    # --- elements

    def body(self, name, com, mass=1.0, inertia=(0.01, 0.01, 0.01), R=None, origin=None):
        """A body whose centre of mass is at `com` (world), with inertia (principal, or 3x3) in the axes R."""
        R = np.eye(3) if R is None else R
        com = np.asarray(com, float)
        origin = com if origin is None else np.asarray(origin, float)
        inertia = np.diag(inertia) if np.ndim(inertia) == 1 else np.asarray(inertia, float)
        self.bodies[name] = dict(mass=mass, com=R.T @ (com - origin), inertia=inertia, position=origin, R=R,
                                 velocity=np.zeros(3), angular_velocity=np.zeros(3))
        return name

    def joint(self, name, type, a=None, b=None, **keys):
        self.joints[name] = {"type": type, **({} if a is None else {"bodies": [a, b]}), **keys}
        return name

    def driver(self, name, joint, **keys):
        self.drivers[name] = {"joint": joint, **keys}
        return name

    def force(self, name, type, **keys):
        self.forces[name] = {"type": type, **keys}
        return name

    # --- kinematics at t = 0

    def _rows(self, joint):
        """Rows of a joint on velocities: a list of {body: row of 6}."""
        kind = joint["type"]
        if kind == "gear":
            first, second = (self._coordinate(self.joints[name]) for name in joint["joints"])
            return [_sum(second, first, -joint["ratio"])]
        a, b = joint["bodies"]
        if kind == "distance":
            p, q = np.array(joint["points"], float)
            return [_pair(self, a, b, p, q, q - p, None)]
        if kind == "rolling":
            n = np.asarray(joint["normal"], float) / np.linalg.norm(joint["normal"])
            axis = np.asarray(joint["axis"], float) / np.linalg.norm(joint["axis"])
            centre = np.asarray(joint.get("at", self.bodies[b]["position"]), float)
            down = n - n @ axis * axis
            p = centre - joint["radius"] * down / np.linalg.norm(down)
            return [_pair(self, a, b, p, p, e, None) for e in np.eye(3)]
        p = np.asarray(joint.get("at", (0, 0, 0)), float)
        lines = []
        move = lambda e: lines.append(_pair(self, a, b, p, p, e, None))
        spin = lambda e: lines.append(_pair(self, a, b, p, p, None, e))
        x, y, z = np.eye(3)
        if "axis" in joint:
            z = np.asarray(joint["axis"], float) / np.linalg.norm(joint["axis"])
            x, y = perpendicular(z)
        along = {"fixed": (x, y, z), "revolute": (x, y, z), "spherical": (x, y, z), "universal": (x, y, z),
                 "prismatic": (x, y), "cylindrical": (x, y), "screw": (x, y), "point_on_line": (x, y),
                 "planar": (z,), "point_on_plane": (z,)}[kind]
        about = {"fixed": (x, y, z), "prismatic": (x, y, z), "revolute": (x, y), "cylindrical": (x, y),
                 "screw": (x, y), "planar": (x, y)}.get(kind, ())
        for e in along:
            move(e)
        for e in about:
            spin(e)
        if kind == "universal":
            spin(np.cross(z, joint["axis2"]))
        if kind == "screw":
            lines.append(_pair(self, a, b, p, p, z, -joint["pitch"] / (2 * np.pi) * z))
        return lines

    def _coordinate(self, joint, which=None):
        """The rate of a joint's angle or distance as a row."""
        a, b = joint["bodies"]
        z = np.asarray(joint["axis"], float) / np.linalg.norm(joint["axis"])
        p = np.asarray(joint["at"], float)
        if joint["type"] == "prismatic" or which == "distance":
            return _pair(self, a, b, p, p, z, None)
        return _pair(self, a, b, p, p, None, z)

    def jacobian(self, drivers=False):
        """J, and where drivers are asked for also the rates that J v must have."""
        place = {name: 6 * i for i, name in enumerate(self.bodies)}
        lines = [row for joint in self.joints.values() for row in self._rows(joint)]
        rates = [0.0] * len(lines)
        if drivers:
            for driver in self.drivers.values():
                lines.append(self._coordinate(self.joints[driver["joint"]], driver.get("coordinate")))
                rates.append(_rate(driver.get("motion", {})))
        J = np.zeros((len(lines), 6 * len(self.bodies)))
        for i, line in enumerate(lines):
            for name, row in line.items():
                J[i, place[name]:place[name] + 6] += row
        return J, np.array(rates)

    def surplus(self):
        J, _ = self.jacobian()
        return J.shape[0] - (np.linalg.matrix_rank(J, tol=1e-8 * np.linalg.norm(J, 2)) if J.size else 0)

    def freedom(self):
        J, _ = self.jacobian(drivers=True)
        return J.shape[1] - (np.linalg.matrix_rank(J, tol=1e-8 * np.linalg.norm(J, 2)) if J.size else 0)

    def give_velocities(self, rng, speed=1.0):
        """Random velocities that fit joints and drivers, the largest about `speed` (m/s, rad/s)."""
        J, rates = self.jacobian(drivers=True)
        v = np.zeros(6 * len(self.bodies))
        x = rng.normal(size=v.size)
        if J.size:
            u, s, vt = np.linalg.svd(J, full_matrices=True)
            rank = int(np.sum(s > 1e-9 * s[0]))
            v = vt[:rank].T @ ((u.T @ rates)[:rank] / s[:rank])
            free = vt[rank:]
            x = free.T @ (free @ x)
        if np.abs(x).max() > 1e-6:
            v = v + speed * x / np.abs(x).max()
        for i, body in enumerate(self.bodies.values()):
            body["velocity"], body["angular_velocity"] = v[6 * i:6 * i + 3], v[6 * i + 3:6 * i + 6]

    # --- the same machine otherwise

    def drawn(self, R):
        other = copy.deepcopy(self)
        other.gravity = R @ self.gravity
        for body in other.bodies.values():
            for key in ("position", "velocity", "angular_velocity"):
                body[key] = R @ body[key]
            body["R"] = R @ body["R"]
        for element in [*other.joints.values(), *other.forces.values(), *(k for k in other.instead.values() if k)]:
            for key in VECTORS:
                if element.get(key) is not None and element.get("axes") != "body" and not isinstance(element[key], dict):
                    element[key] = R @ np.asarray(element[key], float)
            for key in LISTS:
                if key in element:
                    element[key] = [R @ np.asarray(p, float) for p in element[key]]
        return other

    def twin(self):
        other = copy.deepcopy(self)
        for name, keys in self.instead.items():
            if keys is None:
                del other.joints[name]
            else:
                joint = other.joints.setdefault(name, {})
                joint.update(keys)
                other.joints[name] = {key: value for key, value in joint.items() if value is not None}
        other.instead = {}
        return other

    # --- the file

    def toml(self, **solver):
        out = [f'[model]\nname = "{self.name}"\ngravity = {_value(self.gravity)}\n']
        for name, b in self.bodies.items():
            I = b["inertia"]
            six = [I[0, 0], I[1, 1], I[2, 2]] + ([I[0, 1], I[0, 2], I[1, 2]] if np.any(I - np.diag(np.diag(I))) else [])
            out.append(_table("body", name, dict(mass=b["mass"], com=b["com"], inertia=six, position=b["position"],
                                                 orientation=quaternion(b["R"]), velocity=b["velocity"],
                                                 angular_velocity=b["angular_velocity"])))
        for kind in ("joint", "driver", "force"):
            for name, keys in getattr(self, kind + "s").items():
                out.append(_table(kind, name, keys))
        out.append("[solver]\n" + "".join(f"{k} = {_value(v)}\n" for k, v in {**self.solver, **solver}.items()))
        return "\n".join(out)


def _pair(machine, a, b, p, q, along, about):
    """along.(velocity of b at q - of a at p) + about.(w_b - w_a)"""
    row = {}
    for name, point, sign in ((a, p, -1), (b, q, 1)):
        if name == WORLD:
            continue
        line = np.zeros(6)
        if along is not None:
            arm = np.asarray(point, float) - machine.bodies[name]["position"]
            line[:3] += sign * np.asarray(along)
            line[3:] += sign * np.cross(arm, along)
        if about is not None:
            line[3:] += sign * np.asarray(about)
        row[name] = row.get(name, 0) + line
    return row


def _sum(row, other, factor):
    out = dict(row)
    for name, line in other.items():
        out[name] = out.get(name, 0) + factor * line
    return out


def _rate(motion):
    if "time" in motion:
        return 0.0  # tables start at rest
    w = 2 * np.pi * motion.get("frequency", 0)
    return motion.get("rate", 0) + motion.get("amplitude", 0) * w * np.cos(motion.get("phase", 0))


def _table(kind, name, keys):
    return f'[[{kind}]]\nname = "{name}"\n' + "".join(f"{k} = {_value(v)}\n" for k, v in keys.items())


def _value(v):
    if isinstance(v, bool):
        return "true" if v else "false"
    if isinstance(v, str):
        return f'"{v}"'
    if isinstance(v, dict):
        return "{ " + ", ".join(f"{k} = {_value(x)}" for k, x in v.items()) + " }"
    if isinstance(v, (list, tuple, np.ndarray)):
        return "[" + ", ".join(_value(x) for x in v) + "]"
    return repr(float(v)) if not isinstance(v, int) else str(v)
