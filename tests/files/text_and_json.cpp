// Whole text files, the JSON writer, and texts made fit for messages.

#include "tools/files/errors.hpp"
#include "tools/files/json.hpp"
#include "tools/files/text_file.hpp"
#include "tools/files/utf8.hpp"

#include "tests/files/scratch.hpp"
#include "tests/support/refusal.hpp"

#include <catch2/catch.hpp>

#include <limits>
#include <stdexcept>

using namespace tenon;

TEST_CASE("control characters and broken UTF-8 are printed escaped and long texts cut") {
    CHECK(printable("a\nb\x7f") == "a\\x0ab\\x7f");
    CHECK(printable("\xc3\xa4\xff") == "\xc3\xa4\\xff");
    CHECK(printable(std::string(100, 'x'), 10) == "xxxxxxxxxx...");
}

TEST_CASE("UTF-8 is told from what only looks like it") {
    for (const char* good : {"a", "\xc3\xa4", "\xe2\x82\xac", "\xf0\x9f\x98\x80", "\xf4\x8f\xbf\xbf"})
        CHECK(utf8_valid_prefix(good) == std::string(good).size());
    for (const char* bad : {"\x80", "\xc0\x80", "\xc3", "\xe0\x80\x80", "\xed\xa0\x80", "\xf0\x80\x80\x80",
                            "\xf4\x90\x80\x80", "\xf5\x80\x80\x80", "\xe2\x82"})
        CHECK(utf8_valid_prefix(std::string("x") + bad) == 1);
}

TEST_CASE("JSON strings are escaped") {
    CHECK(json_string("a\"b\\c\n\t\x01") == "\"a\\\"b\\\\c\\n\\t\\u0001\"");
    CHECK(json_string("\xc3\xa4") == "\"\xc3\xa4\"");
    CHECK(json_string("\xff") == "\"\\ufffd\"");
}

TEST_CASE("JSON numbers read back exactly and are null where they are not finite") {
    CHECK(json_number(0.1) == "0.1");
    CHECK(std::stod(json_number(1.0 / 3)) == 1.0 / 3);
    CHECK(json_number(std::numeric_limits<double>::quiet_NaN()) == "null");
    CHECK(json_number(-std::numeric_limits<double>::infinity()) == "null");
}

TEST_CASE("the JSON writer nests objects and arrays") {
    JsonWriter json;
    const double at[] = {1, 2.5};
    json.object().member("name", "x").member("n", 3).member("on", true).key("at").numbers(at);
    json.key("empty").array().end().key("list").array().value(1).null().end().end();
    CHECK(json.text() ==
          "{\n  \"name\": \"x\",\n  \"n\": 3,\n  \"on\": true,\n  \"at\": [1, 2.5],\n  \"empty\": [],\n"
          "  \"list\": [\n    1,\n    null\n  ]\n}\n");
}

TEST_CASE("the JSON writer refuses what is not JSON") {
    CHECK_THROWS_AS(JsonWriter().object().value(1), std::logic_error);
    CHECK_THROWS_AS(JsonWriter().array().key("a"), std::logic_error);
    CHECK_THROWS_AS(JsonWriter().end(), std::logic_error);
    CHECK_THROWS_AS(JsonWriter().object().key("a").end(), std::logic_error);
    CHECK_THROWS_AS(JsonWriter().object().text(), std::logic_error);
    CHECK_THROWS_AS(JsonWriter().value(1).value(2), std::logic_error);
}

TEST_CASE("a text file is read back as it was written") {
    const Scratch scratch;
    const std::string text("a\0b\r\n\xc3\xa4", 7);
    write_text_file(scratch / "t", text);
    CHECK(read_text_file(scratch / "t", 7) == text);
    write_text_file(scratch / "t", "new");
    CHECK(read_text_file(scratch / "t", 7) == "new");
    CHECK(scratch.files() == 1);
}

TEST_CASE("a user's own X.part survives when X is written") {
    const Scratch scratch;
    write_text_file(scratch / "t.part", "mine");
    write_text_file(scratch / "t", "text");
    CHECK(read_text_file(scratch / "t.part", 100) == "mine");
    CHECK(read_text_file(scratch / "t", 100) == "text");
    CHECK(scratch.files() == 2);
}

TEST_CASE("a file that cannot be read is unreadable and one that is too large malformed") {
    const Scratch scratch;
    write_text_file(scratch / "t", "12345678");
    const auto check_refused = [](const std::filesystem::path& path, InputFault fault) {
        CHECK_THAT(tests::refusal([&] { read_text_file(path, 7); }, fault),
                   Catch::Contains(path.filename().string()));
    };
    check_refused(scratch / "none", InputFault::unreadable);
    check_refused(scratch.folder(), InputFault::unreadable);
    check_refused(scratch / "t", InputFault::malformed);
    check_refused("/dev/zero", InputFault::malformed);
    CHECK_THROWS_WITH(read_text_file(scratch / "t", 7), Catch::Contains("8 bytes, limit 7"));
}

TEST_CASE("a text file that cannot be written leaves nothing behind") {
    const Scratch scratch;
    CHECK_THROWS_AS(write_text_file(scratch / "no" / "t", "x"), OutputError);
    CHECK_THROWS_AS(write_text_file(scratch.folder(), "x"), OutputError);
    CHECK_THROWS_AS(write_text_file("/dev/full", "x"), OutputError);
    CHECK(scratch.files() == 0);
}

TEST_CASE("writing through a link replaces what it points at") {
    const Scratch scratch;
    write_text_file(scratch / "t", "old");
    std::filesystem::create_symlink(scratch / "t", scratch / "link");
    write_text_file(scratch / "link", "new");
    CHECK(std::filesystem::is_symlink(scratch / "link"));
    CHECK(read_text_file(scratch / "t", 100) == "new");
}
