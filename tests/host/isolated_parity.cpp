// An isolated instance answers as one in this process, bit for bit.

#include "tests/host/isolated_support.hpp"

#include <functional>

using namespace tenon;
using namespace tenon::fmi;
using namespace tenon::host;

namespace {

using Make = std::function<std::unique_ptr<Slave>(const InstanceOptions&)>;

/// The transcripts of both, which must be the same.
template <class Run> void check_same(const Fmu& fmu, const Run& run) {
    const Transcript here = run([&](const InstanceOptions& options) { return fmu.instantiate(options); });
    const Transcript there =
        run([&](const InstanceOptions& options) { return instantiate_isolated(fmu, options, strict()); });
    CHECK(here.size() > 0);
    CHECK(here == there);
}

std::vector<Reference> reals_of(const Slave& slave) {
    std::vector<Reference> all;
    for (const Variable& variable : slave.description().variables)
        if (variable.type == Type::float64 && variable.dimensions.empty())
            all.push_back(variable.reference);
    return all;
}

void add_reals(Transcript& transcript, Slave& slave) {
    const std::vector<Reference> all = reals_of(slave);
    std::vector<double> values(all.size());
    transcript.add(slave.get(all, values));
    transcript.add(values);
}

/// Sets an input of feedthrough and gets its output.
template <class T>
void pass_through(Transcript& transcript, Slave& slave, Type type, const std::string& name,
                  const std::vector<T>& values) {
    const Reference in = reference(slave, name + "_in"), out = reference(slave, name + "_out");
    std::vector<T> results(values.size());
    transcript.add(slave.set(type, {&in, 1}, values.data(), values.size()));
    transcript.add(slave.get(type, {&out, 1}, results.data(), results.size()));
    CHECK(results == values);
    if constexpr (std::is_same_v<T, std::string>)
        for (const std::string& text : results)
            transcript.add(text);
    else
        transcript.add_bytes(results.data(), results.size() * sizeof(T));
}

} // namespace

TEST_CASE("isolated: steps of an oscillator with inputs and parameters") {
    const int version = GENERATE(2, 3);
    const Fmu fmu = foreign("oscillator", version);
    check_same(fmu, [](const Make& make) {
        Transcript transcript;
        const auto slave = make({});
        transcript.add(set_real(*slave, "d", 0.3));
        transcript.add(slave->enter_initialization(-0.5, 2, 1e-6));
        transcript.add(slave->exit_initialization());
        for (int i = 0; i < 50; ++i) {
            transcript.add(set_real(*slave, "F", 0.1 * i));
            transcript.add(slave->step(-0.5 + i * 0.05, 0.05, i % 2 == 0));
            add_reals(transcript, *slave);
        }
        transcript.add(slave->step(2, 100)); // beyond the stop time: an error
        transcript.add(slave->terminate());
        return transcript;
    });
}

TEST_CASE("isolated: the types of both versions") {
    const int version = GENERATE(2, 3);
    const Fmu fmu = foreign("feedthrough", version);
    check_same(fmu, [](const Make& make) {
        Transcript transcript;
        const auto slave = make({});
        initialize(*slave);
        pass_through<double>(transcript, *slave, Type::float64, "float64", {-0.0});
        pass_through<double>(transcript, *slave, Type::float64, "float64", {5e-324});
        pass_through<std::int32_t>(transcript, *slave, Type::int32, "int32", {-2147483647 - 1});
        pass_through<std::int64_t>(transcript, *slave, Type::enumeration, "enumeration", {3});
        pass_through<std::string>(transcript, *slave, Type::string, "string",
                                  {"gr\xc3\xbc\xc3\x9f\nnext line"});
        pass_through<std::string>(transcript, *slave, Type::string, "string", {""});
        const Reference in = reference(*slave, "boolean_in"), out = reference(*slave, "boolean_out");
        const bool value = true;
        bool result = false;
        transcript.add(slave->set(Type::boolean, {&in, 1}, &value, 1));
        transcript.add(slave->get(Type::boolean, {&out, 1}, &result, 1));
        CHECK(result);
        const Reference resource = reference(*slave, "resource");
        std::string text;
        transcript.add(slave->get(Type::string, {&resource, 1}, &text, 1));
        CHECK(text == "a line of a resource");
        const std::string with_zero("a\0b", 3);
        const Reference string = reference(*slave, "string_in");
        transcript.add(slave->set(Type::string, {&string, 1}, &with_zero, 1));
        return transcript;
    });
}

TEST_CASE("isolated: the types that FMI 3.0 alone has, arrays and binaries") {
    const Fmu fmu = foreign("feedthrough", 3);
    check_same(fmu, [](const Make& make) {
        Transcript transcript;
        const auto slave = make({});
        initialize(*slave);
        pass_through<float>(transcript, *slave, Type::float32, "float32", {1.5e-42f});
        pass_through<std::int8_t>(transcript, *slave, Type::int8, "int8", {-128});
        pass_through<std::uint8_t>(transcript, *slave, Type::uint8, "uint8", {255});
        pass_through<std::int16_t>(transcript, *slave, Type::int16, "int16", {-32768});
        pass_through<std::uint16_t>(transcript, *slave, Type::uint16, "uint16", {65535});
        pass_through<std::uint32_t>(transcript, *slave, Type::uint32, "uint32", {4294967295u});
        pass_through<std::int64_t>(transcript, *slave, Type::int64, "int64", {INT64_MIN});
        pass_through<std::uint64_t>(transcript, *slave, Type::uint64, "uint64", {UINT64_MAX});
        pass_through<double>(transcript, *slave, Type::float64, "matrix", {1, 2, 3, 4, 5, 6});
        pass_through<std::int32_t>(transcript, *slave, Type::int32, "integers", {1, -2, 3});
        pass_through<std::string>(transcript, *slave, Type::string, "strings", {"", "second"});
        pass_through<std::string>(transcript, *slave, Type::binary, "binary", {std::string("\0\xff\0x", 4)});
        pass_through<std::string>(transcript, *slave, Type::binary, "binaries",
                                  {std::string(200, 'b'), std::string()});
        return transcript;
    });
}

TEST_CASE("isolated: sizes that are configured, arrays, directional and adjoint derivatives") {
    const Fmu fmu = foreign("statespace", 3);
    check_same(fmu, [](const Make& make) {
        Transcript transcript;
        const auto slave = make({});
        transcript.add(slave->enter_configuration());
        const Reference size = reference(*slave, "n");
        const std::uint64_t three = 3;
        transcript.add(slave->set(Type::uint64, {&size, 1}, &three, 1));
        transcript.add(slave->exit_configuration());
        const Reference start = reference(*slave, "x0"), a = reference(*slave, "A");
        transcript.add(slave->set(std::span(&start, 1), std::vector<double>{1, 2, 3}));
        transcript.add(slave->set(std::span(&a, 1), std::vector<double>{0, 1, 0, -1, 0, 0.1, 0, 0.2, -0.3}));
        initialize(*slave);
        transcript.add(slave->step(0, 0.1));
        const std::vector<Reference> x{reference(*slave, "x")}, y{reference(*slave, "y")};
        std::vector<double> values(3), forward(2), backward(3);
        transcript.add(slave->get(x, values));
        transcript.add(slave->directional_derivative(y, x, std::vector<double>{1, 10, 100}, forward));
        transcript.add(slave->adjoint_derivative(y, x, std::vector<double>{1, 10}, backward));
        for (const std::vector<double>* some : {&values, &forward, &backward})
            transcript.add(*some);
        return transcript;
    });
}

TEST_CASE("isolated: derivatives of inputs and outputs") {
    const int version = GENERATE(2, 3);
    const Fmu fmu = foreign("oscillator", version);
    check_same(fmu, [](const Make& make) {
        Transcript transcript;
        const auto slave = make({});
        initialize(*slave);
        const Reference force = reference(*slave, "F");
        const std::int32_t order = 1;
        const double rate = 2;
        transcript.add(slave->set_input_derivatives({&force, 1}, {&order, 1}, {&rate, 1}));
        transcript.add(slave->step(0, 0.4));
        const std::vector<Reference> outputs{reference(*slave, "x"), reference(*slave, "v")};
        std::vector<double> rates(2), sensitivity(1);
        transcript.add(slave->get_output_derivatives(outputs, std::vector<std::int32_t>{1, 1}, rates));
        transcript.add(slave->get_output_derivatives(outputs, std::vector<std::int32_t>{1}, rates));
        const Reference acceleration = reference(*slave, "a");
        transcript.add(slave->directional_derivative({&acceleration, 1}, outputs, std::vector<double>{1, 10},
                                                     sensitivity));
        transcript.add(rates);
        transcript.add(sensitivity);
        return transcript;
    });
}

TEST_CASE("isolated: states, saved, overwritten, restored and as bytes") {
    const int version = GENERATE(2, 3);
    const Fmu fmu = foreign("vanderpol", version);
    check_same(fmu, [](const Make& make) {
        Transcript transcript;
        const auto slave = make({});
        initialize(*slave);
        StateHandle first = nullptr, second = nullptr, third = nullptr;
        std::vector<unsigned char> bytes;
        transcript.add(slave->step(0, 0.3));
        transcript.add(slave->save(first));
        transcript.add(slave->step(0.3, 0.3));
        transcript.add(slave->save(second));
        CHECK(first != second);
        add_reals(transcript, *slave);
        transcript.add(slave->restore(first));
        add_reals(transcript, *slave);
        transcript.add(slave->step(0.3, 0.3));
        add_reals(transcript, *slave);
        transcript.add(slave->serialize(second, bytes));
        transcript.add_bytes(bytes.data(), bytes.size());
        transcript.add(slave->save(second)); // overwritten
        transcript.add(slave->discard(first));
        transcript.add(slave->deserialize(bytes, third));
        transcript.add(slave->restore(third));
        add_reals(transcript, *slave);
        transcript.add(slave->discard(second));
        transcript.add(slave->discard(third));
        CHECK(third == nullptr);
        transcript.add(slave->deserialize(std::vector<unsigned char>(100, 7), third)); // no state
        return transcript;
    });
}

TEST_CASE("isolated: a state as bytes goes on in this process, and back") {
    const int version = GENERATE(2, 3);
    const Fmu fmu = foreign("vanderpol", version);
    const auto here = started(fmu), there = started_isolated(fmu);
    const auto carry = [](Slave& from, Slave& to) {
        StateHandle state = nullptr, copy = nullptr;
        std::vector<unsigned char> bytes;
        REQUIRE(from.save(state) == Status::ok);
        REQUIRE(from.serialize(state, bytes) == Status::ok);
        REQUIRE(to.deserialize(bytes, copy) == Status::ok);
        REQUIRE(to.restore(copy) == Status::ok);
        CHECK(from.discard(state) == Status::ok);
        CHECK(to.discard(copy) == Status::ok);
    };
    REQUIRE(there->step(0, 0.5).status == Status::ok);
    carry(*there, *here);
    REQUIRE(here->step(0.5, 0.5).status == Status::ok);
    REQUIRE(there->step(0.5, 0.5).status == Status::ok);
    CHECK(real(*here, "x0") == real(*there, "x0"));
    REQUIRE(here->step(1, 0.5).status == Status::ok);
    carry(*here, *there);
    CHECK(real(*here, "x1") == real(*there, "x1"));
}

TEST_CASE("isolated: the intermediate update gets and sets inside a step") {
    const Fmu fmu = foreign("oscillator", 3);
    check_same(fmu, [](const Make& make) {
        Transcript transcript;
        std::unique_ptr<Slave> slave;
        InstanceOptions options;
        options.intermediate = {1, 4}; // x, F
        options.intermediate_update = [&](const IntermediateUpdate& update) -> std::optional<double> {
            const Reference force = 4, position = 1;
            const double value = 2 * update.time;
            double x = 0;
            transcript.add(update.time);
            if (update.set_requested)
                transcript.add(slave->set(std::span(&force, 1), std::span(&value, 1)));
            if (update.get_allowed) {
                transcript.add(slave->get({&position, 1}, {&x, 1}));
                transcript.add(x);
            }
            return std::nullopt;
        };
        slave = make(options);
        initialize(*slave);
        transcript.add(slave->step(0, 0.1));
        add_reals(transcript, *slave);
        CHECK(transcript.size() > 300);
        return transcript;
    });
}

TEST_CASE("isolated: the intermediate update ends a step early where that was allowed") {
    const bool allowed = GENERATE(true, false);
    const Fmu fmu = foreign("oscillator", 3);
    check_same(fmu, [&](const Make& make) {
        Transcript transcript;
        InstanceOptions options;
        options.early_return = allowed;
        options.intermediate_update = [&](const IntermediateUpdate& update) -> std::optional<double> {
            transcript.add(update.can_return_early ? 1.0 : 0.0);
            return update.time >= 0.02 ? std::optional(0.0305) : std::nullopt;
        };
        const auto slave = make(options);
        initialize(*slave);
        const StepResult result = slave->step(0, 0.1);
        CHECK(result.early == allowed);
        transcript.add(result);
        add_reals(transcript, *slave);
        return transcript;
    });
}

TEST_CASE("isolated: event mode and events inside a step") {
    const bool early_return = GENERATE(true, false);
    const Fmu fmu = foreign("stairs", 3);
    check_same(fmu, [&](const Make& make) {
        Transcript transcript;
        InstanceOptions options;
        options.event_mode = true;
        options.early_return = early_return;
        const auto slave = make(options);
        initialize(*slave);
        transcript.add(slave->update_discrete_states());
        transcript.add(slave->enter_step_mode());
        const StepResult result = slave->step(0, 1.7);
        CHECK(result.event);
        CHECK(result.early == early_return);
        transcript.add(result);
        transcript.add(slave->enter_event_mode());
        transcript.add(slave->update_discrete_states());
        transcript.add(slave->enter_step_mode());
        transcript.add(integer(*slave, "counter"));
        return transcript;
    });
}

TEST_CASE("isolated: clocks") {
    const Fmu fmu = foreign("clocks", 3);
    check_same(fmu, [](const Make& make) {
        Transcript transcript;
        InstanceOptions options;
        options.event_mode = true;
        const auto slave = make(options);
        initialize(*slave);
        const Reference trigger = reference(*slave, "trigger"), echo = reference(*slave, "echo");
        const bool ticks = true;
        bool heard = false;
        transcript.add(slave->set(Type::clock, {&trigger, 1}, &ticks, 1));
        transcript.add(slave->get(Type::clock, {&echo, 1}, &heard, 1));
        CHECK(heard);
        transcript.add(slave->update_discrete_states());
        transcript.add(integer(*slave, "count"));
        return transcript;
    });
}

TEST_CASE("isolated: each status of a step, what is logged about it, and what follows") {
    const int version = GENERATE(2, 3);
    const std::string mode = GENERATE("warning", "discard", "error", "fatal", "partial", "terminate", "nan",
                                      "nan-once", "loud", "leak", "derivatives");
    CAPTURE(mode);
    const Fmu fmu = foreign("misbehave-" + mode, version);
    const bool loses_memory =
        mode == "fatal" || mode == "leak"; // an instance after a fatal error cannot be freed
    const auto run = [&](const Make& make) {
        Transcript transcript;
        Log log;
        auto slave = make(logging_to(log));
        initialize(*slave);
        transcript.add(slave->step(0, 0.25));
        transcript.add(slave->step(0.25, 0.5));
        std::vector<double> values(2);
        transcript.add(slave->get(std::vector<Reference>{2, 3}, values));
        transcript.add(values);
        transcript.add(slave->terminate());
        transcript.add(slave->reset());
        slave.reset();
        for (const Log::Line& line : log.lines) {
            transcript.add(line.status);
            transcript.add(line.category);
            if (line.message.find("resources are at") == line.message.npos) // a folder of its own
                transcript.add(line.message);
        }
        return transcript;
    };
    if (!loses_memory)
        return check_same(fmu, run);
    const Transcript there =
        run([&](const InstanceOptions& options) { return instantiate_isolated(fmu, options, strict()); });
    [[maybe_unused]] const LeaksAreIntended leaks{};
    const Transcript here = run([&](const InstanceOptions& options) { return fmu.instantiate(options); });
    CHECK(here == there);
}

TEST_CASE("isolated: an exception of a callback comes out of the call, and the instance lives on") {
    const Fmu fmu = foreign("oscillator", 3);
    InstanceOptions options;
    options.intermediate_update = [](const IntermediateUpdate& update) -> std::optional<double> {
        if (update.time > 0.05)
            throw std::runtime_error("no more");
        return std::nullopt;
    };
    const auto slave = started_isolated(fmu, options);
    CHECK_THROWS_WITH(slave->step(0, 0.1), "no more");
    CHECK(real(*slave, "time") == Approx(0.1));

    const Fmu warning = foreign("misbehave-warning", 2);
    InstanceOptions loud;
    loud.logging = true;
    loud.log = [](Status status, const std::string&, const std::string&) {
        if (status == Status::warning)
            throw std::runtime_error("the disk is full");
    };
    const auto other = started_isolated(warning, loud);
    CHECK_THROWS_WITH(other->step(0, 1), "the disk is full");
    CHECK(other->terminate() == Status::ok);
}

TEST_CASE("isolated: an FMU that allows one instance in a process has as many as are wanted") {
    const int version = GENERATE(2, 3);
    const Fmu fmu = foreign(GENERATE("misbehave-once", "misbehave-second"), version);
    std::vector<std::unique_ptr<Slave>> slaves;
    for (int i = 0; i < 3; ++i) {
        slaves.push_back(started_isolated(fmu));
        REQUIRE(set_real(*slaves.back(), "u", i) == Status::ok);
    }
    for (int i = 0; i < 3; ++i) {
        REQUIRE(slaves[static_cast<std::size_t>(i)]->step(0, 1).status == Status::ok);
        CHECK(real(*slaves[static_cast<std::size_t>(i)], "x") == i);
    }
}
