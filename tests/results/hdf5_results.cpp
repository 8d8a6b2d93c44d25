// Results in HDF5: what is in the file, while it is written, after a kill and on a full disk.

#include "tools/files/errors.hpp"
#include "tools/results/hdf5_recorder.hpp"

#include "tests/files/scratch.hpp"
#include "tests/results/result_support.hpp"

#include <catch2/catch.hpp>

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>

using namespace tenon;
using namespace tenon::results;

TEST_CASE("rows of HDF5 read back exactly, across chunks") {
    const Scratch scratch;
    Hdf5Recorder recorder(scratch / "run.h5", heading());
    write_rows(recorder, 0, 25000);
    recorder.close();
    CHECK(hdf5_rows(scratch / "run.h5") == expected_rows(25000));
    CHECK(scratch.files() == 1);
}

TEST_CASE("HDF5 results can be read while they are written") {
    const Scratch scratch;
    Hdf5Recorder recorder(scratch / "run.h5", heading());
    write_rows(recorder, 0, 10);
    CHECK_FALSE(std::filesystem::exists(scratch / "run.h5")); // never there without a row
    recorder.flush();
    CHECK(hdf5_rows(scratch / "run.h5") == expected_rows(10));
    write_rows(recorder, 10, 20);
    recorder.flush();
    CHECK(hdf5_rows(scratch / "run.h5") == expected_rows(20));
}

TEST_CASE("a system without variables has results of times alone") {
    const Scratch scratch;
    const ResultHeading nothing{"empty", "{}", {}};
    Hdf5Recorder recorder(scratch / "run.h5", nothing);
    recorder.write(0, {});
    recorder.write(1, {});
    const ResultMark mark = recorder.sync();
    recorder.close();
    Hdf5Recorder second(scratch / "run.h5", nothing, mark);
    second.write(2, {});
    second.close();
    const Hdf5TableReader reader(scratch / "run.h5", nothing);
    std::vector<double> times(reader.rows());
    reader.read(0, times, {});
    CHECK(times == std::vector<double>{0, 1, 2});
}

TEST_CASE("rows that were flushed survive the kill of their writer, and it can be continued") {
    const Scratch scratch;
    for (const int flushed : {1, 2999, 8192, 9000}) {
        INFO(flushed);
        const std::filesystem::path file = scratch / "run.h5";
        const pid_t child = ::fork();
        if (child == 0) {
            Hdf5Recorder recorder(file, heading());
            write_rows(recorder, 0, flushed);
            recorder.flush();
            write_rows(recorder, flushed, flushed + 100);
            ::kill(::getpid(), SIGKILL);
        }
        int status = 0;
        REQUIRE(::waitpid(child, &status, 0) == child);
        REQUIRE(WIFSIGNALED(status));
        const std::vector<double> rows = hdf5_rows(file);
        REQUIRE(rows.size() / 4 >= static_cast<std::size_t>(flushed));
        CHECK(rows == expected_rows(static_cast<int>(rows.size() / 4)));

        ResultMark mark;
        {
            Hdf5Recorder same(scratch / "same.h5", heading());
            write_rows(same, 0, flushed);
            mark = same.sync();
        }
        Hdf5Recorder second(file, heading(), mark);
        write_rows(second, flushed, flushed + 50);
        second.close();
        CHECK(hdf5_rows(file) == expected_rows(flushed + 50));
    }
}

namespace {

/// What a child process that may write files of `limit` bytes at most says about its end, and how many rows it kept. A process of
/// its own, because the library shares a file that it could not close with whoever opens it again in the same process.
struct FullDisk {
    std::string problem;
    long rows = 0;
};

template <class Write> FullDisk on_full_disk(const std::filesystem::path& file, rlim_t limit, Write write) {
    int ends[2];
    REQUIRE(::pipe(ends) == 0);
    const pid_t child = ::fork();
    if (child == 0) {
        std::signal(SIGXFSZ, SIG_IGN);
        const rlimit small{limit, limit};
        if (::setrlimit(RLIMIT_FSIZE, &small) != 0)
            ::_exit(2);
        std::string problem;
        Hdf5Recorder recorder(file, heading());
        try {
            write(recorder);
        } catch (const OutputError& error) {
            problem = error.what();
        }
        const std::string answer = std::to_string(recorder.rows()) + " " + problem;
        recorder.close();
        ::_exit(::write(ends[1], answer.data(), answer.size()) == static_cast<ssize_t>(answer.size()) ? 0
                                                                                                      : 3);
    }
    ::close(ends[1]);
    std::string answer(4096, '\0');
    answer.resize(
        static_cast<std::size_t>(std::max<ssize_t>(::read(ends[0], answer.data(), answer.size()), 0)));
    ::close(ends[0]);
    int status = 0;
    REQUIRE(::waitpid(child, &status, 0) == child);
    REQUIRE(status == 0);
    const std::size_t space = answer.find(' ');
    REQUIRE(space != answer.npos);
    return {answer.substr(space + 1), std::stol(answer)};
}

/// Not compared in one CHECK: Catch takes hours to print a million numbers.
void check_rows(const std::filesystem::path& file, long rows) {
    const std::vector<double> found = hdf5_rows(file);
    CHECK(found.size() == 4 * static_cast<std::size_t>(rows));
    const bool same = found == expected_rows(static_cast<int>(rows));
    CHECK(same);
}

} // namespace

TEST_CASE("a disk that fills up leaves the HDF5 rows of the last flush") {
    const Scratch scratch;
    const FullDisk full = on_full_disk(scratch / "run.h5", 1500000,
                                       [](Recorder& recorder) { write_rows(recorder, 0, 200000); });
    CHECK_THAT(full.problem, Catch::Contains("run.h5: cannot be written (File too large)"));
    CHECK(full.rows > 20000);
    check_rows(scratch / "run.h5", full.rows);
}

TEST_CASE("a disk that is full in the middle of a block leaves as many HDF5 rows as are said to be kept") {
    const Scratch scratch;
    const FullDisk full = on_full_disk(scratch / "run.h5", 300000, [](Recorder& recorder) {
        for (int i = 0; i < 200000; i += 229) {
            write_rows(recorder, i, i + 229);
            recorder.flush();
        }
    });
    CHECK(full.problem != "");
    CHECK(full.rows > 0);
    check_rows(scratch / "run.h5", full.rows);
}

TEST_CASE("a disk without room for the first row leaves an older HDF5 file as it was") {
    const Scratch scratch;
    write_text_file(scratch / "run.h5", "precious\n");
    rlimit old{};
    REQUIRE(getrlimit(RLIMIT_FSIZE, &old) == 0);
    const auto old_handler = std::signal(SIGXFSZ, SIG_IGN);
    const rlimit small{2000, old.rlim_max};
    REQUIRE(setrlimit(RLIMIT_FSIZE, &small) == 0);
    Hdf5Recorder recorder(scratch / "run.h5", heading());
    bool thrown = false;
    try {
        write_rows(recorder, 0, 1);
        recorder.flush();
    } catch (const OutputError&) {
        thrown = true;
    }
    setrlimit(RLIMIT_FSIZE, &old);
    std::signal(SIGXFSZ, old_handler);
    CHECK(thrown);
    CHECK(recorder.rows() == 0);
    CHECK(content(scratch / "run.h5") == "precious\n");
    CHECK(scratch.files() == 1);
}

TEST_CASE("files that are no HDF5 results or have other columns are not continued") {
    const Scratch scratch;
    const auto refused = [&](const std::string& why) {
        CHECK_THROWS_WITH(Hdf5Recorder(scratch / "run.h5", heading(), ResultMark{1, 0, 0, 0}),
                          Catch::Contains(why));
    };
    write_text_file(scratch / "run.h5", "time,a\n0,1\n");
    refused("run.h5: the results cannot be read");
    ResultHeading other = heading();
    other.columns[1].name = "load.phi";
    {
        Hdf5Recorder recorder(scratch / "run.h5", other);
        write_rows(recorder, 0, 5);
        recorder.close();
    }
    refused("the results have other columns than this run writes");
    std::string bytes = content(scratch / "run.h5");
    for (std::size_t length = 0; length < 6000; length += 97) { // cut anywhere: refused, never a crash
        write_text_file(scratch / "run.h5", bytes.substr(0, length));
        CHECK_THROWS_AS(Hdf5Recorder(scratch / "run.h5", other, ResultMark{5, 0, 0, 0}), InputError);
    }
}

TEST_CASE("HDF5 results through a link go where it points") {
    const Scratch scratch;
    std::filesystem::create_directory(scratch / "disk");
    write_text_file(scratch / "disk/big.h5", "old\n");
    std::filesystem::create_symlink(scratch / "disk/big.h5", scratch / "run.h5");
    Hdf5Recorder recorder(scratch / "run.h5", heading());
    write_rows(recorder, 0, 3);
    recorder.close();
    CHECK(std::filesystem::is_symlink(scratch / "run.h5"));
    CHECK(hdf5_rows(scratch / "disk/big.h5") == expected_rows(3));
}
