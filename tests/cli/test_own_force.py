"""examples/own_force: a type of force of a user's own, built against the libraries as docs/own-forces.md says."""

import re
import subprocess

import pytest
from conftest import ROOT

LIBRARIES = ["model_file", "files", "simulation", "ports", "integrators", "equations", "model", "math"]
MODEL = ROOT / "examples" / "own_force" / "gas_spring.toml"


# A type whose elastic part has no potential, and two that are refused.
NO_POTENTIAL = r"""
#include "core/math/error.hpp"
#include "core/model/forces/force_types.hpp"
#include "core/simulation/simulation.hpp"
#include "tools/model_file/model_reader.hpp"

#include <cstdio>

using namespace tenon;

class Follower : public LoadLaw {
    double potential(double) const override { return 0; }
    LoadEffort at(double s, double) const override { return {.elastic = 0, .loss = -40 * s, .stiffness = 40, .damping = 0}; }
    bool dissipates() const override { return true; }
};

void build(const ForcePlace& place, Loads& loads) {
    MeasureLoad load = load_along(place.joint);
    load.law = std::make_unique<Follower>();
    loads.measure.push_back(std::move(load));
}

ForceType type(const char* name) {
    return {.name = name,
            .meaning = "pulls without a potential",
            .keys = {{.name = "joint", .type = ValueType::joint, .required = true}},
            .build = build,
            .has_potential = false};
}

void say(auto act) {
    try {
        act();
        std::puts("done");
    } catch (const std::exception& error) {
        std::puts(error.what());
    }
}

int main(int, char** words) {
    say([] { register_force_type(type("bushing")); });
    say([] { register_force_type({}); });
    say([] { register_force_type(type("follower")); });
    for (const char* method : {"projection", "munthe-kaas", "energy-preserving", "conserving", "conserving-projection", "energy-decaying"})
        say([&] {
            Model model = read_model(words[1]);
            model.solver.integrator = method;
            Simulation(model).step(0.01);
        });
    say([] { register_force_type(type("late")); });
}
"""


def build(source, out):
    archives = [str(ROOT / "build" / "release" / f"libtenon_{name}.a") for name in LIBRARIES]
    words = ["g++", "-std=c++20", "-O0", f"-I{ROOT}", "-I/usr/include/eigen3", str(source), *archives, "-ltomlplusplus", "-lfmt", "-o", str(out)]
    built = subprocess.run(words, capture_output=True, text=True)
    assert built.returncode == 0, built.stderr
    return out


@pytest.fixture(scope="module")
def program(tmp_path_factory):
    return build(MODEL.parent / "gas_spring.cpp", tmp_path_factory.mktemp("own_force") / "gas_spring")


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


def test_a_force_without_potential_is_refused_by_the_methods_that_keep_the_energy(tmp_path):
    source, model = tmp_path / "follower.cpp", tmp_path / "lid.toml"
    source.write_text(NO_POTENTIAL)
    text = MODEL.read_text()
    strut = text[text.index("[[force]]"):text.index("[solver]")]
    model.write_text(text.replace(strut, '[[force]]\nname = "strut"\ntype = "follower"\njoint = "hinge"\n\n'))
    answer = subprocess.run([str(build(source, tmp_path / "follower")), str(model)], capture_output=True, text=True)
    lines = answer.stdout.splitlines()
    assert lines[:5] == [
        "force type 'bushing' cannot be registered: there is a type of this name",
        "force type '' cannot be registered: it needs a name and a function that builds it",
        "done", "done", "done"], lines
    assert len(lines) == 10
    for line, method in zip(lines[5:9], ["energy-preserving", "conserving", "conserving-projection", "energy-decaying"]):
        assert line == (f"force 'strut': the elastic part of a follower has no potential, but integrator '{method}' keeps the energy by it; "
                        'try "projection" or "munthe-kaas"')
    assert lines[9].endswith("models have been read or built already; register types first")
