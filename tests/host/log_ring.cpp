#include "tools/host/log_ring.hpp"

#include "tests/import/slave_support.hpp"

#include <cstring>

using namespace tenon::fmi;
using namespace tenon::host;

namespace {

struct alignas(64) Memory {
    std::array<unsigned char, 1024> bytes{};
};

} // namespace

TEST_CASE("log ring: messages arrive in order, also where the ring begins anew") {
    Memory memory;
    LogRingWriter writer(memory.bytes);
    LogRingReader reader(memory.bytes);
    Log log;
    LogRelay relay(log.sink());
    for (int i = 0; i < 100; ++i) {
        writer.put(Status::warning, "category", "message " + std::to_string(i));
        writer.put(Status::ok, "", std::string(static_cast<std::size_t>(i), 'x'));
        CHECK(reader.has_more());
        REQUIRE(reader.drain(relay));
        CHECK_FALSE(reader.has_more());
    }
    REQUIRE(log.lines.size() == 200);
    for (std::size_t i = 0; i < 100; ++i) {
        CHECK(log.lines[2 * i].status == Status::warning);
        CHECK(log.lines[2 * i].category == "category");
        CHECK(log.lines[2 * i].message == "message " + std::to_string(i));
        CHECK(log.lines[2 * i + 1].message == std::string(i, 'x'));
    }
}

TEST_CASE("log ring: what there is no room for is counted and told") {
    Memory memory;
    LogRingWriter writer(memory.bytes);
    LogRingReader reader(memory.bytes);
    Log log;
    LogRelay relay(log.sink());
    for (int i = 0; i < 20; ++i)
        writer.put(Status::ok, "", std::string(100, 'x'));
    REQUIRE(reader.drain(relay));
    const std::size_t passed = log.count("xxx");
    CHECK(passed > 5);
    CHECK(log.has(std::to_string(20 - passed) + " messages were left out"));
    writer.put(Status::ok, "", "there is room again");
    REQUIRE(reader.drain(relay));
    CHECK(log.has("there is room again"));
}

TEST_CASE("log ring: rubbish is no message, and is not read again") {
    Memory memory;
    LogRingWriter writer(memory.bytes);
    LogRingReader reader(memory.bytes);
    Log log;
    LogRelay relay(log.sink());
    auto& head = *reinterpret_cast<LogRingHead*>(memory.bytes.data());
    const auto spoil = GENERATE(0, 1, 2, 3);
    writer.put(Status::ok, "category", "message");
    if (spoil == 0)
        head.written = ~std::uint64_t(0); // more than the ring has
    else if (spoil == 1)
        head.written = 5; // not even the sizes
    else if (spoil == 2)
        std::memset(memory.bytes.data() + sizeof(LogRingHead), 0xff, 100); // sizes beyond everything
    else
        head.written = head.written - 1; // a message that is longer than what is there
    CHECK_FALSE(reader.drain(relay));
    CHECK_FALSE(reader.drain(relay));
    CHECK(log.lines.empty());
}
