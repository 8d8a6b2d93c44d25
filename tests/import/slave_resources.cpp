// Where an FMU finds its resources.

#include "tools/import/resource_uri.hpp"

#include "tests/import/slave_support.hpp"

using namespace tenon;
using namespace tenon::fmi;

namespace {

std::string text_of_resource(Slave& slave) {
    const Reference one = reference(slave, "resource");
    std::string text;
    REQUIRE(slave.get(Type::string, {&one, 1}, &text, 1) == Status::ok);
    return text;
}

} // namespace

TEST_CASE("an FMU reads its resources wherever they are") {
    const int version = GENERATE(2, 3);
    const std::string name =
        GENERATE("plain", "with space", "gr\xc3\xbc\xc3\x9f\x65", "50%25", "a#b", "a+b", "a?b&c=d", "{x};'y'",
                 "\xe6\x97\xa5\xe6\x9c\xac", "back\\slash", "%s%n");
    const Scratch scratch;
    std::filesystem::create_directory(scratch / name);
    const TemporaryDirectory temporary(scratch / name);
    Log log;
    const Fmu fmu = foreign("feedthrough", version);
    auto slave = started(fmu, logging_to(log));
    CHECK(text_of_resource(*slave) == "a line of a resource");
    REQUIRE(log.lines.size() == 1);
    const std::string& message = log.lines[0].message;
    const std::string place = message.substr(message.find(" at ") + 4);
    const std::string folder = (scratch / name).string();
    if (version == 2) {
        CHECK_THAT(place, Catch::StartsWith("file:///") && Catch::EndsWith("/resources"));
        CHECK(place.find_first_not_of(
                  "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~/%:") == place.npos);
    } else {
        CHECK_THAT(place, Catch::StartsWith(folder + "/") && Catch::EndsWith("/resources/"));
    }
}

TEST_CASE("an FMU without resources gets a folder in FMI 2.0 and none in FMI 3.0") {
    const int version = GENERATE(2, 3);
    Log log;
    const Fmu fmu = foreign("gain", version);
    auto slave = started(fmu, logging_to(log));
    REQUIRE(log.lines.size() == 1);
    CHECK_THAT(log.lines[0].message, Catch::EndsWith(version == 2 ? "/resources" : "at (null)"));
}

TEST_CASE("a resource URI has everything but unreserved characters as percent and hexadecimal digits") {
    CHECK(resource_uri("/tmp/a-b_c.d~e/resources") == "file:///tmp/a-b_c.d~e/resources");
    CHECK(resource_uri("/tmp/a b/resources/") == "file:///tmp/a%20b/resources");
    CHECK(resource_uri("/50%/a#b+c\xc3\xbc") == "file:///50%25/a%23b%2Bc%C3%BC");
    CHECK(resource_uri("/") == "file:///");
}

TEST_CASE("resources are found although TMPDIR is relative and the working directory changes") {
    const int version = GENERATE(2, 3);
    const Scratch scratch;
    const auto before = std::filesystem::current_path();
    std::filesystem::create_directory(scratch / "t");
    std::filesystem::current_path(scratch.folder());
    const TemporaryDirectory temporary("t");
    {
        const Fmu fmu = foreign("feedthrough", version);
        auto slave = fmu.instantiate({});
        std::filesystem::current_path(before);
        REQUIRE(slave->reset() == Status::ok); // reads it again
        initialize(*slave);
        CHECK(text_of_resource(*slave) == "a line of a resource");
        std::filesystem::current_path(scratch.folder());
    }
    CHECK(std::filesystem::is_empty(scratch / "t"));
    std::filesystem::current_path(before);
}
