"""Exudyn (PyPI) on the benchmark problems: the same measurement as bench_work_precision, in the same lines of JSON.

    peer_exudyn.py KIND N CURVE LIMIT TARGET STEPS     KIND: double_pendulum slider_crank n_four_bar chain bricard heavy_top

Planar machines are built from planar bodies and joints, which is the quicker choice; trees also as a kinematic tree in joint
coordinates. Several of Exudyn's solvers are tried; its times are those of SolveDynamic less those of a run of one step, one thread.
"""
import json
import math
import os
import sys
import time
import warnings
from pathlib import Path

os.environ["OPENBLAS_NUM_THREADS"] = "1"
import exudyn as exu  # noqa: E402
import exudyn.itemInterface as item  # noqa: E402
import numpy as np  # noqa: E402

import curves  # noqa: E402

warnings.simplefilter("ignore", DeprecationWarning)  # 1.13 knows both names of a setting, older ones only these
GRAVITY = [0, -9.81, 0]


class Plane:
    """A machine of planar rods, each 1 m and 1 kg with its frame at the centre."""

    def __init__(self):
        self.system = exu.SystemContainer()
        self.mbs = self.system.AddSystem()
        self.ground = self.mbs.AddObject(item.ObjectGround())
        self.sensors = []

    def rod(self, start, end, velocity=(0, 0, 0)):
        angle = math.atan2(end[1] - start[1], end[0] - start[0])
        node = self.mbs.AddNode(item.NodeRigidBody2D(
            referenceCoordinates=[(start[0] + end[0]) / 2, (start[1] + end[1]) / 2, angle], initialVelocities=list(velocity)))
        body = self.mbs.AddObject(item.ObjectRigidBody2D(mass=1, inertia=1 / 12, nodeNumber=node))
        mass = self.mbs.AddMarker(item.MarkerBodyMass(bodyNumber=body))
        self.mbs.AddLoad(item.LoadMassProportional(markerNumber=mass, loadVector=GRAVITY))
        return body

    def marker(self, body, x, y=0.0):
        return self.mbs.AddMarker(item.MarkerBodyRigid(bodyNumber=body, localPosition=[x, y, 0]))

    def pin(self, first, second):
        self.mbs.AddObject(item.ObjectJointRevolute2D(markerNumbers=[self.marker(*first), self.marker(*second)]))

    def watch(self, body, x):
        self.sensors.append(self.mbs.AddSensor(item.SensorBody(
            bodyNumber=body, localPosition=[x, 0, 0], storeInternal=True, writeToFile=False,
            outputVariableType=exu.OutputVariableType.Position)))


def chain(n):
    m = Plane()
    last = (m.ground, 0, 0)
    for i in range(n):
        rod = m.rod((i, 0), (i + 1, 0))
        m.pin(last, (rod, -0.5))
        m.watch(rod, 0.5)
        last = (rod, 0.5)
    return m


def slider_crank(_):
    m = Plane()
    s = math.sqrt(0.5)
    crank, rod = m.rod((0, 0), (s, s)), m.rod((s, s), (2 * s, 0))
    m.pin((m.ground, 0, 0), (crank, -0.5))
    m.pin((crank, 0.5), (rod, -0.5))
    m.mbs.AddObject(item.ObjectJointSpherical(markerNumbers=[m.marker(m.ground, 0, 0), m.marker(rod, 0.5)],
                                              constrainedAxes=[0, 1, 0]))
    m.watch(crank, 0)
    m.watch(rod, 0)
    return m


def n_four_bar(n):
    m = Plane()
    cranks = [m.rod((i, 0), (i, 1), (0.5, 0, -1)) for i in range(n + 1)]
    for i, crank in enumerate(cranks):
        m.pin((m.ground, i, 0), (crank, -0.5))
    for i in range(n):
        coupler = m.rod((i, 1), (i + 1, 1), (1, 0, 0))
        m.pin((cranks[i], 0.5), (coupler, -0.5))
        m.pin((coupler, 0.5), (cranks[i + 1], 0.5))
        m.watch(coupler, -0.5)
    return m


class Tree:
    """A chain in joint coordinates."""

    def __init__(self, n):
        self.system = exu.SystemContainer()
        self.mbs = self.system.AddSystem()
        node = self.mbs.AddNode(item.NodeGenericODE2(
            referenceCoordinates=[0] * n, initialCoordinates=[0] * n, initialCoordinates_t=[0] * n,
            numberOfODE2Coordinates=n))
        unit, inertia = np.eye(3), np.diag([0, 1 / 12, 1 / 12])
        tree = self.mbs.AddObject(item.ObjectKinematicTree(
            nodeNumber=node, gravity=GRAVITY, jointTypes=[exu.JointType.RevoluteZ] * n, linkParents=list(range(-1, n - 1)),
            jointTransformations=exu.Matrix3DList([unit] * n),
            jointOffsets=exu.Vector3DList([[0, 0, 0]] + [[1, 0, 0]] * (n - 1)),
            linkInertiasCOM=exu.Matrix3DList([inertia] * n), linkCOMs=exu.Vector3DList([[0.5, 0, 0]] * n),
            linkMasses=[1] * n))
        self.sensors = [self.mbs.AddSensor(item.SensorKinematicTree(
            objectNumber=tree, linkNumber=i, localPosition=[1, 0, 0], storeInternal=True, writeToFile=False,
            outputVariableType=exu.OutputVariableType.Position)) for i in range(n)]


class Space:
    """Rigid bodies in space with Euler parameters."""

    def __init__(self):
        self.system = exu.SystemContainer()
        self.mbs = self.system.AddSystem()
        self.ground = self.mbs.AddObject(item.ObjectGround())
        self.sensors = []

    def body(self, mass, inertia, at, gravity, velocity=(0, 0, 0), spin=(0, 0, 0), rotation=np.eye(3)):
        import exudyn.rigidBodyUtilities as utilities
        made = self.mbs.CreateRigidBody(
            inertia=utilities.RigidBodyInertia(mass=mass, inertiaTensor=np.diag(inertia)), referencePosition=list(at),
            referenceRotationMatrix=rotation, initialVelocity=list(velocity), initialAngularVelocity=list(spin),
            gravity=list(gravity), nodeType=exu.NodeType.RotationEulerParameters)
        return made["bodyNumber"] if isinstance(made, dict) else made

    def watch(self, body, at):
        self.sensors.append(self.mbs.AddSensor(item.SensorBody(
            bodyNumber=body, localPosition=list(at), storeInternal=True, writeToFile=False,
            outputVariableType=exu.OutputVariableType.Position)))

    def marker(self, body, at):
        return self.mbs.AddMarker(item.MarkerBodyRigid(bodyNumber=body, localPosition=list(at)))


def heavy_top(_):
    m = Space()
    top = m.body(15, [0.234375, 0.46875, 0.234375], (0, 1, 0), (0, 0, -9.81), (4.61538, 0, 0), (0, 150, -4.61538))
    m.mbs.AddObject(item.ObjectJointSpherical(markerNumbers=[m.marker(m.ground, (0, 0, 0)), m.marker(top, (0, -1, 0))]))
    m.watch(top, (0, 0, 0))
    return m


def bricard(_):
    m = Space()
    points = np.array([[0, 0, 0], [1, 0, 0], [1, -1, 0], [1, -1, 1], [0, -1, 1], [0, 0, 1]], dtype=float)
    axes = ["y", "z", "x", "y", "z", "x"]
    small, large = 0.1**2 / 6, 0.1**2 / 12 + 1 / 12
    bodies = []
    for i in range(5):
        along = np.abs(points[i + 1] - points[i])
        inertia = np.where(along > 0.5, small, large)
        bodies.append((m.body(1, inertia, (points[i] + points[i + 1]) / 2, GRAVITY), (points[i] + points[i + 1]) / 2))
    ends = [(m.ground, np.zeros(3))] + bodies + [(m.ground, np.zeros(3))]
    turn = {"x": [[0, 0, 1], [0, 1, 0], [-1, 0, 0]], "y": [[1, 0, 0], [0, 0, 1], [0, -1, 0]], "z": np.eye(3)}
    for i in range(6):
        (first, c1), (second, c2) = ends[i], ends[i + 1]
        # The loop has one row too many, which Exudyn's solver cannot take: the last joint leaves out one.
        rows = [1, 1, 1, 1, 1, 0] if i < 5 else [1, 1, 1, 1, 0, 0]
        rotation = np.array(turn[axes[i]], dtype=float)  # its z axis is that of the joint
        m.mbs.AddObject(item.ObjectJointGeneric(
            markerNumbers=[m.marker(first, points[i] - c1), m.marker(second, points[i] - c2)], constrainedAxes=rows,
            rotationMarker0=rotation, rotationMarker1=rotation))
    m.watch(bodies[2][0], points[2] - bodies[2][1])  # rod_3's frame: the third point
    return m


def solve(machine, solver, radius, h, stop, spacing, sparse):
    """Seconds of processor time; raises when Exudyn gives up."""
    settings = exu.SimulationSettings()
    settings.timeIntegration.numberOfSteps = max(1, round(stop / h))
    settings.timeIntegration.endTime = stop
    settings.timeIntegration.verboseMode = 0
    settings.timeIntegration.newton.useModifiedNewton = True
    settings.timeIntegration.generalizedAlpha.spectralRadius = radius
    settings.timeIntegration.automaticStepSize = False
    settings.timeIntegration.adaptiveStep = False
    settings.solutionSettings.writeSolutionToFile = False
    settings.solutionSettings.sensorsWritePeriod = spacing
    settings.solutionSettings.sensorsStoreAndWriteFiles = True
    settings.parallel.numberOfThreads = 1
    settings.linearSolverType = exu.LinearSolverType.EigenSparse if sparse else exu.LinearSolverType.EXUdense
    settings.linearSolverSettings.ignoreSingularJacobian = False
    begin = time.process_time()
    machine.mbs.SolveDynamic(settings, solverType=getattr(exu.DynamicSolverType, solver))
    return time.process_time() - begin


def largest_error(machine, times, points):
    worst = 0.0
    for k, sensor in enumerate(machine.sensors):
        data = machine.mbs.GetSensorStoredData(sensor)
        at = np.clip(np.searchsorted(data[:, 0], times - 1e-7), 0, len(data) - 1)
        if np.max(np.abs(data[at, 0] - times)) > 1e-6:
            return math.inf
        distance = np.max(np.linalg.norm(data[at, 1:4] - points[:, k], axis=1))
        worst = max(worst, distance) if math.isfinite(distance) else math.inf
    return worst


def main():
    kind, n, curve, limit, target, steps = sys.argv[1:]
    n, limit, target = int(n), float(limit), float(target)
    _, times, points = curves.read(Path(curve))
    spacing, stop = float(times[1] - times[0]), float(times[-1])
    exu.SetWriteToConsole(False)
    build = {"double_pendulum": chain, "slider_crank": slider_crank, "n_four_bar": n_four_bar, "chain": chain,
             "bricard": bricard, "heavy_top": heavy_top}[kind]
    ways = [("generalised alpha", build, "GeneralizedAlpha", 0.9), ("trapezoidal, index 2", build, "TrapezoidalIndex2", 1.0)]
    if kind in ("double_pendulum", "chain") and n <= 160:
        ways.append(("joint coordinates, RK4", Tree, "RK44", 1.0))
    for name, make, solver, radius in ways:
        last_seconds, last_step, typical = 0.0, 0.0, True
        for h in [float(s) for s in steps.split(",")]:
            if last_seconds * (last_step / h if typical else 1) > limit:  # the rule of bench_work_precision
                break
            best, error, lost, failure = math.inf, None, None, ""
            begin = time.process_time()
            total = 0.0
            for _ in range(5):
                try:
                    # A guess, not tuned; a joint-coordinate tree has a full mass matrix.
                    sparse = n >= 10 and make is not Tree
                    machine = make(n)
                    machine.mbs.Assemble()
                    start = solve(machine, solver, radius, h, h, spacing, sparse)
                    machine = make(n)
                    machine.mbs.Assemble()
                    seconds = max(1e-6, solve(machine, solver, radius, h, stop, spacing, sparse) - start)
                    error = largest_error(machine, times, points)
                except Exception as problem:  # Exudyn raises ValueError, RuntimeError, SystemError
                    failure, lost, seconds = str(problem).splitlines()[0][:120], 0.0, time.process_time() - begin
                best = min(best, seconds)
                total += seconds
                if failure or total >= 0.1:
                    break
            if error is not None and not error < 2:
                error, lost = None, 0.0
            last_seconds, last_step, typical = best, h, lost is None
            print(json.dumps({"integrator": f"exudyn {name}", "step": h, "cpu_ms": 1e3 * best, "error": error, "lost": lost,
                              "failure": failure}), flush=True)
            if error is not None and error < target:
                break


if __name__ == "__main__":
    main()
