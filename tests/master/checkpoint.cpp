// Checkpoints: a run that was stopped, written, read in another master and continued gives the same bits.

#include "tools/master/checkpoint.hpp"
#include "tests/master/fake_slave.hpp"
#include "tests/support/refusal.hpp"

using namespace tenon;
using namespace tenon::master;
using namespace tenon::system;

namespace {

SystemBuilder mixed(const std::string& method, int order, bool adaptive) {
    SystemBuilder builder;
    builder.fmu("a", fmi::foreign_file("oscillator", 2), {setting("k", 20.0)})
        .fmu("b", fmi::foreign_file("oscillator", 3), {setting("x", 0.2), setting("d", 0.1)})
        .fmu("n", fmi::foreign_file("stairs", 3), {setting("interval", 0.13)})
        .fmu("f", fmi::foreign_file("feedthrough", 3))
        .connect("a.x", "b.F", 5)
        .connect("b.x", "a.F", 5)
        .connect("n.counter", "f.int64_in")
        .connect("n.counter", "f.float64_in")
        .method(method, 0.05, 1);
    builder.system.master.extrapolation = order;
    builder.system.master.adaptive = adaptive;
    builder.system.master.tolerance = 1e-5;
    builder.system.master.iteration = "quasi-newton";
    return builder;
}

/// Rows from `from` on.
std::vector<std::vector<double>> rows_behind(const Run& run, double from) {
    std::vector<std::vector<double>> rows;
    for (std::size_t i = 0; i < run.times.size(); ++i)
        if (run.times[i] > from) {
            rows.push_back(run.rows[i]);
            rows.back().push_back(run.times[i]);
        }
    return rows;
}

} // namespace

TEST_CASE("a run continued from a checkpoint gives the bits of one that was not stopped") {
    const std::string method = GENERATE(every_scheme());
    const int order = GENERATE(0, 2);
    const bool adaptive = GENERATE(false, true);
    const CheckedSystem system = mixed(method, order, adaptive).check();
    Run whole(system);
    whole.go();
    REQUIRE(whole.failure == "");

    Run first(system);
    first.master.initialize();
    for (int i = 1; i <= 8; ++i)
        first.master.step(i * 0.05);
    CHECK(first.master.cannot_checkpoint() == "");
    const std::vector<unsigned char> bytes = first.master.to_bytes();

    Run second(system);
    second.master.restore(bytes);
    CHECK(second.master.time() == 8 * 0.05);
    second.times.push_back(second.master.time());
    second.rows.emplace_back();
    second.on();
    CHECK(rows_behind(second, 8 * 0.05) == rows_behind(whole, 8 * 0.05));
    CHECK(second.master.report().steps == whole.master.report().steps);

    // And the one that wrote it goes on as if it had not.
    first.times.push_back(first.master.time());
    first.rows.emplace_back();
    first.on();
    CHECK(rows_behind(first, 8 * 0.05) == rows_behind(whole, 8 * 0.05));
}

TEST_CASE("a checkpoint that is damaged, cut, or of another system is refused") {
    const CheckedSystem system = mixed("jacobi", 0, false).check();
    Run run(system);
    run.master.initialize();
    run.master.step(0.05);
    const std::vector<unsigned char> good = run.master.to_bytes();
    const auto refused = [&](const CheckedSystem& into, const std::vector<unsigned char>& bytes) {
        return tests::refusal<Error>([&] { Master(into, {}).restore(bytes); });
    };
    CHECK(refused(system, good) == "");
    for (const std::size_t at : {std::size_t{20}, good.size() / 2, good.size() - 1}) {
        std::vector<unsigned char> bad = good;
        bad[at] ^= 1;
        CHECK(contains(refused(system, bad), "damaged"));
    }
    for (const std::size_t size : {std::size_t{0}, std::size_t{10}, good.size() - 8})
        CHECK(refused(system, {good.begin(), good.begin() + static_cast<std::ptrdiff_t>(size)}) != "");
    SystemBuilder other = mixed("jacobi", 0, false);
    other.system.connections[0].factor = 6;
    CHECK(contains(refused(other.check(), good), "another system"));
    SystemBuilder longer = mixed("jacobi", 0, false);
    longer.system.master.stop = 2;
    CHECK(refused(longer.check(), good) == "");
}

TEST_CASE("the first FMU that cannot write its state is named") {
    SystemBuilder builder(2);
    builder.foreign("a", "gain").foreign("b", "units").foreign("c", "units").method("jacobi", 0.1, 1);
    CHECK(Run(builder.check()).master.cannot_checkpoint() == "b");
}

TEST_CASE("the fingerprint of a system does not depend on the stop time, but on everything else") {
    const SystemBuilder builder = mixed("jacobi", 0, false);
    const std::uint64_t print = fingerprint(builder.check());
    SystemBuilder same = builder;
    same.system.master.stop = 7;
    CHECK(fingerprint(same.check()) == print);
    SystemBuilder step = builder, value = builder, wire = builder, method = builder;
    step.system.master.step = 0.1;
    value.system.fmus[0].set[0].value = 21.0;
    wire.system.connections.pop_back();
    method.system.master.method = "iterate";
    for (const SystemBuilder* other : {&step, &value, &wire, &method})
        CHECK(fingerprint(other->check()) != print);
}
