// What is written is read back as it was, and the other way round.

#include "modelDescription/checker.hpp"
#include "modelDescription/reader.hpp"
#include "modelDescription/writer.hpp"

#include "tests/description/dump.hpp"
#include "tests/description/random_description.hpp"
#include "tests/description/samples.hpp"

#include <catch2/catch.hpp>

using namespace tenon::fmi;

namespace {

Description read_both(const std::string& description, const std::string& terminals) {
    Description result = read_description(description);
    read_terminals(terminals, result);
    return result;
}

void check_round_trip(const Description& description) {
    const std::string text = write_description(description), terminals = write_terminals(description);
    const Description back = read_both(text, terminals);
    CHECK(dump(back) == dump(description));
    CHECK(write_description(back) == text);
    CHECK(write_terminals(back) == terminals);
}

} // namespace

TEST_CASE("the sample descriptions are read back as they were written") {
    check_round_trip(samples::good(Version::fmi2));
    check_round_trip(samples::good(Version::fmi3));
}

TEST_CASE("random descriptions of FMI 2.0 and 3.0 are read back bit for bit") {
    const auto version = GENERATE(Version::fmi2, Version::fmi3);
    for (unsigned seed = 0; seed < 300; ++seed) {
        CAPTURE(seed);
        const Description description = RandomDescription(seed).make(version);
        const std::string text = write_description(description), terminals = write_terminals(description);
        const Description back = read_both(text, terminals);
        const bool same = dump(back) == dump(description);
        if (!same)
            check_round_trip(description); // shows the difference
        REQUIRE(same);
        REQUIRE(write_description(back) == text);
    }
}

TEST_CASE("the random descriptions have all types of both versions and arrays sized by variables") {
    const auto count_types = [](Version version, bool& sized) {
        std::vector<int> counts(type_words.size());
        for (unsigned seed = 0; seed < 300; ++seed)
            for (const Variable& variable : RandomDescription(seed).make(version).variables) {
                ++counts[static_cast<std::size_t>(variable.type)];
                for (const Dimension& dimension : variable.dimensions)
                    sized = sized || dimension.variable;
            }
        return counts;
    };
    bool sized = false;
    for (const int count : count_types(Version::fmi3, sized))
        CHECK(count > 20);
    CHECK(sized);
    for (const Type type : {Type::float64, Type::int32, Type::boolean, Type::string, Type::enumeration})
        CHECK(count_types(Version::fmi2, sized)[static_cast<std::size_t>(type)] > 20);
}
