// Checkpoints as bytes and as files: whole, truncated, altered, foreign; two generations; one user at a time.

#include "tools/files/errors.hpp"
#include "tools/results/checkpoint_file.hpp"

#include "tests/files/scratch.hpp"
#include "tests/results/result_support.hpp"
#include "tests/support/refusal.hpp"

#include <catch2/catch.hpp>

#include <sys/wait.h>
#include <unistd.h>

using namespace tenon;
using namespace tenon::results;

namespace {

Checkpoint sample(long step = 7) {
    Checkpoint c;
    c.program = "1.2.3";
    c.settings.system = "/home/a b/car.toml";
    c.settings.method = "iterate";
    c.settings.step = 0.1 + 0.2;
    c.settings.set = {"crank.mass=2", "engine.map=\"x\""};
    c.settings.vars = {"*.w"};
    c.settings.out = "/tmp/run.h5";
    c.settings.every = 10;
    c.settings.threads = 4;
    c.settings.isolate = true;
    c.content = {{"system", 1}, {"crank", 0xFFFFFFFFFFFFFFFF}};
    c.step = step;
    c.time = -0.0;
    c.finished = true;
    c.wall_seconds = 1.5;
    c.results = {3, 4, 5, 0.25};
    c.master = {0, 255, 0, 7};
    return c;
}

} // namespace

TEST_CASE("a checkpoint reads back as it was") {
    CHECK(checkpoint_from_bytes(checkpoint_to_bytes(sample()), "x") == sample());
    CHECK(checkpoint_from_bytes(checkpoint_to_bytes(Checkpoint()), "x") == Checkpoint());
}

TEST_CASE("every truncation and every changed byte of a checkpoint is noticed") {
    const std::string good = checkpoint_to_bytes(sample());
    for (std::size_t length = 0; length < good.size(); ++length)
        CHECK_THROWS_AS(checkpoint_from_bytes(std::string_view(good).substr(0, length), "x"), InputError);
    for (std::size_t at = 0; at < good.size(); ++at)
        for (const int bit : {0, 7}) {
            std::string bad = good;
            bad[at] = static_cast<char>(bad[at] ^ (1 << bit));
            CHECK_THROWS_AS(checkpoint_from_bytes(bad, "x"), InputError);
        }
    CHECK_THROWS_AS(checkpoint_from_bytes(good + "x", "x"), InputError);
}

TEST_CASE("a checkpoint that cannot be used says why") {
    CHECK_THROWS_WITH(checkpoint_from_bytes("time,a\n0,1\n", "run.csv"), "run.csv: this is not a checkpoint");
    std::string bytes = checkpoint_to_bytes(sample());
    bytes[checkpoint_magic.size()] = 9;
    CHECK_THROWS_WITH(checkpoint_from_bytes(bytes, "x"),
                      "x: the checkpoint has format 9, and this version reads format 2");
    bytes = checkpoint_to_bytes(sample());
    CHECK_THROWS_WITH(checkpoint_from_bytes(std::string_view(bytes).substr(0, bytes.size() - 3), "x"),
                      Catch::Contains("cut off"));
    bytes[bytes.size() / 2] = static_cast<char>(~bytes[bytes.size() / 2]);
    CHECK_THROWS_WITH(checkpoint_from_bytes(bytes, "x"), Catch::Contains("its checksum is wrong"));
}

TEST_CASE("a checkpoint with numbers that no run has is refused") {
    const auto refusal = [](const auto& change) {
        Checkpoint c = sample();
        change(c);
        return tests::refusal([&] { checkpoint_from_bytes(checkpoint_to_bytes(c), "x"); });
    };
    CHECK(refusal([](Checkpoint& c) { c.settings.every = 0; }) ==
          "x: the checkpoint makes no sense: every 0 steps a row (at least 1)");
    CHECK(refusal([](Checkpoint& c) { c.settings.threads = -5; }) ==
          "x: the checkpoint makes no sense: -5 threads (at least 1)");
    CHECK(refusal([](Checkpoint& c) { c.step = -1; }) ==
          "x: the checkpoint makes no sense: -1 steps done (at least 0)");
}

TEST_CASE("two generations of a checkpoint are kept") {
    const Scratch scratch;
    const std::filesystem::path file = scratch / "run.ckpt";
    write_checkpoint(file, sample(1));
    CHECK(scratch.files() == 1);
    write_checkpoint(file, sample(2));
    write_checkpoint(file, sample(3));
    CHECK(scratch.files() == 2);
    CHECK(read_checkpoint(file).checkpoint == sample(3));
    CHECK(read_checkpoint(file).remark.empty());
    CHECK(read_checkpoint(previous_checkpoint(file)).checkpoint == sample(2));
}

TEST_CASE("the generation before stands in for a checkpoint that is damaged or gone") {
    const Scratch scratch;
    const std::filesystem::path file = scratch / "run.ckpt";
    write_checkpoint(file, sample(1));
    write_checkpoint(file, sample(2));
    write_text_file(file, content(file).substr(0, 50));
    const ReadCheckpoint damaged = read_checkpoint(file);
    CHECK(damaged.checkpoint == sample(1));
    CHECK_THAT(damaged.remark, Catch::Contains("cut off") && Catch::Contains("run.ckpt.previous"));
    std::filesystem::remove(file);
    CHECK(read_checkpoint(file).checkpoint == sample(1));

    // The next checkpoint must not replace the only whole one by the damaged one.
    write_text_file(file, "junk");
    adopt_previous_checkpoint(file);
    write_checkpoint(file, sample(5));
    CHECK(read_checkpoint(previous_checkpoint(file)).checkpoint == sample(1));
    CHECK(read_checkpoint(file).checkpoint == sample(5));
}

TEST_CASE("without any whole generation a checkpoint is refused") {
    const Scratch scratch;
    const auto refused = [&](InputFault code) {
        return !tests::refusal([&] { read_checkpoint(scratch / "run.ckpt"); }, code).empty();
    };
    CHECK(refused(InputFault::unreadable));
    write_text_file(scratch / "run.ckpt", "junk");
    CHECK(refused(InputFault::malformed));
    write_text_file(scratch / "run.ckpt.previous", "junk");
    CHECK(refused(InputFault::malformed));
}

TEST_CASE("a checkpoint never replaces what is none") {
    const Scratch scratch;
    write_text_file(scratch / "thesis.txt", "precious\n");
    CHECK_THROWS_WITH(require_checkpoint_place(scratch / "thesis.txt"),
                      Catch::Contains("is not a checkpoint"));
    CHECK_THROWS_AS(require_checkpoint_place(scratch.folder()), OutputError);
    CHECK_THROWS_AS(require_checkpoint_place(scratch / "no" / "run.ckpt"), OutputError);
    require_checkpoint_place(scratch / "run.ckpt");
    CHECK(scratch.files() == 1);
    write_checkpoint(scratch / "run.ckpt", sample());
    require_checkpoint_place(scratch / "run.ckpt");
    remove_checkpoints(scratch / "run.ckpt");
    remove_checkpoints(scratch / "run.ckpt");
    CHECK(scratch.files() == 1);
}

TEST_CASE("a run that is still going on cannot be continued by another process") {
    const Scratch scratch;
    const std::filesystem::path file = scratch / "run.ckpt";
    const auto lock_elsewhere = [&] {
        const pid_t child = ::fork();
        if (child == 0) {
            int code = 0;
            try {
                const CheckpointLock lock(file);
            } catch (const OutputError&) {
                code = 73;
            }
            ::_exit(code);
        }
        int status = 0;
        ::waitpid(child, &status, 0);
        return WEXITSTATUS(status);
    };
    {
        const CheckpointLock lock(file);
        CHECK(lock_elsewhere() == 73);
    }
    CHECK(lock_elsewhere() == 0);
    CHECK(scratch.files() == 0);
}
