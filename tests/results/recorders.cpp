// What holds for results in every format: rows, marks, continuations.

#include "core/math/error.hpp"
#include "tools/files/errors.hpp"
#include "tools/results/recorder.hpp"

#include "tests/files/scratch.hpp"
#include "tests/results/result_support.hpp"
#include "tests/support/refusal.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <chrono>
#include <limits>
#include <thread>

using namespace tenon;
using namespace tenon::results;

namespace {

/// The whole file where its bytes matter, its numbers where they do.
std::string fingerprint_of(const std::filesystem::path& file) {
    if (!is_hdf5_name(file))
        return content(file);
    const std::vector<double> rows = hdf5_rows(file);
    return {reinterpret_cast<const char*>(rows.data()), rows.size() * sizeof(double)};
}

const char* const both_formats[] = {"run.csv", "run.h5"};

} // namespace

TEST_CASE("the name of a result file decides its format") {
    CHECK(is_hdf5_name("out/run.h5"));
    CHECK(is_hdf5_name("run.hdf5"));
    CHECK_FALSE(is_hdf5_name("run.csv"));
    CHECK_FALSE(is_hdf5_name("/dev/stdout"));
    const Scratch scratch;
    for (const char* name : both_formats) {
        const auto recorder = new_recorder(scratch / name, heading());
        write_rows(*recorder, 0, 1);
        recorder->close();
    }
    CHECK(content(scratch / "run.csv").starts_with("time,motor.tau,load.w,load.on\n"));
    CHECK(content(scratch / "run.h5").substr(1, 3) == "HDF");
}

TEST_CASE("a recorder that goes on from a mark makes the file of one that never stopped") {
    const Scratch scratch;
    for (const std::string name : both_formats) {
        const auto whole = new_recorder(scratch / ("whole-" + name), heading());
        write_rows(*whole, 0, 30000);
        whole->close();
        for (const int cut : {0, 1, 2730, 8192, 10922, 10923, 29999, 30000}) {
            ResultMark mark;
            {
                const auto first = new_recorder(scratch / name, heading());
                write_rows(*first, 0, cut);
                mark = first->sync();
                write_rows(*first, cut, cut + 700);
            }
            const auto second = continued_recorder(scratch / name, heading(), mark);
            CHECK(second->rows() == cut);
            write_rows(*second, cut, 30000);
            second->close();
            INFO(name << " cut after row " << cut);
            CHECK(fingerprint_of(scratch / name) == fingerprint_of(scratch / ("whole-" + name)));
        }
    }
}

TEST_CASE("a mark of a continuation is that of a recorder that never stopped") {
    const Scratch scratch;
    for (const std::string name : both_formats) {
        const auto whole = new_recorder(scratch / ("whole-" + name), heading());
        write_rows(*whole, 0, 500);
        const ResultMark early = whole->sync();
        write_rows(*whole, 500, 900);
        const ResultMark late = whole->sync();
        whole->close();
        const auto second = continued_recorder(scratch / ("whole-" + name), heading(), early);
        write_rows(*second, 500, 900);
        CHECK(second->sync() == late);
        CHECK(late.rows == 900);
        CHECK(late.last_time == row_time(899));
    }
}

TEST_CASE("results that are shorter or other than at the checkpoint are refused and stay as they are") {
    const Scratch scratch;
    for (const std::string name : both_formats) {
        const std::filesystem::path file = scratch / name;
        const auto first = new_recorder(file, heading());
        write_rows(*first, 0, 300);
        const ResultMark mark = first->sync();
        first->close();

        const auto refused = [&](const std::string& why) {
            const std::string before = content(file);
            CHECK_THROWS_WITH(continued_recorder(file, heading(), mark), Catch::Contains(why));
            CHECK(content(file) == before);
            CHECK(scratch.files() == 1); // no temporary file either
        };
        {
            const auto other = new_recorder(file, heading());
            write_rows(*other, 0, 299);
            other->close();
        }
        refused("too short (");
        {
            const auto other = new_recorder(file, heading());
            write_rows(*other, 0, 299);
            other->write(row_time(299), std::vector<double>{0, 0, 0.5});
            write_rows(*other, 300, 600);
            other->close();
        }
        refused("are not those that were written");
        std::filesystem::remove(file);
        CHECK_FALSE(tests::refusal([&] { continued_recorder(file, heading(), mark); }, InputFault::unreadable)
                        .empty());
        CHECK(scratch.files() == 0);
    }
}

TEST_CASE("no recorder lets a number through that is not finite") {
    const Scratch scratch;
    for (const char* name : both_formats) {
        const auto recorder = new_recorder(scratch / name, heading());
        write_rows(*recorder, 0, 2);
        CHECK_THROWS_WITH(
            recorder->write(1, std::vector<double>{0, std::numeric_limits<double>::infinity(), 0}),
            "load.w is not finite (inf) at t = 1");
        CHECK_THROWS_AS(recorder->write(std::nan(""), row_values(0)), Error);
        recorder->close();
        CHECK(recorder->rows() == 2);
        std::filesystem::remove(scratch / name);
    }
}

TEST_CASE("a recorder without rows leaves no file and an older one as it was") {
    const Scratch scratch;
    for (const char* name : both_formats) {
        new_recorder(scratch / name, heading())->close();
        CHECK(scratch.files() == 0);
        write_text_file(scratch / name, "precious\n");
        new_recorder(scratch / name, heading())->close();
        CHECK(content(scratch / name) == "precious\n");
        std::filesystem::remove(scratch / name);
        CHECK_THROWS_AS(new_recorder(scratch / "no" / name, heading()), OutputError);
    }
}

TEST_CASE("rows reach the file while nobody calls the recorder") {
    const Scratch scratch;
    for (const char* name : both_formats) {
        const auto recorder = new_recorder(scratch / name, heading());
        write_rows(*recorder, 0, 7);
        const auto rows = [&]() -> long {
            if (!std::filesystem::exists(scratch / name))
                return 0;
            return is_hdf5_name(name) ? static_cast<long>(hdf5_rows(scratch / name).size() / 4)
                                      : std::ranges::count(content(scratch / name), '\n') - 1;
        };
        for (int tries = 0; tries < 500 && rows() < 7; ++tries)
            std::this_thread::sleep_for(std::chrono::milliseconds(20));
        CHECK(rows() == 7);
    }
}
