#include "tools/host/child.hpp"

#include <catch2/catch.hpp>

#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <stdexcept>
#include <thread>
#include <unistd.h>
#include <vector>

using namespace tenon::host;
using End = ChildReport::End;

namespace {

constexpr ChildLimits short_limit{.seconds = 0.2};

void wait_for_ever() {
    for (;;)
        std::this_thread::sleep_for(std::chrono::seconds(1));
}

} // namespace

TEST_CASE("A child's messages arrive in order and whole, also those larger than a pipe") {
    const std::string large(3 << 20, 'x');
    const ChildReport report = run_in_child([&](const ChildChannel& channel) {
        channel.send("first");
        channel.send(large);
        channel.send("");
    });
    REQUIRE(report.finished());
    REQUIRE(report.messages.size() == 3);
    CHECK(report.messages[0] == "first");
    CHECK(report.messages[1] == large);
    CHECK(report.messages[2].empty());
}

TEST_CASE("A child that dies of a signal keeps the messages sent before, and names the signal") {
    const ChildReport report = run_in_child([](const ChildChannel& channel) {
        channel.send("before");
        std::raise(SIGSEGV);
    });
    CHECK(report.end == End::signalled);
    CHECK(report.code == SIGSEGV);
    CHECK(report.messages == std::vector<std::string>{"before"});
    CHECK(describe_end(report, {}) == "signal 11 (Segmentation fault)");
}

TEST_CASE("A child that is silent for longer than its limit is ended") {
    const ChildReport report = run_in_child([](const ChildChannel&) { wait_for_ever(); }, short_limit);
    CHECK(report.end == End::silent);
    CHECK(report.seconds >= short_limit.seconds);
    CHECK(describe_end(report, short_limit) == "no answer within 0.2 s");
}

TEST_CASE("Each message of a child starts its time limit anew") {
    const ChildReport report = run_in_child(
        [](const ChildChannel& channel) {
            for (int i = 0; i < 10; ++i) {
                std::this_thread::sleep_for(std::chrono::milliseconds(100));
                channel.send("alive");
            }
        },
        {.seconds = 0.6});
    CHECK(report.finished());
    CHECK(report.seconds >= 1.0);
}

TEST_CASE("A child that is deaf to SIGTERM and the like is ended all the same") {
    const ChildReport report = run_in_child(
        [](const ChildChannel&) {
            for (int signal = 1; signal < 32; ++signal)
                std::signal(signal, SIG_IGN);
            wait_for_ever();
        },
        short_limit);
    CHECK(report.end == End::silent);
}

TEST_CASE("exit inside a child is not taken for a return") {
    for (const int code : {0, 7}) {
        const ChildReport report = run_in_child([&](const ChildChannel&) { ::_exit(code); });
        CHECK(report.end == End::exited);
        CHECK(report.code == code);
    }
}

TEST_CASE("An exception in a child comes back with its text") {
    const ChildReport report =
        run_in_child([](const ChildChannel&) { throw std::runtime_error("no such valve"); });
    CHECK(report.end == End::threw);
    CHECK(report.what == "no such valve");
}

TEST_CASE("What a child prints is collected and cut at the limit, and does not block it") {
    const ChildReport report = run_in_child(
        [](const ChildChannel&) {
            std::fputs("hello ", stdout);
            std::fflush(stdout);
            std::fputs("world", stderr);
            for (int i = 0; i < 100000; ++i)
                std::fputs(" and more", stdout);
        },
        {.printed = 20});
    REQUIRE(report.finished());
    CHECK(report.printed == "hello world and more");
}

TEST_CASE("A child has the end of its standard input before it at once") {
    const ChildReport report =
        run_in_child([](const ChildChannel& channel) { channel.send(std::to_string(std::getchar())); });
    REQUIRE(report.finished());
    CHECK(report.messages.front() == std::to_string(EOF));
}

TEST_CASE("A grandchild that keeps the pipes open does not keep the parent waiting, and is ended") {
    const ChildReport report = run_in_child(
        [](const ChildChannel& channel) {
            const pid_t grandchild = ::fork();
            if (grandchild == 0)
                wait_for_ever();
            channel.send(std::to_string(grandchild));
        },
        {.seconds = 30});
    REQUIRE(report.finished());
    const auto grandchild = static_cast<pid_t>(std::stol(report.messages.front()));
    // Reaped by init some time after the kill: it is either gone or a zombie that no longer runs.
    for (int i = 0; i < 200 && ::kill(grandchild, 0) == 0; ++i) {
        const std::string path = "/proc/" + std::to_string(grandchild) + "/stat";
        if (const std::unique_ptr<std::FILE, int (*)(std::FILE*)> stat{std::fopen(path.c_str(), "r"),
                                                                       std::fclose}) {
            char state = '?';
            REQUIRE(std::fscanf(stat.get(), "%*d %*s %c", &state) == 1);
            if (state == 'Z')
                return;
        }
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    CHECK(::kill(grandchild, 0) != 0);
}

TEST_CASE("A child that writes rubbish into its channel is ended") {
    const ChildReport report = run_in_child([](const ChildChannel& channel) {
        if (::write(channel.descriptor(), "rubbish rubbish rubbish", 23) == 23)
            wait_for_ever();
    });
    CHECK(report.end == End::talkative);
}

TEST_CASE("A child with more messages than allowed is ended") {
    const ChildReport report = run_in_child(
        [](const ChildChannel& channel) {
            for (;;)
                channel.send("again");
        },
        {.messages = 10000});
    CHECK(report.end == End::talkative);
    CHECK(report.messages.size() < 10000);
}

TEST_CASE("A child that is no longer wanted is ended") {
    const ChildReport report =
        run_in_child([](const ChildChannel&) { wait_for_ever(); }, {}, [] { return true; });
    CHECK(report.end == End::cancelled);
}

#ifndef __SANITIZE_ADDRESS__ // which needs more address space than any limit allows
TEST_CASE("A child cannot take more memory than its limit") {
    const ChildReport report = run_in_child(
        [](const ChildChannel&) {
            std::vector<std::unique_ptr<char[]>> blocks;
            for (int i = 0; i < 64; ++i)
                blocks.push_back(std::make_unique<char[]>(16 << 20));
        },
        {.memory = 512 << 20});
    CHECK(report.end == End::threw);
    CHECK(report.what == "std::bad_alloc");
}
#endif
