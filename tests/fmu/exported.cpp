// Exported FMUs through the importer: the packed file, loaded as anybody would load it.

#include "core/simulation/simulation.hpp"
#include "modelDescription/checker.hpp"
#include "modelDescription/reader.hpp"
#include "tests/support/folders.hpp"
#include "tools/export/export_fmu.hpp"
#include "tools/files/temporary_folder.hpp"
#include "tools/import/elf.hpp"
#include "tools/import/fmu.hpp"
#include "tools/model_file/model_reader.hpp"

#include <catch2/catch.hpp>

#include <cmath>
#include <filesystem>
#include <map>
#include <thread>

using namespace tenon;
using fmi::Reference;
using fmi::Status;
using fmi::Version;

namespace {

std::vector<std::string> examples() {
    std::vector<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(tests::source_folder() + "/examples"))
        if (entry.path().extension() == ".toml")
            names.push_back(entry.path().stem().string());
    std::sort(names.begin(), names.end());
    return names;
}

Model example(const std::string& name) {
    return read_model(tests::source_folder() + "/examples/" + name + ".toml");
}

const ArchiveContent& entry(const std::vector<ArchiveContent>& content, const std::string& name) {
    for (const ArchiveContent& e : content)
        if (e.name == name)
            return e;
    FAIL("no entry " << name);
    return content.front();
}

/// An FMU on the disk for as long as the object lives.
struct Exported {
    TemporaryFolder folder;
    std::filesystem::path file;
    Exported(const Model& model, Version version, const std::string& name = "machine.fmu")
        : file(folder.path() / name) {
        write_archive(file, fmu_content(model, "", version));
    }
};

struct Names {
    std::map<std::string, Reference> reference;
    std::vector<Reference> outputs;
    std::size_t count = 0; ///< of values of outputs
    explicit Names(const fmi::Description& d) {
        for (const fmi::Variable& v : d.variables) {
            reference[v.name] = v.reference;
            if (v.causality == fmi::Causality::output) {
                outputs.push_back(v.reference);
                count += v.elements();
            }
        }
    }
};

std::vector<double> outputs(fmi::Slave& slave, const Names& names) {
    std::vector<double> values(names.count);
    REQUIRE(slave.get(names.outputs, values) == Status::ok);
    return values;
}

void begin(fmi::Slave& slave) {
    REQUIRE(slave.enter_initialization(0, {}, {}) == Status::ok);
    REQUIRE(slave.exit_initialization() == Status::ok);
}

std::vector<double> run(fmi::Slave& slave, const Names& names, double h, int steps) {
    begin(slave);
    for (int i = 0; i < steps; ++i)
        REQUIRE(slave.step(i * h, h).status == Status::ok);
    return outputs(slave, names);
}

fmi::InstanceOptions logging(std::vector<std::string>& log) {
    fmi::InstanceOptions options;
    options.logging = true;
    options.log = [&log](Status, const std::string&, const std::string& text) { log.push_back(text); };
    return options;
}

} // namespace

TEST_CASE("every example becomes an FMU of both versions whose description has no findings") {
    for (const std::string& name : examples())
        for (const Version version : {Version::fmi2, Version::fmi3}) {
            INFO(name);
            const auto content = fmu_content(example(name), "", version);
            fmi::Description d = fmi::read_description(entry(content, "modelDescription.xml").data);
            if (!example(name).ports.empty() || !example(name).flanges.empty())
                fmi::read_terminals(entry(content, "terminalsAndIcons/terminalsAndIcons.xml").data, d);
            for (const fmi::Finding& finding : fmi::check_description(d)) {
                INFO(finding.rule << " " << finding.place << ": " << finding.message);
                CHECK(finding.severity == fmi::Severity::note);
            }
        }
}

TEST_CASE("exported FMUs give the digits of the simulation, in both versions") {
    for (const std::string& name : examples()) {
        INFO(name);
        const Model model = example(name);
        Simulation simulation(model);
        const double h = model.solver.step;
        const int steps = name == "n_four_bar_40" ? 2 : 10;
        for (int i = 0; i < steps; ++i)
            simulation.step((i + 1) * h - simulation.time());
        std::vector<double> expected(simulation.columns().size());
        simulation.read(expected);
        for (const Version version : {Version::fmi2, Version::fmi3}) {
            const Exported exported(model, version);
            const fmi::Fmu fmu(exported.file);
            const Names names(fmu.description());
            const auto slave = fmu.instantiate({});
            CHECK(run(*slave, names, h, steps) == expected);
        }
    }
}

TEST_CASE("the same model gives the same FMU, byte for byte, and another model another token") {
    const Model model = example("ports_flanges");
    for (const Version version : {Version::fmi2, Version::fmi3}) {
        const auto a = fmu_content(model, "text", version), b = fmu_content(model, "text", version);
        REQUIRE(a.size() == b.size());
        for (std::size_t i = 0; i < a.size(); ++i)
            CHECK((a[i].name == b[i].name && a[i].data == b[i].data));
        Model other = model;
        other.bodies[0].mass *= 1 + 1e-15;
        const auto token = [&](const Model& m) {
            return fmi::read_description(entry(fmu_content(m, "", version), "modelDescription.xml").data)
                .token;
        };
        CHECK(token(model) == token(model));
        CHECK(token(model) != token(other));
    }
}

TEST_CASE("an FMU works from paths with spaces, umlauts and signs that mean something in a URI") {
    const Model model = example("double_pendulum");
    for (const Version version : {Version::fmi2, Version::fmi3}) {
        const Exported exported(model, version, "Prüf stand + 100 % {a} #1 模型.fmu");
        const fmi::Fmu fmu(exported.file);
        const Names names(fmu.description());
        CHECK(run(*fmu.instantiate({}), names, 1e-3, 3).size() == names.count);
    }
}

TEST_CASE("instances alternate, run in threads and beside another FMU as if alone") {
    for (const Version version : {Version::fmi2, Version::fmi3}) {
        const Exported a(example("ports_flanges"), version), b(example("cart"), version);
        const fmi::Fmu first(a.file), second(b.file);
        const Names names_a(first.description()), names_b(second.description());
        const std::vector<double> alone_a = run(*first.instantiate({}), names_a, 1e-3, 40),
                                  alone_b = run(*second.instantiate({}), names_b, 1e-3, 40);
        const auto x = first.instantiate({}), y = first.instantiate({}), z = second.instantiate({});
        for (fmi::Slave* slave : {x.get(), y.get(), z.get()})
            begin(*slave);
        for (int i = 0; i < 40; ++i)
            for (fmi::Slave* slave : {x.get(), y.get(), z.get()})
                slave->step(i * 1e-3, 1e-3);
        CHECK(outputs(*x, names_a) == alone_a);
        CHECK(outputs(*y, names_a) == alone_a);
        CHECK(outputs(*z, names_b) == alone_b);

        std::vector<std::vector<double>> results(4);
        std::vector<std::unique_ptr<fmi::Slave>> slaves;
        for (int i = 0; i < 4; ++i)
            slaves.push_back((i % 2 == 0 ? first : second).instantiate({}));
        std::vector<std::thread> threads;
        for (std::size_t i = 0; i < 4; ++i)
            threads.emplace_back([&, i] {
                fmi::Slave& slave = *slaves[i];
                slave.enter_initialization(0, {}, {});
                slave.exit_initialization();
                for (int k = 0; k < 40; ++k)
                    slave.step(k * 1e-3, 1e-3);
                const Names& names = i % 2 == 0 ? names_a : names_b;
                results[i].resize(names.count);
                slave.get(names.outputs, results[i]);
            });
        for (std::thread& thread : threads)
            thread.join();
        for (std::size_t i = 0; i < 4; ++i)
            CHECK(results[i] == (i % 2 == 0 ? alone_a : alone_b));
    }
}

TEST_CASE("an FMU that cannot be instantiated says why") {
    for (const Version version : {Version::fmi2, Version::fmi3}) {
        TemporaryFolder folder;
        auto content = fmu_content(example("double_pendulum"), "", version);
        const std::string xml = entry(content, "modelDescription.xml").data;
        const auto refused = [&](const std::string& part) {
            const auto file = folder.path() / "broken.fmu";
            std::filesystem::remove(file);
            write_archive(file, content);
            std::vector<std::string> log;
            const fmi::Fmu fmu(file);
            CHECK_THROWS_AS(fmu.instantiate(logging(log)), fmi::LoadError);
            std::string all;
            for (const std::string& line : log)
                all += line + "\n";
            CHECK_THAT(all, Catch::Contains(part));
        };
        content[0].data.replace(xml.find("tenon-") + 6, 4, "beef");
        refused("do not belong together");
        content[0].data = xml;
        for (ArchiveContent& e : content)
            if (e.name == "resources/model.bin")
                e.data[100] = static_cast<char>(e.data[100] ^ 1);
        refused("checksum");
        std::erase_if(content, [](const ArchiveContent& e) { return e.name == "resources/model.bin"; });
        refused("model.bin");
    }
}

TEST_CASE("a value that is not finite is an error in FMI 2.0 and discarded in FMI 3.0") {
    for (const Version version : {Version::fmi2, Version::fmi3}) {
        const Exported exported(example("ports_flanges"), version);
        const fmi::Fmu fmu(exported.file);
        const Names names(fmu.description());
        std::vector<std::string> log;
        const auto slave = fmu.instantiate(logging(log));
        begin(*slave);
        const Reference tau = names.reference.at("drive.tau");
        const double nan = std::nan("");
        const Status status = slave->set({&tau, 1}, {&nan, 1});
        CHECK(status == (version == Version::fmi2 ? Status::error : Status::discard));
        CHECK_THAT(log.back(), Catch::Contains("drive.tau"));
        CHECK(slave->step(0, 1e-3).status == (version == Version::fmi2 ? Status::error : Status::ok));
    }
}

TEST_CASE(
    "a step that cannot be made is an error in FMI 2.0 and discarded with the state unchanged in FMI 3.0") {
    for (const Version version : {Version::fmi2, Version::fmi3}) {
        const Exported exported(example("ports_flanges"), version);
        const fmi::Fmu fmu(exported.file);
        const Names names(fmu.description());
        std::vector<std::string> log;
        const auto slave = fmu.instantiate(logging(log));
        begin(*slave);
        slave->step(0, 1e-3);
        const std::vector<double> before = outputs(*slave, names);
        const Reference tau = names.reference.at("drive.tau");
        const double large = 1e300, zero = 0;
        slave->set({&tau, 1}, {&large, 1});
        const Status status = slave->step(1e-3, 1e-3).status;
        CHECK(status == (version == Version::fmi2 ? Status::error : Status::discard));
        CHECK_THAT(log.back(), Catch::Contains("t = "));
        if (version == Version::fmi3) {
            slave->set({&tau, 1}, {&zero, 1});
            CHECK(slave->step(1e-3, 1e-3).status == Status::ok);
            CHECK(outputs(*slave, names) != before);
        } else { // reset is the way out
            CHECK(slave->reset() == Status::ok);
            CHECK(run(*slave, names, 1e-3, 1) == before);
        }
    }
}

TEST_CASE(
    "a polynomial force within a step reaches the integrator by derivatives in 2.0 and by callback in 3.0") {
    const auto end = [](Version version) {
        const Exported exported(example("ports_flanges"), version);
        const fmi::Fmu fmu(exported.file);
        const Names names(fmu.description());
        const Reference tau = names.reference.at("drive.tau");
        fmi::InstanceOptions options;
        fmi::Slave* made = nullptr;
        const auto value = [](double t) { return 0.3 + 4 * t - 30 * t * t; };
        if (version == Version::fmi3) {
            options.intermediate = {tau};
            options.intermediate_update =
                [&](const fmi::IntermediateUpdate& update) -> std::optional<double> {
                const double u = value(update.time);
                if (update.set_requested)
                    CHECK(made->set({&tau, 1}, {&u, 1}) == Status::ok);
                return {};
            };
        }
        const auto slave = fmu.instantiate(options);
        made = slave.get();
        begin(*slave);
        for (int i = 0; i < 5; ++i) {
            const double t = i * 0.02, u = value(t);
            slave->set({&tau, 1}, {&u, 1});
            if (version == Version::fmi2) {
                const Reference both[] = {tau, tau};
                const std::int32_t orders[] = {1, 2};
                const double derivatives[] = {4 - 60 * t, -60};
                CHECK(slave->set_input_derivatives(both, orders, derivatives) == Status::ok);
            }
            CHECK(slave->step(t, 0.02).status == Status::ok);
        }
        const Reference angle = names.reference.at("shaft.angle");
        double result = 0;
        slave->get({&angle, 1}, {&result, 1});
        return result;
    };
    const double two = end(Version::fmi2), three = end(Version::fmi3);
    CHECK(two == Approx(three).epsilon(1e-9)); // the same parabola, asked for differently
    CHECK(std::abs(two) > 1e-4);
}

TEST_CASE("fixed parameters are refused once the machine moves and tunable ones are taken") {
    for (const Version version : {Version::fmi2, Version::fmi3}) {
        const Exported exported(example("ports_flanges"), version);
        const fmi::Fmu fmu(exported.file);
        const Names names(fmu.description());
        const auto slave = fmu.instantiate({});
        begin(*slave);
        const double two = 2;
        const Reference mass = names.reference.at("arm.mass"),
                        tolerance = names.reference.at("solver.tolerance");
        CHECK(slave->set({&mass, 1}, {&two, 1}) == Status::ok);
        CHECK(slave->step(0, 1e-3).status == Status::ok);
        CHECK(slave->set({&tolerance, 1}, {&two, 1}) == Status::error);
    }
}

#ifndef TENON_SANITIZERS
TEST_CASE("the packed library exports the functions of FMI and nothing else, and needs an old glibc only") {
    for (const Version version : {Version::fmi2, Version::fmi3}) {
        const std::string_view library =
            prebuilt_library(version == Version::fmi2 ? FmuLibrary::fmi2 : FmuLibrary::fmi3, this_platform);
        const fmi::Elf elf = fmi::read_elf(library);
        const std::string prefix = version == Version::fmi2 ? "fmi2" : "fmi3";
        int functions = 0;
        for (const fmi::ElfSymbol& symbol : elf.symbols) {
            INFO(symbol.name << " " << symbol.version);
            CHECK_FALSE(symbol.unique);
            CHECK_FALSE(symbol.version.starts_with("GLIBCXX"));
            if (symbol.version.starts_with("GLIBC_2."))
                CHECK(std::stod(symbol.version.substr(8)) <= 28);
            if (symbol.defined && !symbol.name.empty()) {
                CHECK(symbol.name.starts_with(prefix));
                ++functions;
            }
        }
        CHECK(functions == (version == Version::fmi2 ? 34 : 75));
        for (const std::string& needed : elf.needed) {
            INFO(needed);
            CHECK((needed.starts_with("libc.") || needed.starts_with("libm.") ||
                   needed.starts_with("libgcc_s.") || needed.starts_with("ld-linux")));
        }
        CHECK(elf.runpath.empty());
        CHECK_FALSE(elf.executable_stack);
        CHECK(library.find("/work/") == std::string_view::npos); // no path of the machine that built it
        CHECK(library.find(tests::source_folder()) == std::string_view::npos);
    }
}
#endif
