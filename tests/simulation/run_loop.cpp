// The loop of a run: which rows there are, and who can end it.

#include "core/simulation/run_loop.hpp"
#include "core/math/error.hpp"

#include <catch2/catch.hpp>

#include <cmath>

using namespace tenon;

namespace {

/// x = time; fails, ends by itself or shows a value that is not finite at a given time.
class Clockwork : public Stepped {
  public:
    double fails_after = INFINITY, ends_after = INFINITY, bad_after = INFINITY;
    bool can_undo = false;

    double time() const override { return time_; }
    bool step(double until) override {
        if (until > fails_after)
            throw Error(ErrorKind::computation, "stuck");
        before_ = time_;
        time_ = until;
        return time_ < ends_after;
    }
    bool undo() override {
        if (can_undo)
            time_ = before_;
        return can_undo;
    }
    std::size_t columns() const override { return 1; }
    void read(std::span<double> values) override { values[0] = time_ > bad_after ? NAN : time_; }

  private:
    double time_ = 0, before_ = 0;
};

struct Notes : Observer {
    std::vector<double> rows;
    std::vector<long> checkpoints;
    long failed_after = -1;
    double stops_at = INFINITY, now = 0;

    void row(double time, std::span<const double> values) override {
        if (!std::isfinite(values[0]))
            throw Error(ErrorKind::computation, "not finite");
        rows.push_back(time);
    }
    void stepped(double time) override { now = time; }
    bool stops() override { return now >= stops_at; }
    void checkpoint(long step, bool) override { checkpoints.push_back(step); }
    void failed(long step) override { failed_after = step; }
};

LoopOptions every(long steps) {
    LoopOptions options;
    options.every = steps;
    return options;
}

} // namespace

TEST_CASE("rows come at the start, every so many steps, and at the end") {
    Clockwork machine;
    Notes notes;
    CHECK(run_loop(machine, Schedule(0, 1, 5), every(2), notes) == Ending::done);
    CHECK(notes.rows == std::vector<double>{0, 2, 4, 5});
    CHECK(notes.checkpoints == std::vector<long>{0, 5});
}

TEST_CASE("whatever ends a run, its last good state becomes a row") {
    Clockwork machine;
    Notes notes;
    SECTION("an interruption, after the checkpoint") {
        notes.stops_at = 2;
        CHECK(run_loop(machine, Schedule(0, 1, 9), every(10), notes) == Ending::interrupted);
        CHECK(notes.rows == std::vector<double>{0, 3});
        CHECK(notes.checkpoints == std::vector<long>{0, 3});
    }
    SECTION("the machine itself") {
        machine.ends_after = 3;
        CHECK(run_loop(machine, Schedule(0, 1, 9), every(10), notes) == Ending::ended_early);
        CHECK(notes.rows == std::vector<double>{0, 3});
    }
    SECTION("a step that fails") {
        machine.fails_after = 3;
        CHECK_THROWS_WITH(run_loop(machine, Schedule(0, 1, 9), every(10), notes), "stuck");
        CHECK(notes.rows == std::vector<double>{0, 3});
        CHECK(notes.failed_after == 3);
    }
    SECTION("values unfit for a row, where the step can be taken back") {
        machine.bad_after = 3;
        machine.can_undo = true;
        CHECK_THROWS_WITH(run_loop(machine, Schedule(0, 1, 9), every(4), notes), "not finite");
        CHECK(notes.rows == std::vector<double>{0, 3});
    }
}

TEST_CASE("a run that goes on writes no row twice") {
    Clockwork machine;
    machine.step(2);
    Notes notes;
    LoopOptions options;
    options.done = 2;
    options.last_row = 2.0;
    CHECK(run_loop(machine, Schedule(0, 1, 4), options, notes) == Ending::done);
    CHECK(notes.rows == std::vector<double>{3, 4});
}

TEST_CASE("a schedule ends at the stop time exactly") {
    const Schedule shorter(0, 0.3, 1);
    CHECK(shorter.steps() == 4);
    CHECK(shorter.time(4) == 1);
    CHECK(Schedule(0, 0.3, 1, Schedule::Last::longer).steps() == 3);
    CHECK(Schedule(0, 0.1, 1).steps() == 10);
    CHECK_THROWS_WITH(Schedule(1, 0.1, 0), Catch::Contains("the stop time is before the start"));
    CHECK_THROWS_WITH(Schedule(0, 1e-20, 1),
                      Catch::Contains("too many steps (stop / step = 1e+20, limit 1e+15)"));
    CHECK_THAT(Schedule(0, 2, 1).remark(), Catch::Contains("the step (2 s) is longer than the run (1 s)"));
}
