"""modelDescription.xml and terminalsAndIcons.xml of FMI 2.0 and 3.0 from one table of a model's variables.

FMI 2.0 has no arrays and fewer types: an array becomes its elements (`u[1,2]`, value reference + 1000 times the element),
and variables of a type that it lacks are left out.
"""

import dataclasses
import itertools
from xml.sax.saxutils import quoteattr

TYPES_2 = {"Float64": "Real", "Int32": "Integer", "Boolean": "Boolean", "String": "String",
           "Enumeration": "Enumeration"}
# What a model can do, in the words of FMI 3.0, and the words of FMI 2.0 where it has the same.
WORDS_2 = {"canGetAndSetFMUState": "canGetAndSetFMUstate", "canSerializeFMUState": "canSerializeFMUstate",
           "providesDirectionalDerivatives": "providesDirectionalDerivative"}
ONLY_3 = {"providesAdjointDerivatives", "providesIntermediateUpdate", "mightReturnEarlyFromDoStep",
          "canReturnEarlyAfterIntermediateUpdate", "hasEventMode"}
ONLY_2 = {"canInterpolateInputs", "canNotUseMemoryManagementFunctions"}
LOG_CATEGORIES = ["logEvents", "logStatusError"]


@dataclasses.dataclass
class Variable:
    name: str
    reference: int
    type: str = "Float64"
    causality: str = "local"
    variability: str = None
    initial: str = None
    start: object = None  # a list for arrays
    unit: str = None
    display_unit: str = None
    declared_type: str = None
    dimensions: tuple = ()  # numbers, or the structural parameter that gives the size and its start: ("n", 2)
    depends: list = None  # names that an output or derivative depends on while stepping; None: unknown
    depends_initially: list = None
    derivative_of: str = None
    intermediate: bool = False
    clocks: str = None
    interval: str = None  # intervalVariability of a clock

    def sizes(self):
        return [size[1] if isinstance(size, tuple) else size for size in self.dimensions]


@dataclasses.dataclass
class Model:
    name: str
    variables: list
    can: set = dataclasses.field(default_factory=set)  # capability flags that are true
    numbers: dict = dataclasses.field(default_factory=dict)  # other attributes of CoSimulation
    units: dict = dataclasses.field(default_factory=dict)  # name: attributes of BaseUnit, or None, display units
    enumerations: dict = dataclasses.field(default_factory=dict)  # type: items
    # (name, kind, [(member, variable, variable kind)]), and as a fourth the terminals inside
    terminals: list = dataclasses.field(default_factory=list)
    resources: dict = dataclasses.field(default_factory=dict)  # file: content
    versions: tuple = (2, 3)
    step: float = 0.01
    variant: str = None  # what stands behind the slash in the token
    file: str = None  # name of the archive and of the library in it, where it is not the model's
    library: str = None  # name of the built library, where it is not the model's
    neighbours: tuple = ()  # names of built libraries that lie beside it

    def token(self):
        return "{%s%s}" % (self.name, "/" + self.variant if self.variant else "")

    def identifier(self):
        return (self.file or self.name).replace("-", "_")


def element(tag, attributes, children=()):
    """One element as lines; attributes without a value are left out, those in `children` are lines."""
    text = "<" + tag + "".join(" %s=%s" % (key, quoteattr(literal(value)))
                               for key, value in attributes.items() if value is not None)
    return [text + ">", *("  " + line for line in children), f"</{tag}>"] if children else [text + "/>"]


def literal(value):
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (list, tuple)):
        return " ".join(literal(item) for item in value)
    return repr(value) if isinstance(value, float) else str(value)


def is_initial_unknown(model, variable):
    """Outputs, states and their derivatives that have no start value."""
    state = any(other.derivative_of == variable.name for other in model.variables)
    return (variable.initial != "exact" and not variable.clocks
            and (variable.causality == "output" or variable.derivative_of or state))


def dependencies(names, find):
    """The attribute `dependencies`; absent where it is not known what a variable depends on."""
    return {} if names is None else {"dependencies": " ".join(str(i) for i in sorted(find(names)))}


def units(model):
    lines = []
    for name, (base, displays) in model.units.items():
        children = element("BaseUnit", base) if base is not None else []
        for display, attributes in displays.items():
            children += element("DisplayUnit", {"name": display, **attributes})
        lines += element("Unit", {"name": name}, children)
    return element("UnitDefinitions", {}, lines) if lines else []


def common(model, version):
    """What both versions have around the variables: (attributes of the root, of CoSimulation, elements behind it)."""
    capabilities = {"modelIdentifier": model.identifier(), "canHandleVariableCommunicationStepSize": True}
    for flag in sorted(model.can):
        if flag not in (ONLY_3 if version == 2 else ONLY_2):
            capabilities[WORDS_2.get(flag, flag) if version == 2 else flag] = True
    if version == 2:
        capabilities["canNotUseMemoryManagementFunctions"] = True
    capabilities.update(model.numbers)
    categories = [line for name in LOG_CATEGORIES for line in element("Category", {"name": name})]
    types = []
    for name, items in model.enumerations.items():
        lines = [line for value, item in enumerate(items, 1) for line in element("Item", {"name": item, "value": value})]
        types += (element("SimpleType", {"name": name}, element("Enumeration", {}, lines)) if version == 2
                  else element("EnumerationType", {"name": name}, lines))
    behind = units(model)
    behind += element("TypeDefinitions", {}, types) if types else []
    behind += element("LogCategories", {}, categories)
    behind += element("DefaultExperiment", {"startTime": 0.0, "stopTime": 1.0, "stepSize": model.step})
    root = {"fmiVersion": f"{version}.0", "modelName": model.file or model.name,
            "guid" if version == 2 else "instantiationToken": model.token(),
            "description": "a foreign FMU for the tests", "generationTool": "tests/fmus/pack.py",
            "variableNamingConvention": "structured"}
    return root, capabilities, behind


def description_3(model):
    root, capabilities, behind = common(model, 3)
    references = {variable.name: variable.reference for variable in model.variables}
    variables, outputs, derivatives, initial = [], [], [], []
    for v in model.variables:
        children = [line for size in v.dimensions
                    for line in element("Dimension", {"valueReference": references[size[0]]}
                                        if isinstance(size, tuple) else {"start": size})]
        by_element = v.type in ("String", "Binary")
        starts = v.start if isinstance(v.start, list) else [v.start]
        if by_element and v.start is not None:
            children += [line for start in starts for line in element("Start", {"value": start})]
        variables += element(v.type, {
            "name": v.name, "valueReference": v.reference, "causality": v.causality, "variability": v.variability,
            "initial": v.initial, "declaredType": v.declared_type, "unit": v.unit, "displayUnit": v.display_unit,
            "start": None if by_element else v.start, "derivative": references.get(v.derivative_of),
            "intermediateUpdate": v.intermediate or None, "clocks": references.get(v.clocks),
            "intervalVariability": v.interval}, children)
        found = dependencies(v.depends, lambda names: (references[name] for name in names))
        if v.causality == "output":
            outputs += element("Output", {"valueReference": v.reference, **found})
        if v.derivative_of:
            derivatives += element("ContinuousStateDerivative", {"valueReference": v.reference, **found})
        if is_initial_unknown(model, v):
            found = dependencies(v.depends_initially, lambda names: (references[name] for name in names))
            initial += element("InitialUnknown", {"valueReference": v.reference, **found})
    return element("fmiModelDescription", root, [
        *element("CoSimulation", capabilities), *behind, *element("ModelVariables", {}, variables),
        *element("ModelStructure", {}, outputs + derivatives + initial)])


def scalars(model):
    """The variables that FMI 2.0 has: (variable, its element, name, start)."""
    for v in model.variables:
        if v.type not in TYPES_2 or v.causality == "structuralParameter":
            continue
        places = itertools.product(*(range(1, size + 1) for size in v.sizes()))
        for i, place in enumerate(places):
            start = v.start[i] if isinstance(v.start, list) else v.start
            index = f"[{','.join(map(str, place))}]" if place else ""
            yield v, i, f"der({v.derivative_of}{index})" if v.name.startswith("der(") else v.name + index, start


def description_2(model):
    root, capabilities, behind = common(model, 2)
    indices = {}
    for index, (v, i, _, _) in enumerate(scalars(model), 1):
        indices.setdefault(v.name, []).append(index)
    variables, outputs, derivatives, initial = [], [], [], []
    for index, (v, i, name, start) in enumerate(scalars(model), 1):
        variability = v.variability or ("fixed" if "arameter" in v.causality else
                                        "continuous" if v.type == "Float64" else "discrete")
        variables += element("ScalarVariable", {
            "name": name, "valueReference": v.reference + 1000 * i, "causality": v.causality,
            "variability": variability, "initial": v.initial}, element(TYPES_2[v.type], {
                "declaredType": v.declared_type, "unit": v.unit, "displayUnit": v.display_unit, "start": start,
                "derivative": indices[v.derivative_of][i] if v.derivative_of else None}))

        def found(names):
            return dependencies(names, lambda known: (j for one in known for j in indices.get(one, [])))
        if v.causality == "output":
            outputs += element("Unknown", {"index": index, **found(v.depends)})
        if v.derivative_of:
            derivatives += element("Unknown", {"index": index, **found(v.depends)})
        if is_initial_unknown(model, v):
            initial += element("Unknown", {"index": index, **found(v.depends_initially)})
    structure = [line for tag, lines in (("Outputs", outputs), ("Derivatives", derivatives),
                                         ("InitialUnknowns", initial)) if lines
                 for line in element(tag, {}, lines)]
    return element("fmiModelDescription", root, [
        *element("CoSimulation", capabilities), *behind, *element("ModelVariables", {}, variables),
        *element("ModelStructure", {}, structure)])


def terminals(model, version):
    """In FMI 2.0 each element of an array is a member of its own."""
    names = {v.name: [v.name] for v in model.variables}
    if version == 2:
        for v in model.variables:
            names[v.name] = [name for other, _, name, _ in scalars(model) if other is v]

    def lines_of(name, kind, members, inside=(), rule="plug"):
        lines = [line for member, variable, variable_kind in members for one in names[variable] for line in element(
            "TerminalMemberVariable", {"variableName": one, "memberName": member + one[len(variable):],
                                       "variableKind": variable_kind})]
        lines += [line for terminal in inside for line in lines_of(*terminal, rule="bus")]
        return element("Terminal", {"name": name, "matchingRule": rule, "terminalKind": kind}, lines)

    lines = [line for terminal in model.terminals for line in lines_of(*terminal)]
    return element("fmiTerminalsAndIcons", {"fmiVersion": "3.0"}, element("Terminals", {}, lines))


def xml(lines):
    return "\n".join(['<?xml version="1.0" encoding="UTF-8"?>', *lines, ""])
