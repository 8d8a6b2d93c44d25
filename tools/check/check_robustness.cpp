// What a long or an unlucky run meets: NaN, memory that is never given back, files that are not the FMU's to write.

#include "tools/check/dynamic_checks.hpp"
#include "tools/check/session.hpp"
#include "tools/files/errors.hpp"

#include <chrono>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <limits>
#include <set>
#include <unistd.h>

namespace tenon::check {
namespace {

// ---- NaN -----------------------------------------------------------------------------------------------------------

constexpr int steps_with_nan = 3;
constexpr std::size_t most_inputs = 12; ///< that are made NaN, one after the other

/// Scalar or array inputs that can be NaN, not more than a few.
std::vector<std::size_t> float_inputs(const fmi::Description& description) {
    std::vector<std::size_t> inputs;
    for (std::size_t i = 0; i < description.variables.size() && inputs.size() < most_inputs; ++i) {
        const fmi::Variable& variable = description.variables[i];
        if (variable.causality == fmi::Causality::input && variable.type == fmi::Type::float64 &&
            !variable.clocked)
            inputs.push_back(i);
    }
    return inputs;
}

Sample after_steps(Session& session) {
    for (int i = 0; i < steps_with_nan; ++i)
        session.step();
    return session.sample();
}

void set_nan(Probe& probe, const fmi::Variable& input) {
    Session plain(probe, {.excited = false});
    plain.initialize();
    const Sample usual = after_steps(plain);

    Session session(probe, {.excited = false});
    session.initialize();
    const std::vector<double> nan(input.elements(), std::numeric_limits<double>::quiet_NaN());
    if (session.slave().set(std::span(&input.reference, 1), nan) > fmi::Status::warning)
        return;
    Sample found;
    try {
        found = after_steps(session);
    } catch (const CallFailed&) {
        return; // it said so: that is all one can ask for
    }
    const std::vector<double> values = session.watch().floats(found);
    const bool visible =
        std::any_of(values.begin(), values.end(), [](double v) { return !std::isfinite(v); });
    const auto difference = session.watch().difference(usual, found);
    if (visible)
        probe.note("nan-passes",
                   fmt::format("NaN at input {} gives NaN at outputs, with status OK", input.name));
    else if (difference)
        probe.warning(
            "nan-swallowed",
            fmt::format("NaN at input {} gives finite results with status OK: {}", input.name, *difference),
            "refuse numbers that are not finite with an error");
}

// ---- memory --------------------------------------------------------------------------------------------------------

constexpr int soak_steps = 10000;
constexpr double longest_soak = 2.0; ///< seconds
constexpr double growth_limit = 0.01;
constexpr double growth_floor = 4 << 20; ///< bytes; allocators keep some in reserve

double resident_bytes() {
    long pages = 0, resident = 0;
    const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen("/proc/self/statm", "r"),
                                                               std::fclose);
    if (!file || std::fscanf(file.get(), "%ld %ld", &pages, &resident) != 2)
        return 0;
    return static_cast<double>(resident) * static_cast<double>(::sysconf(_SC_PAGESIZE));
}

/// Runs again and again from the start, so that a model that is only good for its experiment stays in it.
int soak(Session& session, int run_steps, int steps, double seconds) {
    const auto begun = std::chrono::steady_clock::now();
    int done = 0;
    while (done < steps &&
           std::chrono::duration<double>(std::chrono::steady_clock::now() - begun).count() < seconds) {
        session.reset();
        session.initialize();
        for (int i = 0; i < run_steps && done < steps; ++i, ++done)
            session.step();
    }
    return done;
}

void watch_memory(Probe& probe) {
    Session session(probe);
    const int run_steps = probe.experiment().steps;
    const int warm = soak(session, run_steps, soak_steps / 10, longest_soak / 10);
    const double before = resident_bytes();
    const int steps = soak(session, run_steps, soak_steps, longest_soak);
    const double growth = resident_bytes() - before;
    const std::string text = fmt::format("{:.1f} MB more after {} steps ({:.1f} MB before, after {} steps)",
                                         growth / (1 << 20), steps, before / (1 << 20), warm);
    if (growth > growth_floor && growth > growth_limit * before)
        probe.error("memory-growth", text, "memory that a step or a reset takes must be given back");
    else
        probe.note("memory", text);
}

// ---- resources -----------------------------------------------------------------------------------------------------

constexpr std::string_view prefix = "resources/";

bool unchanged(const std::filesystem::path& file, const std::string& expected) {
    std::ifstream stream(file, std::ios::binary);
    const std::string content{std::istreambuf_iterator<char>(stream), {}};
    return content == expected;
}

} // namespace

void check_nan(Runner& runner) {
    const std::vector<std::size_t> inputs = float_inputs(runner.description());
    const auto& variables = runner.description().variables;
    runner.each(
        inputs.size(),
        [&](Probe& probe, std::size_t i) {
            set_nan(probe, variables[inputs[i]]);
            return true;
        },
        [&](std::size_t i) { return fmt::format("NaN at input {}", variables[inputs[i]].name); });
}

void check_memory(Runner& runner) { runner.in_child(watch_memory); }

void check_resources(Runner& runner) {
    // All instances of all checks have had the same folder.
    const Target& target = runner.target();
    const std::string hint =
        "an FMU may only read there: several instances and several runs share the folder";
    std::set<std::string> expected;
    for (const ArchiveEntry& entry : target.fmu.archive().entries()) {
        if (!entry.name.starts_with(prefix) || entry.name.ends_with('/'))
            continue;
        const std::string name = entry.name.substr(prefix.size());
        expected.insert(name);
        if (!unchanged(target.resources / name, target.fmu.archive().read(entry.name)))
            runner.findings().error("resources-written", entry.name, "was changed or removed by the FMU",
                                    hint);
    }
    for (const auto& entry : std::filesystem::recursive_directory_iterator(target.resources)) {
        const std::string name = std::filesystem::relative(entry.path(), target.resources).generic_string();
        if (!entry.is_directory() && !expected.contains(name))
            runner.findings().error("resources-written", printable(std::string(prefix) + name),
                                    "was written by the FMU", hint);
    }
}

} // namespace tenon::check
