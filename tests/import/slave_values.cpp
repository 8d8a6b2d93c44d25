// Values through the Slave, in every type of both versions.

#include "tests/import/slave_support.hpp"

#include <limits>

using namespace tenon;
using namespace tenon::fmi;

namespace {

/// Sets the input of `feedthrough` and reads its output.
template <class T> T through(Slave& slave, Type type, const std::string& name, const T& value) {
    const Reference in = reference(slave, name + "_in"), out = reference(slave, name + "_out");
    T result{};
    CHECK(slave.set(type, {&in, 1}, &value, 1) == Status::ok);
    CHECK(slave.get(type, {&out, 1}, &result, 1) == Status::ok);
    return result;
}

template <class T> void check_limits(Slave& slave, Type type, const std::string& name) {
    using Limits = std::numeric_limits<T>;
    for (const T value : {Limits::lowest(), Limits::max(), T(1)})
        CHECK(through(slave, type, name, value) == value);
}

} // namespace

TEST_CASE("the types of both versions go in and come out unchanged") {
    const int version = GENERATE(2, 3);
    const Fmu fmu = foreign("feedthrough", version);
    auto slave = started(fmu);
    check_limits<double>(*slave, Type::float64, "float64");
    check_limits<std::int32_t>(*slave, Type::int32, "int32");
    for (const bool value : {true, false, true})
        CHECK(through(*slave, Type::boolean, "boolean", value) == value);
    for (const std::int64_t value : {3, 1, 2})
        CHECK(through(*slave, Type::enumeration, "enumeration", value) == value);
    for (const std::string value : {"", "text", "gr\xc3\xbc\xc3\x9f %s #1#", "two\nlines"})
        CHECK(through(*slave, Type::string, "string", value) == value);
}

TEST_CASE("the types that FMI 3.0 alone has go in and come out unchanged") {
    const Fmu fmu = foreign("feedthrough", 3);
    auto slave = started(fmu);
    check_limits<float>(*slave, Type::float32, "float32");
    check_limits<std::int8_t>(*slave, Type::int8, "int8");
    check_limits<std::uint8_t>(*slave, Type::uint8, "uint8");
    check_limits<std::int16_t>(*slave, Type::int16, "int16");
    check_limits<std::uint16_t>(*slave, Type::uint16, "uint16");
    check_limits<std::uint32_t>(*slave, Type::uint32, "uint32");
    check_limits<std::int64_t>(*slave, Type::int64, "int64");
    check_limits<std::uint64_t>(*slave, Type::uint64, "uint64");
    for (const std::string& value : {std::string(), std::string("\0\xff\0x", 4), std::string(200, 'b')})
        CHECK(through(*slave, Type::binary, "binary", value) == value);
}

TEST_CASE("arrays of FMI 3.0 are one value after the other, beside scalars") {
    const Fmu fmu = foreign("feedthrough", 3);
    auto slave = started(fmu);
    const std::vector<Reference> in{reference(*slave, "matrix_in"), reference(*slave, "float64_in")};
    const std::vector<Reference> out{reference(*slave, "float64_out"), reference(*slave, "matrix_out")};
    const std::vector<double> given{1, 2, 3, 4, 5, 6, 7};
    std::vector<double> found(7);
    REQUIRE(slave->set(in, given) == Status::ok);
    REQUIRE(slave->get(out, found) == Status::ok);
    CHECK(found == std::vector<double>{7, 1, 2, 3, 4, 5, 6});

    const Reference strings_in = reference(*slave, "strings_in"),
                    strings_out = reference(*slave, "strings_out");
    const std::vector<std::string> words{"first", ""};
    std::vector<std::string> answers(2, "old");
    REQUIRE(slave->get(Type::string, {&strings_out, 1}, answers.data(), 2) == Status::ok);
    CHECK(answers == std::vector<std::string>{"one", "two"});
    REQUIRE(slave->set(Type::string, {&strings_in, 1}, words.data(), 2) == Status::ok);
    REQUIRE(slave->get(Type::string, {&strings_out, 1}, answers.data(), 2) == Status::ok);
    CHECK(answers == words);

    const Reference binaries_in = reference(*slave, "binaries_in"),
                    binaries_out = reference(*slave, "binaries_out");
    REQUIRE(slave->set(Type::binary, {&binaries_in, 1}, words.data(), 2) == Status::ok);
    REQUIRE(slave->get(Type::binary, {&binaries_out, 1}, answers.data(), 2) == Status::ok);
    CHECK(answers == words);

    const Reference flags_in = reference(*slave, "booleans_in"),
                    flags_out = reference(*slave, "booleans_out");
    const bool flags[] = {true, false};
    bool answer[] = {false, true};
    REQUIRE(slave->set(Type::boolean, {&flags_in, 1}, flags, 2) == Status::ok);
    REQUIRE(slave->get(Type::boolean, {&flags_out, 1}, answer, 2) == Status::ok);
    CHECK((answer[0] && !answer[1]));
}

TEST_CASE("elements of arrays are variables of their own in FMI 2.0") {
    const Fmu fmu = foreign("feedthrough", 2);
    auto slave = started(fmu);
    std::vector<Reference> in, out;
    std::vector<double> given, found(6);
    for (const char* place : {"[1,1]", "[1,2]", "[1,3]", "[2,1]", "[2,2]", "[2,3]"}) {
        in.push_back(reference(*slave, std::string("matrix_in") + place));
        out.push_back(reference(*slave, std::string("matrix_out") + place));
        given.push_back(static_cast<double>(given.size()) + 0.5);
    }
    REQUIRE(slave->set(in, given) == Status::ok);
    REQUIRE(slave->get(out, found) == Status::ok);
    CHECK(found == given);
}

TEST_CASE("values that do not fit are refused with a line, and nothing is called") {
    const int version = GENERATE(2, 3);
    Log log;
    const Fmu fmu = foreign("feedthrough", version);
    auto slave = started(fmu, logging_to(log));
    const Reference string = reference(*slave, "string_in"), number = reference(*slave, "enumeration_in");
    const std::string with_zero("a\0b", 3);
    CHECK(slave->set(Type::string, {&string, 1}, &with_zero, 1) == Status::error);
    CHECK(log.has("string 1 of 1 has a zero in it"));
    if (version == 2) {
        const std::int64_t large = std::int64_t(1) << 40;
        CHECK(slave->set(Type::enumeration, {&number, 1}, &large, 1) == Status::error);
        CHECK(log.has("1099511627776 is out of range"));
        float value = 0;
        CHECK(slave->get(Type::float32, {&number, 1}, &value, 1) == Status::error);
        CHECK(slave->set(Type::float32, {&number, 1}, &value, 1) == Status::error);
        CHECK(log.count("FMI 2.0 has no such type") == 2);
        double values[2] = {};
        CHECK(slave->get(Type::float64, {&number, 1}, values, 2) == Status::error);
        CHECK(log.has("2 values were given for 1"));
    }
    // The FMU has not noticed: it is not in error.
    CHECK(slave->step(0, 0.1).status == Status::ok);
}

TEST_CASE("an unknown reference and a wrong number of values are the FMU's own errors") {
    const int version = GENERATE(2, 3);
    Log log;
    const Fmu fmu = foreign("feedthrough", version);
    auto slave = started(fmu, logging_to(log));
    const Reference unknown = 999;
    double value = 0;
    CHECK(slave->get({&unknown, 1}, {&value, 1}) == Status::error);
    CHECK(log.has("no such variable"));
    if (version == 3) {
        slave->reset();
        const Reference matrix = reference(*slave, "matrix_in");
        CHECK(slave->get({&matrix, 1}, {&value, 1}) == Status::error);
        CHECK(log.has("the number of values is not that of the variables"));
    }
}

TEST_CASE("arrays are resized in configuration mode") {
    const Fmu fmu = foreign("statespace", 3);
    auto slave = fmu.instantiate({});
    const std::vector<Reference> sizes{reference(*slave, "m"), reference(*slave, "n"),
                                       reference(*slave, "r")};
    const std::vector<std::uint64_t> one_three_one{1, 3, 1};
    REQUIRE(slave->enter_configuration() == Status::ok);
    REQUIRE(slave->set(Type::uint64, sizes, one_three_one.data(), 3) == Status::ok);
    REQUIRE(slave->exit_configuration() == Status::ok);
    const auto set = [&](const std::string& name, std::vector<double> values) {
        const Reference one = reference(*slave, name);
        REQUIRE(slave->set(std::span(&one, 1), values) == Status::ok);
    };
    // A chain of three integrators: y''' = u, so y = u t^3 / 6.
    set("A", {0, 1, 0, 0, 0, 1, 0, 0, 0});
    set("B", {0, 0, 1});
    set("C", {1, 0, 0});
    set("D", {0});
    set("x0", {0, 0, 0});
    set("u", {6});
    initialize(*slave);
    REQUIRE(slave->step(0, 2).status == Status::ok);
    CHECK(real(*slave, "y") == Approx(8).epsilon(1e-12));
}

TEST_CASE("FMI 2.0 has no configuration mode, no events and no adjoint derivatives") {
    Log log;
    const Fmu fmu = foreign("statespace", 2);
    auto slave = started(fmu, logging_to(log));
    CHECK(slave->enter_configuration() == Status::error);
    CHECK(slave->exit_configuration() == Status::error);
    CHECK(slave->enter_event_mode() == Status::error);
    CHECK(slave->update_discrete_states().status == Status::error);
    CHECK(slave->enter_step_mode() == Status::error);
    CHECK(slave->adjoint_derivative({}, {}, {}, {}) == Status::error);
    CHECK(log.count("FMI 2.0 has no such function") == 6);
    CHECK(slave->step(0, 0.1).status == Status::ok);
    CHECK(slave->terminate() == Status::ok);
}
