#pragma once
// FMUs with one fault of choice: tests/check/fmus/sloppy.c, compiled when a test asks for it.

#include "tests/files/scratch.hpp"
#include "tests/support/folders.hpp"
#include "tools/archive/archive.hpp"
#include "tools/check/check_fmu.hpp"

#include <catch2/catch.hpp>

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

namespace tenon::check {

using namespace fmi;

inline std::string content_of(const std::filesystem::path& file) {
    std::ifstream stream(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), {}};
}

/// A description that the FMU keeps in every point.
constexpr const char* sloppy_xml = R"(<?xml version="1.0" encoding="UTF-8"?>
<fmiModelDescription fmiVersion="2.0" modelName="sloppy" guid="sloppy" generationTool="by hand">
  <CoSimulation modelIdentifier="sloppy" canHandleVariableCommunicationStepSize="true" canGetAndSetFMUstate="true"
                canSerializeFMUstate="true" canNotUseMemoryManagementFunctions="true" providesDirectionalDerivative="true"/>
  <UnitDefinitions><Unit name="s"><BaseUnit s="1"/></Unit></UnitDefinitions>
  <LogCategories><Category name="logStatusError"/></LogCategories>
  <DefaultExperiment startTime="0" stopTime="1" stepSize="0.1"/>
  <ModelVariables>
    <ScalarVariable name="time" valueReference="0" causality="independent" variability="continuous"><Real unit="s"/></ScalarVariable>
    <ScalarVariable name="u" valueReference="1" causality="input" variability="continuous"><Real start="1"/></ScalarVariable>
    <ScalarVariable name="y" valueReference="2" causality="output" variability="continuous"><Real/></ScalarVariable>
    <ScalarVariable name="p" valueReference="3" causality="parameter" variability="fixed" initial="exact"><Real start="2"/></ScalarVariable>
    <ScalarVariable name="x" valueReference="4" causality="local" variability="continuous" initial="exact"><Real start="0"/></ScalarVariable>
  </ModelVariables>
  <ModelStructure>
    <Outputs><Unknown index="3" dependencies="2"/></Outputs>
    <InitialUnknowns><Unknown index="3" dependencies="2 4 5"/></InitialUnknowns>
  </ModelStructure>
</fmiModelDescription>
)";

#ifdef __aarch64__
constexpr const char* sloppy_platform = "aarch64-linux";
#else
constexpr const char* sloppy_platform = "linux64";
#endif

class SloppyFmu {
  public:
    /// `variant` is the fault; `change` replaces a text of the description by another.
    explicit SloppyFmu(const std::string& variant, const std::pair<std::string, std::string>& change = {}) {
        const std::filesystem::path source =
            std::filesystem::path(tests::source_folder()) / "tests/check/fmus/sloppy.c";
        const std::filesystem::path library = folder_ / "sloppy.so";
        const std::string command = "cc -O1 -shared -fPIC -o '" + library.string() + "' '" + source.string() +
                                    "' -lm -lpthread"; // no sanitizers: it is somebody else's
        REQUIRE(std::system(command.c_str()) == 0);
        std::string xml = sloppy_xml;
        if (!change.first.empty()) {
            const std::size_t at = xml.find(change.first);
            REQUIRE(at != std::string::npos);
            xml.replace(at, change.first.size(), change.second);
        }
        write_archive(file(),
                      {{"modelDescription.xml", xml},
                       {std::string("binaries/") + sloppy_platform + "/sloppy.so", content_of(library)},
                       {"resources/variant.txt", variant}});
    }

    std::filesystem::path file() const { return folder_ / "sloppy.fmu"; }

    /// With the dynamic checks of these names only.
    CheckReport check(std::vector<std::string> only, double seconds = 20) const {
        CheckOptions options;
        options.only = std::move(only);
        options.limits.seconds = seconds;
        return check_fmu(file(), options);
    }

  private:
    Scratch folder_;
};

/// The rules of the findings of that severity or worse, in the order in which they were made. Which glibc the library needs
/// is the compiler's business, not the test's.
inline std::vector<std::string> rules(const CheckReport& report, Severity least = Severity::warning) {
    std::vector<std::string> list;
    for (const Finding& finding : report.findings.all())
        if (finding.severity >= least && finding.rule != "glibc-version")
            list.push_back(finding.rule);
    return list;
}

/// The message of the first finding with that rule; empty where there is none.
inline std::string message(const CheckReport& report, const std::string& rule) {
    for (const Finding& finding : report.findings.all())
        if (finding.rule == rule)
            return finding.message;
    return {};
}

using Rules = std::vector<std::string>;

} // namespace tenon::check
