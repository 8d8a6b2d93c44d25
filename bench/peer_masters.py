#!/usr/bin/env python3
"""Other masters on the rings of bench/master_overhead.cpp: FMPy, its compiled container, libcosim and ecos.

    peer_masters.py FOLDER [MODEL...]                  all masters, gain and oscillator by default; JSON lines
    peer_masters.py --one MASTER FOLDER MODEL FMI      one master, in this process

FOLDER has the foreign FMUs (build/release/fmus). A line is {master, version, model, fmi, fmus, ns, recorded, start, start_cpu}: processor
time of the whole process in nanoseconds per step of one FMU, the least of several rounds, without recording and with all that the
master records by itself; milliseconds from nothing to the first step. Where there is no number a line has `why` instead. Each master
runs in a process of its own with a limit of time, since some of them end it.
"""
import importlib.metadata
import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path

STEP = 0.001
COUNTS = [1, 2, 10, 50]
SECONDS = 0.05  # of a round
ROUNDS = 5
LIMIT = 240  # seconds of a process; it needs about ten on a quiet machine
PORTS = {"gain": ("u", "y"), "oscillator": ("F", "x")}


class Ring:
    """FMUs of one file, the input of each connected with the output of the one before."""

    def __init__(self, file, model, count, scratch):
        import fmpy

        self.file, self.count, self.scratch = file, count, scratch
        self.input, self.output = PORTS[model]
        self.description = fmpy.read_model_description(str(file), validate=False)
        self.references = {v.name: v.valueReference for v in self.description.modelVariables}
        self.outputs = [v.name for v in self.description.modelVariables if v.causality == "output"]
        self.fmi = 2 if self.description.fmiVersion == "2.0" else 3

    def pairs(self):
        """(from, to) of each connection."""
        return [((i or self.count) - 1, i) for i in range(self.count)]


class Fmpy:
    """A loop in Python over FMPy's slaves, as its simulate_ssp has it, which knows FMI 2.0 only."""

    package = "fmpy"

    def __init__(self, ring, record):
        import fmpy
        import fmpy.fmi2
        import fmpy.fmi3

        make = fmpy.fmi2.FMU2Slave if ring.fmi == 2 else fmpy.fmi3.FMU3Slave
        self.ring, self.time, self.slaves = ring, 0.0, []
        folder = fmpy.extract(str(ring.file), unzipdir=tempfile.mkdtemp(dir=ring.scratch))
        for i in range(ring.count):
            slave = make(guid=ring.description.guid, unzipDirectory=folder, instanceName=f"part{i}",
                         modelIdentifier=ring.description.coSimulation.modelIdentifier)
            slave.instantiate()
            if ring.fmi == 2:
                slave.setupExperiment(startTime=0.0)
            slave.enterInitializationMode()
            slave.exitInitializationMode()
            self.slaves.append(slave)
        self.values = [0.0] * ring.count
        self.read = [ring.references[ring.output]]
        if record:  # the connected output is the first of them
            self.read += [ring.references[name] for name in ring.outputs if name != ring.output]
        self.rows = [] if record else None

    def step(self, n):
        to, pairs, rows = [self.ring.references[self.ring.input]], self.ring.pairs(), self.rows
        fmi2 = self.ring.fmi == 2
        calls = [(s.setReal, s.doStep, s.getReal) if fmi2 else (s.setFloat64, s.doStep, s.getFloat64) for s in self.slaves]
        for _ in range(n):
            inputs = [self.values[source] for source, _ in pairs]
            row = [self.time]
            for i, (put, advance, take) in enumerate(calls):
                put(to, [inputs[i]])
                advance(currentCommunicationPoint=self.time, communicationStepSize=STEP)
                got = take(self.read)
                self.values[i] = got[0]
                if rows is not None:
                    row += got
            self.time += STEP
            if rows is not None:
                rows.append(row)


class FmpyContainer:
    """FMPy's container: a compiled FMU that holds the others and steps them by its own fixed step; it records nothing."""

    package = "fmpy"

    def __init__(self, ring, record):
        import shutil

        import fmpy.container_fmu
        import fmpy.fmi2
        import fmpy.fmi3

        if record:
            raise NotImplementedError("it has no records")
        folder = ring.scratch / f"container{ring.count}"
        fmpy.extract(str(ring.file), unzipdir=str(folder / "resources" / "part"))
        library = Path(fmpy.container_fmu.__file__).parent / "binaries" / "x86_64-linux" / "container_fmu.so"
        for place in ("linux64", "x86_64-linux"):
            (folder / "binaries" / place).mkdir(parents=True)
            shutil.copy(library, folder / "binaries" / place)
        (folder / "resources" / "container.json").write_text(json.dumps(self.configuration(ring)))
        make = fmpy.fmi2.FMU2Slave if ring.fmi == 2 else fmpy.fmi3.FMU3Slave
        self.slave = make(guid="token", unzipDirectory=str(folder), modelIdentifier="container_fmu", instanceName="ring")
        self.time = 0.0
        self.slave.instantiate()
        if ring.fmi == 2:
            self.slave.setupExperiment(startTime=0.0)
        self.slave.enterInitializationMode()
        self.slave.exitInitializationMode()

    @staticmethod
    def configuration(ring):
        import fmpy.container_fmu

        token, library = ring.description.guid, ring.description.coSimulation.modelIdentifier
        return {"containerVersion": fmpy.container_fmu.__version__, "instantiationToken": "token", "fixedStepSize": STEP,
                "parallelDoStep": False, "variables": [],
                "components": [{"fmiMajorVersion": str(ring.fmi), "name": f"part{i}", "instantiationToken": token,
                                "modelIdentifier": library, "path": "part"} for i in range(ring.count)],
                "connections": [{"variableType": "Float64", "size": 1, "srcComponent": a, "dstComponent": b,
                                 "srcValueReferences": [ring.references[ring.output]],
                                 "dstValueReferences": [ring.references[ring.input]]} for a, b in ring.pairs()]}

    def step(self, n):
        self.slave.doStep(currentCommunicationPoint=self.time, communicationStepSize=n * STEP)
        for _ in range(n):  # the sum that the container makes, to the last bit
            self.time += STEP


class Libcosim:
    package = "libcosimpy"

    def __init__(self, ring, record):
        from libcosimpy.CosimExecution import CosimExecution
        from libcosimpy.CosimLogging import CosimLogLevel, log_output_level
        from libcosimpy.CosimObserver import CosimObserver
        from libcosimpy.CosimSlave import CosimLocalSlave

        if ring.fmi != 2:
            raise NotImplementedError("FMI 2.0 only")
        log_output_level(CosimLogLevel.ERROR)
        self.execution = CosimExecution.from_step_size(round(STEP * 1e9))
        self.slaves = [CosimLocalSlave(fmu_path=str(ring.file), instance_name=f"part{i}") for i in range(ring.count)]
        numbers = [self.execution.add_local_slave(slave) for slave in self.slaves]
        for source, target in ring.pairs():
            if self.execution.connect_real_variables(numbers[source], ring.references[ring.output], numbers[target],
                                                     ring.references[ring.input]) < 0:
                raise RuntimeError("a connection is refused")
        if record:
            self.observer = CosimObserver.create_to_dir(str(ring.scratch))
            self.execution.add_observer(self.observer)
        self.step(1)  # initialises

    def step(self, n):
        if not self.execution.step(n):
            raise RuntimeError("a step has failed")


class Ecos:
    package = "ecospy"

    def __init__(self, ring, record):
        from ecospy import EcosSimulation, EcosSimulationStructure

        self.structure = EcosSimulationStructure()
        for i in range(ring.count):
            self.structure.add_model(f"part{i}", str(ring.file))
        for source, target in ring.pairs():
            self.structure.make_real_connection(f"part{source}::{ring.output}", f"part{target}::{ring.input}")
        self.simulation = EcosSimulation(structure=self.structure, step_size=STEP)
        if record:
            names = [f"part{i}::{name}" for i in range(ring.count) for name in ring.outputs]
            self.simulation.add_csv_writer(str(ring.scratch / "ring.csv"), identifiers=names)
        if not self.simulation.init():
            raise RuntimeError("the start has failed")

    def step(self, n):
        self.simulation.step(n)


MASTERS = {"FMPy container": FmpyContainer, "ecos": Ecos, "FMPy from Python": Fmpy, "libcosim": Libcosim}


def nanoseconds(master, count):
    """Of a step of one FMU: rounds of about SECONDS, the least."""
    n, least = 10, float("inf")
    for _ in range(ROUNDS + 1):
        begin = time.process_time()
        master.step(n)
        seconds = time.process_time() - begin
        if n > 10:
            least = min(least, seconds / n / count)
        else:
            n = max(20, min(100_000, int(n * SECONDS / max(seconds, 1e-5))))
    return 1e9 * least


def measure(name, folder, model, fmi):
    kind = MASTERS[name]
    about = {"master": name, "version": importlib.metadata.version(kind.package), "model": model, "fmi": fmi}
    for count in COUNTS:
        line = {**about, "fmus": count}
        with tempfile.TemporaryDirectory(prefix="peer") as scratch:
            ring = Ring(folder / f"{model}.{fmi}.fmu", model, count, Path(scratch))
            wall, cpu = time.monotonic(), time.process_time()
            try:
                master = kind(ring, False)
                line["start"], line["start_cpu"] = 1e3 * (time.monotonic() - wall), 1e3 * (time.process_time() - cpu)
                line["ns"] = nanoseconds(master, count)
            except Exception as error:
                line["why"] = str(error)
            else:
                try:
                    line["recorded"] = nanoseconds(kind(ring, True), count)
                except Exception as error:
                    line["why_not_recorded"] = str(error)
            print(json.dumps(line), flush=True)


def measure_all(folder, models):
    for name, kind in MASTERS.items():
        try:
            importlib.metadata.version(kind.package)
        except importlib.metadata.PackageNotFoundError:
            print(json.dumps({"master": name, "why": f"{kind.package} is not installed"}), flush=True)
            continue
        for model in models:
            for fmi in (2, 3):
                command = [sys.executable, __file__, "--one", name, folder, model, str(fmi)]
                about = {"master": name, "model": model, "fmi": fmi}
                with tempfile.TemporaryFile("w+") as output:
                    try:
                        code = subprocess.run(command, stdout=output, stderr=subprocess.DEVNULL, timeout=LIMIT).returncode
                    except subprocess.TimeoutExpired:
                        code = f"after {LIMIT} s"
                    output.seek(0)
                    for line in output:
                        if line.startswith("{"):
                            print(line, end="", flush=True)
                if code:
                    print(json.dumps({**about, "why": f"its process ended early: {code}"}), flush=True)


def main():
    words = sys.argv[1:]
    if len(words) == 5 and words[0] == "--one":
        measure(words[1], Path(words[2]), words[3], int(words[4]))
    elif words and not words[0].startswith("-") and all(word in PORTS for word in words[1:]):
        measure_all(words[0], words[1:] or list(PORTS))
    else:
        sys.exit(__doc__)


if __name__ == "__main__":
    main()
