"""examples/own_force: a type of force of a user's own, built against the libraries as docs/own-forces.md says."""

import re
import subprocess

import pytest
from conftest import ROOT

LIBRARIES = ["model_file", "files", "simulation", "ports", "integrators", "equations", "model", "math"]
MODEL = ROOT / "examples" / "own_force" / "gas_spring.toml"


@pytest.fixture(scope="module")
def program(tmp_path_factory):
    out = tmp_path_factory.mktemp("own_force") / "gas_spring"
    archives = [str(ROOT / "build" / "release" / f"libtenon_{name}.a") for name in LIBRARIES]
    source = str(ROOT / "examples" / "own_force" / "gas_spring.cpp")
    words = ["g++", "-std=c++20", "-O0", f"-I{ROOT}", "-I/usr/include/eigen3", source, *archives, "-ltomlplusplus", "-o", str(out)]
    built = subprocess.run(words, capture_output=True, text=True)
    assert built.returncode == 0, built.stderr
    return out


def run(program, model, integrator):
    return subprocess.run([str(program), str(model), integrator], capture_output=True, text=True)


def test_all_integrators_know_it(program):
    lengths = {}
    for name in ["projection", "conserving", "conserving-projection", "augmented-lagrangian", "energy-preserving",
                 "energy-decaying", "explicit-correction", "baumgarte", "munthe-kaas", "gauss-newmark"]:
        answer = run(program, MODEL, name)
        assert answer.returncode == 0, (name, answer.stdout)
        lengths[name] = float(re.findall(r"length = ([0-9.]+)", answer.stdout)[1])
        if name == "energy-preserving":
            assert all(abs(float(e)) < 1e-11 for e in re.findall(r"E - E0 = (\S+)", answer.stdout))
    assert max(lengths.values()) - min(lengths.values()) < 1e-3, lengths


def test_its_check_and_its_keys_are_those_of_a_model_file(program, tmp_path):
    text = MODEL.read_text()
    for wrong, message in [("push = 150.0\nexponent = 0.5", "exponent must be more than 1 (0.5)"),
                           ("push = -1.0", "push must not be negative (-1 N, least 0)"),
                           ("pull = 150.0", "unknown key 'pull'")]:
        path = tmp_path / "lid.toml"
        path.write_text(text.replace("push = 150.0", wrong))
        answer = run(program, path, "projection")
        assert answer.returncode == 65 and message in answer.stdout and answer.stdout.count("\n") == 1, answer.stdout
