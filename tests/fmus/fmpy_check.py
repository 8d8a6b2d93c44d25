"""Do others take the foreign FMUs? fmpy_check.py FOLDER: FMPy validates all of them and simulates the good ones."""

import math
import pathlib
import sys

import fmpy
from fmpy.validation import validate_fmu

# What FMPy has to find at 3 s, by hand; Van der Pol's equation has no such solution.
EXPECTED = {"feedthrough": {"float64_out": 0}, "stairs": {"counter": 4}, "gain": {"y": 0}, "units": {"out_kN": 0},
            "oscillator": {"x": math.cos(3 * math.sqrt(10))}, "vanderpol": {},
            "free_body": {"port.r_0[3]": -9.81 / 2 * 9, "port.v_0[3]": -9.81 * 3}, "flywheel": {"shaft.phi": 0},
            "statespace": {"y[1]": math.cos(3), "y[2]": -math.sin(3)}}


def mistakes(folder):
    files = sorted(folder.glob("*.fmu"))
    if not files:
        yield f"{folder} has no FMUs"
    for file in files:
        yield from (f"{file.name}: {problem}" for problem in validate_fmu(str(file)))
    for name, expected in EXPECTED.items():
        for version in (2, 3):
            result = fmpy.simulate_fmu(str(folder / f"{name}.{version}.fmu"), stop_time=3.0)
            for variable, value in expected.items():
                base, _, index = variable.partition("[")
                found = result[base][-1][int(index[0]) - 1] if index and version == 3 else result[variable][-1]
                if abs(found - value) > 1e-8:
                    yield f"{name}.{version}: {variable} is {found}, not {value}"


def main():
    found = list(mistakes(pathlib.Path(sys.argv[1])))
    print("\n".join(found))
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
