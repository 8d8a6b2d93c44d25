// Several instances in one process must not know of each other.

#include "tools/check/dynamic_checks.hpp"
#include "tools/check/session.hpp"

#include <exception>
#include <thread>

namespace tenon::check {
namespace {

/// Inputs with different phases, so that values that leak from one instance into the other are seen.
constexpr std::array<double, 2> phases = {0.0, 1.0};

Expectation like_one_alone(const std::string& rule, const std::string& what) {
    return {rule, what + " differs from one alone",
            "no mutable globals or statics: everything belongs to the instance"};
}

Trajectory run_alone(Probe& probe, double phase) {
    Session session(probe, {.phase = phase});
    session.initialize();
    return session.run(probe.experiment().steps);
}

void alternate(Probe& probe) {
    const std::array<Trajectory, 2> expected = {run_alone(probe, phases[0]), run_alone(probe, phases[1])};
    Session first(probe, {.phase = phases[0]}), second(probe, {.phase = phases[1]});
    const std::array<Session*, 2> sessions = {&first, &second};
    std::array<Trajectory, 2> found;
    for (Session* session : sessions)
        session->enter();
    for (Session* session : sessions)
        session->leave();
    for (int i = 0; i <= probe.experiment().steps; ++i)
        for (std::size_t k = 0; k < sessions.size(); ++k) {
            if (i > 0)
                sessions[k]->step();
            found[k].push_back(sessions[k]->sample());
        }
    for (std::size_t k = 0; k < sessions.size(); ++k)
        expect_same(
            probe, first.watch(), expected[k], found[k],
            like_one_alone("instances-differ", fmt::format("instance {} of two that step in turn", k + 1)));
}

void run_in_threads(Probe& probe) {
    const std::array<Trajectory, 2> expected = {run_alone(probe, phases[0]), run_alone(probe, phases[1])};
    std::array<Session, 2> sessions = {Session(probe, {.phase = phases[0]}),
                                       Session(probe, {.phase = phases[1]})};
    std::array<Trajectory, 2> found;
    std::array<std::exception_ptr, 2> failures;
    std::array<std::thread, 2> threads;
    for (std::size_t k = 0; k < sessions.size(); ++k)
        threads[k] = std::thread([&, k] {
            try {
                sessions[k].initialize();
                found[k] = sessions[k].run(probe.experiment().steps);
            } catch (...) {
                failures[k] = std::current_exception();
            }
        });
    for (std::thread& thread : threads)
        thread.join();
    for (const std::exception_ptr& failure : failures)
        if (failure)
            std::rethrow_exception(failure);
    for (std::size_t k = 0; k < sessions.size(); ++k)
        expect_same(probe, sessions[k].watch(), expected[k], found[k],
                    like_one_alone("threads-differ",
                                   fmt::format("instance {} of two in threads of their own", k + 1)));
}

} // namespace

void check_instances(Runner& runner) { runner.in_child(alternate); }

void check_threads(Runner& runner) { runner.in_child(run_in_threads); }

} // namespace tenon::check
