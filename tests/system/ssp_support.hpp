#pragma once
// SSP packages for tests, from the texts of their files.

#include "tools/archive/archive.hpp"
#include "tools/files/errors.hpp"
#include "tools/files/text_file.hpp"
#include "tools/system/system.hpp"

#include "tests/files/scratch.hpp"
#include "tests/support/refusal.hpp"
#include "tests/system/test_fmu.hpp"

#include <catch2/catch.hpp>

namespace tenon::system {

/// A root element around `content`, with the usual prefixes.
inline std::string ssd(const std::string& content, const std::string& version = "1.0") {
    return "<ssd:SystemStructureDescription version=\"" + version +
           "\" name=\"rig\" xmlns:ssd=\"http://ssp-standard.org/SSP1/SystemStructureDescription\" "
           "xmlns:ssc=\"http://ssp-standard.org/SSP1/SystemStructureCommon\" "
           "xmlns:ssv=\"http://ssp-standard.org/SSP1/SystemStructureParameterValues\" "
           "xmlns:ssm=\"http://ssp-standard.org/SSP1/SystemStructureParameterMapping\">\n" +
           content + "\n</ssd:SystemStructureDescription>\n";
}

inline std::string component(const std::string& name, const std::string& fmu,
                             const std::string& content = "") {
    return "<ssd:Component name=\"" + name + "\" source=\"resources/" + fmu + "\">" + content +
           "</ssd:Component>\n";
}

inline std::string connector(const std::string& name, const std::string& kind, const std::string& type = "") {
    return "<ssd:Connector name=\"" + name + "\" kind=\"" + kind + "\">" + type + "</ssd:Connector>";
}

/// "a.y" to "b.u"; without a dot: a connector of the system.
inline std::string connection(const std::string& start, const std::string& end,
                              const std::string& content = "", const std::string& attributes = "") {
    const auto side = [](const std::string& which, const std::string& name) {
        const std::size_t dot = name.find('.');
        const std::string element =
            dot == name.npos ? "" : " " + which + "Element=\"" + name.substr(0, dot) + "\"";
        return element + " " + which + "Connector=\"" + (dot == name.npos ? name : name.substr(dot + 1)) +
               "\"";
    };
    return "<ssd:Connection" + side("start", start) + side("end", end) + " " + attributes + ">" + content +
           "</ssd:Connection>\n";
}

inline std::string parameter_set_text(const std::string& parameters, const std::string& more = "") {
    return "<ssv:ParameterSet version=\"1.0\" name=\"p\" "
           "xmlns:ssv=\"http://ssp-standard.org/SSP1/SystemStructureParameterValues\" "
           "xmlns:ssc=\"http://ssp-standard.org/SSP1/SystemStructureCommon\"><ssv:Parameters>" +
           parameters + "</ssv:Parameters>" + more + "</ssv:ParameterSet>";
}

inline std::string real(const std::string& name, const std::string& value, const std::string& unit = "") {
    return "<ssv:Parameter name=\"" + name + "\"><ssv:Real value=\"" + value + "\"" +
           (unit.empty() ? "" : " unit=\"" + unit + "\"") + "/></ssv:Parameter>";
}

struct Package {
    Scratch folder;
    std::vector<ArchiveContent> entries;

    void fmu(const std::string& name, const TestFmu& fmu) {
        fmu.save(folder / name);
        entries.push_back({"resources/" + name, read_text_file(folder / name, 1u << 24)});
    }
    void file(const std::string& name, const std::string& text) { entries.push_back({name, text}); }

    /// A package with this root system, read and not checked.
    System read(const std::string& main) const {
        std::vector<ArchiveContent> all = entries;
        all.push_back({"SystemStructure.ssd", main});
        std::filesystem::remove(folder / "rig.ssp");
        write_archive(folder / "rig.ssp", all);
        return read_system(folder / "rig.ssp");
    }
    CheckedSystem check(const std::string& main) const { return check_system(read(main)); }

    std::string refusal(const std::string& main) const {
        return tests::refusal([&] { check(main); });
    }
};

/// One FMU with output y, input u and parameter k, in metres where `unit` says so.
inline TestFmu block(fmi::Version version = fmi::Version::fmi2, const std::string& unit = "",
                     double factor = 1) {
    TestFmu fmu(version, "block");
    if (!unit.empty())
        fmu.unit(unit, {0, 1}, factor);
    fmu.output("y", unit).input("u", unit).parameter("k", unit);
    return fmu;
}

inline double set_value(const CheckedSystem& checked, std::size_t fmu, const std::string& variable) {
    for (const CheckedSystem::Assignment& assignment : checked.assignments.at(fmu))
        if (checked.fmus[fmu]->description().variables[assignment.variable].name == variable)
            return std::get<std::vector<double>>(assignment.values).front();
    FAIL("not set: " << variable);
    return 0;
}

} // namespace tenon::system
