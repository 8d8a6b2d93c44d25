#include "tools/host/channel.hpp"

#include "tools/host/shared_memory.hpp"

#include <catch2/catch.hpp>

#include <sys/wait.h>

#include <cstring>
#include <thread>
#include <unistd.h>

using namespace tenon::host;
using namespace std::chrono_literals;

namespace {

constexpr std::size_t half = 4096;

std::span<unsigned char> part(const SharedMemory& memory, std::size_t i) {
    return memory.bytes().subspan(i * half, half);
}

bool wait(const ChannelEnd& end, std::chrono::microseconds spin) {
    for (int i = 0; i < 50; ++i)
        if (end.spin(spin) || end.sleep(100ms))
            return true;
    return false;
}

} // namespace

TEST_CASE("channel: messages go to and fro between two processes that spin or sleep") {
    const auto spin = GENERATE(0us, 30us);
    SharedMemory memory(2 * half);
    const pid_t child = ::fork();
    if (child == 0) {
        memory.attach();
        ChannelEnd end(part(memory, 1), part(memory, 0));
        for (std::uint32_t expected = 0; wait(end, spin); ++expected) {
            const ChannelMessage message = end.take();
            if (!message.in_turn || message.kind != expected)
                ::_exit(1);
            std::memcpy(end.space().data(), message.content.data(), message.content.size());
            end.send(message.kind, message.detail + 1, message.content.size());
            if (message.detail == 100)
                ::_exit(0);
        }
        ::_exit(2);
    }
    ChannelEnd end(part(memory, 0), part(memory, 1));
    for (std::uint32_t i = 0; i <= 500; ++i) {
        if (i % 100 == 7)
            std::this_thread::sleep_for(2ms); // so that the other end falls asleep now and then
        const std::uint32_t detail = i == 500 ? 100 : 1;
        std::memcpy(end.space().data(), &i, sizeof i);
        end.send(i, detail, sizeof i);
        REQUIRE(wait(end, spin));
        const ChannelMessage answer = end.take();
        REQUIRE(answer.in_turn);
        REQUIRE(answer.kind == i);
        REQUIRE(answer.detail == detail + 1);
        REQUIRE(answer.size == sizeof i);
        std::uint32_t echo = 0;
        std::memcpy(&echo, answer.content.data(), sizeof echo);
        REQUIRE(echo == i);
    }
    int status = 0;
    REQUIRE(::waitpid(child, &status, 0) == child);
    CHECK((WIFEXITED(status) && WEXITSTATUS(status) == 0));
}

TEST_CASE("channel: a message that never comes is not waited for beyond the time") {
    SharedMemory memory(2 * half);
    const ChannelEnd end(part(memory, 0), part(memory, 1));
    CHECK_FALSE(end.spin(30us));
    CHECK_FALSE(end.sleep(1ms));
    CHECK_FALSE(end.arrived());
}

TEST_CASE(
    "channel: a size beyond the memory gives no more than there is, and more messages than one are noticed") {
    SharedMemory memory(2 * half);
    ChannelEnd here(part(memory, 0), part(memory, 1)), there(part(memory, 1), part(memory, 0));
    there.send(1, 2, std::size_t(1) << 50);
    REQUIRE(here.arrived());
    const ChannelMessage large = here.take();
    CHECK(large.in_turn);
    CHECK(large.size == std::size_t(1) << 50);
    CHECK(large.content.size() == half - sizeof(ChannelHead));
    there.send(1, 2, 0);
    there.send(1, 2, 0);
    REQUIRE(here.arrived());
    CHECK_FALSE(here.take().in_turn);
}

TEST_CASE("channel: a child that is not meant to have the memory does not have it") {
    SharedMemory memory(2 * half);
    memory.bytes()[0] = 1;
    const pid_t child = ::fork();
    if (child == 0) {
        // Reading it would be the end of the child; asking the kernel to read it is an error.
        const bool absent = ::write(STDERR_FILENO, memory.bytes().data(), 0) == 0 &&
                            ::access(reinterpret_cast<const char*>(memory.bytes().data()), F_OK) != 0 &&
                            errno == EFAULT;
        ::_exit(absent ? 0 : 1);
    }
    int status = 0;
    REQUIRE(::waitpid(child, &status, 0) == child);
    CHECK((WIFEXITED(status) && WEXITSTATUS(status) == 0));
}
