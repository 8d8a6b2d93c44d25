// Calls of FMUs as text, and made again.

#include "tools/files/errors.hpp"
#include "tools/files/text_file.hpp"
#include "tools/import/call_file.hpp"
#include "tools/import/call_text.hpp"
#include "tools/import/replayed_calls.hpp"

#include "tests/import/slave_support.hpp"

#include <algorithm>
#include <limits>

using namespace tenon;
using namespace tenon::fmi;

namespace {

/// Everything that a master does with an oscillator: parameters, inputs that move within a step, states, derivatives.
void record_oscillator(const Fmu& fmu, const std::filesystem::path& file) {
    const CallLines lines = call_file(file, "oscillator.fmu");
    Slave* slave = nullptr;
    InstanceOptions options;
    options.name = "a \"b\" %c";
    const std::vector<Reference> force = {4}, position = {1}, both = {1, 2};
    if (fmu.description().version == Version::fmi3) {
        options.intermediate = force;
        options.intermediate_update = [&](const IntermediateUpdate& update) {
            if (update.set_requested)
                CHECK(slave->set(force, std::vector{update.time}) == Status::ok);
            return std::optional<double>();
        };
    }
    RecordedSlave recorded_slave(fmu.instantiate(recorded(options, lines)), lines);
    slave = &recorded_slave;
    CHECK(slave->set(std::vector<Reference>{6}, std::vector{1.0 / 3}) == Status::ok);
    CHECK(slave->enter_initialization(0, 1, {}) == Status::ok);
    CHECK(slave->exit_initialization() == Status::ok);
    StateHandle state = nullptr;
    std::vector<double> values(2), slope(1);
    for (int i = 0; i < 5; ++i) {
        CHECK(slave->save(state) == Status::ok);
        CHECK(slave->step(0.1 * i, 0.1).status == Status::ok);
        CHECK(slave->restore(state) == Status::ok);
        CHECK(slave->set(force, std::vector{0.1 * i}) == Status::ok);
        CHECK(slave->step(0.1 * i, 0.1).status == Status::ok);
        CHECK(slave->get(both, values) == Status::ok);
        CHECK(slave->directional_derivative(std::vector<Reference>{3}, force, std::vector{1.0}, slope) ==
              Status::ok);
    }
    CHECK(slave->discard(state) == Status::ok);
    CHECK(slave->terminate() == Status::ok);
}

ReplayResult replayed(const std::filesystem::path& file, const Fmu& fmu) {
    return replay_calls(file, [&](const InstanceOptions& options) { return fmu.instantiate(options); });
}

} // namespace

TEST_CASE("recorded calls get the same answers when they are made again") {
    const int version = GENERATE(2, 3);
    const Scratch scratch;
    const Fmu fmu = foreign("oscillator", version);
    record_oscillator(fmu, scratch / "a.calls");
    const ReplayResult result = replayed(scratch / "a.calls", fmu);
    CHECK(result.difference == "");
    CHECK(result.calls == 40); // the instance and calls within updates are not counted
}

TEST_CASE("the first answer that differs from the record is told with its call and line") {
    const int version = GENERATE(2, 3);
    const Scratch scratch;
    const Fmu fmu = foreign("oscillator", version);
    record_oscillator(fmu, scratch / "a.calls");
    std::string text = read_text_file(scratch / "a.calls", 1 << 20);
    const std::size_t at = text.find("get Float64 1 2 : 2\n= ok ");
    REQUIRE(at != text.npos);
    const auto line = static_cast<std::size_t>(
                          std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(at), '\n')) +
                      2;
    text.insert(text.find(' ', at + 24), "1");
    write_text_file(scratch / "a.calls", text);
    const ReplayResult result = replayed(scratch / "a.calls", fmu);
    CHECK(result.line == line);
    CHECK_THAT(result.difference, Catch::StartsWith("'get Float64 1 2 : 2' gives '= ok "));
}

TEST_CASE("values of all types are recorded to the last bit") {
    const int version = GENERATE(2, 3);
    const Scratch scratch;
    const Fmu fmu = foreign("feedthrough", version);
    const CallLines lines = call_file(scratch / "f.calls", "feedthrough.fmu");
    {
        RecordedSlave slave(fmu.instantiate(recorded({}, lines)), lines);
        CHECK(slave.enter_initialization(0, {}, {}) == Status::ok);
        const auto pass = [&]<class Value>(Type type, Reference number, const Value& value) {
            const Value given[1] = {value};
            Value found[1] = {};
            CHECK(slave.set(type, std::vector<Reference>{100 + number}, given, 1) == Status::ok);
            CHECK(slave.get(type, std::vector<Reference>{200 + number}, found, 1) == Status::ok);
            CHECK(found[0] == value);
        };
        pass(Type::float64, 0, -std::numeric_limits<double>::denorm_min());
        pass(Type::int32, 6, std::numeric_limits<std::int32_t>::min());
        pass(Type::boolean, 10, true);
        pass(Type::string, 11, std::string("a blank, \"quotes\", 100 %,\n and \xc3\xa4"));
        if (version == 3) {
            pass(Type::float32, 1, 0.1F);
            pass(Type::int8, 2, std::int8_t{-128});
            pass(Type::uint64, 9, std::numeric_limits<std::uint64_t>::max());
            pass(Type::binary, 12, std::string("\0\x01\xff", 3));
        }
    }
    const ReplayResult result = replayed(scratch / "f.calls", fmu);
    CHECK(result.difference == "");
    CHECK(result.calls == (version == 2 ? 9 : 17));
}

TEST_CASE("a record that ends with a call says what the call gives now") {
    const Scratch scratch;
    const Fmu fmu = foreign("oscillator", 2);
    record_oscillator(fmu, scratch / "a.calls");
    std::string text = read_text_file(scratch / "a.calls", 1 << 20);
    text.resize(text.find("\n= ok", text.find("step 0.4")) + 1);
    write_text_file(scratch / "a.calls", text);
    CHECK_THAT(replayed(scratch / "a.calls", fmu).difference,
               Catch::StartsWith("'step 0.4 0.1 0' gives '= ok 0 0 0 0.5', and the record ends there"));
}

TEST_CASE("files that are no records are refused with their line") {
    const Scratch scratch;
    const Fmu fmu = foreign("oscillator", 2);
    const auto refused = [&](const std::string& text, const std::string& why) {
        write_text_file(scratch / "bad.calls", text);
        CHECK_THROWS_WITH(replayed(scratch / "bad.calls", fmu), Catch::Contains(why));
    };
    const std::string head = "tenon-calls 1\nfmu \"x\"\n", instance = "instance \"a\" 0 0 0 :\n";
    refused("time,x\n0,1\n", "bad.calls:1: this is not a record of calls");
    refused(head + "step 0 1 0\n", "bad.calls:3: the first call makes an instance");
    refused(head + instance + "walk 0 1\n", "bad.calls:4: there is no such call ('walk 0 1')");
    refused(head + instance + "step 0\n", "bad.calls:4: there is too little in this line");
    refused(head + instance + "step 0 x 0\n", "bad.calls:4: 'x' is not a value");
    refused(head + instance + "get Float65 1 : 1\n", "bad.calls:4: there is no such type");
    refused(head + instance + "get Float64 1 : 100000000000\n", "bad.calls:4: so many values are too many");
    refused(head + instance + "set String 1 : \"%4\"\n", "bad.calls:4: '\"%4\"' is not a value");
    CHECK_THROWS_WITH(replayed(scratch / "none.calls", fmu), Catch::Contains("cannot be read"));
}

TEST_CASE("a record that cannot be written is an output error") {
    const Scratch scratch;
    CHECK_THROWS_AS(call_file(scratch / "no folder" / "a.calls", "x.fmu"), OutputError);
    CHECK_THROWS_AS(call_file("/dev/full", "x.fmu"), OutputError);
}
