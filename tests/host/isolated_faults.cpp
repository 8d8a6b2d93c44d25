// What happens to the master when an isolated FMU goes wrong: nothing, but for a line in the log.

#include "tests/host/isolated_support.hpp"
#include "tools/import/log_relay.hpp"

#include <array>
#include <chrono>
#include <cmath>
#include <csignal>
#include <thread>

using namespace tenon;
using namespace tenon::fmi;
using namespace tenon::host;

namespace {

/// The one line about the loss of the instance.
std::string loss(const Log& log) {
    std::string found;
    std::size_t count = 0;
    for (const Log::Line& line : log.lines)
        if (line.status == Status::fatal && line.category == "host") {
            found = line.message;
            ++count;
        }
    CHECK(count == 1);
    return found;
}

void check_everything_is_fatal(Slave& slave) {
    StateHandle state = nullptr;
    std::vector<unsigned char> bytes;
    const Reference one = 1;
    double value = 7;
    const std::int32_t order = 1;
    const StepResult step = slave.step(3, 0.5);
    CHECK(step.status == Status::fatal);
    CHECK(step.reached == 3);
    CHECK(slave.get({&one, 1}, {&value, 1}) == Status::fatal);
    CHECK(value == 7);
    CHECK(slave.set(std::span(&one, 1), std::span(&value, 1)) == Status::fatal);
    CHECK(slave.set_debug_logging(true, {}) == Status::fatal);
    CHECK(slave.enter_initialization(0, std::nullopt, std::nullopt) == Status::fatal);
    CHECK(slave.exit_initialization() == Status::fatal);
    CHECK(slave.terminate() == Status::fatal);
    CHECK(slave.reset() == Status::fatal);
    CHECK(slave.save(state) == Status::fatal);
    CHECK(slave.restore(state) == Status::fatal);
    CHECK(slave.discard(state) == Status::ok); // there is none
    CHECK(slave.serialize(state, bytes) == Status::fatal);
    CHECK(slave.deserialize(bytes, state) == Status::fatal);
    CHECK(slave.update_discrete_states().status == Status::fatal);
    CHECK(slave.get_output_derivatives({&one, 1}, {&order, 1}, {&value, 1}) == Status::fatal);
    CHECK(slave.directional_derivative({&one, 1}, {&one, 1}, {&value, 1}, {&value, 1}) == Status::fatal);
}

/// Steps into the fault, at t = 0.5, and looks at all that follows.
std::string provoke(const std::string& mode, int version, const IsolationOptions& isolation) {
    const Scratch scratch;
    const TemporaryDirectory temporary(scratch.folder());
    Log log;
    const Fmu fmu = foreign("misbehave-" + mode, version);
    InstanceOptions options = logging_to(log);
    options.name = "left wheel";
    {
        const auto slave = started_isolated(fmu, options, isolation);
        REQUIRE(slave->step(0, 0.25).status == Status::ok);
        StateHandle state = nullptr;
        REQUIRE(slave->save(state) == Status::ok);
        const StepResult result = slave->step(0.25, 0.5);
        CHECK(result.status == Status::fatal);
        CHECK(result.reached == 0.25);
        CHECK(has_no_child());
        check_everything_is_fatal(*slave);
        CHECK(slave->discard(state) == Status::fatal);
        CHECK(state == nullptr);
    }
    CHECK(scratch.files() == 0);
    CHECK_FALSE(log.has("freed"));
    const std::string line = loss(log);
    CHECK_THAT(line, Catch::StartsWith("misbehave-" + mode + "." + std::to_string(version) +
                                       ".fmu ('left wheel'): step(t=0.25, h=0.5): "));
    return line;
}

} // namespace

TEST_CASE("isolated: a segmentation fault ends one instance and is named") {
    CHECK_THAT(provoke("segfault", GENERATE(2, 3), strict()),
               Catch::EndsWith("its process died of signal 11 (Segmentation fault)"));
}

TEST_CASE("isolated: abort ends one instance and is named") {
    CHECK_THAT(provoke("abort", GENERATE(2, 3), strict()),
               Catch::EndsWith("its process died of signal 6 (Aborted)"));
}

TEST_CASE("isolated: exit ends one instance and is named") {
    CHECK_THAT(provoke("exit", GENERATE(2, 3), strict()),
               Catch::EndsWith("its process ended by itself with exit code 0"));
}

TEST_CASE("isolated: an FMU that hangs is given up at its deadline") {
    CHECK_THAT(provoke("hang", GENERATE(2, 3), impatient()),
               Catch::EndsWith("no answer within 2 s (fixed); its process was killed"));
}

#ifndef __SANITIZE_ADDRESS__ // which leaves address space without a limit
TEST_CASE("isolated: an FMU that eats memory is stopped at its limit") {
    CHECK_THAT(provoke("memory", GENERATE(2, 3), strict()),
               Catch::EndsWith("its process died of signal 6 (Aborted)"));
}
#endif

TEST_CASE("isolated: a process that is killed or stopped from outside is noticed") {
    const bool killed = GENERATE(true, false);
    Log log;
    const Fmu fmu = foreign("misbehave-none", 3);
    const auto slave = started_isolated(fmu, logging_to(log), impatient());
    REQUIRE(children().size() == 1);
    REQUIRE(::kill(children().front(), killed ? SIGKILL : SIGSTOP) == 0);
    const Reference one = 1;
    double value = 0;
    CHECK(slave->get({&one, 1}, {&value, 1}) == Status::fatal);
    CHECK(loss(log) ==
          (killed ? "misbehave-none.3.fmu ('instance'): get(1 Float64): its process died of signal 9 (Killed)"
                  : "misbehave-none.3.fmu ('instance'): get(1 Float64): no answer within 2 s (fixed); "
                    "its process was killed"));
    CHECK(has_no_child());
}

TEST_CASE("isolated: one lost instance leaves the others alone") {
    const Fmu good = foreign("vanderpol", 3), bad = foreign("misbehave-segfault", 3);
    const auto first = started_isolated(good), doomed = started_isolated(bad), last = started_isolated(good);
    CHECK(doomed->step(0, 1).status == Status::fatal);
    for (const auto* slave : {&first, &last}) {
        CHECK((*slave)->step(0, 0.5).status == Status::ok);
        CHECK(std::isfinite(real(**slave, "x0")));
    }
    CHECK(real(*first, "x0") == real(*last, "x0"));
    const auto again = started_isolated(bad); // in this process it could not be made again
    CHECK(again->step(0, 0.25).status == Status::ok);
}

TEST_CASE("isolated: a process that dies during the intermediate update takes the step with it") {
    Log log;
    const Fmu fmu = foreign("oscillator", 3);
    std::unique_ptr<Slave> slave;
    InstanceOptions options;
    options.log = log.sink();
    int updates = 0;
    Status nested = Status::ok;
    options.intermediate_update = [&](const IntermediateUpdate&) -> std::optional<double> {
        const Reference one = 1;
        double x = 0;
        if (++updates == 3) {
            REQUIRE(::kill(children().front(), SIGKILL) == 0);
            nested = slave->get({&one, 1}, {&x, 1});
        }
        return std::nullopt;
    };
    slave = started_isolated(fmu, options);
    CHECK(slave->step(0, 0.01).status == Status::fatal);
    CHECK(nested == Status::fatal);
    CHECK(updates == 3);
    CHECK(loss(log) ==
          "oscillator.3.fmu ('instance'): get(1 Float64) inside step(t=0, h=0.01): its process died of "
          "signal 9 (Killed)");
}

TEST_CASE("isolated: a state of another instance is refused, and the instance lives on") {
    Log log;
    const Fmu fmu = foreign("vanderpol", 2);
    const auto slave = started_isolated(fmu, logging_to(log)), other = started_isolated(fmu);
    StateHandle first = nullptr, second = nullptr;
    std::vector<unsigned char> bytes;
    REQUIRE(other->save(first) == Status::ok);
    REQUIRE(other->save(second) == Status::ok);
    CHECK(slave->restore(second) == Status::error);
    CHECK(slave->serialize(second, bytes) == Status::error);
    CHECK(slave->save(second) == Status::error);
    CHECK(slave->discard(second) == Status::error);
    CHECK(log.count("there is no state 2 in this instance") == 4);
    CHECK(slave->step(0, 0.1).status == Status::ok);
}

TEST_CASE("isolated: what an FMU prints arrives as lines of the log, and nowhere else") {
    const int version = GENERATE(2, 3);
    Log log;
    const Fmu fmu = foreign("misbehave-stdout", version);
    auto slave = started_isolated(fmu, logging_to(log));
    for (int i = 0; i < 4; ++i)
        REQUIRE(slave->step(i * 0.25, 0.25).status == Status::ok);
    slave.reset();
    std::vector<std::string> printed;
    for (const Log::Line& line : log.lines)
        if (line.category == "printed")
            printed.push_back(line.message);
    CHECK(printed == std::vector<std::string>{"misbehave: 0 s", "misbehave: 0.25 s", "misbehave: 0.5 s",
                                              "misbehave: 0.75 s"});
}

TEST_CASE("isolated: an FMU that logs without end is cut off, and its last messages are counted") {
    const int version = GENERATE(2, 3);
    Log log;
    const Fmu fmu = foreign("misbehave-flood", version);
    auto slave = started_isolated(fmu, logging_to(log));
    CHECK(slave->step(0, 1).status == Status::ok);
    const std::size_t passed = log.count("again");
    CHECK(passed >= LineLimit::limit - 1);
    CHECK(passed < 100000);
    slave.reset();
    CHECK(log.has("messages were left out"));
}

TEST_CASE("isolated: an FMU that changes its working folder does not change that of the master") {
    const Fmu fmu = foreign("misbehave-chdir", 3);
    const std::filesystem::path before = std::filesystem::current_path();
    const auto slave = started_isolated(fmu);
    CHECK(slave->step(0, 1).status == Status::ok);
    CHECK(std::filesystem::current_path() == before);
}

TEST_CASE(
    "isolated: a sink that calls the slave in the midst of a call is refused, not answered with rubbish") {
    const Fmu fmu = foreign("misbehave-warning", 2);
    std::unique_ptr<Slave> slave;
    std::vector<Status> nested;
    std::vector<std::string> refusals;
    InstanceOptions options;
    options.logging = true;
    options.log = [&](Status status, const std::string&, const std::string& message) {
        if (message.find("under way") != message.npos)
            refusals.push_back(message);
        else if (slave && status == Status::warning)
            nested.push_back(slave->terminate());
    };
    slave = started_isolated(fmu, options);
    CHECK(slave->step(0, 1).status == Status::warning);
    CHECK(nested == std::vector{Status::error});
    CHECK(refusals.size() == 1);
    CHECK(slave->terminate() == Status::ok);
}

TEST_CASE("isolated: values that do not fit into the channel are refused, and the instance lives on") {
    Log log;
    const Fmu fmu = foreign("feedthrough", 3);
    IsolationOptions isolation = strict();
    isolation.channel_bytes = 8000;
    const auto slave = started_isolated(fmu, logging_to(log), isolation);
    const std::vector<Reference> many(1200, 200);
    std::vector<double> values(1200);
    CHECK(slave->get(many, values) == Status::error);
    const Reference in = 111;
    const std::string text(10000, 'x');
    CHECK(slave->set(Type::string, {&in, 1}, &text, 1) == Status::error);
    CHECK(log.count("does not fit into a message") == 2);

    const std::vector<Reference> strings(600, 211);
    std::vector<std::string> texts(600);
    CHECK(slave->get(Type::string, strings, texts.data(), texts.size()) == Status::error);
    CHECK(log.has("an answer is too large for the channel"));
    CHECK(slave->step(0, 0.1).status == Status::ok);
    CHECK(slave->terminate() == Status::ok);
}

TEST_CASE("isolated: a thousand calls leave no descriptor and no process behind") {
    const auto descriptors = [] {
        return std::distance(std::filesystem::directory_iterator("/proc/self/fd"), {});
    };
    const Fmu fmu = foreign("gain", 3);
    const auto before = descriptors();
    for (int i = 0; i < 3; ++i) {
        const auto slave = started_isolated(fmu);
        for (int k = 0; k < 300; ++k)
            REQUIRE(slave->step(k * 0.25, 0.25).status == Status::ok);
    }
    CHECK(descriptors() == before);
    CHECK(has_no_child());
}

TEST_CASE("isolated: the process of an FMU dies with the master, however that dies") {
    const Scratch scratch;
    const TemporaryDirectory temporary(scratch.folder()); // a master that is killed leaves files behind
    std::array<int, 2> ends{};
    REQUIRE(::pipe(ends.data()) == 0);
    const pid_t master = ::fork();
    if (master == 0) {
        const Fmu fmu = foreign("misbehave-hang", 3);
        const auto slave = started_isolated(fmu);
        std::thread step([&] { slave->step(0, 1); }); // for ever: hangs inside the FMU
        std::this_thread::sleep_for(std::chrono::milliseconds(200));
        const pid_t host = children().front();
        if (::write(ends[1], &host, sizeof host) == sizeof host)
            ::kill(::getpid(), SIGKILL);
        ::_exit(1);
    }
    pid_t host = 0;
    REQUIRE(::read(ends[0], &host, sizeof host) == sizeof host);
    REQUIRE(::waitpid(master, nullptr, 0) == master);
    const auto lives = [&] {
        const auto state = state_of(host);
        return state && state->first != 'Z';
    };
    for (int i = 0; i < 200 && lives(); ++i)
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
    CHECK_FALSE(lives());
    for (const int end : ends)
        ::close(end);
}
