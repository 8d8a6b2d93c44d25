// The same run again: in another process, after a reset, and from the values that the description promises.

#include "tools/check/dynamic_checks.hpp"
#include "tools/check/session.hpp"

#include <malloc.h>

namespace tenon::check {
namespace {

/// One run in a child; what malloc() hands out is filled with `fill`, so that memory read before it was written differs.
std::optional<Trajectory> run_with_memory(Runner& runner, int fill) {
    const Runner::Answer answer = runner.in_child([&](Probe& probe) {
        ::mallopt(M_PERTURB, fill);
        Session session(probe);
        session.initialize();
        const Trajectory trajectory = session.run(probe.experiment().steps);
        session.terminate();
        Packer packer;
        pack(packer, trajectory);
        probe.answer(packer);
    });
    if (answer.data.empty())
        return {};
    Unpacker unpacker(answer.data.front());
    return unpack_trajectory(unpacker);
}

Expectation after_reset(const std::string& what) {
    return {"reset-differs", what, "a reset must bring back every variable to its value after instantiation"};
}

void reset_after_run(Probe& probe) {
    Session session(probe);
    session.initialize();
    const Trajectory expected = session.run(probe.experiment().steps);
    session.terminate();
    session.reset();
    session.initialize();
    if (!expect_run(probe, session, expected,
                    after_reset("the run after Terminate and Reset differs from the first")))
        return;
    session.reset();
    session.initialize();
    expect_run(probe, session, expected,
               after_reset("the run after Reset in the middle of a simulation differs from the first"));
}

void reset_before_run(Probe& probe) {
    Session plain(probe);
    plain.initialize();
    const Trajectory expected = plain.run(probe.experiment().steps);
    Session session(probe);
    session.reset();
    session.enter();
    session.reset();
    session.initialize();
    expect_run(probe, session, expected,
               after_reset("the run after Reset in initialization mode differs from one without"));
}

/// Parameters whose value is fixed by the description and has not been changed by anybody.
std::vector<std::size_t> promised_values(const fmi::Description& description) {
    std::vector<std::size_t> promised;
    for (std::size_t i = 0; i < description.variables.size(); ++i) {
        const fmi::Variable& v = description.variables[i];
        const bool number = element_size(v.type) > 0 && v.type != fmi::Type::clock;
        const bool constant =
            v.causality == fmi::Causality::parameter || v.variability == fmi::Variability::constant;
        if (number && constant && v.initial == fmi::Initial::exact &&
            !std::holds_alternative<std::monostate>(v.start))
            promised.push_back(i);
    }
    return promised;
}

} // namespace

void check_determinism(Runner& runner) {
    const auto first = run_with_memory(runner, 0x5A);
    const auto second = run_with_memory(runner, 0xC3);
    if (!first || !second)
        return;
    if (const auto difference = Watch(runner.description()).difference(*first, *second))
        runner.findings().error(
            "not-deterministic", "determinism", "two runs with the same inputs differ: " + *difference,
            "uninitialised memory, a clock, random numbers, or an order that depends on addresses");
}

void check_reset(Runner& runner) {
    runner.in_child(reset_after_run);
    if (!runner.description().capabilities.only_once_per_process)
        runner.in_child(reset_before_run);
}

void check_start_values(Runner& runner) {
    runner.in_child([](Probe& probe) {
        const fmi::Description& description = probe.description();
        Session session(probe, {.excited = false});
        session.initialize();
        std::vector<std::string> wrong;
        for (const std::size_t index : promised_values(description)) {
            const fmi::Variable& variable = description.variables[index];
            Sample sample;
            probe.require(Watch(description, {index}).read(session.slave(), session.time(), sample));
            const std::vector<double> start = start_numbers(variable);
            for (std::size_t i = 0; i < sample.bits.size(); ++i)
                if (const double value = as_number(variable.type, sample.bits[i]); value != start[i])
                    wrong.push_back(fmt::format("{} is {} in the library, but {} in the description",
                                                variable.name, value, start[i]));
        }
        if (!wrong.empty())
            probe.error("start-value",
                        wrong.front() +
                            (wrong.size() > 1 ? fmt::format(", and {} more", wrong.size() - 1) : ""),
                        "library and description are not of the same export");
    });
}

} // namespace tenon::check
