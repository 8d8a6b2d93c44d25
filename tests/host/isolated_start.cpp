// How an isolated instance is made, and what is said where it is not.

#include "tests/host/isolated_support.hpp"
#include "tests/support/refusal.hpp"

using namespace tenon;
using namespace tenon::fmi;
using namespace tenon::host;

namespace {

std::string isolated_error(const Fmu& fmu, const InstanceOptions& options = {},
                           const IsolationOptions& isolation = strict()) {
    return tests::refusal<LoadError>([&] { instantiate_isolated(fmu, options, isolation); });
}

} // namespace

TEST_CASE("isolated: an FMU that cannot be loaded says the same as in this process") {
    const int version = GENERATE(2, 3);
    const std::string name =
        GENERATE("broken-symbol", "broken-library", "broken-undefined", "misbehave-null");
    CAPTURE(name);
    const Scratch scratch;
    const TemporaryDirectory temporary(scratch.folder());
    InstanceOptions options;
    options.logging = true;
    const Fmu fmu = foreign(name, version);
    const std::string error = isolated_error(fmu, options);
    CHECK(has_no_child());
    CHECK(scratch.files() == 0);
    CHECK(error == load_error(fmu, options));
    CHECK_THAT(error, Catch::StartsWith(fmu.file().string() + ": "));
}

TEST_CASE("isolated: folder, process and scratch folder are gone with the slave") {
    const Scratch scratch;
    const TemporaryDirectory temporary(scratch.folder());
    const Fmu fmu = foreign("feedthrough", 3);
    Log log;
    {
        const auto slave = started_isolated(fmu, logging_to(log));
        CHECK(scratch.files() == 2);
        CHECK(children().size() == 1);
        CHECK_FALSE(log.has("freed"));
    }
    CHECK(log.has("freed"));
    CHECK(scratch.files() == 0);
    CHECK(has_no_child());
}

TEST_CASE("isolated: a slave outlives its Fmu") {
    std::unique_ptr<Slave> slave;
    {
        const Fmu fmu = foreign("vanderpol", 3);
        slave = instantiate_isolated(fmu, {}, strict());
    }
    initialize(*slave);
    CHECK(slave->step(0, 0.1).status == Status::ok);
    CHECK(slave->description().model_name.empty() == false);
}

TEST_CASE("isolated: a folder that is granted and does not exist is named") {
    IsolationOptions isolation = strict();
    isolation.readable = {"/no/such/folder"};
    const Fmu fmu = foreign("gain", 3);
    CHECK_THAT(isolated_error(fmu, {}, isolation), Catch::Contains("/no/such/folder"));
    CHECK(has_no_child());
}

TEST_CASE("isolated: a TMPDIR that is relative, and a master that changes its folder meanwhile") {
    const Scratch scratch;
    const std::filesystem::path before = std::filesystem::current_path();
    std::filesystem::current_path(scratch.folder());
    std::filesystem::create_directory("here");
    {
        const TemporaryDirectory temporary("here");
        const Fmu fmu = foreign("feedthrough", 2);
        const auto slave = started_isolated(fmu);
        std::filesystem::current_path(before);
        CHECK(slave->step(0, 0.1).status == Status::ok);
        std::filesystem::current_path(scratch.folder()); // where the folders are to be removed
    }
    CHECK(std::filesystem::is_empty("here"));
    std::filesystem::current_path(before);
}

TEST_CASE("isolated: a master that was started without standard streams has slaves all the same") {
    const Scratch scratch;
    const TemporaryDirectory temporary(scratch.folder()); // the child below ends without removing anything
    const pid_t master = ::fork();
    if (master == 0) {
        for (int i = 0; i < 20; ++i)
            ::close(i);
        const Fmu fmu = foreign("vanderpol", 2);
        const auto slave = instantiate_isolated(fmu, {}, strict());
        ::_exit(slave->enter_initialization(0, std::nullopt, std::nullopt) == Status::ok &&
                        slave->exit_initialization() == Status::ok && slave->step(0, 0.1).status == Status::ok
                    ? 0
                    : 1);
    }
    int status = 0;
    REQUIRE(::waitpid(master, &status, 0) == master);
    CHECK((WIFEXITED(status) && WEXITSTATUS(status) == 0));
}
