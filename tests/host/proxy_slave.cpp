// The stand-in against a host that answers whatever it likes.

#include "tools/host/proxy_slave.hpp"

#include "tests/import/slave_support.hpp"

#include <array>
#include <deque>

using namespace tenon::fmi;
using namespace tenon::host;

namespace {

/// An answer that a host gives: its bytes are written by the test.
struct Scripted {
    Reply reply = Reply::answer;
    Status status = Status::ok;
    std::function<void(MessageWriter&)> fill = [](MessageWriter&) {};
    bool lost = false;
};

/// A host that reads its answers from a script.
class ScriptedLine final : public Line {
  public:
    explicit ScriptedLine(std::deque<Scripted>& script) : script_(script) {}
    std::span<unsigned char> space() override { return request_; }
    Arrival exchange(Operation, std::size_t, Patience&) noexcept override {
        if (script_.empty())
            return {.lost = true};
        const Scripted next = script_.front();
        script_.pop_front();
        MessageWriter out(answer_);
        next.fill(out);
        return {next.reply, next.status, std::span(answer_).first(out.size()), next.lost};
    }
    const std::string& why_lost() const override { return why_; }

  private:
    std::deque<Scripted>& script_;
    std::string why_ = "the script is over";
    alignas(8) std::array<unsigned char, 1024> request_{}, answer_{};
};

struct Stage {
    std::deque<Scripted> script;
    Log log;
    std::unique_ptr<Slave> slave;

    explicit Stage(IntermediateCallback callback = {}) {
        script.push_back({}); // of instantiate
        InstanceOptions options = logging_to(log);
        options.intermediate_update = std::move(callback);
        slave = std::make_unique<ProxySlave>(
            std::make_shared<const Description>(), "wheel.fmu", options, DeadlineRule{},
            [&](LogRelay&) { return std::make_unique<ScriptedLine>(script); });
    }
    void answers(Scripted next) { script.push_back(std::move(next)); }
    void answers(const std::vector<double>& numbers, Status status = Status::ok) {
        answers({.status = status, .fill = [=](MessageWriter& out) {
                     for (const double number : numbers)
                         out.value(number);
                 }});
    }
};

const Reference one = 1;

} // namespace

TEST_CASE("stand-in: an answer with too few or too many bytes is no answer") {
    Stage stage;
    const std::size_t numbers = GENERATE(0, 1, 3);
    const std::vector<Reference> references{1, 2};
    std::vector<double> values(2);
    stage.answers(std::vector<double>(numbers, 1.0));
    CHECK(stage.slave->get(references, values) == Status::fatal);
    CHECK(stage.log.has("wheel.fmu ('instance'): get(2 Float64): its answer cannot be understood"));
    CHECK(stage.slave->get(references, values) == Status::fatal);
    CHECK(stage.log.lines.size() == 1);
}

TEST_CASE("stand-in: sizes of strings and states are not believed") {
    Stage stage;
    const std::uint64_t size = GENERATE(9u, 1ull << 62, ~0ull);
    const bool strings = GENERATE(true, false);
    stage.answers({.fill = [=](MessageWriter& out) {
        out.value(size);
        out.value(1.0);
    }});
    std::string text;
    std::vector<unsigned char> bytes;
    CHECK((strings ? stage.slave->get(Type::string, {&one, 1}, &text, 1)
                   : stage.slave->serialize(nullptr, bytes)) == Status::fatal);
    CHECK(stage.log.has("its answer cannot be understood"));
}

TEST_CASE("stand-in: a step that came to a time outside of it is no answer") {
    Stage stage;
    const double reached = GENERATE(0.9, 2.1, -1e300, std::numeric_limits<double>::quiet_NaN());
    stage.answers({1.5, 0, 0, 0});
    CHECK(stage.slave->step(1, 1).reached == 1.5);
    stage.answers({reached, 0, 0, 0});
    const StepResult result = stage.slave->step(1, 1);
    CHECK(result.status == Status::fatal);
    CHECK(result.reached == 1);
    CHECK(stage.log.has("step(t=1, h=1): its answer cannot be understood"));
}

TEST_CASE("stand-in: bytes that are neither true nor false are true") {
    Stage stage;
    stage.answers({.fill = [](MessageWriter& out) { out.value(std::uint32_t(0x00ff0200)); }});
    std::array<bool, 4> flags{};
    const std::vector<Reference> four{1, 2, 3, 4};
    REQUIRE(stage.slave->get(Type::boolean, four, flags.data(), 4) == Status::ok);
    std::array<unsigned char, 4> bytes{};
    std::memcpy(bytes.data(), flags.data(), 4);
    CHECK(bytes == std::array<unsigned char, 4>{0, 1, 1, 0});
}

TEST_CASE("stand-in: values of a call that failed stay as they were") {
    Stage stage;
    stage.answers({3.0}, Status::error);
    double value = 7;
    CHECK(stage.slave->get({&one, 1}, {&value, 1}) == Status::error);
    CHECK(value == 7);
    CHECK(stage.log.lines.empty());
    stage.answers({3.0});
    CHECK(stage.slave->get({&one, 1}, {&value, 1}) == Status::ok);
    CHECK(value == 3);
}

TEST_CASE("stand-in: an update that nobody has asked for is no answer") {
    const Scripted update{.reply = Reply::update, .fill = [](MessageWriter& out) {
                              for (int i = 0; i < 5; ++i)
                                  out.value(0.0);
                          }};
    double value = 0;
    SECTION("without a callback") {
        Stage stage;
        stage.answers(update);
        CHECK(stage.slave->step(0, 1).status == Status::fatal);
    }
    SECTION("outside of a step") {
        int called = 0;
        Stage stage([&](const IntermediateUpdate&) {
            ++called;
            return std::optional<double>();
        });
        stage.answers(update);
        CHECK(stage.slave->get({&one, 1}, {&value, 1}) == Status::fatal);
        CHECK(called == 0);
    }
    SECTION("without its content") {
        Stage stage([&](const IntermediateUpdate&) { return std::optional<double>(); });
        stage.answers({.reply = Reply::update});
        CHECK(stage.slave->step(0, 1).status == Status::fatal);
    }
}

TEST_CASE("stand-in: a host that gives up says why, printed in a harmless form") {
    Stage stage;
    stage.answers(
        {.reply = Reply::failed, .fill = [](MessageWriter& out) { out.text("no \x1b[31mmemory"); }});
    CHECK(stage.slave->reset() == Status::fatal);
    CHECK(stage.log.has("wheel.fmu ('instance'): reset: no \\x1b[31mmemory"));
}

TEST_CASE("stand-in: a line that breaks while the instance is made is an error of loading") {
    std::deque<Scripted> script;
    CHECK_THROWS_WITH(ProxySlave(std::make_shared<const Description>(), "wheel.fmu", {}, DeadlineRule{},
                                 [&](LogRelay&) { return std::make_unique<ScriptedLine>(script); }),
                      "cannot be instantiated: the script is over");
}

TEST_CASE("stand-in: a host that breaks when the instance is freed is told, and nothing is thrown") {
    Stage stage;
    stage.slave.reset();
    CHECK(stage.log.has("wheel.fmu ('instance'): free: the script is over"));
}
