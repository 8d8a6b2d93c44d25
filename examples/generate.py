#!/usr/bin/env python3
"""Writes example models to standard output.

    python3 examples/generate.py n-four-bar 40 > n_four_bar_40.toml
    python3 examples/generate.py chain 10      > chain_10.toml
    python3 examples/generate.py iltis bump    > iltis.toml
"""
import argparse

from generate_iltis import VARIANTS, iltis

LIMIT = 100_000  # bodies grow with N; beyond this a file is a mistake rather than a machine


def body(name, position, com, inertia, size, velocity=None, angular_velocity=None):
    rows = ["[[body]]", f'name = "{name}"', "mass = 1.0", f"com = {com}", f"inertia = {inertia}", f"position = {position}"]
    if velocity:
        rows += [f"velocity = {velocity}"]
    if angular_velocity:
        rows += [f"angular_velocity = {angular_velocity}"]
    return "\n".join(rows + [f'shape = {{ type = "box", size = {size} }}', ""])


def revolute(name, first, second, x, y):
    return "\n".join(["[[joint]]", f'name = "{name}"', 'type = "revolute"', f'bodies = ["{first}", "{second}"]',
                      f"at = [{x:.1f}, {y:.1f}, 0.0]", "axis = [0.0, 0.0, 1.0]", ""])


def model(name, description):
    return "\n".join(["[model]", f'name = "{name}"', f'description = "{description}"', "gravity = [0.0, -9.81, 0.0]", ""])


def solver(integrator, step, stop):
    return "\n".join(["[solver]", f'integrator = "{integrator}"', f"step = {step}", f"stop = {stop}"])


THIN = 1.0 / 12.0  # transverse moment of inertia of a thin rod of 1 kg and 1 m about its centre


def n_four_bar(n):
    cranks = "[%r, 0.0, %r]" % (THIN, THIN)
    couplers = "[0.0, %r, %r]" % (THIN, THIN)
    yield f"""# {n} four-bar linkage{'s' if n > 1 else ''} side by side: IFToMM benchmark A02 (MBS Benchmark library, University of La Coruna;
# Gonzalez, Dopico, Lugris, Cuadrado 2006). Written by: python3 examples/generate.py n-four-bar {n}
# {n + 1} cranks stand on ground pivots 1 m apart, {n} coupler{'s' if n > 1 else ''} join{'' if n > 1 else 's'} their tips; all links are thin rods of 1 m and 1 kg. Start: cranks
# upright, turning so that the tips move at 1 m/s in +x. Crank frames sit at the ground pivots, coupler frames at the left end.
# Look at: coupler_1.r_0 and .v_0 (point B0). Twice per turn all links lie in one line (a singular position); the cranks stay
# parallel on the exact solution, which is a pendulum. Revolute joints in space make every loop redundant by three rows.
"""
    yield model(f"n_four_bar_{n}", f"IFToMM A02 with {n} loop{'s' if n > 1 else ''}")
    for i in range(n + 1):
        yield body(f"crank_{i}", f"[{i:.1f}, 0.0, 0.0]", "[0.0, 0.5, 0.0]", cranks, "[0.05, 1.0, 0.05]",
                   angular_velocity="[0.0, 0.0, -1.0]")
    for i in range(1, n + 1):
        yield body(f"coupler_{i}", f"[{i - 1:.1f}, 1.0, 0.0]", "[0.5, 0.0, 0.0]", couplers, "[1.0, 0.05, 0.05]",
                   velocity="[1.0, 0.0, 0.0]")
    for i in range(n + 1):
        yield revolute(f"a_{i}", "world", f"crank_{i}", i, 0)
    for i in range(1, n + 1):
        yield revolute(f"b_{i}_left", f"crank_{i - 1}", f"coupler_{i}", i - 1, 1)
        yield revolute(f"b_{i}_right", f"coupler_{i}", f"crank_{i}", i, 1)
    yield solver("explicit-correction", "0.002", "10.0")


def chain(n):
    rods = "[0.0, %r, %r]" % (THIN, THIN)
    yield f"""# A chain of {n} thin rod{'s' if n > 1 else ''}, 1 m and 1 kg each, hinged in series at the origin and released horizontally from rest (our own
# scaling problem). Written by: python3 examples/generate.py chain {n}
# The frame of each link sits at its outer end, so link_{n}.r_0 is the tip of the chain.
# Look at: the tip falls faster than free fall at first for a short chain, and with -g t^2/2 for a long one; the energy stays.
"""
    yield model(f"chain_{n}", f"chain of {n} rod{'s' if n > 1 else ''}")
    for i in range(1, n + 1):
        yield body(f"link_{i}", f"[{i:.1f}, 0.0, 0.0]", "[-0.5, 0.0, 0.0]", rods, "[1.0, 0.05, 0.05]")
    for i in range(1, n + 1):
        yield revolute(f"hinge_{i}", f"link_{i - 1}" if i > 1 else "world", f"link_{i}", i - 1, 0)
    yield solver("munthe-kaas", "0.001", "1.0")


def main():
    parser = argparse.ArgumentParser(description="write an example model to standard output")
    kinds = parser.add_subparsers(dest="kind", required=True)
    for kind, write, counted in [("n-four-bar", n_four_bar, "loops"), ("chain", chain, "links")]:
        words = kinds.add_parser(kind, help=f"any number of {counted}")
        words.add_argument("what", metavar="N", type=int, help=f"number of {counted}")
        words.set_defaults(write=write)
    words = kinds.add_parser("iltis", help="the vehicle of the IAVSD benchmark")
    words.add_argument("what", metavar="VARIANT", choices=VARIANTS, help=", ".join(VARIANTS))
    words.set_defaults(write=iltis)
    arguments = parser.parse_args()
    if isinstance(arguments.what, int) and not 1 <= arguments.what <= LIMIT:
        parser.error(f"N must be between 1 and {LIMIT}, not {arguments.what}")
    for part in arguments.write(arguments.what):
        print(part)


if __name__ == "__main__":
    main()
