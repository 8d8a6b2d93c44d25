#include "tools/host/message.hpp"

#include <catch2/catch.hpp>

#include <array>
#include <cmath>
#include <vector>

using namespace tenon::host;

namespace {

struct alignas(slot_size) Space {
    std::array<unsigned char, 256> bytes{};
};

} // namespace

TEST_CASE("message: what is written is read in the same order") {
    Space space;
    MessageWriter out(space.bytes);
    out.value(-0.0);
    out.value(true);
    out.value(std::uint32_t(7));
    out.array(std::span<const double>(std::array{1.0, 2.0, 3.0}));
    out.array(std::span<const unsigned char>(std::array<unsigned char, 3>{1, 2, 3}));
    out.text("text");
    out.texts(std::vector<std::string>{"", "one", std::string("\0x", 2)});
    REQUIRE_FALSE(out.overflown());

    MessageReader in(std::span(space.bytes).first(out.size()));
    CHECK(std::signbit(in.value<double>()));
    CHECK(in.flag());
    CHECK(in.value<std::uint32_t>() == 7);
    std::array<double, 3> numbers{};
    in.copy(std::span<double>(numbers));
    CHECK(numbers == std::array{1.0, 2.0, 3.0});
    const auto bytes = in.array<unsigned char>(3);
    CHECK(std::vector(bytes.begin(), bytes.end()) == std::vector<unsigned char>{1, 2, 3});
    std::string text;
    in.text(text);
    CHECK(text == "text");
    std::vector<std::string> texts(3, "old");
    in.texts(texts);
    CHECK(texts == std::vector<std::string>{"", "one", std::string("\0x", 2)});
    CHECK(in.complete());
}

TEST_CASE("message: what does not fit is left out, and nothing is written beyond the end") {
    Space space;
    const std::span<unsigned char> small = std::span(space.bytes).first(24);
    MessageWriter out(small);
    out.value(1.0);
    CHECK(out.room<double>(3) == nullptr);
    CHECK(out.overflown());
    out.value(2.0); // would fit
    CHECK(out.size() == 8);
    CHECK(MessageWriter(small).room<double>(std::size_t(-1)) == nullptr); // nor does a size that wraps round
    for (std::size_t i = 24; i < space.bytes.size(); ++i)
        CHECK(space.bytes[i] == 0);
}

TEST_CASE("message: a size that the message does not have is broken, whatever it is") {
    Space space;
    for (const std::uint64_t size :
         {std::uint64_t(17), std::uint64_t(1) << 40, ~std::uint64_t(0), ~std::uint64_t(7)}) {
        MessageWriter out(space.bytes);
        out.value(size);
        out.value(1.0);
        out.value(2.0);
        const std::span<const unsigned char> content = std::span(space.bytes).first(out.size());
        std::string text = "old";
        MessageReader one(content);
        one.text(text);
        CHECK(one.broken());
        CHECK(text.empty());
        MessageReader other(content);
        CHECK(other.array<double>(other.value<std::uint64_t>()).empty());
        CHECK(other.broken());
        CHECK(other.value<double>() == 0); // and stays so
        std::vector<std::string> texts(1);
        MessageReader third(content);
        third.texts(texts);
        CHECK(third.broken());
    }
}

TEST_CASE("message: bytes that nobody has asked for make an answer incomplete") {
    Space space;
    MessageWriter out(space.bytes);
    out.value(1.0);
    out.value(2.0);
    MessageReader in(std::span(space.bytes).first(out.size()));
    in.value<double>();
    CHECK_FALSE(in.complete());
    in.value<double>();
    CHECK(in.complete());
    in.value<double>();
    CHECK_FALSE(in.complete());
}
