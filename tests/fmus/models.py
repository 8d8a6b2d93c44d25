"""The foreign FMUs: what each of them says about itself. The C file of the same name does it, or does not."""

import dataclasses

from description import Model, Variable

TIME = Variable("time", 0, causality="independent", variability="continuous", unit="s")
STATE = {"canGetAndSetFMUState", "canSerializeFMUState"}
DERIVATIVES = {"providesDirectionalDerivatives", "providesAdjointDerivatives"}
# Inputs inside a step: by their derivatives in FMI 2.0, in a callback in FMI 3.0.
INPUTS_IN_STEPS = {"canInterpolateInputs", "providesIntermediateUpdate", "mightReturnEarlyFromDoStep",
                   "canReturnEarlyAfterIntermediateUpdate"}
SI = {"s": ({"s": 1}, {}), "m": ({"m": 1}, {}), "m/s": ({"m": 1, "s": -1}, {}), "m/s2": ({"m": 1, "s": -2}, {}),
      "N": ({"kg": 1, "m": 1, "s": -2}, {}), "kg": ({"kg": 1}, {}), "N/m": ({"kg": 1, "s": -2}, {}),
      "N.s/m": ({"kg": 1, "s": -1}, {}), "rad": ({"rad": 1}, {}), "rad/s": ({"rad": 1, "s": -1}, {}),
      "rad/s2": ({"rad": 1, "s": -2}, {}), "N.m": ({"kg": 1, "m": 2, "s": -2}, {}), "J": ({"kg": 1, "m": 2, "s": -2}, {}),
      "kg.m2": ({"kg": 1, "m": 2}, {}), "N.m.s/rad": ({"kg": 1, "m": 2, "s": -1, "rad": -1}, {})}


def si(*names):
    return {name: SI[name] for name in ("s", *names)}


def parameter(name, reference, start, **more):
    return Variable(name, reference, causality="parameter", start=start, **{"variability": "fixed", **more})


def source(name, reference, start=0.0, **more):
    return Variable(name, reference, causality="input", start=start, **more)


def result(name, reference, **more):
    return Variable(name, reference, causality="output", **more)


def feedthrough():
    ports = [("float64", 0, "Float64", (), 0.0), ("float32", 1, "Float32", (), 0.0), ("int8", 2, "Int8", (), 0),
             ("uint8", 3, "UInt8", (), 0), ("int16", 4, "Int16", (), 0), ("uint16", 5, "UInt16", (), 0),
             ("int32", 6, "Int32", (), 0), ("uint32", 7, "UInt32", (), 0), ("int64", 8, "Int64", (), 0),
             ("uint64", 9, "UInt64", (), 0), ("boolean", 10, "Boolean", (), False),
             ("string", 11, "String", (), "start"), ("binary", 12, "Binary", (), "0100ff"),
             ("enumeration", 13, "Enumeration", (), 1), ("matrix", 20, "Float64", (2, 3), [0.0] * 6),
             ("integers", 21, "Int32", (3,), [0] * 3), ("booleans", 22, "Boolean", (2,), [False] * 2),
             ("strings", 23, "String", (2,), ["one", "two"]), ("binaries", 24, "Binary", (2,), ["ab", "ab"])]
    variables = [TIME]
    for name, number, kind, dimensions, start in ports:
        same = {"type": kind, "dimensions": dimensions,
                "declared_type": "Colour" if kind == "Enumeration" else None}
        variables += [source(name + "_in", 100 + number, start, **same),
                      result(name + "_out", 200 + number, depends=[name + "_in"],
                             depends_initially=[name + "_in"], **same)]
    variables += [parameter("fixed", 300, 1.0), parameter("tunable", 301, 0.0, variability="tunable"),
                  result("resource", 302, type="String", depends=[], depends_initially=[])]
    return Model("feedthrough", variables, can=STATE, units=si(),
                 enumerations={"Colour": ["red", "green", "blue"]},
                 resources={"text.txt": "a line of a resource\n", "folder/more.txt": "more\n"})


def stairs():
    return Model("stairs", [TIME, parameter("interval", 1, 1.0, unit="s"),
                            result("counter", 2, type="Int32", depends=[], depends_initially=[])],
                 can=STATE | {"hasEventMode", "mightReturnEarlyFromDoStep"}, units=si(), step=0.2)


def vanderpol():
    return Model("vanderpol", [
        TIME,
        result("x0", 1, initial="exact", start=2.0, depends=[], intermediate=True),
        result("x1", 2, initial="exact", start=0.0, depends=[], intermediate=True),
        Variable("der(x0)", 3, derivative_of="x0", depends=["x1"], depends_initially=["x1"]),
        Variable("der(x1)", 4, derivative_of="x1", depends=["x0", "x1", "u"],
                 depends_initially=["x0", "x1", "mu", "u"]),
        parameter("mu", 5, 1.0, variability="tunable"),
        source("u", 6, intermediate=True)],
        can=STATE | DERIVATIVES | INPUTS_IN_STEPS, units=si())


def oscillator():
    return Model("oscillator", [
        TIME,
        result("x", 1, initial="exact", start=1.0, unit="m", depends=[], intermediate=True),
        result("v", 2, initial="exact", start=0.0, unit="m/s", derivative_of="x", depends=[], intermediate=True),
        result("a", 3, unit="m/s2", derivative_of="v", depends=["x", "v", "F"],
               depends_initially=["x", "v", "F", "m", "k", "d"], intermediate=True),
        source("F", 4, unit="N", intermediate=True),
        parameter("m", 5, 1.0, unit="kg"),
        parameter("k", 6, 10.0, unit="N/m", variability="tunable"),
        parameter("d", 7, 0.0, unit="N.s/m", variability="tunable")],
        can=STATE | DERIVATIVES | INPUTS_IN_STEPS, numbers={"maxOutputDerivativeOrder": 1},
        units=si("m", "m/s", "m/s2", "N", "kg", "N/m", "N.s/m"),
        terminals=[("flange", "dev.tenon.joint.flangeTrans",
                    [("s", "x", "signal"), ("v", "v", "signal"), ("f", "F", "inflow")])])


def free_body(variant, can, aux, token=None, ports=("port",)):
    """`aux`: members of the terminal `aux`, with the variable where it is not the one of that name. The library is the same; a
    supplier who offers less says less about it. `token`: see free_body.c. `ports`: names for the one port that there is."""
    efforts, varies = ["port.f_0", "port.t_0"], "providesIntermediateUpdate" in can
    states, constants = ["r", "q", "v", "w"], ["mass", "inertia", "gravity", "port_at", "world_r", "world_R"]

    def motion(member, reference, unit, size, depends=(), **more):
        return result("port." + member, reference, unit=unit, dimensions=size, depends=list(depends),
                      depends_initially=[*states, *constants, *depends], **more)
    variables = [
        TIME, motion("r_0", 1, "m", (3,)), motion("R", 2, None, (3, 3)), motion("v_0", 3, "m/s", (3,)),
        motion("w_0", 4, "rad/s", (3,)), source("port.f_0", 5, [0.0] * 3, unit="N", dimensions=(3,), intermediate=varies),
        source("port.t_0", 6, [0.0] * 3, unit="N.m", dimensions=(3,), intermediate=varies),
        motion("aux.a_0", 7, "m/s2", (3,), efforts), motion("aux.al_0", 8, "rad/s2", (3,), efforts),
        motion("aux.work", 9, "J", ()), motion("aux.Minv", 10, None, (6, 6)),
        parameter("mass", 20, 1.0, unit="kg"), parameter("inertia", 21, [0.1] * 3, unit="kg.m2", dimensions=(3,)),
        parameter("gravity", 22, [0.0, 0.0, -9.81], unit="m/s2", dimensions=(3,)),
        parameter("port_at", 23, [0.0] * 3, unit="m", dimensions=(3,)),
        parameter("world_r", 24, [0.0] * 3, unit="m", dimensions=(3,)),
        parameter("world_R", 25, [1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0], dimensions=(3, 3)),
        parameter("step", 26, 2.5e-3, unit="s"),
        result("energy.total", 27, unit="J", depends=[], depends_initially=[*states, *constants[:3]]),
        Variable("r", 30, initial="exact", start=[0.0] * 3, unit="m", dimensions=(3,)),
        Variable("q", 31, initial="exact", start=[1.0, 0.0, 0.0, 0.0], dimensions=(4,)),
        Variable("v", 32, initial="exact", start=[0.0] * 3, unit="m/s", dimensions=(3,)),
        Variable("w", 33, initial="exact", start=[0.0] * 3, unit="rad/s", dimensions=(3,)),
        parameter("event_at", 40, 1e300, unit="s"), parameter("event_mass", 41, 1.0),
        result("port.aux.counts", 42, type="Int32", dimensions=(3,), depends=[], depends_initially=[])]
    pairs = [(one, "port.aux." + one) if isinstance(one, str) else one for one in aux]
    offered = {name for _, name in pairs}
    inside = [("aux", "dev.tenon.joint.frame3d.aux", [(member, name, "signal") for member, name in pairs])]
    effort = "dev.tenon.joint.effort"
    members = [(member, "port." + member, "signal") for member in ("r_0", "R", "v_0", "w_0")]
    members += [("f_0", "port.f_0", effort), ("t_0", "port.t_0", effort)]
    return Model("free_body", [v for v in variables if not v.name.startswith("port.aux.") or v.name in offered],
                 can=can, units=si("m", "m/s", "m/s2", "rad/s", "rad/s2", "N", "N.m", "kg", "kg.m2", "J"),
                 terminals=[(port, "dev.tenon.joint.frame3d", members, inside if aux else []) for port in ports],
                 variant=token, file="free_body-" + variant if variant else None)


ACCELERATIONS = ["a_0", "al_0"]
EVENTS = {"hasEventMode", "mightReturnEarlyFromDoStep"}
# What a supplier may offer: its name is what a master can work with.
FREE_BODIES = {
    "": (STATE | DERIVATIVES | INPUTS_IN_STEPS, [*ACCELERATIONS, "work"]),
    "minv": (STATE | INPUTS_IN_STEPS, [*ACCELERATIONS, "Minv"]),
    "state": (STATE | INPUTS_IN_STEPS, []),
    "halves": (STATE, []),  # inputs are constant in a step
    "constant": (STATE | DERIVATIVES, ACCELERATIONS),  # as well
    "derivatives": (DERIVATIVES | INPUTS_IN_STEPS, [*ACCELERATIONS, "work"]),
    "nothing": (INPUTS_IN_STEPS, []),
    # Events, announced and not.
    "event": (STATE | DERIVATIVES | INPUTS_IN_STEPS | EVENTS, [*ACCELERATIONS, "work"]),
    "surprise": (STATE | DERIVATIVES | INPUTS_IN_STEPS | EVENTS, [*ACCELERATIONS, "work"], "surprise"),
    "surprise-constant": (STATE | DERIVATIVES | EVENTS, ACCELERATIONS, "surprise"),
    "surprise-halves": (STATE | EVENTS, [], "surprise"),
    "event-nan": (STATE | DERIVATIVES | INPUTS_IN_STEPS | EVENTS, ACCELERATIONS, "nan"),
    # Bad parts.
    "nan": (STATE | DERIVATIVES | INPUTS_IN_STEPS, ACCELERATIONS, "nan"),
    "wrong": (STATE | DERIVATIVES | INPUTS_IN_STEPS, ACCELERATIONS, "wrong"),
    "shape": (STATE | DERIVATIVES | INPUTS_IN_STEPS, [("a_0", "port.aux.Minv"), "al_0", ("work", "port.aux.a_0")]),
    "type": (STATE | DERIVATIVES | INPUTS_IN_STEPS, [("a_0", "port.aux.counts"), "al_0"]),
    "causality": (STATE | DERIVATIVES | INPUTS_IN_STEPS, [("a_0", "port_at"), ("al_0", "port.t_0"), ("work", "mass")]),
    "twins": (STATE | DERIVATIVES | INPUTS_IN_STEPS, [*ACCELERATIONS, "work"], None, ("port", "twin")),
}


def free_body_of_modelica():
    """The same library with a frame of Modelica's MultiBody library: orientation as R.T, forces and R.w in the frame's axes."""
    other = free_body("modelica", STATE | INPUTS_IN_STEPS, [])
    varies = "providesIntermediateUpdate" in other.can
    kept = [v for v in other.variables if not v.name.startswith("port.")]
    poses = ["r", "q", "port_at", "world_r", "world_R"]
    frame = [
        result("port.r_0", 1, unit="m", dimensions=(3,), depends=[], depends_initially=poses),
        result("port.R.T", 11, dimensions=(3, 3), depends=[], depends_initially=poses),
        Variable("der(port.r_0)", 3, unit="m/s", dimensions=(3,), derivative_of="port.r_0", depends=[],
                 depends_initially=[*poses, "v", "w"]),
        result("port.R.w", 12, unit="rad/s", dimensions=(3,), depends=[], depends_initially=["w"]),
        source("port.f", 13, [0.0] * 3, unit="N", dimensions=(3,), intermediate=varies),
        source("port.t", 14, [0.0] * 3, unit="N.m", dimensions=(3,), intermediate=varies)]
    members = [(member, "port." + member, "signal") for member in ("r_0", "R.T", "R.w")]
    members += [(member, "port." + member, "inflow") for member in ("f", "t")]
    return dataclasses.replace(
        other, variables=[kept[0], *frame, *kept[1:]],
        terminals=[("port", "Modelica.Mechanics.MultiBody.Interfaces.Frame_b", members, [])])


def bushing():
    """A spring side: takes the motion of a port, gives the force that moves it so."""
    motion = [("r_0", 1, "m", (3,), [0.0] * 3), ("R", 2, None, (3, 3), [1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0]),
              ("v_0", 3, "m/s", (3,), [0.0] * 3), ("w_0", 4, "rad/s", (3,), [0.0] * 3)]
    moves = ["port.r_0", "port.v_0"]
    effort = "dev.tenon.joint.effort"
    return Model("bushing", [
        TIME, *(source("port." + name, number, start, unit=unit, dimensions=size) for name, number, unit, size, start in motion),
        result("port.f_0", 5, unit="N", dimensions=(3,), depends=moves,
               depends_initially=[*moves, "stiffness", "damping", "anchor"]),
        result("port.t_0", 6, unit="N.m", dimensions=(3,), depends=["port.R"], depends_initially=["port.R", "torsion"]),
        parameter("stiffness", 7, 1000.0, unit="N/m"), parameter("damping", 8, 10.0, unit="N.s/m"),
        parameter("anchor", 9, [0.0] * 3, unit="m", dimensions=(3,)), parameter("torsion", 10, 0.0, unit="N.m")],
        can=STATE, units=si("m", "m/s", "rad/s", "N", "N.m", "N/m", "N.s/m"),
        terminals=[("port", "dev.tenon.joint.frame3d",
                    [(m, "port." + m, "signal") for m in ("r_0", "R", "v_0", "w_0")]
                    + [(m, "port." + m, effort) for m in ("f_0", "t_0")])])


def flywheel():
    return Model("flywheel", [
        TIME,
        result("shaft.phi", 1, initial="exact", start=0.0, unit="rad", depends=[]),
        result("shaft.w", 2, initial="exact", start=0.0, unit="rad/s", derivative_of="shaft.phi", depends=[]),
        source("shaft.tau", 3, unit="N.m", intermediate=True),
        result("shaft.aux.al", 4, unit="rad/s2", derivative_of="shaft.w", depends=["shaft.w", "shaft.tau"],
               depends_initially=["shaft.w", "shaft.tau", "inertia", "damping"]),
        result("shaft.aux.work", 5, unit="J", depends=[], depends_initially=[]),
        parameter("inertia", 6, 1.0, unit="kg.m2"), parameter("damping", 7, 0.0, unit="N.m.s/rad")],
        can=STATE | DERIVATIVES | INPUTS_IN_STEPS, units=si("rad", "rad/s", "rad/s2", "N.m", "kg.m2", "J", "N.m.s/rad"),
        terminals=[("shaft", "dev.tenon.joint.flangeRot",
                    [("phi", "shaft.phi", "signal"), ("w", "shaft.w", "signal"), ("tau", "shaft.tau", "inflow")],
                    [("aux", "dev.tenon.joint.flangeRot.aux",
                      [("al", "shaft.aux.al", "signal"), ("work", "shaft.aux.work", "signal")])])])


def gain():
    return Model("gain", [TIME, source("u", 1), result("y", 2, depends=["u"], depends_initially=["u", "k", "b"]),
                          parameter("k", 3, 2.0, variability="tunable"),
                          parameter("b", 4, 0.0, variability="tunable")], can=STATE | DERIVATIVES, units=si())


def statespace():
    m, n, r = ("m", 2), ("n", 2), ("r", 2)

    def size(name, reference):
        return Variable(name, reference, "UInt64", "structuralParameter", "fixed", start=2)
    return Model("statespace", [
        TIME, size("m", 1), size("n", 2), size("r", 3),
        parameter("A", 4, [0.0, 1.0, -1.0, 0.0], dimensions=(n, n)),
        parameter("B", 5, [1.0, 0.0, 0.0, 1.0], dimensions=(n, m)),
        parameter("C", 6, [1.0, 0.0, 0.0, 1.0], dimensions=(r, n)),
        parameter("D", 7, [0.0] * 4, dimensions=(r, m)),
        parameter("x0", 8, [1.0, 0.0], dimensions=(n,)),
        source("u", 9, [0.0, 0.0], dimensions=(m,)),
        Variable("x", 10, dimensions=(n,), depends_initially=["x0"]),
        Variable("der(x)", 11, dimensions=(n,), derivative_of="x", depends=["x", "u"],
                 depends_initially=["x0", "u", "A", "B"]),
        result("y", 12, dimensions=(r,), depends=["x", "u"], depends_initially=["x0", "u", "C", "D"])],
        can=STATE | DERIVATIVES, units=si())


def units():
    newton = {"kg": 1, "m": 1, "s": -2}
    names = ["N", "kN", "rad", "deg", "Hz", "rad/s", "thing", "K"]
    variables = [TIME]
    for i, unit in enumerate(names, 1):
        name = unit.replace("/", "_per_")
        variables += [source("in_" + name, i, unit=unit, display_unit="rpm" if unit == "rad/s" else None),
                      result("out_" + name, 10 + i, unit=unit, depends=["in_" + name],
                             depends_initially=["in_" + name])]
    return Model("units", variables, units={
        **si(), "N": (newton, {}), "kN": ({**newton, "factor": 1000.0}, {}), "rad": ({"rad": 1}, {}),
        "deg": ({"rad": 1, "factor": 0.017453292519943295}, {}), "Hz": ({"s": -1}, {}),
        "rad/s": ({"s": -1, "rad": 1}, {"rpm": {"factor": 9.549296585513721}}),
        "thing": (None, {}), "K": ({"K": 1}, {"degC": {"offset": -273.15}})})


def wrong_units():
    """A newton that lacks a second."""
    model = units()
    model.units["N"] = ({"kg": 1, "m": 1, "s": -1}, {})
    return dataclasses.replace(model, file="units-wrong")


def clocks():
    return Model("clocks", [
        TIME, Variable("trigger", 1, "Clock", "input", "discrete", interval="triggered"),
        Variable("echo", 2, "Clock", "output", "discrete", interval="triggered", depends=["trigger"],
                 depends_initially=[]),
        result("count", 3, type="Int32", clocks="trigger", depends=["trigger"])],
        can={"hasEventMode"}, units=si(), versions=(3,))


def escape():
    """What it tries is in escape.c."""
    number = {"type": "Int32", "depends": [], "depends_initially": []}
    return Model("escape", [TIME, source("attempt", 1, 0, type="Int32"), source("path", 2, "", type="String"),
                            result("answer", 3, **number), result("at_load", 4, **number)], units=si())


# As in misbehave.c, whose parameter `mode` counts them from 0.
MODES = ["none", "warning", "discard", "error", "fatal", "pending", "hang", "segfault", "exit", "abort", "memory", "nan",
         "nan-once", "stdout", "null", "second", "once", "shared", "state", "reset", "dependencies", "derivatives",
         "chdir", "leak", "terminate", "partial", "flood", "loud", "backwards"]


def misbehave(mode):
    lies = mode == "dependencies"
    return Model("misbehave", [
        TIME, source("u", 1),
        result("y", 2, depends=[] if lies else ["u"], depends_initially=[] if lies else ["u", "x"]),
        Variable("x", 3, initial="exact", start=0.0),
        parameter("at", 4, 0.5, unit="s"), parameter("mode", 5, MODES.index(mode), type="Int32")],
        can=STATE | DERIVATIVES | ({"canBeInstantiatedOnlyOncePerProcess"} if mode == "once" else set()),
        units=si(), step=0.1, variant=mode, file="misbehave-" + mode,
        versions=(2,) if mode == "pending" else (2, 3))


# As in habits.c.
HABITS = ["plain", "stray", "nowhere", "wild", "thread", "end", "exit3", "overflow", "rounding", "handlers", "uncommitted", "disturbed",
          "stateless", "wanders"]


def habits(habit):
    return Model("habits", [TIME, Variable("x", 1, initial="exact", start=0.0),
                            result("y", 2, depends=[], depends_initially=["x"])],
                 can=STATE, units=si(), step=0.1, variant=habit, file="habits-" + habit)


def brittle():
    return Model("brittle", [TIME, source("u", 1), result("y", 2, depends=["u"], depends_initially=["u"])], units=si())


def broken(what):
    """`gain` in a library that cannot be loaded."""
    return dataclasses.replace(gain(), file="broken-" + what, library="broken_" + what)


def odd(library, *neighbours):
    """Vanderpol in a library that is against the letter."""
    return dataclasses.replace(vanderpol(), file="odd-" + library, library=library, neighbours=neighbours)


def all_models():
    return [feedthrough(), stairs(), vanderpol(), oscillator(), gain(), statespace(), units(), wrong_units(), clocks(),
            escape(), *(free_body(variant, *offers) for variant, offers in FREE_BODIES.items()), free_body_of_modelica(),
            bushing(), flywheel(),
            *(misbehave(mode) for mode in MODES), *(habits(habit) for habit in HABITS), brittle(),
            *(broken(what) for what in ("symbol", "library", "undefined")),
            odd("lacking"), odd("borrowed", "libinner"), odd("python"),
            dataclasses.replace(feedthrough(), file="odd-lacking-strings", library="lacking_strings")]
